"""Given names in kana that the dictionary cuts or takes for a word: 娘ひまり, 名前はゆうと, さくらです."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from cocoro_ghost.language.morphology import Token, tokens
from cocoro_ghost.language.read.tables import either, entries, phrases

_PROPER = ("名詞", "固有名詞", "人名", "名", "*", "*")
_KANA = re.compile(r"[ぁ-んー]{2,5}")
_LONGEST = 3
"""Morphemes one name is cut into at most."""


def whole_names(words: list[Token]) -> list[Token]:
    """The morphemes with a name that stands where only a name can stand as one of them."""
    if _given().search("".join(word.surface for word in words)) is None:
        return words
    found: list[Token] = []
    at = 0
    while at < len(words):
        count = _name_at(words, at) if _announced(found) else 0
        if count:
            found.append(_joined(words[at : at + count]))
        else:
            found.append(words[at])
        at += count or 1
    return found


@cache
def _given() -> re.Pattern[str]:
    return re.compile("|".join(entries("ja/names", "given_hiragana")))


def is_named_kin(role: Token, name: Token) -> bool:
    """娘 and ひまり, 弟 and 健: a role and right behind it a given name."""
    return name.pos[:4] == _PROPER[:4] and role.surface in _kin()


@cache
def _kin() -> frozenset[str]:
    kinds = ("family", "couple", "role", "pet")
    return frozenset(word for kind in kinds for word in entries("ja/lexicon", kind))


def _announced(before: list[Token]) -> bool:
    """Behind a role (娘, 娘の), behind 名前は, and where the sentence or a greeting before it begins."""
    if not before or before[-1].pos[0] == "感動詞" or before[-1].surface in {"、", "　", " "}:
        return all(t.pos[0] in {"感動詞", "補助記号", "空白"} for t in before)
    last = before[-2:] if before[-1].surface in {"の", "は", "って"} and len(before) > 1 else before[-1:]
    if last[0].surface in _kin():
        return before[-1].surface != "は"
    return last[0].normal == "名前" and before[-1].surface in {"は", "って"}


def _name_at(words: list[Token], at: int) -> int:
    """How many morphemes make a known name here, followed by what may follow one; the longest first."""
    for count in range(min(_LONGEST, len(words) - at), 0, -1):
        name = "".join(word.surface for word in words[at : at + count])
        if name not in entries("ja/names", "given_hiragana"):
            continue
        after = words[at + count] if at + count < len(words) else None
        if after is None or after.pos[0] in {"補助記号", "助詞", "助動詞", "接尾辞"}:
            return count
    return 0


def _joined(parts: list[Token]) -> Token:
    name = "".join(part.surface for part in parts)
    return parts[0]._replace(
        surface=name, lemma=name, normal=name, pos=_PROPER, end=parts[-1].end, unknown=False
    )


def may_be_called(word: str) -> bool:
    """ここね of ここねがイヤイヤ期: in kana where a name can stand, and made of nouns or of nothing known."""
    if word in entries("ja/names", "given_hiragana"):
        return True
    found = tokens(word) if _KANA.fullmatch(word) else ()
    return bool(found) and all(t.unknown or t.pos[0] == "名詞" for t in found)


def is_somebody(parts: Sequence[Token]) -> bool:
    """あの子今年受験, わたし最近…: who it is about needs no particle before a word that says when."""
    said = "".join(part.surface for part in parts)
    return said in either("ja/words", "self", "he_she") or said in entries("ja/lexicon", "family")


def is_former(parts: Sequence[Token]) -> bool:
    """元美容師: what somebody was."""
    return "".join(part.surface for part in parts).startswith(phrases("ja/words", "former"))
