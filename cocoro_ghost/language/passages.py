"""A long text in a few passages of whole sentences: what is said in one of them has a vector of its own.

Lengths are bytes of UTF-8: a Japanese character says about as much as three letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

LONG_TURN = 1200
"""Both sides together. A shorter turn is about one thing, and its one vector tells it."""
PASSAGE_BYTES = 600
MOST_PASSAGES = 12
_FEW = 20
_SENTENCE = re.compile(r"[^。！？!?.\n]*(?:[。！？!?]+[」』）)\"']*|\.+|\n+|$)\s*")


def size_of(text: str | None) -> int:
    return len((text or "").encode("utf-8", "surrogatepass"))


def is_long(*texts: str | None) -> bool:
    return sum(map(size_of, texts)) >= LONG_TURN


def passages(texts: Iterable[str], size: int = PASSAGE_BYTES, most: int = MOST_PASSAGES) -> list[str]:
    """At most so many passages of about this size, larger ones where there would be more.

    None reaches from one text into the next: a sentence of the user's would be lost in the reply to it.
    """
    given = [text.strip() for text in texts if text.strip()]
    room = max(size, -(-sum(map(size_of, given)) // max(1, most - len(given))))
    found: list[str] = []
    for text in given:
        # Evenly: a last passage of three words would be near to anything.
        count = max(1, round(size_of(text) / room))
        found += _filled(text, -(-size_of(text) // count))
    return _joined(found, most, _FEW)


def _filled(text: str, room: int) -> list[str]:
    found, held, filled = [], "", 0
    for piece in _pieces(text, room):
        here = size_of(piece)
        if held and filled + here / 2 > room:
            found.append(held)
            held, filled = "", 0
        held, filled = held + piece, filled + here
    return [*found, held] if held.strip() else found


def _pieces(text: str, room: int) -> Iterable[str]:
    """Sentences; one longer than a passage in parts."""
    for match in _SENTENCE.finditer(text):
        sentence = match[0]
        parts = -(-size_of(sentence) // room)
        step = -(-len(sentence) // max(1, parts)) or 1
        for start in range(0, len(sentence), step):
            yield sentence[start : start + step]


def _joined(found: list[str], most: int, few: int) -> list[str]:
    """A word or two alone is put to what stands beside it; what is too many at the end becomes one."""
    kept: list[str] = []
    for at, passage in enumerate(found):
        if kept and (size_of(kept[-1]) < few or size_of(passage) < few or at >= most):
            kept[-1] = f"{kept[-1]}\n{passage}"
        else:
            kept.append(passage)
    return [passage.strip() for passage in kept if passage.strip()]
