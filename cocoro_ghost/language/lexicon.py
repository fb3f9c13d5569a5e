"""Word lists and tables that live as data files beside the code."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any


def _read(name: str) -> str:
    return (resources.files("cocoro_ghost.language") / "data" / name).read_text(encoding="utf-8")


@cache
def words(name: str) -> frozenset[str]:
    """The entries of `data/<name>.txt`: separated by commas or line ends, `#` starts a comment."""
    lines = (line.split("#", 1)[0] for line in _read(f"{name}.txt").splitlines())
    return frozenset(word.strip() for line in lines for word in line.split(",") if word.strip())


@cache
def table(name: str) -> Any:
    """The content of `data/<name>.json`."""
    return json.loads(_read(f"{name}.json"))
