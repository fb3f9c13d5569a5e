"""`doctor` as a person types it: what is well, what is wrong, and how to mend it."""

from __future__ import annotations

import os
from pathlib import Path

from cocoro_ghost.bootstrap import open_foundations
from cocoro_ghost.model.presets import EmbeddingPreset, LlmPreset
from cocoro_ghost.store.sqlite.lock import DirectoryLock
from tests.test_commands import (
    Command,
    command,
    home,
    live,
    put_presets,
)

__all__ = ["command", "home"]


def test_the_doctor_finds_a_healthy_ghost_healthy(command: Command, home: Path) -> None:
    nobody = command("doctor")
    assert (nobody.code, "first start" in nobody.out) == (0, True)
    assert not home.exists()
    live(home)
    command("reindex")
    with DirectoryLock(home):
        said = command("doctor")
    assert said.code == 0, said.out
    assert "embedded/ghost answers" in said.out
    assert "can be found by meaning" in said.out


def test_the_doctor_says_what_is_wrong_and_how_to_mend_it(command: Command, home: Path) -> None:
    live(home)
    put_presets(home, "embedding", EmbeddingPreset("d", "D", model="down/x"), active="d")
    put_presets(home, "llm", LlmPreset("o", "O", model="openai/x"), active="o")
    with open_foundations(home):
        pass
    if os.name == "posix":
        (home / "key").chmod(0o644)
    said = command("doctor")
    assert said.code == 1
    assert "nobody answers" in said.out
    assert "Check the key and the address" in said.out
    if os.name == "posix":
        assert "chmod 600" in said.out
    (home / "reminders.db").write_bytes(b"a letter and no database" * 300)
    damaged = command("doctor")
    assert damaged.code == 1
    assert "reminders.db is damaged" in damaged.out
    assert (home / "reminders.db").exists()


def test_the_doctor_reports_a_file_that_lies_aside(command: Command, home: Path) -> None:
    live(home)
    (home / "memory_embedded.db").rename(home / "memory_embedded.db.corrupt.5")
    said = command("doctor")
    assert said.code == 1
    assert "lies aside" in said.out


def test_without_an_encoder_the_doctor_warns_and_is_content(command: Command, home: Path) -> None:
    live(home)
    put_presets(home, "embedding", EmbeddingPreset("w", "W", model="none/x"), active="w")
    with open_foundations(home):
        pass
    said = command("doctor")
    assert said.code == 0
    assert "no encoder here" in said.out
