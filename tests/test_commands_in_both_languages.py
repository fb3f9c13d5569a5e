"""Commands under a hostile world, in both languages: exit codes, clean output, texts like markup."""

from __future__ import annotations

import io
import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from rich.console import Console

from cocoro_ghost.bootstrap import open_foundations
from cocoro_ghost.cli.terminal import Noted, Terminal
from cocoro_ghost.cli.terminal_words import words_for
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.scene import Language
from cocoro_ghost.reply.stream import Done, Frame, Token
from cocoro_ghost.store import jobs
from cocoro_ghost.store.ports import Tx
from tests.test_commands import Command, command, count, home, live, one_sentence

__all__ = ["command", "home"]
HOSTILE = "[/b] [type=missing, input=5] {x} %s \\ [bold]猫[/bold]"
LANGUAGES = ("en", "ja")


@pytest.fixture
def speaking(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    return lambda language: monkeypatch.setenv("COCORO_GHOST_LANGUAGE", language)


def _japanese(text: str) -> bool:
    return any("\u3040" <= sign <= "\u30ff" for sign in text)


def _failed(home: Path) -> None:
    def write(tx: Tx) -> None:
        jobs.enqueue(tx, JobKind.TIDY_MEMORY, {}, key="a")
        taken = jobs.claim(tx, "me")
        assert taken is not None
        jobs.bury(tx, taken.job_id, "me", HOSTILE)

    with open_foundations(home) as base:
        base.databases.memory.write_now(write)


@pytest.mark.parametrize("language", LANGUAGES)
def test_errors_and_names_that_look_like_markup_are_shown_as_they_are(
    command: Command, home: Path, speaking: Callable[[str], None], language: str
) -> None:
    live(home)
    _failed(home)
    speaking(language)
    shown = command("jobs")
    assert shown.code == 0, shown.err
    assert "[/b] [type=missing, input=5] {x} %s \\ [bold]" in shown.out
    made = command("clients", "add", "[/i] Open [WebUI] {0}")
    assert made.code == 0
    listed = command("clients", "list")
    assert listed.code == 0, listed.err
    assert "[/i] Open [WebUI] {0}" in listed.out
    assert _japanese(shown.out) is (language == "ja")
    assert _japanese(listed.out) is (language == "ja")


class Bracketed:
    """A companion that recalls and feels in square brackets."""

    async def say(self, text: str, *, incognito: bool) -> AsyncIterator[Frame]:
        yield Token(text)
        yield Done(1, text)

    async def why(self, _: int) -> tuple[Noted, ...]:
        return (Noted("e1", "event", HOSTILE),)

    async def held(self) -> tuple[Noted, ...]:
        return await self.why(1)

    async def mood(self) -> str:
        return HOSTILE


async def test_the_terminal_shows_memories_that_look_like_markup() -> None:
    screen = io.StringIO()
    console = Console(file=screen, width=300, highlight=False)
    talk = Terminal(Bracketed(), console, words_for(Language.EN))  # type: ignore[arg-type]
    asked = (HOSTILE, "/why", "/mood", "/state")
    for text in asked:
        await talk.answer(text)
    assert screen.getvalue().count(HOSTILE) == len(asked)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_client_command_cannot_do_is_one_sentence(
    command: Command, home: Path, speaking: Callable[[str], None], language: str
) -> None:
    speaking(language)
    assert one_sentence(command("clients", "list")), "no ghost, no clients"
    live(home)
    for words in (("rotate", "nobody"), ("revoke", "nobody")):
        said = command("clients", *words)
        assert one_sentence(said)
        assert "nobody" in said.err
    made = command("clients", "add", "x", "--user-jwt-secret", "s3cret")
    client_id = made.out.split()[0]
    assert command("clients", "revoke", client_id).code == 0
    assert command("clients", "revoke", client_id).code == 0, "once more changes nothing"
    assert one_sentence(command("clients", "rotate", client_id)), "who is out stays out"
    assert "s3cret" not in command("clients", "list").out


@pytest.mark.parametrize(
    "words",
    [
        ("jobs", "--limit", "0"),
        ("jobs", "--limit", "1001"),
        ("jobs", "--status", "lost"),
        ("jobs", "--nonsense"),
        ("clients", "add"),
        ("clients", "add", "x", "--scope", "everything"),
        ("import", "no/such/file"),
        ("recall",),
        ("restore", "a", "b"),
        ("nonsense",),
    ],
)
def test_words_a_command_does_not_know_end_with_two_and_how_it_is_used(
    command: Command, home: Path, words: tuple[str, ...]
) -> None:
    said = command(*words)
    assert said.code == 2
    assert said.out == ""
    assert "Usage" in said.err or "Try" in said.err or said.err.startswith("cocoro-ghost: ")
    assert "Traceback" not in said.err
    assert not home.exists(), "and no ghost was made by the way"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_moment_that_is_none_is_told_and_nothing_is_recalled(
    command: Command, home: Path, speaking: Callable[[str], None], language: str
) -> None:
    live(home)
    speaking(language)
    for moment in ("yesterday", "2026-13-01", "25:00"):
        said = command("recall", "猫", "--now", moment)
        assert one_sentence(said)
        assert "ISO 8601" in said.err
        assert _japanese(said.err) is (language == "ja")
    found = command("recall", "猫", "--now", "2031-05-01T10:00")
    assert found.code == 0
    assert "モカ" in found.out


def test_an_export_on_standard_output_is_nothing_but_lines(
    command: Command, home: Path, tmp_path: Path
) -> None:
    live(home)
    lines = command("export").out.splitlines()
    rows = [json.loads(line) for line in lines]
    assert rows[0]["lines"] == len(rows) - 1
    cut = tmp_path / "cut.jsonl"
    cut.write_text("\n".join(lines[:-3]) + "\n", encoding="utf-8")
    other = tmp_path / "other"
    said = command("import", str(cut), "--data-dir", str(other))
    assert one_sentence(said)
    assert "ends early" in said.err
    assert count(other) == 0
    whole = tmp_path / "whole.jsonl"
    whole.write_text("\ufeff" + "\r\n".join(lines) + "\r\n\r\n", encoding="utf-8")
    assert command("import", str(whole), "--data-dir", str(other)).code == 0, (
        "as an editor on Windows saves it"
    )
    assert count(other) == 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_history_half_of_which_is_no_use_is_taken_and_told(
    command: Command, home: Path, tmp_path: Path, speaking: Callable[[str], None], language: str
) -> None:
    live(home)
    speaking(language)
    good = [json.dumps({"created_at": n, "user_text": f"turn {n}", "id": n}) for n in range(5)]
    bad = [f"line {n} is broken" for n in range(30)]
    file = tmp_path / "history.jsonl"
    file.write_text("\n".join([*bad, *good]), encoding="utf-8")
    foretold = command("import", str(file), "--dry-run", "--no-learn")
    assert foretold.code == 0
    assert count(home) == 3
    said = command("import", str(file), "--no-learn")
    assert said.code == 0
    assert count(home) == 8
    assert "5" in said.out
    assert len(said.err.splitlines()) == 21, "twenty by name, and how many more"
    assert "10" in said.err.splitlines()[-1]
    again = command("import", str(file), "--no-learn")
    assert (again.code, count(home)) == (0, 8)
    assert _japanese(said.out) is (language == "ja")
    file.write_text("\n".join(bad), encoding="utf-8")
    assert command("import", str(file)).code == 1, "a script must notice that nothing was taken in"
    file.write_bytes(b"\xff\xfe\x00")
    assert one_sentence(command("import", str(file)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_backups_are_named_and_a_wrong_name_tells_the_right_ones(
    command: Command, home: Path, speaking: Callable[[str], None], language: str
) -> None:
    speaking(language)
    assert one_sentence(command("backup"))
    live(home)
    none = command("restore")
    assert none.code == 0
    assert _japanese(none.out) is (language == "ja")
    made = command("backup")
    assert made.code == 0
    name = next(path.name for path in (home / "backups").iterdir())
    assert name in made.out
    wrong = command("restore", "nope")
    assert one_sentence(wrong)
    assert name in wrong.err
    before = {path: path.read_bytes() for path in home.glob("*.db")}
    assert command("restore", name, "--dry-run").code == 0
    assert {path: path.read_bytes() for path in home.glob("*.db")} == before
    done = command("restore", name)
    assert done.code == 0, done.err
    assert count(home) == 3


def test_a_token_is_all_that_is_printed(command: Command, home: Path) -> None:
    out = command("token").out
    assert out == out.strip() + "\n"
    assert len(out.split()) == 1
    for path in home.iterdir():
        assert out.strip().encode() not in path.read_bytes() if path.is_file() else True, path.name
