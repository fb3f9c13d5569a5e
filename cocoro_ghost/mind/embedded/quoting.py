"""Quotes what someone said: verbatim, only shortened at clause borders round the words that matter."""

from __future__ import annotations

import re
from collections.abc import Collection

from cocoro_ghost.language.fold import fold, strip_decorations
from cocoro_ghost.model.scene import Language

_CLAUSES_JA = re.compile(r"[^、。,!?！？\n]+[、。,!?！？\n]*")
_CLAUSES_EN = re.compile(r"[^,.;:!?\n]+(?:[,.;:!?\n]+|$)(?:\s+|$)?|[,.;:]\S+")
_ENDS = ' 　\t\n、。,.;:!?！？…「」『』"“”'
_SENTENCE_END = re.compile(r"(?<!\bSt)(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)[。.!?！？\n]\s*$")
LIMIT_JA = 32
LIMIT_EN = 80


def quote(text: str, language: Language, keys: Collection[str] = (), limit: int | None = None) -> str:
    """The clause that holds most of `keys`, with as many of its neighbours as fit in the limit."""
    clean = re.sub(r"\s+", " ", strip_decorations(text)).strip()
    room = limit or (LIMIT_JA if language is Language.JA else LIMIT_EN)
    if len(clean) <= room and not re.search(r"[.!?！？]\s*\S", clean.rstrip(_ENDS)):
        return _bare(clean)
    clauses = (_CLAUSES_JA if language is Language.JA else _CLAUSES_EN).findall(clean)
    if not clauses:
        return _bare(clean[:room])
    best = max(range(len(clauses)), key=lambda i: (_hits(clauses[i], keys), min(len(clauses[i]), room)))
    return _cut(_grown(clauses, best, room), room, language)


def _hits(clause: str, keys: Collection[str]) -> int:
    folded = fold(clause)
    return sum(key in folded for key in keys)


def _grown(clauses: list[str], best: int, room: int) -> str:
    """Takes in following, then preceding clauses of the same sentence while there is room."""
    low = high = best
    while high + 1 < len(clauses) and not _SENTENCE_END.search(clauses[high]):
        if len("".join(clauses[low : high + 2])) > room:
            break
        high += 1
    while low > 0 and not _SENTENCE_END.search(clauses[low - 1]):
        if len("".join(clauses[low - 1 : high + 1])) > room:
            break
        low -= 1
    return "".join(clauses[low : high + 1])


def _cut(text: str, room: int, language: Language) -> str:
    bare = _bare(text)
    if len(bare) <= room:
        return bare
    if language is Language.JA:
        return bare[:room] + "…"
    return bare[:room].rsplit(" ", 1)[0].rstrip(_ENDS) + "…"


def _bare(text: str) -> str:
    """Without outer punctuation, and with inner quotation marks that cannot end ours."""
    inner = text.strip(_ENDS).replace("「", "『").replace("」", "』")
    return re.sub(r"[“”\"]", "'", re.sub(r"[。!?！？](?=.)", "、", inner) if "。" in inner else inner)
