"""Sentences with their places; very long texts are read at both ends only."""

from __future__ import annotations

import re

from cocoro_ghost.model.reading import Span

HEAD, TAIL = 1000, 400
_END = re.compile(
    r"(?=[。！？!?\n.…])(?:[。！？!?\n]+[」』）)]*|\.{2,}|…+|(?<=[A-Za-z0-9)\"'])(?<!\bDr)(?<!\bMr)(?<!\bMs)"
    r"(?<!\bSt)(?<!\bMrs)(?<!\bvs)(?<!\bProf)\.(?=\s|$))"
)
_LONGEST = 400


def begins_in(inner: Span, outer: Span) -> bool:
    """True when what stands at one place begins inside another."""
    return outer[0] <= inner[0] < outer[1]


def sentences(text: str) -> list[tuple[Span, str, str]]:
    """(span, words, closing marks) of each sentence that has words."""
    found = []
    for first, last in _windows(text):
        at = first
        for match in _END.finditer(text, first, last):
            found.append(((at, match.end()), text[at : match.start()], match[0]))
            at = match.end()
        found.append(((at, last), text[at:last], ""))
    return [_cut(one) for one in found if one[1].strip()]


def _windows(text: str) -> list[Span]:
    if len(text) <= HEAD + TAIL:
        return [(0, len(text))]
    return [(0, HEAD), (len(text) - TAIL, len(text))]


def _cut(one: tuple[Span, str, str]) -> tuple[Span, str, str]:
    (start, end), words, mark = one
    lead = len(words) - len(words.lstrip())
    words = words.strip()[:_LONGEST]
    return (start + lead, end), words, mark
