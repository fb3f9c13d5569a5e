"""Two servers of one house: one of them dies, nothing is lost, nothing is done twice."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

import httpx2
import psycopg
import pytest

from cocoro_ghost.clock import FrozenClock, SystemClock
from cocoro_ghost.house.rounds import Rounds
from cocoro_ghost.house.serve_house import HouseServer
from cocoro_ghost.store.postgres.attention import DEAD_SECONDS, Claims
from cocoro_ghost.store.postgres.engine import PostgresEngine, create_ghost, open_pool
from cocoro_ghost.store.postgres.ghosts import url_as
from cocoro_ghost.store.postgres.talks import GhostTalks
from cocoro_ghost.testing import ScriptedMind
from tests.a_hosted_house import EndlessMind, a_new_ghost, a_server_of, client_of, listening_at, remind, until
from tests.a_house import House
from tests.conftest import Figures
from tests.serving import frames_in, say

pytestmark = pytest.mark.anyio


def _talks(servers: list[HouseServer], token: str, count: int) -> list[asyncio.Task[str]]:
    """So many chats at once, each server its half; each ends as `done` or with a code."""

    async def one(number: int) -> str:
        async with client_of(servers[number % 2], token) as client:
            return str((await say(client, f"おはよう {number}"))[-1][1].get("code", "done"))

    return [asyncio.create_task(one(number)) for number in range(count)]


async def _one_talk(served_house: House, chats: int) -> None:
    go_on = asyncio.Event()

    class Slow(ScriptedMind):
        async def speak(self, request: Any) -> AsyncIterator[str]:
            await go_on.wait()
            yield "はい"

    async with (
        a_server_of(served_house.app_url, mind=Slow()) as one,
        a_server_of(served_house.app_url, mind=Slow()) as other,
    ):
        _, token = await a_new_ghost(one)
        talking = _talks([one, other], token, chats)
        await until(lambda: any(_busy(server) for server in (one, other)))
        for server in (one, other):
            async with client_of(server, token) as client:
                assert (await say(client, "私も"))[-1][1]["code"] == "chat_busy"
        # Everybody else has heard that it is busy before the one that talks may end.
        await until(lambda: sum(one.done() for one in talking) == chats - 1, 5 * chats)
        go_on.set()
        ends = await asyncio.gather(*talking)
        assert (ends.count("done"), ends.count("chat_busy")) == (1, chats - 1)
        async with client_of(other, token) as client:  # and once it is over, anybody may speak again
            assert (await say(client, "もう一度"))[-1][0] == "done"


async def test_one_talk_a_ghost(served_house: House) -> None:
    """Simultaneous chats over two servers: one runs, the others hear `chat_busy`."""
    await _one_talk(served_house, 40)


@pytest.mark.nightly
async def test_one_talk_a_ghost_of_two_hundred(served_house: House, figures: Figures) -> None:
    await _one_talk(served_house, 200)
    figures("PG", "200 simultaneous chats to one ghost over two servers: 1 ran, 199 heard `chat_busy`")


def _busy(server: HouseServer) -> bool:
    return any(one.app_state.current_turn.busy for one in server.house.awake())


async def test_a_talk_is_stopped_from_the_other_server(served_house: House) -> None:
    async with (
        a_server_of(served_house.app_url, mind=EndlessMind()) as one,
        a_server_of(served_house.app_url) as other,
    ):
        _, token = await a_new_ghost(one)
        await until(lambda: one.notices.listening)
        async with client_of(one, token) as here, client_of(other, token) as there:
            talking = asyncio.create_task(here.post("/api/chat", json={"input_text": "話して"}))
            await until(lambda: _busy(one))
            await there.post("/api/chat/stop")
            assert frames_in((await talking).text)[-1][1]["usage"]["finish_reason"] == "interrupted"


async def test_unasked_lines_arrive(served_house: House) -> None:
    """A reminder fires once, at whichever server, and is heard at the other; a lost notice loses nothing."""
    async with a_server_of(served_house.app_url) as one, a_server_of(served_house.app_url) as other:
        _, token = await a_new_ghost(one)
        await until(lambda: other.notices.listening)
        async with client_of(other, token) as client:
            await client.get("/api/memory/turns")
        (listening,) = other.house.awake()  # nobody else is due here: `served_house`
        async with listening_at(listening) as heard:
            await remind(listening.ghost, "薬を飲む")
            for server in (one, other):
                while await server.rounds.step():
                    await server.rounds.settled()
            await until(lambda: heard)
            assert len(heard) == 1
            assert "薬" in heard[0]["data"]["message"]
            async with client_of(one, token) as client:  # who was not connected at all catches up
                missed = (await client.get("/api/events?after=0")).json()
            assert [frame["event_id"] for frame in missed["items"]] == [heard[0]["event_id"]]


async def test_what_a_dead_server_had_is_taken_over_once(served_house: House) -> None:
    """Claims, leases and talks of a server that fell silent: due again after its time, not before."""
    clock = FrozenClock(SystemClock().system_now())
    engine = PostgresEngine(served_house.app_url, connections=2)
    workers = open_pool(url_as(served_house.app_url, "ghost_worker"), 2)
    dead, alive = (Claims(workers, engine.pool, name, clock) for name in ("dead", "alive"))
    ghost_id = create_ghost(served_house.owner_url, uuid4().hex)
    GhostTalks(engine.pool, "dead").listens(ghost_id, 1, clock.system_now())
    held = dead.claim(1000)
    assert held == [ghost_id]
    assert not set(alive.claim(1000)) & set(held)
    clock.tick(DEAD_SECONDS - 1)
    alive.beat([])
    assert not set(alive.claim(1000)) & set(held)
    clock.tick(2)
    assert alive.beat([]).taken >= len(held)
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


async def test_a_second_chat_does_not_unsay_that_the_first_shall_stop(served_house: House) -> None:
    clock = FrozenClock(SystemClock().system_now())
    engine = PostgresEngine(served_house.app_url, connections=2)
    ghost_id = create_ghost(served_house.owner_url, uuid4().hex)
    here, there = GhostTalks(engine.pool, "here"), GhostTalks(engine.pool, "there")
    assert here.take(ghost_id, clock.system_now())
    assert there.ask_to_stop(ghost_id)
    assert here.take(ghost_id, clock.system_now())
    assert here.stop_was_asked(ghost_id)
    here.release(ghost_id)
    assert here.take(ghost_id, clock.system_now())
    assert not here.stop_was_asked(ghost_id), "the next talk is another one"
    engine.close()


class _SlowClaims(Claims):
    """Between a claim that stands in the database and the server that knows of it, something else happens."""

    meanwhile: Callable[[], None] = staticmethod(lambda: None)

    def claim(self, limit: int) -> list[int]:
        claimed = super().claim(limit)
        self.meanwhile()
        return claimed


async def test_a_beat_does_not_let_go_what_is_just_being_claimed(served_house: House) -> None:
    """Else two servers look after one ghost at once, and each takes the other's turn for a dead one's."""
    async with a_server_of(served_house.app_url, rounds=False) as server:
        _, token = await a_new_ghost(server)
        async with client_of(server, token) as client:
            await client.get("/api/memory/turns")
        (resident,) = server.house.awake()
        GhostTalks(server.engine.pool, "here").listens(int(resident.name), 1, server.clock.system_now())
        workers = open_pool(url_as(served_house.app_url, "ghost_worker"), 2)
        claims = _SlowClaims(workers, server.engine.pool, server.engine.server, server.clock)
        rounds = Rounds(server.house, claims)
        loop, beats = asyncio.get_running_loop(), []

        def meanwhile() -> None:
            beats.append(asyncio.run_coroutine_threadsafe(rounds.beat_once(), loop))
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result()  # the beat has begun by now

        claims.meanwhile = meanwhile
        assert await rounds.step() == 1
        await asyncio.wrap_future(beats[0])
        assert rounds.taken_over == 0
        await rounds.settled()
        workers.close()


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


async def test_kill_one(served_house: House, figures: Figures) -> None:
    await _kill_one(served_house, ghosts=4, turns=4, figures=figures)


@pytest.mark.nightly
async def test_kill_one_of_fifty(served_house: House, figures: Figures) -> None:
    await _kill_one(served_house, ghosts=50, turns=10, figures=figures)
