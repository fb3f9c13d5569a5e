"""Feelings and the graph: `affects`, `mood/history`, `threads`, `graph`, and the mood calls of the client."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Path, Query

from cocoro_ghost.api import actions, neighbourhood, shapes
from cocoro_ghost.api.app_state import AppState, AppStateDep
from cocoro_ghost.api.graph_path import shortest_path
from cocoro_ghost.api.schemas.control import (
    MoodDebug,
    MoodDebugOut,
    MoodOverride,
    MoodOverrideBody,
    PersonaMoodOut,
    RecentAffect,
)
from cocoro_ghost.api.schemas.memory import (
    AffectOut,
    GraphOut,
    MoodHistory,
    MoodPoint,
    ThreadDetail,
    ThreadOut,
)
from cocoro_ghost.api.schemas.parts import MAX_TS, Cursor, Limit, Page, bounded, page_of
from cocoro_ghost.api.schemas.turns import DayMoodOut, DayMoodsOut
from cocoro_ghost.api.server.refusals import documented
from cocoro_ghost.clock import local, offset_iso
from cocoro_ghost.errors import BadInput, NotFound
from cocoro_ghost.model.affect import Affect, Vad
from cocoro_ghost.store import affects, events, graph, states
from cocoro_ghost.store.ports import Reader

router = APIRouter(tags=["memory: heart"], responses=documented(404))
NodeId = Annotated[
    str, Query(max_length=200, examples=["e12"], description="e12, s7, t:thread or n:person:name")
]
RECENT_AFFECTS = 8
MAX_POINTS = 2000


@router.get("/api/memory/affects")
async def list_affects(app: AppStateDep, limit: Limit = 50, cursor: Cursor = None) -> Page[AffectOut]:
    """The moment's feeling of each event, newest first."""
    found = await app.ghost.memory.read(lambda reader: affects.newest(reader, limit + 1, cursor))
    return page_of([shapes.affect_out(affect) for affect in found], limit, lambda affect: affect.affect_id)


@router.get("/api/memory/mood/history")
async def mood_history(
    app: AppStateDep,
    start_ts: Annotated[int | None, Query(ge=0, le=MAX_TS)] = None,
    end_ts: Annotated[int | None, Query(ge=0, le=MAX_TS)] = None,
    points: Annotated[int, Query(ge=2, le=MAX_POINTS)] = 200,
) -> MoodHistory:
    """Baseline and shock over a period (the last seven days unless told), computed from the affects."""
    end = app.ghost.clock.domain_now() if end_ts is None else end_ts
    start = end - 7 * 86_400 if start_ts is None else start_ts
    if start >= end:
        raise BadInput("`start_ts` must lie before `end_ts`.")
    series = await actions.mood_series(app.ghost, start, end, points)
    items = [
        MoodPoint(
            ts=mood.ts,
            baseline=shapes.vad_out(mood.baseline),
            shock=shapes.vad_out(mood.shock),
            vad=shapes.vad_out(mood.total),
        )
        for mood in series
    ]
    return MoodHistory(start_ts=start, end_ts=end, points=items)


@router.get("/api/memory/mood/days")
async def mood_days(
    app: AppStateDep, days: Annotated[int, Query(ge=1, le=400, description="How many local days back")] = 28
) -> DayMoodsOut:
    """Each local day by its strongest moment, oldest first; days without a feeling are left out."""
    zone, now = app.ghost.clock.zone, app.ghost.clock.domain_now()
    found = await app.ghost.memory.read(lambda reader: affects.between(reader, now - days * 86_400, now + 1))
    by_day: dict[str, list[Affect]] = {}
    for affect in found:
        by_day.setdefault(f"{local(affect.created_at, zone):%Y-%m-%d}", []).append(affect)
    return DayMoodsOut(items=[_day_out(day, some) for day, some in sorted(by_day.items())])


def _day_out(day: str, some: list[Affect]) -> DayMoodOut:
    strongest = max(some, key=lambda one: max(abs(one.vad.v), abs(one.vad.a)) * one.confidence)
    weight = sum(one.confidence for one in some) or 1.0
    return DayMoodOut(
        day=day,
        moments=len(some),
        mean_v=sum(one.vad.v * one.confidence for one in some) / weight,
        strongest=shapes.vad_out(strongest.vad),
        text=strongest.text,
        event_id=strongest.event_id,
        at=strongest.created_at,
    )


@router.get("/api/memory/threads")
async def list_threads(app: AppStateDep, limit: Limit = 50, cursor: Cursor = None) -> Page[ThreadOut]:
    """Topics, the one talked of last first; here the cursor says how many were read."""
    skip = cursor or 0
    rows = await app.ghost.memory.read(lambda reader: graph.threads(reader, limit + 1, skip))
    items = bounded(ThreadOut.model_validate(asdict(row)) for row in rows[:limit])
    return Page(items=items, next_cursor=skip + len(items) if len(rows) > len(items) else None)


@router.get("/api/memory/threads/{key}")
async def one_thread(
    app: AppStateDep, key: Annotated[str, Path(max_length=200)], limit: Limit = 100
) -> ThreadDetail:
    """The events of one thread, newest first."""

    def read(reader: Reader) -> ThreadDetail:
        ids = [event_id for event_id, _ in graph.thread_events(reader, key, limit)]
        if not ids:
            raise NotFound(f"There is no thread {key!r}.")
        found = events.by_ids(reader, ids)
        return ThreadDetail(thread_key=key, items=bounded(shapes.event_out(found[one]) for one in ids))

    detail: ThreadDetail = await app.ghost.memory.read(read)
    return detail


@router.get("/api/memory/graph")
async def graph_around(
    app: AppStateDep,
    id: Annotated[  # noqa: A002 - the wire's word
        str, Query(max_length=200, examples=["e12"], description="e12, s7, t:thread or n:person:name")
    ],
    limit: Limit = 60,
) -> GraphOut:
    """Nodes and edges around one event, state, thread or entity."""
    found: GraphOut = await app.ghost.memory.read(
        lambda reader: neighbourhood.graph_around(reader, id, limit)
    )
    return found


@router.get("/api/memory/graph/path")
async def graph_path(app: AppStateDep, start: NodeId, goal: NodeId) -> GraphOut:
    """The shortest way between two things in memory; only the start when they do not hang together."""
    found: GraphOut = await app.ghost.memory.read(lambda reader: shortest_path(reader, start, goal))
    return found


@router.get("/api/mood/debug")
async def mood_debug(app: AppStateDep) -> MoodDebugOut:
    """The mood as it stands and the newest moments of feeling, as that client shows them."""
    now, zone = app.ghost.clock.domain_now(), app.ghost.clock.zone
    mood = await actions.mood_now(app.ghost)

    def read(reader: Reader) -> MoodDebugOut:
        recent = affects.newest(reader, RECENT_AFFECTS)
        told = events.by_ids(reader, [affect.event_id for affect in recent])
        state = states.long_mood(reader)
        shown = None
        if state is not None and mood is not None:
            shown = MoodDebug(
                state_id=state.state_id,
                body_text=state.body_text,
                confidence=state.confidence,
                payload=dict(state.payload),
                baseline_vad=shapes.vad_out(mood.baseline),
                shock_vad=shapes.vad_out(mood.shock),
                vad=shapes.vad_out(mood.total),
                now=offset_iso(now, zone),
                last_confirmed_at=offset_iso(state.last_confirmed_at, zone),
                dt_seconds=max(0, now - state.last_confirmed_at),
            )
        return MoodDebugOut(
            mood=shown,
            recent_affects=[
                RecentAffect(
                    affect_id=affect.affect_id,
                    event_id=affect.event_id,
                    event_source=told[affect.event_id].source.value,
                    event_created_at=offset_iso(told[affect.event_id].created_at, zone),
                    affect_created_at=offset_iso(affect.created_at, zone),
                    moment_affect_text=affect.text,
                    moment_affect_labels=list(affect.labels),
                    vad=shapes.vad_out(affect.vad),
                    confidence=affect.confidence,
                )
                for affect in recent
            ],
        )

    found: MoodDebugOut = await app.ghost.memory.read(read)
    return found


@router.get("/api/persona_mood")
async def get_persona_mood(app: AppStateDep) -> PersonaMoodOut:
    """Stored, overriding and effective mood."""
    return await _persona_mood(app)


@router.put("/api/persona_mood")
async def put_persona_mood(app: AppStateDep, body: MoodOverrideBody) -> PersonaMoodOut:
    """A debug override of the mood that is injected; it stands until it expires or is taken away."""
    vad = Vad(body.vad.v, body.vad.a, body.vad.d)
    shelf = app.ghost.mood_shelf
    await app.ghost.memory.write(lambda tx: shelf.put(tx, vad, body.note, body.ttl_seconds))
    return await _persona_mood(app)


@router.delete("/api/persona_mood")
async def delete_persona_mood(app: AppStateDep) -> PersonaMoodOut:
    """The stored mood stands again."""
    await app.ghost.memory.write(app.ghost.mood_shelf.clear)
    return await _persona_mood(app)


async def _persona_mood(app: AppState) -> PersonaMoodOut:
    mood = await actions.mood_now(app.ghost)
    stored = None if mood is None else shapes.vad_out(mood.total)
    placed = await app.ghost.memory.read(app.ghost.mood_shelf.current)
    override = None
    if placed is not None:
        vad = shapes.vad_out(placed.vad)
        override = MoodOverride(vad=vad, note=placed.note, expires_at=placed.expires_at)
    return PersonaMoodOut(
        stored=stored, override=override, effective=stored if override is None else override.vad
    )
