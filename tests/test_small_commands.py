"""The small commands, as they are typed: reading a sentence, clients and tokens, encrypting and back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cocoro_ghost.settings import file_key
from tests.test_commands import Command, command, count, home, live, one_sentence

__all__ = ["command", "home"]


def test_a_sentence_is_read_aloud_and_as_json(command: Command, tmp_path: Path) -> None:
    shown = command("read", "札幌に住んでいて、納豆は苦手。明日は歯医者。")
    assert shown.code == 0
    assert "札幌" in shown.out
    read = command("read", "I live in Kyoto and I love tea.", "--json", "--now", "2026-07-01T12:00")
    whole = json.loads(read.out)
    assert whole["claims"]
    assert whole["tastes"]
    assert command("read", "どこに住んでるっけ？").code == 0
    assert command("read", "もう消えてしまいたい").code == 0
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines = [{"text": "猫が好き", "now": "2026-07-01T12:00:00"}, {"text": "hello", "before": ["hi"]}]
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    assert command("read", "--jsonl", str(source), str(target)).code == 0
    assert len(target.read_text(encoding="utf-8").splitlines()) == 2


def test_clients_are_let_in_and_out(command: Command, home: Path) -> None:
    live(home)
    made = command("clients", "add", "Open WebUI", "--scope", "talk", "--scope", "memory:read")
    client_id, token = made.out.split()[0], made.out.split()[-1]
    assert len(token) >= 40
    shown = command("clients", "list").out
    assert client_id in shown
    assert token not in shown
    assert command("clients", "rotate", client_id).out.strip() != token
    assert command("clients", "revoke", client_id).code == 0
    assert "revoked" in command("clients", "list").out
    assert one_sentence(command("clients", "rotate", client_id))


def test_the_memory_is_encrypted_and_back(
    command: Command, home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(file_key, "_SCRYPT", {"n": 2**4, "r": 8, "p": 1})
    monkeypatch.setenv(file_key.PASSPHRASE_VARIABLE, "窓辺の猫は三毛猫")
    live(home)
    command("backup")
    assert one_sentence(command("decrypt"))
    said = command("encrypt")
    assert "still readable" in said.out
    assert count(home) == 3
    sealed = tmp_path / "sealed"
    assert command("backup", "--encrypt", "--to", str(sealed)).code == 0
    assert command("decrypt").code == 0
    assert command("restore", str(sealed)).code == 0
    assert count(home) == 3


def test_after_a_loss_the_owner_goes_on_with_what_is_there(command: Command, home: Path) -> None:
    live(home)
    (home / "memory_embedded.db").unlink()
    assert one_sentence(command("reindex"))
    assert "0 events" in command("restore", "--as-it-is").out
    assert command("token").code == 0


def test_mcp_needs_a_token(command: Command) -> None:
    said = command("mcp")
    assert one_sentence(said)
    assert "--token" in said.err
