"""Hears a denial: the user says that what was just remembered does not belong here."""

from __future__ import annotations

import re

from cocoro_ghost.language.fold import fold

_DENIALS = re.compile(
    r"(?:それ|その話|その件|今の|いまの)(?:は|って)?、?(?:全然|ぜんぜん|まったく|全く)?"
    r"(?:関係な|違う|ちがう|違います|違って|別の|じゃな|ではな)"
    r"|(?:そう|それ|そんなこと)(?:じゃな|ではな|言ってな|いってな|話してな)"
    r"|^(?:いや|いえ|ううん|違う|ちがう)[、。,.\s]*(?:それ|そう|そんな|その)"
    r"|関係ない(?:よ|でしょ|って|話)|(?:記憶|思い出し)違い|勘違い(?:だ|して|じゃ|です)|覚え違い"
    r"|\bthat(?:'|’)?s not (?:what i|it\b|right|related|relevant|the one|about)"
    r"|\b(?:that|this|it) (?:is not|isn(?:'|’)?t|has nothing|had nothing|wasn(?:'|’)?t) "
    r"(?:related|relevant|what i|to do with|the one|it\b|about)"
    r"|\bnot what i (?:meant|said|was talking|asked)|\bi never said|\bwrong memory|\byou(?:'|’)?re mixing"
    r"|\b(?:irrelevant|unrelated)\b"
)


def denies(text: str | None) -> bool:
    """True when the words deny the memory that was just used."""
    return bool(text) and bool(_DENIALS.search(fold(text or "")))
