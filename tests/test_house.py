"""Several ghosts in one process: woken when asked for, asleep when room is needed, each with its own life."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from cocoro_ghost.bootstrap import Stand
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import ConfigError, NotFound, Refused, StoreError
from cocoro_ghost.ghost import Foundations
from cocoro_ghost.house.awake import Budget, House, Resident
from cocoro_ghost.house.homes import Directories, ghost_key, master_key
from cocoro_ghost.model.heard import Heard
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.reply.stream import Done
from cocoro_ghost.settings.secrets import Seal
from cocoro_ghost.store import events, jobs, meta
from cocoro_ghost.store.postgres import door
from cocoro_ghost.store.postgres.engine import PostgresEngine
from cocoro_ghost.turn import take_turn
from tests.a_hosted_house import a_house_over, in_database, shared_faculties

pytestmark = pytest.mark.anyio


async def say(resident: Resident, text: str) -> str:
    last = None
    async for frame in take_turn(resident.ghost.turn_parts(text), Heard(text), asyncio.Event()):
        last = frame
    assert isinstance(last, Done)
    return last.reply_text


async def test_ghosts_of_directories_keep_their_own_lives(tmp_path: Path, clock: FrozenClock) -> None:
    """Two places for three ghosts: the one spoken with longest ago sleeps, and remembers when it wakes."""
    house = a_house_over(Directories(tmp_path), clock, awake=2)
    for name in ("ao", "beni", "kuro"):
        async with house.at_home(name) as resident:
            await say(resident, f"私の猫の名前は{name}です")
    assert [one.name for one in house.awake()] == ["beni", "kuro"]
    async with house.at_home("ao") as resident:
        kept = await resident.ghost.memory.read(lambda reader: events.get(reader, 1))
        assert "ao" in (kept.user_text or "")
    assert [one.name for one in house.awake()] == ["kuro", "ao"]
    await house.close()
    assert house.awake() == []


async def test_many_files_share_few_threads(tmp_path: Path, clock: FrozenClock) -> None:
    house = a_house_over(Directories(tmp_path), clock, awake=20)
    before = threading.active_count()
    for number in range(20):
        async with house.at_home(f"g{number}") as resident:
            await resident.ghost.memory.read(events.last_id)
    assert len(house.awake()) == 20
    assert threading.active_count() - before <= 24 + 10  # the house's own, and asyncio's helpers
    await house.close()


async def test_who_is_spoken_with_does_not_sleep(tmp_path: Path, clock: FrozenClock) -> None:
    house = a_house_over(Directories(tmp_path), clock, awake=1)
    async with house.at_home("ao") as ao:
        async with house.at_home("beni"):
            assert {one.name for one in house.awake()} == {"ao", "beni"}
        assert [one.name for one in house.awake()] == ["ao"]
        assert await ao.ghost.memory.read(events.last_id) == 0
    await house.close()


class _FailsOnce:
    """The first who wants in is turned away; counts who wants in."""

    def __init__(self, folder: Path) -> None:
        self._homes = Directories(folder)
        self.laid = 0

    def names(self) -> list[str]:
        return self._homes.names()

    def lay(self, name: str, stand: Stand) -> Foundations:
        self.laid += 1
        if self.laid == 1:
            raise StoreError("not now")
        return self._homes.lay(name, stand)


async def test_a_ghost_is_woken_once_by_all_who_wait_for_it(tmp_path: Path, clock: FrozenClock) -> None:
    """Also when the first of them fails and tries again while the second has just begun."""
    homes = _FailsOnce(tmp_path)
    house = a_house_over(homes, clock)

    async def first() -> Resident:
        with pytest.raises(StoreError):
            await second()
        return await second()

    async def second() -> Resident:
        async with house.at_home("ao") as resident:
            return resident

    ones = await asyncio.gather(first(), second())
    assert ones[0] is ones[1]
    assert homes.laid == 2
    await house.close()


async def test_a_sleeping_ghost_is_woken_for_what_is_due(tmp_path: Path, clock: FrozenClock) -> None:
    house = a_house_over(Directories(tmp_path), clock, awake=1)
    async with house.at_home("ao") as resident:
        later = resident.ghost.clock.system_now() + 3600
        clock.now = resident.ghost.clock.system_now()
        await resident.ghost.memory.write(
            lambda tx: jobs.enqueue(tx, JobKind.TIDY_MEMORY, {}, key="tidy", run_after=later)
        )
    await house.lay_down("ao")
    assert await house.look() == 0
    clock.tick(3601)
    assert await house.look() == 1
    await house.close()


async def test_a_ghost_cannot_stop_the_house(tmp_path: Path, clock: FrozenClock) -> None:
    house = a_house_over(Directories(tmp_path), clock)
    async with house.at_home("ao") as resident:
        with pytest.raises(Refused):
            resident.app_state.stop("please")
    with pytest.raises(NotFound):
        async with house.at_home("../ao"):
            pass
    await house.close()


async def test_vectors_stay_within_their_bytes(tmp_path: Path, clock: FrozenClock) -> None:
    shared = shared_faculties()
    house = House(Directories(tmp_path), shared, Budget(awake=100, vector_bytes=-1), clock=clock)
    for name in ("ao", "beni"):
        async with house.at_home(name):
            pass
    assert house.awake() == []
    await house.close()


async def test_a_ghost_of_the_database_leaves_nothing_on_the_machine(
    house_engine: PostgresEngine, new_ghost: Callable[[], int], clock: FrozenClock
) -> None:
    """Settings, secrets, clock and mood of one server are those of the next."""
    name = str(new_ghost())
    one, other = (a_house_over(in_database(house_engine), clock, lively=False) for _ in range(2))
    async with one.at_home(name) as resident:
        ghost = resident.ghost
        assert ghost.base.data_dir is None
        assert await say(resident, "私の名前はミナです")
        await ghost.move_clock(3600)
        await ghost.settings_db.write(lambda tx: meta.put(tx, "quiet_from", "22:00"))
        sealed = ghost.seal.close("llm/x/api_key", "sk-geheim")
    async with other.at_home(name) as resident:
        ghost = resident.ghost
        assert ghost.clock.offset_seconds == 3600
        assert ghost.seal.open("llm/x/api_key", sealed) == "sk-geheim"
        assert await ghost.memory.read(events.last_id) == 1
        assert await ghost.settings_db.read(lambda reader: meta.get(reader, "quiet_from")) == "22:00"
    await one.close()
    await other.close()


async def test_changed_settings_are_told_by_their_version(
    house_engine: PostgresEngine, new_ghost: Callable[[], int], clock: FrozenClock
) -> None:
    number = new_ghost()
    house = a_house_over(in_database(house_engine), clock, lively=False)
    before = door.entry_of(house_engine.pool, number)
    async with house.at_home(str(number)) as resident:
        await resident.ghost.settings_changed()
    after = door.entry_of(house_engine.pool, number)
    assert before is not None
    assert after is not None
    assert after.version == before.version + 1
    with pytest.raises(NotFound):
        async with house.at_home("999999999"):
            pass
    await house.close()


def test_each_ghost_has_a_key_of_its_own() -> None:
    master = bytes(32)
    first, second = ghost_key(master, b"a" * 32), ghost_key(master, b"b" * 32)
    assert first == ghost_key(master, b"a" * 32) != second
    with pytest.raises(ConfigError):
        Seal(second).open("x", Seal(first).close("x", "secret"))


@pytest.mark.parametrize("given", ["", "too short", "c2hvcnQ=", "∀"])
def test_a_missing_master_key_is_said_plainly(given: str) -> None:
    with pytest.raises(ConfigError, match="COCORO_HOUSE_KEY"):
        master_key({"COCORO_HOUSE_KEY": given})
