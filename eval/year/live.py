"""Lives the year through the HTTP API and checks, after each session, what must hold."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo

import httpx2

from cocoro_ghost.api.server.serving import Addresses, serve
from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.embed.embedder import Embedder
from cocoro_ghost.settings.file import Config, Server, Tidy
from eval.year.checks import Checked, Expected, Look, check_session
from eval.year.plans import scripted_mind
from eval.year.sessions import the_year
from eval.year.story import GAPS, Session, Tongue

ZONE = "Asia/Tokyo"
START = int(datetime(2026, 1, 5, 20, 0, tzinfo=ZoneInfo(ZONE)).timestamp())
DAY = 86_400
MindKind = Literal["scripted", "embedded"]


@dataclass(slots=True)
class Year:
    """One year as it went."""

    tongue: Tongue
    mind: MindKind
    checks: list[Checked] = field(default_factory=list)
    counts: list[dict[str, Any]] = field(default_factory=list)
    """Per session: day, active and closed states, confirmed preferences."""
    mood: list[dict[str, Any]] = field(default_factory=list)
    transcript: list[tuple[str, str, str]] = field(default_factory=list)
    """Session, what was said, what was answered."""
    final: Look | None = None

    @property
    def failed(self) -> list[Checked]:
        return [check for check in self.checks if not check.ok]


async def live(
    tongue: Tongue, mind: MindKind, *, sessions: int | None = None, embedder: Embedder | None = None
) -> Year:
    """A whole year, or its first sessions; the clock is moved only through the API."""
    year, story = Year(tongue, mind), the_year(tongue)[:sessions]
    expected = Expected()
    async with a_house(tongue, mind, story, embedder) as client:
        begun = int((await client.get("/api/control/time")).json()["domain_now_utc_ts"])
        for number, (gap, session) in enumerate(zip(GAPS, story, strict=False)):
            before_gap = await _mood_size(client)
            await _advance(client, gap * DAY)
            faded = await _mood_size(client)
            events = await _talk(client, year, session)
            expected = expected.with_(session.expect)
            look = await look_at(client)
            year.checks += check_session(session, number, expected, look, events, before_gap, faded)
            year.counts.append(look.counts((look.now - begun) // DAY, session.title))
        year.final = look
        query = {"start_ts": begun, "end_ts": look.now, "points": 1000}
        year.mood = (await client.get("/api/memory/mood/history", params=query)).json()["points"]
    return year


@asynccontextmanager
async def a_house(
    tongue: Tongue, mind: MindKind, story: list[Session], embedder: Embedder | None
) -> AsyncIterator[httpx2.AsyncClient]:
    """A served ghost with its own worker and an advanceable clock."""
    config = Config(
        use_keyring=False, language=tongue, time_zone=ZONE, server=Server(), tidy=Tidy(every_turns=15)
    )
    stand = Stand(
        clock=FrozenClock(START, ZONE),
        mind=scripted_mind(story) if mind == "scripted" else None,
        embedder=embedder,
        config=config,
    )
    with tempfile.TemporaryDirectory() as folder:
        async with open_ghost(Path(folder), stand=stand) as ghost:
            ready: asyncio.Future[Addresses] = asyncio.get_running_loop().create_future()
            stopping = asyncio.Event()
            serving = asyncio.create_task(
                serve(
                    ghost,
                    http_port=0,
                    https_port=0,
                    on_ready=ready.set_result,
                    stopping=stopping,
                    catch_signals=False,
                )
            )
            waiting: set[asyncio.Future[Any]] = {serving, ready}
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            headers = {"Authorization": f"Bearer {ghost.base.token}"}
            base = ready.result().http
            async with httpx2.AsyncClient(
                base_url=base, headers=headers, timeout=60, trust_env=False
            ) as client:
                yield client
            stopping.set()
            await serving


async def look_at(client: httpx2.AsyncClient) -> Look:
    """The memory as the API shows it."""
    now = int((await client.get("/api/control/time")).json()["domain_now_utc_ts"])
    states = await _all(client, "/api/memory/state")
    preferences = await _all(client, "/api/memory/preferences")
    mood = (await client.get("/api/mood/debug")).json()
    stats = (await client.get("/api/control/worker-stats")).json()
    return Look(now, states, preferences, mood, stats)


async def _all(client: httpx2.AsyncClient, path: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    cursor: int | None = None
    while True:
        query: dict[str, int] = {"limit": 100} | ({} if cursor is None else {"cursor": cursor})
        page = (await client.get(path, params=query)).json()
        found += page["items"]
        cursor = page.get("next_cursor")
        if cursor is None:
            return found


async def _talk(client: httpx2.AsyncClient, year: Year, session: Session) -> list[dict[str, Any]]:
    """Says a session's words and lets the worker finish; returns the events as the API shows them."""
    events: list[dict[str, Any]] = []
    for turn in session.turns:
        answer = await client.post("/api/chat", json={"input_text": turn.text})
        answer.raise_for_status()
        await _rest(client)
        newest = (await client.get("/api/memory/events", params={"limit": 1})).json()["items"][0]
        event = (await client.get(f"/api/memory/events/{newest['event_id']}")).json()
        if event.get("retrieval_run_id"):
            run = await client.get(f"/api/memory/retrieval-runs/{event['retrieval_run_id']}")
            event["selected"] = [item["ref"] for item in run.json()["selected"]]
        events.append(event)
        year.transcript.append((session.title, turn.text, event.get("assistant_text") or ""))
        await _advance(client, 120)
    return events


async def _rest(client: httpx2.AsyncClient) -> None:
    """Waits until the worker has nothing left to do."""
    for _ in range(4000):
        stats = (await client.get("/api/control/worker-stats")).json()
        if stats["pending_count"] == 0 and stats["running_count"] == 0:
            return
        await asyncio.sleep(0.01)
    raise TimeoutError(f"the worker did not finish: {stats}")


async def _advance(client: httpx2.AsyncClient, seconds: int) -> None:
    if seconds:
        (await client.post("/api/control/time/advance", json={"seconds": seconds})).raise_for_status()


async def _mood_size(client: httpx2.AsyncClient) -> float | None:
    """How far the mood is from its background now; None while nothing was felt."""
    now = int((await client.get("/api/control/time")).json()["domain_now_utc_ts"])
    query = {"start_ts": now - 60, "end_ts": now, "points": 2}
    points = (await client.get("/api/memory/mood/history", params=query)).json()["points"]
    return None if not points else max(abs(points[-1]["shock"][axis]) for axis in "vad")
