"""docs/architecture.md says what is: its layers are the contract, what it names is there."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "cocoro_ghost"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([\w/]+\.py)` `([\w.]+)`", PAGE)))
MOST_ENTRIES = 26


def names_in(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        if isinstance(node, ast.ClassDef):
            members = (ast.FunctionDef, ast.AsyncFunctionDef)
            found |= {f"{node.name}.{one.name}" for one in node.body if isinstance(one, members)}
    return found


@pytest.mark.parametrize(("file", "name"), NAMED, ids=[f"{file}:{name}" for file, name in NAMED])
def test_what_the_page_names_is_there(file: str, name: str) -> None:
    assert name in names_in(PACKAGE / file)


def test_every_file_the_page_names_is_there() -> None:
    assert len(NAMED) > 30
    files = set(re.findall(r"`([\w/]+\.py)`", PAGE))
    assert [file for file in files if not (PACKAGE / file).exists() and not (ROOT / file).exists()] == []


def test_the_layers_are_the_contract() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    (layers,) = (one["layers"] for one in contracts["contracts"] if one["type"] == "layers")
    wanted = [re.sub(r"cocoro_ghost\.|[()]", "", line) for line in layers]
    drawn = PAGE.split("```")[1].strip().splitlines()
    assert drawn == wanted


def test_every_package_has_its_place_and_the_listing_stays_short() -> None:
    entries = {
        path.stem
        for path in PACKAGE.iterdir()
        if not path.name.startswith("__") and (path.suffix == ".py" or (path / "__init__.py").exists())
    }
    drawn = set(re.findall(r"\w+", PAGE.split("```")[1]))
    # Doubles are imported by tests alone.
    assert entries - drawn == {"testing"}
    listed = [path for path in PACKAGE.iterdir() if not path.name.startswith("__")]
    assert len(listed) <= MOST_ENTRIES


SHARED_ROOMS = (
    {"api/routes", "api/schemas", "cli", "store", "store/sqlite", "store/postgres"},
    {"language/names", "language/read"},
)
"""A resource has one name in its routes, shapes, command and rows; engines and languages are mirrors."""
SAID_TWICE = {"client.py", "engine.py", "plans.py", "reading.py", "tables.py"}
"""What a mind, an app and a reading each have one of."""


def test_no_file_name_stands_twice_without_need() -> None:
    rooms: dict[str, set[str]] = {}
    for path in PACKAGE.rglob("*.py"):
        if not path.name.startswith("__"):
            rooms.setdefault(path.name, set()).add(path.parent.relative_to(PACKAGE).as_posix())
    twice = {name: found for name, found in rooms.items() if len(found) > 1 and name not in SAID_TWICE}
    assert [name for name, found in twice.items() if not any(found <= one for one in SHARED_ROOMS)] == []
