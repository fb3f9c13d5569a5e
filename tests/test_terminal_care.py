"""Terminal: exits that tell, help in the person's language, a served ghost found where it listens."""

from __future__ import annotations

import asyncio
import io
import json
import re
import sys
from pathlib import Path

import pytest
from rich.progress import Progress, TaskID
from typer.main import get_group

from cocoro_ghost.api.server.serving import Addresses, serve
from cocoro_ghost.bootstrap import open_ghost
from cocoro_ghost.care.checkup import look_at_directory, look_at_index
from cocoro_ghost.cli import build, main, spoken
from cocoro_ghost.cli.chat import _chat
from cocoro_ghost.cli.help_text import JAPANESE, texts
from cocoro_ghost.cli.served_address import note, served_at
from cocoro_ghost.settings.file import Server


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> object:
    monkeypatch.setattr(sys, "argv", ["cocoro-ghost", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


def test_an_import_that_took_nothing_exits_non_zero(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    history = tmp_path / "history.jsonl"
    history.write_text("not json\n", encoding="utf-8")
    assert run(monkeypatch, "import", str(history), "--data-dir", str(tmp_path / "ghost")) == 1


def test_long_work_shows_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command that may take long moves a bar to its end; seen where the bar is told."""
    moved: list[float] = []
    plain = Progress.update

    def told(bar: Progress, task: TaskID, **news: object) -> None:
        plain(bar, task, **news)  # type: ignore[arg-type]
        moved.append(bar.tasks[task].completed)

    monkeypatch.setattr(Progress, "update", told)
    ghost, history, kept = tmp_path / "ghost", tmp_path / "history.jsonl", tmp_path / "kept"
    said = {"user_text": "猫を飼っています", "assistant_text": "いいね"}
    lines = [json.dumps({**said, "created_at": f"2026-01-0{day}T09:00:00+09:00"}) for day in (1, 2, 3)]
    history.write_text("\n".join(lines), encoding="utf-8")
    there = ("--data-dir", str(ghost))
    for words in (
        ("import", str(history), "--no-learn"),
        ("reindex",),
        ("export", "--to", str(tmp_path / "all.jsonl")),
        ("backup", "--to", str(kept)),
        ("restore", str(kept)),
    ):
        moved.clear()
        assert run(monkeypatch, *words, *there) in (0, None), words
        assert moved, f"{words[0]} showed nothing"
        assert moved[-1] > 0, f"{words[0]} did not get on"


def test_the_doctor_names_every_unknown_setting_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "ghost"
    folder.mkdir()
    (folder / "config.toml").write_text(
        'languag = "ja"\n[recal]\nx = 1\n[server]\nhttp_port = "many"\n', encoding="utf-8"
    )
    monkeypatch.setenv("COLUMNS", "400")
    assert run(monkeypatch, "doctor", "--data-dir", str(folder)) == 1
    told = capsys.readouterr().out
    assert "`languag` is not a known key" in told
    assert "`recal` is not a known key" in told
    assert "`server.http_port` is wrong" in told


def test_every_help_text_is_told_in_japanese_too() -> None:
    assert [text for text in texts(get_group(build())) if text and text not in JAPANESE] == []


@pytest.mark.parametrize(("language", "said"), [("ja", "ゴーストを起動する"), ("en", "Start the ghost")])
def test_help_is_in_the_persons_language_with_the_command_as_they_call_it(
    language: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COCORO_GHOST_LANGUAGE", language)
    monkeypatch.setenv("COCORO_CALLED_AS", "python3 run.py")
    monkeypatch.setenv("COLUMNS", "160")
    assert run(monkeypatch, "--help") == 0
    shown = capsys.readouterr().out
    assert said in shown
    assert "python3 run.py" in shown
    assert " test " in shown


def test_the_help_of_one_command_is_translated_down_to_its_options(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COCORO_GHOST_LANGUAGE", "ja")
    monkeypatch.delenv("COCORO_CALLED_AS", raising=False)
    monkeypatch.setenv("COLUMNS", "160")
    assert run(monkeypatch, "import", "--help") == 0
    shown = capsys.readouterr().out
    assert "cocoro-ghost import" in shown
    assert "この履歴の名前" in shown
    assert "この説明を表示して終わる" in shown
    assert "Show this message" not in shown


def test_without_a_checkout_there_is_no_test_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("COCORO_CALLED_AS", raising=False)
    assert run(monkeypatch, "test") == 2
    monkeypatch.setenv("COCORO_CALLED_AS", "python3 run.py")
    assert run(monkeypatch, "test") == 2
    assert "does this itself" in capsys.readouterr().err


def test_a_configuration_that_cannot_be_read_hides_no_help(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.toml").write_text("language = [", encoding="utf-8")
    monkeypatch.setenv("COCORO_GHOST_HOME", str(tmp_path))
    monkeypatch.delenv("COCORO_GHOST_LANGUAGE", raising=False)
    assert run(monkeypatch, "--help") == 0
    assert "serve" in capsys.readouterr().out


def test_a_served_ghost_is_found_where_it_listens(tmp_path: Path) -> None:
    assert served_at(tmp_path, Server(http_port=1234)) == "http://127.0.0.1:1234"
    note(tmp_path, "http://127.0.0.1:40001")
    assert served_at(tmp_path, Server(http_port=1234)) == "http://127.0.0.1:40001"
    note(tmp_path, "http://elsewhere.invalid:80")
    assert served_at(tmp_path, Server(http_port=1234)) == "http://127.0.0.1:1234"


async def test_chat_beside_a_server_on_another_port_talks_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "ghost"
    monkeypatch.setattr(sys, "stdin", io.StringIO("はじめまして、みかです。\n/quit\n"))
    ready, stopping = asyncio.Event(), asyncio.Event()

    async with open_ghost(folder) as ghost:

        def announce(addresses: Addresses) -> None:
            note(folder, addresses.http)
            ready.set()

        serving = asyncio.create_task(
            serve(ghost, http_port=0, https_port=0, stopping=stopping, on_ready=announce, catch_signals=False)
        )
        await ready.wait()
        await _chat(folder, incognito=False)
        stopping.set()
        await serving
    assert "みか" in capsys.readouterr().out


SPEAKING = re.compile(r"""\b(?:tell|spoken)\(\s*"((?:[^"\\]|\\.)+)\"""")


def test_every_sentence_of_a_command_is_told_in_japanese_too() -> None:
    folder = Path(spoken.__file__).parent
    said = {one for file in folder.glob("*.py") for one in SPEAKING.findall(file.read_text(encoding="utf-8"))}
    assert len(said) > 30
    assert [one for one in sorted(said) if one not in spoken.JAPANESE] == []
    for english, japanese in spoken.JAPANESE.items():
        assert sorted(re.findall(r"{\w+}", english)) == sorted(re.findall(r"{\w+}", japanese)), english


@pytest.mark.parametrize(("language", "sound"), [("ja", "は無事です"), ("en", "is sound")])
def test_the_doctor_speaks_the_persons_language(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    language: str,
    sound: str,
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    (tmp_path / "ghost").mkdir(mode=0o700)
    (tmp_path / "ghost" / "config.toml").write_text(f'language = "{language}"\n', encoding="utf-8")
    (tmp_path / "ghost" / "config.toml").chmod(0o600)
    history = tmp_path / "history.jsonl"
    history.write_text('{"user_text": "やあ", "created_at": "2026-01-01T09:00:00+09:00"}', encoding="utf-8")
    there = ("--data-dir", str(tmp_path / "ghost"))
    assert run(monkeypatch, "import", str(history), "--no-learn", *there) in (0, None)
    assert run(monkeypatch, "doctor", *there) in (0, None)
    assert sound in capsys.readouterr().out


def test_a_finding_is_a_sentence_with_what_stands_in_its_braces(tmp_path: Path) -> None:
    here, nowhere = look_at_directory(tmp_path), look_at_directory(tmp_path / "none")
    for found in (*here, *nowhere, look_at_index("words", 1, 2), look_at_index("meaning", 2, 2)):
        assert found.sentence in spoken.JAPANESE
        assert "{" not in spoken.spoken(found.sentence, **found.fills)
