"""Word lists and tables that live as data files beside the code."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from importlib import resources
from typing import Any


def _read(*path: str) -> str:
    return resources.files("cocoro_ghost.language").joinpath(*path).read_text(encoding="utf-8")


@cache
def words(name: str) -> frozenset[str]:
    """The entries of `data/<name>.txt`: separated by commas or line ends, `#` starts a comment."""
    lines = (line.split("#", 1)[0] for line in _read("data", f"{name}.txt").splitlines())
    return frozenset(word.strip() for line in lines for word in line.split(",") if word.strip())


@cache
def tails(name: str) -> tuple[str, ...]:
    """The entries as what a word may end in."""
    return tuple(words(name))


def text_lines(name: str) -> list[str]:
    """The lines of `data/<name>.txt` that are neither empty nor comments."""
    return [line for line in _read("data", f"{name}.txt").splitlines() if line and not line.startswith("#")]


@cache
def table(name: str) -> Any:
    """The content of `data/<name>.json`."""
    return json.loads(_read("data", f"{name}.json"))


@cache
def rows(language: str, name: str) -> dict[str, Any]:
    """The content of `tables/<language>/<name>.toml`."""
    return tomllib.loads(_read("tables", language, f"{name}.toml"))
