"""Shared fixtures: a real memory in a temporary directory, a frozen clock, a place for figures."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TextIO
from uuid import uuid4

import pytest
from hypothesis import settings

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.store.ports import Database
from cocoro_ghost.store.sqlite.files import open_memory
from tests.a_house import House, a_server, make_house, skip_or_fail
from tests.watchdog import PATIENCE_SECONDS, Watchdog, end_the_run

# How busy the machine is decides no test.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")
FIGURES = Path(__file__).resolve().parent.parent / "test-results" / "figures.jsonl"
Figures = Callable[[str, str], None]


REAL_STDERR = pytest.StashKey[TextIO]()


def pytest_configure(config: pytest.Config) -> None:
    # Taken before tests begin: while one runs, descriptor 2 is pytest's own capture file.
    config.stash[REAL_STDERR] = os.fdopen(os.dup(2), "w", encoding="utf-8")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """No test may hang without a word; nightly runs are long on purpose."""
    patience = PATIENCE_SECONDS * (20 if item.get_closest_marker("nightly") else 1)
    with Watchdog(item.nodeid, patience, partial(end_the_run, item.config.stash[REAL_STDERR])):
        return (yield)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def _no_environment_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys and settings of whoever runs the tests never reach them."""
    for name in list(os.environ):
        if name.startswith("COCORO_GHOST_") or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)


@pytest.fixture(autouse=True)
def _no_cache_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """What a ghost keeps to be quicker is kept for the run, not in the home of whoever runs it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture(autouse=True)
def _a_patient_ghost(monkeypatch: pytest.MonkeyPatch) -> None:
    """How busy the machine is decides no test: deadlines of a second that nobody chose become a minute's.

    A test about being late chooses its own.
    """
    chosen, usual = RecallConfig.deadline, RecallConfig()

    def patient(config: RecallConfig, route: str) -> float:
        own = chosen(config, route)
        return max(own, 60.0) if own == chosen(usual, route) else own

    monkeypatch.setattr(RecallConfig, "deadline", patient)
    monkeypatch.setattr("cocoro_ghost.turn.LEARNING_SECONDS", 60.0)


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


BOTH_ENGINES = {
    "test_store_log", "test_store_rows", "test_words", "test_browse", "test_kept", "test_leases",
    "test_rescue", "test_worker", "test_turn", "test_shared_reads", "test_time_words", "test_which_memory",
    "test_guess_answered", "test_unasked", "test_jobs_stateful", "test_undo_every_table",
    "test_words_by_property", "test_imports_by_property", "test_passages",
}  # fmt: skip
"""Their tests live in SQLite and in PostgreSQL, unless marked `sqlite`."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "memory" not in metafunc.fixturenames or metafunc.module.__name__.split(".")[-1] not in BOTH_ENGINES:
        return
    if metafunc.definition.get_closest_marker("sqlite") is None:
        metafunc.parametrize("memory", ["sqlite", "postgres"], indirect=True)


@pytest.fixture
def memory(request: pytest.FixtureRequest, tmp_path: Path, clock: FrozenClock) -> Iterator[Database]:
    """An empty memory; in PostgreSQL every test is a new ghost beside all the others."""
    if getattr(request, "param", "sqlite") == "sqlite":
        db: Database = open_memory(tmp_path, "test", clock)
    else:
        new_ghost: Callable[[], int] = request.getfixturevalue("new_ghost")
        db = request.getfixturevalue("house_engine").open(new_ghost(), "memory", clock)
    yield db
    db.close()


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def crowded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """A full memory in each engine, made once: only to be read."""
    from tests.crowded import crowd

    if request.param == "sqlite":
        db: Database = open_memory(tmp_path_factory.mktemp("crowded"), "test", FrozenClock())
    else:
        from cocoro_ghost.store.postgres.engine import create_ghost

        ghost_id = create_ghost(request.getfixturevalue("house").owner_url, uuid4().hex)
        db = request.getfixturevalue("house_engine").open(ghost_id, "memory", FrozenClock())
    db.write_now(crowd)
    yield db
    db.close()


@pytest.fixture(scope="session")
def house() -> Iterator[House]:
    """One PostgreSQL database for the whole run, with the schema in it."""
    with ExitStack() as stack:
        try:
            server = stack.enter_context(a_server())
        except LookupError as error:
            skip_or_fail(str(error))
            raise
        yield make_house(server, f"ghost_tests_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}")


@pytest.fixture(scope="session")
def _house_of_servers(house: House) -> House:
    return make_house(house.owner_url, f"ghost_served_{os.environ.get('PYTEST_XDIST_WORKER', 'main')}")


@pytest.fixture
def served_house(_house_of_servers: House) -> House:
    """A database for servers: they look after everybody who is due in it, so nobody is when a test begins."""
    import psycopg

    with psycopg.connect(_house_of_servers.owner_url, autocommit=True) as connection:
        for table in ("attention", "leases", "talks", "presence"):
            connection.execute(f"DELETE FROM {table}".encode())
    return _house_of_servers


@pytest.fixture(scope="session")
def house_engine(house: House) -> Iterator[object]:
    from cocoro_ghost.store.postgres.engine import PostgresEngine

    engine = PostgresEngine(house.app_url, connections=8)
    yield engine
    engine.close()


@pytest.fixture
def new_ghost(house: House) -> Callable[[], int]:
    """Makes a ghost in the house; returns its number."""
    from cocoro_ghost.store.postgres.engine import create_ghost

    return lambda: create_ghost(house.owner_url, uuid4().hex)


@pytest.fixture
def figures(request: pytest.FixtureRequest) -> Figures:
    """Records what a promise's test measured; `tests.docs_text` makes the table of docs/reliability.md."""
    nightly = request.node.get_closest_marker("nightly") is not None

    def record(promise: str, text: str) -> None:
        FIGURES.parent.mkdir(exist_ok=True)
        line = {"promise": promise, "figure": text, "nightly": nightly}
        with FIGURES.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")

    return record
