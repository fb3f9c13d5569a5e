"""A house of several ghosts for tests: small minds, small encoders, one clock; served without a socket."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

import httpx2

from cocoro_ghost.bootstrap import Stand
from cocoro_ghost.clock import Clock, FrozenClock, SystemClock, offset_iso
from cocoro_ghost.embed.choose_embedder import Choice
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.house.awake import Budget, House, Resident
from cocoro_ghost.house.homes import Homes, SharedDatabase
from cocoro_ghost.house.serve_house import HouseOptions, HouseServer
from cocoro_ghost.house.shared import SharedFaculties
from cocoro_ghost.house.shared_hub import SharedHub
from cocoro_ghost.mind.client import Mind, SpeakRequest
from cocoro_ghost.model.reminder import Reminder, RepeatKind
from cocoro_ghost.settings.file import Config
from cocoro_ghost.store import reminders
from cocoro_ghost.store.postgres.engine import PostgresEngine
from cocoro_ghost.testing import HashEmbedder, ScriptedMind

CONFIG = Config(use_keyring=False, language="ja", time_zone="Asia/Tokyo")
KEY = bytes(range(32))
ADMIN = {"Authorization": "Bearer the-administrator"}


class EndlessMind(ScriptedMind):
    """Speaks until somebody stops it."""

    async def speak(self, request: SpeakRequest) -> AsyncIterator[str]:
        while True:
            yield "あ"
            await asyncio.sleep(0.01)


def shared_faculties() -> SharedFaculties:
    return SharedFaculties(lambda preset: Choice(HashEmbedder(), "for tests"))


def a_house_over(homes: Homes, clock: FrozenClock, *, awake: int = 100, lively: bool = True) -> House:
    # Each ghost has its own clock (it may be advanced); the house's own says when somebody is due.
    stand = Stand(config=CONFIG)
    return House(homes, shared_faculties(), Budget(awake=awake), lively=lively, stand=stand, clock=clock)


def in_database(engine: PostgresEngine) -> SharedDatabase:
    return SharedDatabase(engine, CONFIG, KEY)


@asynccontextmanager
async def a_server_of(
    database: str, *, mind: Mind | None = None, clock: Clock | None = None, rounds: bool = True
) -> AsyncIterator[HouseServer]:
    """One of the servers of a house; without `rounds` ghosts are looked after when a test says so."""
    options = HouseOptions(database, KEY, "the-administrator", CONFIG, connections=6)
    stand = Stand(config=CONFIG, mind=mind)
    server = await asyncio.to_thread(
        HouseServer, options, shared_faculties(), stand, clock or SystemClock("Asia/Tokyo")
    )
    async with server.living(rounds=rounds):
        yield server


def client_of(server: HouseServer, token: str = "", **headers: str) -> httpx2.AsyncClient:
    known = {"Authorization": f"Bearer {token}"} if token else {}
    transport = httpx2.ASGITransport(app=server.door)
    return httpx2.AsyncClient(
        transport=transport, base_url="http://127.0.0.1", headers={**known, **headers}, timeout=60
    )


async def a_new_ghost(server: HouseServer, name: str = "", **more: Any) -> tuple[str, str]:
    """(name, token), made by the administrator."""
    name = name or uuid4().hex
    async with client_of(server) as client:
        made = await client.post("/admin/ghosts", json={"name": name, **more}, headers=ADMIN)
    assert made.status_code == 201, made.text
    return name, json.loads(made.content)["token"]


@dataclass(slots=True)
class Socket:
    """A client that listens to the event stream."""

    heard: list[dict[str, Any]] = field(default_factory=list)

    async def send_text(self, data: str) -> None:
        self.heard.append(json.loads(data))

    async def close(self, code: int = 1000, reason: str | None = None) -> None: ...


@asynccontextmanager
async def listening_at(resident: Resident) -> AsyncIterator[list[dict[str, Any]]]:
    """Somebody listens to the ghost at this server, and the other servers know it; yields what he hears."""
    socket, hub = Socket(), resident.app_state.events
    assert isinstance(hub, SharedHub)
    client = hub.join(socket)
    assert client is not None
    pumping = asyncio.create_task(hub.pump(client))
    await hub.settled()
    yield socket.heard
    hub.leave(client)
    await pumping


async def remind(ghost: Ghost, content: str) -> None:
    """Something the ghost has to remind of, due since a moment ago."""
    due = ghost.clock.domain_now() - 5
    at = offset_iso(due, ghost.clock.zone)
    once = Reminder(uuid4().hex, True, RepeatKind.ONCE, content, scheduled_at=at, next_fire_at=due)
    await ghost.reminders_db.write(lambda tx: reminders.put(tx, once))


async def until(what: Callable[[], object], seconds: float = 20.0) -> None:
    """Waits for something another thread or server does; never longer than the patience given."""
    async with asyncio.timeout(seconds):
        while not what():  # noqa: ASYNC110 - another process or thread does it
            await asyncio.sleep(0.02)
