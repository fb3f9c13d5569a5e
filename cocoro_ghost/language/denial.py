"""Hears a denial: the user says that what was just remembered does not belong here."""

from __future__ import annotations

import re

from cocoro_ghost.language.fold import fold

_NOT = r"(?:じゃ|では)な(?!いか|いの?\?|いで(?:す|しょう)か)"
"""A plain "is not"; as a question it agrees (そうじゃない?)."""
_THAT = r"(?:それ|その話|その件|今の|いまの)(?:は|って)?、?"
_SUCH = "(?:そんな|そういう)"
_NEVER = "(?:てい?な|てい?ませ|たこと(?:は|も)?な|た(?:覚え|おぼえ)(?:は|も)?な)"
_BEGINS = r"(?:^|[、。,.!?\s])"
_DENIALS = re.compile(
    rf"{_THAT}(?:全然|ぜんぜん|まったく|全く)?"
    rf"(?:関係な|違う|ちがう|違います|違って|別件|別の(?:話|こと|件|人|もの|やつ)|勘違い|{_NOT})"
    rf"|(?:そう|それ|そんなこと)(?:{_NOT}|(?:は)?(?:言|い)ってな|(?:は)?話してな)"
    rf"|{_SUCH}(?:こと|の)(?:は|を|なんて|なんか)?(?:言|い)っ{_NEVER}|{_SUCH}話(?:は|を|なんて|なんか)?し{_NEVER}"
    rf"|(?:言|い)って(?:い)?な(?:い|かった)(?:よ|です)?、?{_SUCH}(?:こと|話|の)"
    r"|^(?:いや|いえ|ううん|違う|ちがう)[、。,.\s]*(?:それは|そんな|その)"
    rf"|{_BEGINS}(?:全然|ぜんぜん|まったく|全く)?関係ない(?:よ|でしょ|話|です|[。!]|$)"
    rf"|{_BEGINS}(?:君の|きみの|あなたの|お前の)?勘違い(?:だよ|です|じゃな|して(?:る|い(?:る|ます|ない)))"
    r"|(?:記憶|思い出し)違い|覚え違い"
    r"|\bthat(?:'|’)?s not (?:what i|it\b|related|relevant|the one|about)"
    r"|(?:^|[.,!?]\s*)(?:no,? )?that(?:'|’)?s not right\W*$"
    r"|\b(?:that|this|it) (?:is not|isn(?:'|’)?t|has nothing|had nothing|wasn(?:'|’)?t) "
    r"(?:related|relevant|what i|to do with|the one|it\b)"
    r"|\b(?:that|this) (?:is not|isn(?:'|’)?t|wasn(?:'|’)?t) about"
    r"|\bnot what i (?:meant|said|was talking|asked)"
    r"|\bi (?:never|didn(?:'|’)?t|did not) (?:said|say|told you|tell you|mention(?:ed)?) "
    r"(?:that\W*$|so\b|it\b|this\W*$|such|anything)"
    r"|\bwrong memory|\byou(?:'|’)?re mixing"
    r"|\b(?:that|this|it)(?:(?:'|’)?s| is| was)(?: \w+)? (?:irrelevant|unrelated)\b"
    r"|^(?:irrelevant|unrelated)\W*$"
)


def denies(text: str | None) -> bool:
    """True when the words deny the memory that was just used."""
    return bool(text) and bool(_DENIALS.search(fold(text or "")))
