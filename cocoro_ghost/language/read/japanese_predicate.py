"""Japanese predicates: which morphemes belong to one, and what its inflection says."""

from __future__ import annotations

from functools import cache

from cocoro_ghost.language.morphology import Token
from cocoro_ghost.language.read.tables import entries, lookup, pairs

_LONGEST_TAIL = 12
"""Characters of an ending at most."""


def dictionary_form(parts: list[Token]) -> str:
    """The verb as it stands in a dictionary, with what was brought along (買ってくる)."""
    helper = next(
        (i for i, p in enumerate(parts[1:], 1) if p.pos[0] == "動詞" and p.normal in {"来る", "行く"}), 0
    )
    if helper:
        return "".join(p.surface for p in parts[:helper]) + parts[helper].lemma
    return parts[0].lemma


def _binds(before: Token) -> bool:
    return (
        before.surface in {"て", "で"} or before.pos[5].startswith("連用形") or before.surface in {"に", "く"}
    )


def _inflects(before: Token) -> bool:
    return before.surface in {"じゃ", "で", "は", "も", "く", "て"} or before.pos[5].startswith("連用形")


def _helps(after: Token | None) -> bool:
    return after is not None and (
        after.normal in entries("ja/words", "auxiliary") or after.normal in {"無い", "ない"}
    )


def adverb_marks(adverbs: list[str]) -> frozenset[str]:
    return frozenset(mark for word in adverbs for mark in lookup("ja/words", "adverb_marks", word))


@cache
def _must() -> tuple[str, ...]:
    """Obligation may be said on after it: しなきゃなんだけど."""
    return tuple(ending for ending, mark in pairs("ja/words", "tail_marks") if mark == "must")


def marks_of(parts: list[Token], link: str, *, last: bool) -> frozenset[str]:
    """What the inflection says, from the table of endings."""
    found = _inflected(parts)
    tail = "".join(part.surface for part in parts) + link
    for at in range(max(0, len(tail) - _LONGEST_TAIL), len(tail)):
        if marks := lookup("ja/words", "tail_marks", tail[at:]):
            found.update(mark for mark in marks if mark != "must")
    doubts = "かな" in tail or "かも" in tail
    said = {
        "must": parts[0].pos[0] == "動詞" and any(ending in tail for ending in _must()),
        "prog": link in {"ながら", "つつ"},
        "hedge": doubts,
        "cannot": "neg" in found and ("passive" in found or any(map(_potential, parts))),
        # 食べられるようになった: what could not be done can be done now.
        "can_now": "ようになっ" in tail or "ようになり" in tail,
        "request": _asks_to_do(parts, link, last=last),
    }
    return frozenset(found - {"question"} if doubts else found).union(m for m, holds in said.items() if holds)


def _inflected(parts: list[Token]) -> set[str]:
    """Marks of each inflecting morpheme; what follows か+も is doubt, not denial."""
    doubt = next(
        (i for i, p in enumerate(parts[:-1]) if p.surface == "か" and parts[i + 1].surface == "も"), None
    )
    said = parts[:doubt]
    found = {"hedge"} if doubt is not None else set[str]()
    for part in said if parts[0].pos[0] == "助動詞" else said[1:]:
        if part.pos[1] != "準体助詞":
            found.update(lookup("ja/words", "ending_marks", part.surface))
            found.update(lookup("ja/words", "ending_marks", part.normal))
    return found


def _potential(part: Token) -> bool:
    endings = ("める", "える", "ける", "せる", "れる", "べる")
    return part.pos[0] == "動詞" and part.lemma != part.normal and part.lemma.endswith(endings)


def _asks_to_do(parts: list[Token], link: str, *, last: bool) -> bool:
    final = parts[-1]
    spoken_on = final.pos[1] == "接続助詞" and final.surface in {"て", "で"}
    left_open = link in {"て", "で"} and final.pos[0] == "動詞" and last
    return spoken_on or left_open or final.pos[5].startswith("命令")


def continues(before: Token, token: Token, after: Token | None) -> bool:
    """True for a morpheme that still belongs to the predicate: auxiliaries, て居る, のだ, かも."""
    if token.pos[0] == "助詞":
        return _particle_continues(before, token, after)
    helping = token.pos[0] == "動詞" and (
        token.pos[1] == "非自立可能" or token.normal in entries("ja/words", "helping_verbs")
    )
    negated = token.pos[0] == "形容詞" and token.normal in entries("ja/words", "helping_adjectives")
    return (
        token.pos[0] in {"助動詞", "接尾辞"}
        or (helping and _binds(before))
        or (negated and _inflects(before))
        or token.normal == "知れる"
        or token.pos[1] == "助動詞語幹"
    )


def _particle_continues(before: Token, token: Token, after: Token | None) -> bool:
    if token.pos[1] == "終助詞" or token.surface in {"かも", "って", "か", "かな"}:
        return True
    if token.pos[1] == "準体助詞":
        return after is None or after.pos[0] in {"助動詞", "補助記号"} or after.pos[1] == "終助詞"
    if token.surface in {"て", "で"} and token.pos[1] == "接続助詞":
        return _helps(after)
    if token.surface == "に" and before.pos[0] == "動詞" and before.pos[5].startswith("連用形"):
        return after is not None and after.normal in {"来る", "行く"}  # 遊びに来る
    return token.surface in {"は", "も"} and _stresses(before, token, after)


def _stresses(before: Token, token: Token, after: Token | None) -> bool:
    """食べてはいる, 高くもない, かも: は and も within a predicate."""
    doubt = token.surface == "も" and before.surface == "か"
    return doubt or (before.surface in {"て", "で", "じゃ", "く", "に"} and _helps(after))
