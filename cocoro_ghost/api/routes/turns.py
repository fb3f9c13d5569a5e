"""`/api/memory/turns`: the talk with its signs, a page a request; small pictures; this day in other years."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Query

from cocoro_ghost.api import shapes
from cocoro_ghost.api.app_state import AppStateDep
from cocoro_ghost.api.schemas.parts import Cursor, Id, Limit, Page, page_of
from cocoro_ghost.api.schemas.turns import (
    KeptOut,
    LearnState,
    LessonOut,
    OnThisDayOut,
    OnThisDaysOut,
    RecalledRef,
    ThumbnailsBody,
    TurnOut,
)
from cocoro_ghost.api.server.refusals import documented
from cocoro_ghost.clock import local
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.revision import Revision
from cocoro_ghost.model.state import StateKind
from cocoro_ghost.settings.page import stored_page_settings
from cocoro_ghost.store import browse, events, snapshots, turns
from cocoro_ghost.store.ports import Reader
from cocoro_ghost.store.turns import Signs
from cocoro_ghost.tidy.separate import selected_refs, texts_of

router = APIRouter(tags=["memory: turns"], responses=documented(404))
QUOTED = 6
"""How many recalled memories a turn quotes; the whole list is in its retrieval run."""
YEARS_BACK = 10


@router.get("/api/memory/turns")
async def list_turns(
    app: AppStateDep,
    limit: Limit = 30,
    cursor: Cursor = None,
    q: Annotated[str | None, Query(max_length=500)] = None,
) -> Page[TurnOut]:
    """The talk, newest first, each turn with what it recalled, taught and felt."""

    def read(reader: Reader) -> list[TurnOut]:
        return _turns_out(reader, browse.events(reader, browse.EventFilter(text=q), limit + 1, cursor))

    return page_of(await app.ghost.memory.read(read), limit, lambda turn: turn.event_id)


@router.get("/api/memory/turns/{event_id}")
async def one_turn(app: AppStateDep, event_id: Id) -> TurnOut:
    """One turn with its signs, for a page that waits for it to be learned."""
    found: list[TurnOut] = await app.ghost.memory.read(
        lambda reader: _turns_out(reader, [events.get(reader, event_id)])
    )
    return found[0]


@router.put("/api/memory/turns/{event_id}/thumbnails")
async def keep_thumbnails(app: AppStateDep, event_id: Id, body: ThumbnailsBody) -> KeptOut:
    """Small copies of the pictures of a turn; kept only where the settings say so."""
    page = await app.ghost.settings_db.read(stored_page_settings)
    if page.keep_thumbnails:
        await app.ghost.memory.write(lambda tx: turns.keep_thumbnails(tx, event_id, body.images))
    return KeptOut(kept=page.keep_thumbnails)


@router.get("/api/memory/on-this-day")
async def on_this_day(app: AppStateDep) -> OnThisDaysOut:
    """What was told, or happened, on this day of earlier years; nearest year first."""
    today = local(app.ghost.clock.domain_now(), app.ghost.clock.zone)
    today = today.replace(hour=0, minute=0, second=0, microsecond=0)

    def read(reader: Reader) -> list[OnThisDayOut]:
        items: list[OnThisDayOut] = []
        for years in range(1, YEARS_BACK + 1):
            start = _years_before(today, years)
            end = start + timedelta(days=1)
            found = turns.on_day(reader, int(start.timestamp()), int(end.timestamp()), 1)
            items += [OnThisDayOut(years_ago=years, event=shapes.event_out(event)) for event in found]
        return items

    return OnThisDaysOut(items=await app.ghost.memory.read(read))


def _years_before(day: datetime, years: int) -> datetime:
    """29 February falls on the 28th in other years."""
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)


def _turns_out(reader: Reader, found: Sequence[Event]) -> list[TurnOut]:
    signs = turns.signs_of(reader, [event.event_id for event in found])
    refs = {one: selected_refs(sign.selected)[:QUOTED] for one, sign in signs.items()}
    texts = texts_of(reader, {ref for of_turn in refs.values() for ref in of_turn})
    taught = [revision for sign in signs.values() for revision in sign.taught]
    undone = browse.undone(reader, [revision.revision_id for revision in taught])
    return [_turn_out(event, signs[event.event_id], refs[event.event_id], texts, undone) for event in found]


def _turn_out(
    event: Event, signs: Signs, refs: Sequence[str], texts: dict[str, str], undone: set[int]
) -> TurnOut:
    lessons = [
        _lesson(revision, revision.revision_id in undone) for revision in signs.taught if _teaches(revision)
    ]
    return TurnOut(
        **shapes.event_out(event).model_dump(),
        run_id=signs.run_id,
        recalled=[RecalledRef(ref=ref, text=texts[ref]) for ref in refs if texts.get(ref)],
        lessons=lessons,
        learning=_learning(signs, bool(lessons)),
        feeling=None if signs.feeling is None else shapes.vad_out(signs.feeling.vad),
        older_replies=list(signs.older_replies),
        thumbnails=list(signs.thumbnails),
    )


def _teaches(revision: Revision) -> bool:
    """The long mood moves with every turn; that is how a turn is felt, not what it taught."""
    return snapshots.kind(revision.after or revision.before) != StateKind.LONG_MOOD.value


def _lesson(revision: Revision, undone: bool) -> LessonOut:
    row = revision.after or revision.before
    return LessonOut(
        revision_id=revision.revision_id,
        entity_type=revision.entity_type,
        entity_id=revision.entity_id,
        text=snapshots.text(row) or revision.reason,
        polarity=snapshots.polarity(row),
        closed=(
            revision.before is not None
            and snapshots.has_ended(row)
            and not snapshots.has_ended(revision.before)
        ),
        undone=undone,
    )


def _learning(signs: Signs, learned: bool) -> LearnState:
    if learned:
        return "learned"
    if {"pending", "running"} & set(signs.job_statuses):
        return "learning"
    return "failed" if {"dead", "quarantined"} & set(signs.job_statuses) else "nothing"
