"""Stages of one's own life: 高校の頃, 小3のとき, in high school, when I was twelve, in third grade."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from cocoro_ghost.language.lexicon import table
from cocoro_ghost.language.times.around_time import Scene
from cocoro_ghost.language.times.mention import Moment
from cocoro_ghost.language.times.numbers import NUM_EN, SPOKEN_DAY, number_en, number_ja, ordinal_en
from cocoro_ghost.language.times.numbers import NUM_JA as N
from cocoro_ghost.model.event import LifeStage

_TAIL_JA = re.compile(
    rf"(?:{N}年[生目]?)?の?(?:頃|ころ|ごろ|時(?!間|給)|とき|間(?:[はに、]|ずっと)|当時|時代|入学|の受験|卒業|最後|部活|文化祭|体育祭|運動会|修学旅行|"
    rf"[春夏秋冬])|だった|{N}年(?:生)?[のでに、]|になって|になった|になりたて|以来|から(?:ずっと|続|始|の|や)|(?:を|に)(?:卒業|中退|出[てた]|入[っり]|入学)|"
    r"では(?=[^。！？!?\n]{0,60}(?:ました|てい?た|だった))|で(?:始め|はじめ|研究|勉強し|習|出会|知り合|専攻|学ん|覚え|ハマ|はま)"
)
_RELATIVE_JA = re.compile(
    r"(?:息子|娘|子ども|子供|弟|妹|甥|姪|甥っ子|姪っ子|孫|長男|長女|次男|次女|生徒)[^。！？!?\n]*$"
)
_LEAD_EN = re.compile(
    r"\b(?:in|during|since|after|from|through|throughout|at|of|out of|went to|start(?:ed|ing)|"
    r"finish(?:ed|ing)|graduat(?:ed|ing)|attended|left|was an?|at my|in my|my)\s+(?:the )?$",
    re.IGNORECASE,
)
_TAIL_EN = re.compile(
    r" (?:was (?:the|an?|my|so|hell|fun|great|rough|hard|tough)\b|days|years|freshman|"
    r"senior year|graduation|prom)",
    re.IGNORECASE,
)
_RELATIVE_EN = re.compile(
    r"\b(?:my|his|her|their|our) (?:\w+ )?(?:son|daughter|kids?|child|children|brother|sister|nephew|niece|"
    r"grand\w+|cousin|students?|stepson|stepdaughter)\b[^.!?]*$",
    re.IGNORECASE,
)
_TEACHES = re.compile(r"\bteach(?:es|ing)?\s+$", re.IGNORECASE)
_AGES = (
    (6, 12, LifeStage.ELEMENTARY),
    (13, 15, LifeStage.MIDDLE),
    (16, 18, LifeStage.HIGH),
    (19, 22, LifeStage.UNIVERSITY),
)
_GRADES_JA = {"小": LifeStage.ELEMENTARY, "中": LifeStage.MIDDLE, "高": LifeStage.HIGH}


def _stage(which: LifeStage | None, confidence: float) -> Moment | None:
    return Moment("stage", life_stage=which, direction="past", confidence=confidence) if which else None


@cache
def _shapes(language: str) -> re.Pattern[str]:
    names = "|".join(sorted(map(re.escape, table("life_stages")[language]), key=len, reverse=True))
    if language == "ja":
        return re.compile(
            rf"(?P<st>{names})|(?P<age>{N})[歳才]の?(?:頃|ころ|ごろ|時|とき)"
            r"|(?<![一-龥])(?P<g>小|中|高)(?:学)?[1-6一二三](?:年生?)?(?=[のでに、かだはと]|から|まで|$)"
        )
    return re.compile(
        rf"(?<![\w'])(?:(?P<st>{names})|when i was (?:about |around |only |like )?(?P<age>{NUM_EN})"
        rf"|(?P<g>\d{{1,2}}(?:st|nd|rd|th)|{SPOKEN_DAY})[- ]grade(?:r|rs)?)(?!\w)",
        re.IGNORECASE,
    )


def find_stages(scene: Scene) -> Iterator[tuple[int, int, Moment]]:
    """Where the text names a stage of life, and how surely it is the speaker's own past."""
    for match in _shapes(scene.language.value).finditer(scene.text):
        read: Callable[[re.Match[str], Scene], Moment | None]
        read = _named if match["st"] else _age if match["age"] else _grade
        moment = read(match, scene)
        if moment is not None:
            yield match.start(), match.end(), moment


def _named(match: re.Match[str], scene: Scene) -> Moment | None:
    """A school names a time of one's own life as 高校の頃 or `in high school I …`, not as 高校の友達."""
    which = LifeStage(table("life_stages")[scene.language.value][match["st"].casefold()])
    before = scene.text[max(0, match.start() - 60) : match.start()]
    if scene.japanese:
        own = not _RELATIVE_JA.search(before)
        placed = match["st"].endswith("時代") or _TAIL_JA.match(scene.text, match.end())
        return _stage(which, 0.9 if own and placed else 0.4)
    placed = _LEAD_EN.search(before) or _TAIL_EN.match(scene.text, match.end())
    lean = scene.lean(match.start(), match.end())
    if _RELATIVE_EN.search(before) or not placed or lean == "future":
        return _stage(which, 0.4)
    return _stage(which, 0.85 if lean == "past" else 0.5)


def _age(match: re.Match[str], scene: Scene) -> Moment | None:
    """An age only hints at a stage: good enough to look there, not to say when it was."""
    age = (number_ja if scene.japanese else number_en)(match["age"])
    return _stage(next((which for low, high, which in _AGES if low <= age <= high), None), 0.5)


def _grade(match: re.Match[str], scene: Scene) -> Moment | None:
    if scene.japanese:
        return _stage(_GRADES_JA[match["g"]], 0.85)
    before = scene.text[max(0, match.start() - 60) : match.start()]
    taught = scene.text.startswith((" teacher", " class"), match.end())
    number = ordinal_en(match["g"])
    if _RELATIVE_EN.search(before) or _TEACHES.search(before) or taught or not 1 <= number <= 12:
        return None
    which = LifeStage.ELEMENTARY if number <= 5 else LifeStage.MIDDLE if number <= 8 else LifeStage.HIGH
    return _stage(which, 0.85)
