"""The master key of a house is changed: nothing is lost, wherever it is cut short, and servers go on."""

from __future__ import annotations

import base64
from collections.abc import Callable
from uuid import uuid4

import pytest

from cocoro_ghost.cli import house as commands
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import ConfigError
from cocoro_ghost.house import rekey
from cocoro_ghost.house.homes import MASTER_KEY, OLD_MASTER_KEY, seal_of
from cocoro_ghost.settings.secrets import Seal
from cocoro_ghost.store import settings
from cocoro_ghost.store.postgres import door
from cocoro_ghost.store.postgres.engine import PostgresEngine, create_ghost
from tests.a_hosted_house import KEY
from tests.a_house import House

NEW = bytes(reversed(range(32)))
STRANGE = bytes(32)


def _seal(engine: PostgresEngine, ghost_id: int, *keys: bytes) -> Seal:
    entry = door.entry_of(engine.pool, ghost_id)
    assert entry is not None
    return seal_of(entry, *keys)


def _put(engine: PostgresEngine, ghost_id: int, name: str, sealed: bytes) -> None:
    database = engine.open(ghost_id, "settings", FrozenClock())
    database.write_now(lambda tx: settings.put_secret(tx, name, sealed))
    database.close()


def _opened(engine: PostgresEngine, ghost_id: int, *keys: bytes) -> dict[str, str]:
    database, seal = engine.open(ghost_id, "settings", FrozenClock()), _seal(engine, ghost_id, *keys)
    found = database.read_now(settings.secrets)
    database.close()
    return {name: seal.open(name, sealed) for name, sealed in found}


def _change_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MASTER_KEY, base64.b64encode(NEW).decode())
    monkeypatch.setenv(OLD_MASTER_KEY, base64.b64encode(KEY).decode())


def test_a_new_master_key_opens_what_the_old_one_sealed(
    served_house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Cut short after the first ghost, servers with both keys open all; run again, the new key is enough."""
    engine = PostgresEngine(served_house.app_url, connections=2)
    ghosts = [create_ghost(served_house.owner_url, uuid4().hex) for _ in range(3)]
    for ghost_id in ghosts:
        for name in ("llm", "embedding"):
            _put(engine, ghost_id, name, _seal(engine, ghost_id, KEY).close(name, f"sk-{ghost_id}"))
    expected = {ghost_id: {name: f"sk-{ghost_id}" for name in ("llm", "embedding")} for ghost_id in ghosts}
    _change_keys(monkeypatch)
    with pytest.MonkeyPatch.context() as cut:
        cut.setattr(commands, "sealed_anew", _dying_after(1, ghosts))
        with pytest.raises(KeyboardInterrupt):
            commands.rekey(served_house.app_url)
    assert {one: _opened(engine, one, NEW, KEY) for one in ghosts} == expected
    with pytest.raises(ConfigError):
        _opened(engine, ghosts[-1], NEW)
    _put(engine, ghosts[0], "strange", _seal(engine, ghosts[0], STRANGE).close("strange", "x"))
    capsys.readouterr()
    commands.rekey(served_house.app_url)
    assert "4 secrets of" in (said := capsys.readouterr().out)
    assert "1 open with neither key" in said
    assert {one: _opened(engine, one, NEW) for one in ghosts[1:]} == {
        one: expected[one] for one in ghosts[1:]
    }
    assert _opened(engine, ghosts[0], NEW, STRANGE)["strange"] == "x"
    engine.close()


def _dying_after(
    many: int, ghosts: list[int]
) -> Callable[[PostgresEngine, int, bytes, bytes], rekey.Rekeyed]:
    """The command is killed after so many of these ghosts."""
    done: list[int] = []

    def one(engine: PostgresEngine, ghost_id: int, new: bytes, old: bytes) -> rekey.Rekeyed:
        if len(done) == many:
            raise KeyboardInterrupt
        done.extend([ghost_id] if ghost_id in ghosts else [])
        return rekey.sealed_anew(engine, ghost_id, new, old)

    return one


def test_without_the_key_before_it_says_what_is_missing(
    served_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MASTER_KEY, base64.b64encode(NEW).decode())
    with pytest.raises(ConfigError, match=OLD_MASTER_KEY):
        commands.rekey(served_house.app_url)


def test_a_ghost_that_is_gone_is_passed_over(served_house: House) -> None:
    engine = PostgresEngine(served_house.app_url, connections=1)
    assert rekey.sealed_anew(engine, 10**9, NEW, KEY) == rekey.Rekeyed(0, 0)
    engine.close()
