"""A server that hears nothing for a while, or falls silent itself, and comes back: nothing is lost by it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from cocoro_ghost.clock import FrozenClock, SystemClock
from cocoro_ghost.house.serve_house import HouseServer
from cocoro_ghost.store.postgres.attention import DEAD_SECONDS
from cocoro_ghost.store.postgres.talks import GhostTalks
from tests.a_hosted_house import EndlessMind, a_new_ghost, a_server_of, client_of, listening_at, remind, until
from tests.a_house import House
from tests.conftest import Figures
from tests.serving import frames_in

pytestmark = pytest.mark.anyio


@contextmanager
def _nobody_new(house: House) -> Iterator[None]:
    """Whoever listens is cut off and does not get in again; connections that work go on working."""
    parts = conninfo_to_dict(house.owner_url)
    name = parts["dbname"]
    with psycopg.connect(make_conninfo("", **{**parts, "dbname": "postgres"}), autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
        try:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = %s AND query LIKE 'LISTEN%%'",
                (name,),
            )
            yield
        finally:
            connection.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())


async def _deaf(servers: list[HouseServer]) -> None:
    await until(lambda: not any(server.notices.listening for server in servers))


async def _looked_after(server: HouseServer) -> None:
    """Whoever was given back a moment ago is not due yet: asked for until somebody is."""
    async with asyncio.timeout(60):
        while not await server.rounds.step():  # noqa: ASYNC110 - another second has to begin
            await asyncio.sleep(0.05)
    await server.rounds.settled()


async def _told_after_a_cut(served_house: House, seconds: float) -> None:
    async with (
        a_server_of(served_house.app_url, rounds=False) as one,
        a_server_of(served_house.app_url, rounds=False) as other,
    ):
        _, token = await a_new_ghost(one)
        for server in (one, other):
            await until(lambda server=server: server.notices.listening)  # type: ignore[misc]
            async with client_of(server, token) as client:
                await client.get("/api/memory/turns")
        (here,), (there,) = one.house.awake(), other.house.awake()
        async with listening_at(there) as heard:
            with _nobody_new(served_house):
                await _deaf([one, other])
                cut = monotonic()
                await remind(here.ghost, "薬を飲む")
                await _looked_after(one)
                async with client_of(one, token) as client:
                    said = (await client.get("/api/events?after=0")).json()["items"]
                await until(lambda: monotonic() - cut >= seconds, seconds + 5)
                assert (len(said), heard) == (1, [])
            await until(lambda: heard, 60)
            await remind(there.ghost, "水をやる")
            await _looked_after(one)
            await until(lambda: len(heard) > 1, 60)
            for frame, content in zip(heard, ("薬を飲む", "水をやる"), strict=True):
                assert content in frame["data"]["message"]
            assert heard[0]["event_id"] == said[0]["event_id"]


async def test_lines_said_while_nothing_was_heard_arrive_once(served_house: House) -> None:
    """Also at a client that stays connected all the time: he cannot know that his server heard nothing."""
    await _told_after_a_cut(served_house, 0)


@pytest.mark.nightly
async def test_lines_of_ten_deaf_seconds_arrive_once(served_house: House, figures: Figures) -> None:
    await _told_after_a_cut(served_house, 10)
    figures(
        "PG",
        "LISTEN cut for 10 s: the line said meanwhile reached a connected client of the other server once",
    )


async def test_a_stop_that_was_not_heard_is_found_in_the_rows(served_house: House) -> None:
    async with (
        a_server_of(served_house.app_url, mind=EndlessMind(), rounds=False) as one,
        a_server_of(served_house.app_url, rounds=False) as other,
    ):
        _, token = await a_new_ghost(one)
        await until(lambda: one.notices.listening)
        async with client_of(one, token) as here, client_of(other, token) as there:
            await there.get("/api/memory/turns")
            talking = asyncio.create_task(here.post("/api/chat", json={"input_text": "話して"}))
            await until(lambda: any(one.app_state.current_turn.busy for one in one.house.awake()))
            with _nobody_new(served_house):
                await _deaf([one, other])
                await there.post("/api/chat/stop")
                assert not talking.done()
            assert frames_in((await talking).text)[-1][1]["usage"]["finish_reason"] == "interrupted"


async def test_a_server_taken_for_dead_says_again_who_listens_there(served_house: House) -> None:
    """Else a reminder would wait for ever at a client that is connected all the time."""
    clock = FrozenClock(SystemClock().system_now())
    async with (
        a_server_of(served_house.app_url, clock=clock, rounds=False) as one,
        a_server_of(served_house.app_url, clock=clock, rounds=False) as other,
    ):
        _, token = await a_new_ghost(one)
        async with client_of(one, token) as client:
            await client.get("/api/memory/turns")
        (resident,) = one.house.awake()
        talks, ghost_id = GhostTalks(one.engine.pool, "anybody"), int(resident.name)
        async with listening_at(resident):
            assert talks.anyone_listens(ghost_id)
            clock.tick(100 * DEAD_SECONDS)  # the ghost's own clock goes on while the servers' stands
            await other.rounds.beat_once()
            assert not talks.anyone_listens(ghost_id)
            await one.rounds.beat_once()
            await resident.app_state.events.settled()  # type: ignore[attr-defined]
            assert talks.anyone_listens(ghost_id)
