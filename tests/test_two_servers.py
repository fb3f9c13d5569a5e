"""Two servers of one house: one of them dies, nothing is lost, nothing is done twice."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx2
import psycopg
import pytest

from cocoro_ghost.clock import FrozenClock, SystemClock, offset_iso
from cocoro_ghost.house.serving import HouseServer
from cocoro_ghost.model.reminder import Reminder, RepeatKind
from cocoro_ghost.store import reminders
from cocoro_ghost.store.postgres.claims import DEAD_SECONDS, Claims
from cocoro_ghost.store.postgres.engine import PostgresEngine, open_pool
from cocoro_ghost.store.postgres.ghosts import url_as
from cocoro_ghost.store.postgres.talks import GhostTalks
from cocoro_ghost.testing import ScriptedMind
from tests.a_hosted_house import a_new_ghost, a_server_of, client_of
from tests.a_house import House
from tests.conftest import Figures
from tests.serving import frames_in, say

pytestmark = pytest.mark.anyio


@dataclass(slots=True)
class Socket:
    """A client that listens to the event stream."""

    heard: list[dict[str, Any]] = field(default_factory=list)

    async def send_text(self, data: str) -> None:
        self.heard.append(json.loads(data))

    async def close(self, code: int = 1000, reason: str | None = None) -> None: ...


async def _until(what: Any, seconds: float = 20.0) -> None:
    """Waits for something another thread or server does; never longer than the patience given."""
    async with asyncio.timeout(seconds):
        while not what():  # noqa: ASYNC110 - another process or thread does it
            await asyncio.sleep(0.02)


async def _hundred_talks(servers: list[HouseServer], token: str, count: int) -> list[str]:
    async def one(number: int) -> str:
        async with client_of(servers[number % 2], token) as client:
            return str((await say(client, f"おはよう {number}"))[-1][1].get("code", "done"))

    return list(await asyncio.gather(*(one(number) for number in range(count))))


async def test_one_talk_a_ghost(house: House) -> None:
    """Simultaneous chats over two servers: one runs, the others hear `chat_busy`."""
    go_on = asyncio.Event()

    class Slow(ScriptedMind):
        async def speak(self, request: Any) -> AsyncIterator[str]:
            await go_on.wait()
            yield "はい"

    async with (
        a_server_of(house.app_url, mind=Slow()) as one,
        a_server_of(house.app_url, mind=Slow()) as other,
    ):
        _, token = await a_new_ghost(one)
        talking = asyncio.create_task(_hundred_talks([one, other], token, 40))
        await _until(lambda: any(_busy(server) for server in (one, other)))
        for server in (one, other):
            async with client_of(server, token) as client:
                assert (await say(client, "私も"))[-1][1]["code"] == "chat_busy"
        go_on.set()
        ends = await talking
        assert (ends.count("done"), set(ends)) == (1, {"done", "chat_busy"})
        async with client_of(other, token) as client:  # and once it is over, anybody may speak again
            assert (await say(client, "もう一度"))[-1][0] == "done"


def _busy(server: HouseServer) -> bool:
    return any(one.app_state.current_turn.busy for one in server.house.awake())


async def test_a_talk_is_stopped_from_the_other_server(house: House) -> None:
    class Endless(ScriptedMind):
        async def speak(self, request: Any) -> AsyncIterator[str]:
            while True:
                yield "あ"
                await asyncio.sleep(0.01)

    async with a_server_of(house.app_url, mind=Endless()) as one, a_server_of(house.app_url) as other:
        _, token = await a_new_ghost(one)
        await _until(lambda: one.notices.listening)
        async with client_of(one, token) as here, client_of(other, token) as there:
            talking = asyncio.create_task(here.post("/api/chat", json={"input_text": "話して"}))
            await _until(lambda: _busy(one))
            await there.post("/api/chat/stop")
            assert frames_in((await talking).text)[-1][1]["usage"]["finish_reason"] == "interrupted"


async def test_unasked_lines_arrive(house: House) -> None:
    """A reminder fires once, at whichever server, and is heard at the other; a lost notice loses nothing."""
    async with a_server_of(house.app_url) as one, a_server_of(house.app_url) as other:
        _, token = await a_new_ghost(one)
        await _until(lambda: other.notices.listening)
        async with client_of(other, token) as client:
            await client.get("/api/memory/turns")
        (listening,) = other.house.awake()
        socket = Socket()
        hub = listening.app_state.events
        client_there = hub.join(socket)
        assert client_there is not None
        pumping = asyncio.create_task(hub.pump(client_there))
        await hub.settled()  # type: ignore[attr-defined]
        ghost = listening.ghost
        due = ghost.clock.domain_now() - 5
        at = offset_iso(due, ghost.clock.zone)
        once = Reminder("r1", True, RepeatKind.ONCE, "薬を飲む", scheduled_at=at, next_fire_at=due)
        await ghost.reminders_db.write(lambda tx: reminders.put(tx, once))
        for server in (one, other):
            while await server.rounds.step():
                await server.rounds.settled()
        await _until(lambda: socket.heard)
        assert len(socket.heard) == 1
        assert "薬" in socket.heard[0]["data"]["message"]
        async with client_of(one, token) as client:  # who was not connected at all catches up
            missed = (await client.get("/api/events?after=0")).json()
        assert [frame["event_id"] for frame in missed["items"]] == [socket.heard[0]["event_id"]]
        hub.leave(client_there)
        await pumping


async def test_what_a_dead_server_had_is_taken_over_once(house: House, new_ghost: Callable[[], int]) -> None:
    """Claims, leases and talks of a server that fell silent: due again after its time, not before."""
    clock = FrozenClock(SystemClock().system_now())
    engine = PostgresEngine(house.app_url, connections=2)
    workers = open_pool(url_as(house.app_url, "ghost_worker"), 2)
    dead, alive = (Claims(workers, engine.pool, name, clock) for name in ("dead", "alive"))
    GhostTalks(engine.pool, "dead").listens(new_ghost(), 1, clock.system_now())
    held = dead.claim(1000)
    assert held
    assert not set(alive.claim(1000)) & set(held)
    clock.tick(DEAD_SECONDS - 1)
    alive.beat([])
    assert not set(alive.claim(1000)) & set(held)
    clock.tick(2)
    assert alive.beat([]) >= len(held)
    assert set(alive.claim(1000)) >= set(held)
    for ghost_id in held:
        alive.give_back(ghost_id)
    talks = GhostTalks(engine.pool, "dead")
    assert talks.take(held[0], clock.system_now())
    assert not GhostTalks(engine.pool, "alive").take(held[0], clock.system_now())
    clock.tick(DEAD_SECONDS + 1)
    assert GhostTalks(engine.pool, "alive").take(held[0], clock.system_now())
    alive.leave()
    workers.close()
    engine.close()


@asynccontextmanager
async def _process(database: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.house_target", database, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        async with asyncio.timeout(120):
            line = (await process.stdout.readline()).decode()
        yield process, line.removeprefix("ready ").strip()
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await process.wait()


async def _kill_one(house: House, ghosts: int, turns: int, figures: Figures) -> None:
    async with _process(house.app_url) as (doomed, first), _process(house.app_url) as (_, second):
        async with httpx2.AsyncClient(base_url=second, timeout=120) as admin:
            head = {"Authorization": "Bearer the-administrator"}
            made = [
                (
                    await admin.post(
                        "/admin/ghosts", json={"name": f"{os.urandom(4).hex()}-{n}"}, headers=head
                    )
                ).json()
                for n in range(ghosts)
            ]
        accepted: dict[str, list[str]] = {one["name"]: [] for one in made}
        killed = asyncio.Event()

        async def life(one: dict[str, str]) -> None:
            at = first
            for number in range(turns):
                text = f"{one['name']} の {number} 番目の話"
                while True:
                    try:
                        async with httpx2.AsyncClient(base_url=at, timeout=120) as client:
                            answer = await client.post(
                                "/api/chat",
                                json={"input_text": text},
                                headers={"Authorization": f"Bearer {one['token']}"},
                            )
                        if answer.status_code == 200:
                            accepted[one["name"]].append(text)
                            break
                    except httpx2.HTTPError:
                        # Cut off: whether it was heard is looked up below, as a client that catches up does.
                        accepted[one["name"]].append(text + "?")
                        at = second
                        break
                    await asyncio.sleep(0.5)
                if sum(map(len, accepted.values())) >= ghosts * turns // 2 and not killed.is_set():
                    killed.set()
                    doomed.kill()
                at = second if killed.is_set() else at

        await asyncio.gather(*(life(one) for one in made))
        assert killed.is_set()
        lost, twice = await _settled(house, second, made, accepted)
        assert (lost, twice) == (0, 0)
        figures(
            "PG", f"kill -9 of one of two servers, {ghosts} ghosts, {ghosts * turns} turns: 0 lost, 0 twice"
        )


async def _settled(
    house: House, at: str, made: list[dict[str, str]], accepted: dict[str, list[str]]
) -> tuple[int, int]:
    """Waits until the other server has closed and learned all; then counts what is missing or double."""
    names = [one["name"] for one in made]
    left = """
      SELECT (SELECT count(*) FROM events AS e JOIN ghosts AS g USING (ghost_id)
              WHERE g.name = ANY(%(names)s) AND e.status = 'open')
           + (SELECT count(*) FROM jobs AS j JOIN ghosts AS g USING (ghost_id)
              WHERE g.name = ANY(%(names)s) AND j.kind <> 'tidy_memory'
                AND j.status IN ('running', 'pending', 'dead', 'quarantined'))
    """
    with psycopg.connect(house.owner_url, autocommit=True) as connection:
        async with asyncio.timeout(180):
            while (connection.execute(left, {"names": names}).fetchone() or (1,))[0]:  # noqa: ASYNC110
                await asyncio.sleep(0.5)
        lost = twice = 0
        for name, texts in accepted.items():
            rows = connection.execute(
                "SELECT e.user_text, count(*) FROM events AS e JOIN ghosts AS g USING (ghost_id)"
                " WHERE g.name = %s GROUP BY 1",
                (name,),
            ).fetchall()
            stored: dict[str, int] = dict(rows)
            lost += sum(text not in stored for text in texts if not text.endswith("?"))
            twice += sum(count > 1 for count in stored.values())
        learned = connection.execute(
            "SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM write_plans AS w"
            " JOIN ghosts AS g USING (ghost_id) WHERE g.name = ANY(%s) AND applied_at IS NOT NULL"
            " GROUP BY ghost_id, event_id) AS planned",
            (names,),
        ).fetchone()
    assert learned is not None
    return lost, twice + int(learned[0] > 1)


async def test_kill_one(house: House, figures: Figures) -> None:
    await _kill_one(house, ghosts=4, turns=4, figures=figures)


@pytest.mark.nightly
async def test_kill_one_of_fifty(house: House, figures: Figures) -> None:
    await _kill_one(house, ghosts=50, turns=10, figures=figures)
