"""The embedded mind's word lists: read once from the data files beside the code, never changed."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib import resources
from typing import Any


@cache
def data(name: str) -> dict[str, Any]:
    """The parsed content of `data/<name>.toml`; callers must not change it."""
    file = resources.files("cocoro_ghost.mind.embedded") / "data" / f"{name}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8"))


@cache
def word_set(name: str, section: str) -> frozenset[str]:
    """The whitespace-separated words under one key of a data file; `_` stands for a space."""
    text: str = data(name)[section]
    return frozenset(word.replace("_", " ") for word in text.split())


@cache
def alternation(name: str, section: str) -> str:
    """The words of a section as one regular-expression alternation, longest first."""
    ordered = sorted(word_set(name, section), key=lambda word: (-len(word), word))
    return "|".join(re.escape(word) for word in ordered)


@cache
def pattern(name: str, section: str) -> re.Pattern[str]:
    """A regular expression kept as text in a data file."""
    return re.compile(str(data(name)[section]), re.IGNORECASE)


@cache
def fragments(name: str, section: str) -> re.Pattern[str]:
    """A list of regular-expression fragments as one alternation, in the file's order."""
    return re.compile("|".join(f"(?:{part})" for part in data(name)[section]), re.IGNORECASE)
