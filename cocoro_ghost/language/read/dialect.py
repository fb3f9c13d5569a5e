"""Dialect endings as everyday Japanese has them: no other table need know two ways of saying a thing."""

from __future__ import annotations

import re
from functools import cache

from cocoro_ghost.language.read.tables import table


@cache
def _rows() -> tuple[re.Pattern[str], tuple[tuple[re.Pattern[str], str], ...]]:
    listed = table("ja/dialect")
    return re.compile(listed["signs"]), tuple((re.compile(said), meant) for said, meant in listed["rows"])


def in_everyday_words(text: str) -> str:
    """The text as it is read; one without a sign of dialect is left as it is."""
    signs, rows = _rows()
    if signs.search(text) is None:
        return text
    for said, meant in rows:
        text = said.sub(meant, text)
    return text
