"""The administrator's door and the one talk of many servers: borders, many at once, no stranger."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cocoro_ghost.store.postgres.attention import DEAD_SECONDS
from cocoro_ghost.store.postgres.engine import PostgresEngine
from cocoro_ghost.store.postgres.talks import Day, GhostTalks
from tests.a_hosted_house import ADMIN, a_new_ghost, a_server_of, client_of
from tests.a_house import House

pytestmark = pytest.mark.anyio
FEW = settings(
    max_examples=10,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
ROUTES = (
    ("GET", "/admin/ghosts"),
    ("POST", "/admin/ghosts"),
    ("GET", "/admin/ghosts/{name}"),
    ("POST", "/admin/ghosts/{name}/token"),
    ("POST", "/admin/ghosts/{name}/suspend"),
    ("POST", "/admin/ghosts/{name}/resume"),
    ("PUT", "/admin/ghosts/{name}/quotas"),
    ("DELETE", "/admin/ghosts/{name}"),
    ("GET", "/metrics"),
)


def _shaped(answer: Any) -> None:
    detail = answer.json()["detail"]
    assert detail["code"]
    assert len(detail["message"]) > 5
    for word in ("psycopg", "SELECT", "Traceback"):
        assert word not in answer.text


async def test_the_administrators_door_opens_for_the_administrator_alone(served_house: House) -> None:
    async with a_server_of(served_house.app_url, rounds=False) as server:
        name, token = await a_new_ghost(server)
        given = ("", "Bearer ", f"Bearer {token}", "Basic the-administrator", "the-administrator")
        wrong = [{"Authorization": one} for one in (*given, "Bearer the-administrator2")]
        async with client_of(server) as client:
            for headers in wrong:
                for method, path in ROUTES:
                    body: dict[str, Any] = {"json": {}} if method in ("POST", "PUT") else {}
                    answer = await client.request(
                        method, path.replace("{name}", name), headers=headers, **body
                    )
                    assert answer.status_code in (401, 403, 404), (method, path, headers)
            listed = (await client.get("/admin/ghosts", headers=ADMIN)).json()
            assert name in {one["name"] for one in listed}, "and nobody was erased by the way"


async def test_what_is_sent_to_the_administrators_door_is_taken_or_told(served_house: House) -> None:
    async with a_server_of(served_house.app_url, rounds=False) as server:
        name, _ = await a_new_ghost(server)
        async with client_of(server, **ADMIN) as client:
            bodies: tuple[Any, ...] = (
                {}, [], {"name": ""}, {"name": " "}, {"name": "a/b"}, {"name": "x" * 81}, {"name": "a\x00"},
                {"name": "a\nb"}, {"name": 5}, {"name": "x", "time_zone": "Mars"},
                {"name": "x", "language": "fr"}, {"name": "x", "admin": True},
            )  # fmt: skip
            for body in bodies:
                answer = await client.post("/admin/ghosts", json=body)
                assert answer.status_code in (400, 422), body
                _shaped(answer)
            quotas = f"/admin/ghosts/{name}/quotas"
            refused: tuple[Any, ...] = (-1, 1.5, "many", 10**30, 2**63, [], {})
            for value in refused:
                answer = await client.put(quotas, json={"turns_a_day": value})
                assert answer.status_code == 422, value
                _shaped(answer)
            allowed: tuple[Any, ...] = (0, 1, 2**53, None)
            for value in allowed:
                assert (await client.put(quotas, json={"turns_a_day": value})).json()["turns_a_day"] == value
            before = (await client.put(quotas, json={"tokens_a_day": 7})).json()
            assert (before["turns_a_day"], before["tokens_a_day"]) == (None, 7), "what is not sent stays"
            for method, path in ROUTES[2:8]:
                for stranger in ("nobody", "%00", "x" * 300, "' OR 1=1 --"):
                    sent: dict[str, Any] = {"json": {}} if method in ("POST", "PUT") else {}
                    answer = await client.request(method, path.replace("{name}", stranger), **sent)
                    assert answer.status_code in (404, 405, 422), (method, path, stranger)


async def test_of_many_who_take_one_name_one_gets_it_and_one_token_opens(served_house: House) -> None:
    async with a_server_of(served_house.app_url, rounds=False) as server:
        name = f"紫陽花 {uuid4().hex[:6]} é"
        async with client_of(server, **ADMIN) as client:
            made = await asyncio.gather(
                *(client.post("/admin/ghosts", json={"name": name}) for _ in range(5))
            )
            assert sorted(one.status_code for one in made) == [201, 409, 409, 409, 409]
            place = f"/admin/ghosts/{name}/token"
            renewed = await asyncio.gather(*(client.post(place) for _ in range(4)), return_exceptions=True)
            tokens = [
                one.json()["token"]
                for one in renewed
                if not isinstance(one, BaseException) and one.is_success
            ]
        server.door.forget(0)
        opened = 0
        for token in tokens:
            async with client_of(server, token) as caller:
                opened += (await caller.get("/api/memory/events")).status_code == 200
        assert opened == 1, "of tokens renewed at once the last one counts"


async def test_an_erased_name_is_free_and_the_next_one_finds_nothing(served_house: House) -> None:
    async with a_server_of(served_house.app_url, rounds=False) as server:
        name, token = await a_new_ghost(server)
        async with client_of(server, token) as caller, client_of(server, **ADMIN) as admin:
            assert (await caller.post("/api/reminders", json=_reminder())).status_code == 201
            gone = (await admin.delete(f"/admin/ghosts/{name}")).json()
            assert gone["left"] == 0
            assert gone["deleted"] > 0
            server.door.forget(0)
            assert (await caller.get("/api/reminders")).status_code == 401
            assert (await admin.delete(f"/admin/ghosts/{name}")).status_code == 404
        _, again = await a_new_ghost(server, name=name)
        async with client_of(server, again) as caller:
            assert (await caller.get("/api/reminders")).json()["items"] == []


def _reminder() -> dict[str, Any]:
    return {"content": "薬", "repeat_kind": "daily", "time_of_day": "09:00", "enabled": True}


# -- whose talk it is


def test_a_talk_is_one_servers_at_a_time_whatever_they_do(
    house_engine: PostgresEngine, new_ghost: Callable[[], int]
) -> None:
    servers = {name: GhostTalks(house_engine.pool, name) for name in ("one", "two", "three")}
    steps = st.lists(
        st.tuples(
            st.sampled_from(["take", "release", "wait", "stop"]),
            st.sampled_from([*servers]),
            st.integers(1, 25),
        ),
        max_size=25,
    )

    @FEW
    @given(steps)
    def holds(done: list[tuple[str, str, int]]) -> None:
        ghost_id, now = new_ghost(), 1_000_000
        holder: str | None = None
        beat = asked = 0
        for step, name, seconds in done:
            talks = servers[name]
            if step == "wait":
                now += seconds
            elif step == "take":
                alive = holder is not None and beat >= now - DEAD_SECONDS
                free = not alive or holder == name
                assert talks.take(ghost_id, now) is free
                if free:
                    asked = asked if alive and holder == name else 0
                    holder, beat = name, now
            elif step == "release":
                talks.release(ghost_id)
                if holder == name:
                    holder, asked = None, 0
            else:
                assert talks.ask_to_stop(ghost_id) is (holder not in (None, name))
                asked = 1 if holder not in (None, name) else asked
            stopped = [one for one, other in servers.items() if other.stop_was_asked(ghost_id)]
            assert stopped == ([holder] if asked else [])

    holds()


def test_a_day_is_counted_for_each_ghost_alone(
    house_engine: PostgresEngine, new_ghost: Callable[[], int]
) -> None:
    talks = GhostTalks(house_engine.pool, "one")
    mine, other = new_ghost(), new_ghost()
    use = partial(talks.use, mine, "2026-01-01")
    for turns, size in ((1, 10), (1, 0), (0, 2**40)):
        use(turns=turns, body_bytes=size)
    assert talks.used(mine, "2026-01-01") == (Day(2, 0, 10 + 2**40), Day(None, None, None))
    assert talks.used(mine, "2026-01-02")[0] == Day(0, 0, 0)
    assert talks.used(other, "2026-01-01")[0] == Day(0, 0, 0)


def test_who_listens_is_known_to_every_server(
    house_engine: PostgresEngine, new_ghost: Callable[[], int]
) -> None:
    one, two = (GhostTalks(house_engine.pool, name) for name in ("one", "two"))
    ghost_id, stranger = new_ghost(), new_ghost()
    assert not one.anyone_listens(ghost_id)
    assert one.listens(ghost_id, 2, 5) == 0
    assert two.anyone_listens(ghost_id)
    assert not two.anyone_listens(stranger)
    two.listens(ghost_id, 1, 6)
    one.listens(ghost_id, 0, 7)
    assert one.anyone_listens(ghost_id), "somebody is left at the other"
    two.listens(ghost_id, 0, 8)
    assert not one.anyone_listens(ghost_id)
