"""Stages of one's own life: 高校の頃, 小3のとき, in high school, when I was twelve, in third grade."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from cocoro_ghost.language.lexicon import rows, table
from cocoro_ghost.language.times.around_time import Scene
from cocoro_ghost.language.times.numbers import NUM_EN, NUM_JA, SPOKEN_DAY, number_en, number_ja
from cocoro_ghost.model.event import LifeStage

_AGES = ((12, LifeStage.ELEMENTARY), (15, LifeStage.MIDDLE), (18, LifeStage.HIGH), (22, LifeStage.UNIVERSITY))
_GRADES = ((5, LifeStage.ELEMENTARY), (8, LifeStage.MIDDLE), (12, LifeStage.HIGH))


@cache
def _shapes(language: str) -> re.Pattern[str]:
    names = "|".join(sorted(map(re.escape, table("life_stages")[language]), key=len, reverse=True))
    pattern = (
        rows(language, "times")["stage"]["pattern"].replace("NAMES", names).replace("ORDINAL", SPOKEN_DAY)
    )
    return re.compile(pattern.replace("NUMBER", NUM_JA if language == "ja" else NUM_EN), re.IGNORECASE)


def find_stages(scene: Scene) -> Iterator[tuple[int, int, LifeStage, float]]:
    """Where the text names a stage of life, and how surely it is the speaker's own past."""
    for match in _shapes(scene.language.value).finditer(scene.text):
        which, sure = _named(match, scene) if match["st"] else _counted(match, scene)
        if which is not None:
            yield *match.span(), which, sure


def _named(match: re.Match[str], scene: Scene) -> tuple[LifeStage, float]:
    """A school names a time of one's own life as 高校の頃 or `in high school I …`, not as 高校の友達."""
    which = LifeStage(table("life_stages")[scene.language.value][match["st"].casefold()])
    if scene.near("own_child", *match.span()) or not scene.near("stage", *match.span()):
        return which, 0.4
    lean = "past" if scene.japanese else scene.lean(*match.span())
    return which, {"past": 0.9, "none": 0.5, "future": 0.4}[lean]


def _counted(match: re.Match[str], scene: Scene) -> tuple[LifeStage | None, float]:
    """A grade is a stage; an age only hints at one: good enough to look there, not to say when it was."""
    if match["age"]:
        age = (number_ja if scene.japanese else number_en)(match["age"])
        return next((which for highest, which in _AGES if 6 <= age <= highest), None), 0.5
    if scene.near("own_child", *match.span()) or scene.near("taught", *match.span()):
        return None, 0.0
    if scene.japanese:
        return LifeStage(rows("ja", "times")["stage"]["grades"][match["g"]]), 0.85
    grade = number_en(match["g"])
    return next((which for highest, which in _GRADES if 1 <= grade <= highest), None), 0.85
