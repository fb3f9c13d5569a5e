"""Short quotations: of a long text the parts that matter. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable

_SENTENCE = re.compile(r"[^。！？!?.\n]+(?:[。！？!?]+|\.+(?=\s|$)|$|\.)?")


def flat(text: str) -> str:
    """One line, and nothing that could pass for a section mark."""
    return " ".join(text.replace("<<<", "«").replace(">>>", "»").replace("<<", "«").split())


def cut(text: str, chars: int) -> str:
    return text if len(text) <= chars else text[: chars - 1].rstrip() + "…"


def key_parts(text: str, chars: int, snippet: str, fit: Callable[[str], int]) -> str:
    """The chosen snippet, else the sentences that fit best in their order, with dots for what is left out."""
    if len(text) <= chars:
        return text
    if snippet and snippet in text:
        return cut(snippet, chars)
    sentences = [part.strip() for part in _SENTENCE.findall(text) if part.strip()]
    fits = [fit(part) for part in sentences]
    if not any(fits):
        return cut(text, chars)
    taken: set[int] = set()
    room = chars
    for at in sorted(range(len(sentences)), key=lambda at: (-fits[at], at)):
        if fits[at] and len(sentences[at]) + 2 <= room:
            taken.add(at)
            room -= len(sentences[at]) + 2
    if not taken:
        return cut(sentences[max(range(len(fits)), key=fits.__getitem__)], chars)
    return _joined(sentences, taken)


def _joined(sentences: list[str], taken: set[int]) -> str:
    parts: list[str] = []
    for at, sentence in enumerate(sentences):
        if at in taken:
            parts.append(sentence if at == 0 or at - 1 in taken else f"…{sentence}")
    return " ".join(parts) + ("" if len(sentences) - 1 in taken else "…")
