"""Only `store/` names queries and columns; every named query is asked for by someone."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import cocoro_ghost
from cocoro_ghost.store.queries import named_queries

PACKAGE = Path(cocoro_ghost.__file__).parent
STORE = PACKAGE / "store"


def _strings(path: Path) -> set[str]:
    """Every string in a module; of a formatted one, what stands between its values becomes a pattern."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.add(re.escape(node.value))
        elif isinstance(node, ast.JoinedStr):
            parts = [re.escape(str(v.value)) if isinstance(v, ast.Constant) else r"\w+" for v in node.values]
            found.add("".join(parts))
    return found


def test_no_module_outside_the_store_names_a_query() -> None:
    names = set(named_queries())
    outside = [path for path in PACKAGE.rglob("*.py") if STORE not in path.parents]
    named = {
        f"{path.relative_to(PACKAGE)}: {text}"
        for path in outside
        for text in (re.sub(r"\\(.)", r"\1", one) for one in _strings(path))
        if text in names
    }
    assert named == set()


def test_no_module_outside_the_store_names_a_column() -> None:
    """What only the database calls so; a name that a type of the model has too is that type's."""
    sql = "\n".join(path.read_text(encoding="utf-8") for path in STORE.rglob("*.sql"))
    columns = set(re.findall(r"\b\w+_json\b|\bbody_key\b", sql))
    assert len(columns) > 10
    named = {
        f"{path.relative_to(PACKAGE)}: {text}"
        for path in PACKAGE.rglob("*.py")
        if STORE not in path.parents
        for text in _strings(path)
        if text in columns
    }
    assert named == set()


def test_every_named_query_is_used() -> None:
    asked = {text for path in STORE.rglob("*.py") for text in _strings(path) if "\\." in text}
    patterns = [re.compile(text) for text in asked]
    unused = {name for name in named_queries() if not any(one.fullmatch(name) for one in patterns)}
    assert unused == set()


def test_every_limit_has_a_total_order() -> None:
    """Rows of equal rank come in no promised order: the last thing sorted by must be a key."""
    loose = []
    for name, sql in named_queries().items():
        for match in re.finditer(r"LIMIT :?\w+", sql):
            ordered = sql[: match.start()].rsplit("ORDER BY", 1)
            last = ordered[1].strip().split(",")[-1].strip() if len(ordered) == 2 else ""
            if not re.match(r"(?:\w+\.)?(\w*_id|id|seq|thread_key|norm|1|2)\b", last):
                loose.append(f"{name}: {last[:60]!r}")
    assert loose == []
