"""Terminal: an import that took nothing says so by its exit; the doctor names a setting nobody knows."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cocoro_ghost.cli import main


def run(monkeypatch: pytest.MonkeyPatch, *words: str) -> object:
    monkeypatch.setattr(sys, "argv", ["cocoro-ghost", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code


def test_an_import_that_took_nothing_exits_non_zero(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    history = tmp_path / "history.jsonl"
    history.write_text("not json\n", encoding="utf-8")
    assert run(monkeypatch, "import", str(history), "--data-dir", str(tmp_path / "ghost")) == 1


def test_the_doctor_names_an_unknown_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "ghost"
    folder.mkdir()
    (folder / "config.toml").write_text('languag = "ja"\n', encoding="utf-8")
    monkeypatch.setenv("COLUMNS", "200")
    assert run(monkeypatch, "doctor", "--data-dir", str(folder)) == 1
    assert "languag" in capsys.readouterr().out
