"""Dialect endings as everyday Japanese has them: no other table need know two ways of saying a thing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from cocoro_ghost.language.read.tables import table


@cache
def _rows() -> tuple[re.Pattern[str], tuple[tuple[re.Pattern[str], str], ...]]:
    listed = table("ja/dialect")
    return re.compile(listed["signs"]), tuple((re.compile(said), meant) for said, meant in listed["rows"])


def in_everyday_words(text: str, names: Iterable[str] = ()) -> str:
    """The text as it is read; one without a sign of dialect is left as it is. `names`: who was told of."""
    signs, rows = _rows()
    for name in names:
        # りこ甘いものが好き: known by name, she needs no particle to be spoken of.
        text = re.sub(rf"^{re.escape(name)}(?=[一-龥ァ-ヶ])", f"{name}は", text)
    if signs.search(text) is None:
        return text
    for said, meant in rows:
        text = said.sub(meant, text)
    return text
