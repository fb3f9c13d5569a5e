"""Names in a message typed without capitals: `im ella`, `my bf josh`."""

from __future__ import annotations

import re
from functools import cache

from cocoro_ghost.language.names import gazetteer
from cocoro_ghost.language.read.tables import entries

_NAMED = r"i'm|im|i am|call me|name is|name's|names|called|named"


@cache
def _before_names() -> re.Pattern[str]:
    """What a name may stand behind: who one says one is, and a role."""
    kinds = ("family", "couple", "role", "pet")
    roles = sorted({word for kind in kinds for word in entries("en/lexicon", kind)}, key=len, reverse=True)
    return re.compile(rf"\b(?:{_NAMED}|{'|'.join(map(re.escape, roles))}) ([a-z]{{3,12}})\b")


def with_capitals(text: str) -> str:
    """The text with a capital on each first name where one may stand; only if it has no capital at all."""
    if text != text.lower():
        return text
    return _before_names().sub(_written, text)


def _written(found: re.Match[str]) -> str:
    name = found[1]
    if not gazetteer.is_first_name(name) or gazetteer.is_ambiguous(name):
        return found[0]
    return found[0][: -len(name)] + name.capitalize()
