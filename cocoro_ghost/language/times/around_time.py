"""What stands round a time expression: whether its sentence looks back or ahead, and the words beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from typing import Literal

from cocoro_ghost.language.lexicon import rows, words
from cocoro_ghost.model.scene import Language

Lean = Literal["past", "future", "none"]
SENTENCE_END = re.compile(r"[。！？!?\n]|\.(?=\s|$)")
_REACH = 160
"""Characters looked at on either side: a verb further away says nothing about this time."""
_BESIDE = 60
"""Characters before an expression that may be part of what places it."""


@cache
def beside(language: str, side: str, name: str) -> re.Pattern[str] | None:
    """A pattern of the table's `before` or `after`."""
    pattern = rows(language, "times")[side].get(name)
    return re.compile(pattern, re.IGNORECASE) if pattern is not None else None


@cache
def _verbs(language: str, lean: str) -> re.Pattern[str]:
    pattern = rows(language, "times")["lean"][lean]
    if language == "ja":
        return re.compile(pattern)
    listed = "|".join(sorted(map(re.escape, words(f"tense_en_{lean}")), key=len, reverse=True))
    return re.compile(rf"(?<![\w'])(?:{listed}|{pattern})(?!\w)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Scene:
    """The narrowed text, one character of it per character of the original, and now."""

    text: str
    now: datetime
    language: Language

    @property
    def today(self) -> date:
        return self.now.date()

    @property
    def japanese(self) -> bool:
        return self.language is Language.JA

    def near(self, name: str, start: int, end: int) -> bool:
        """Whether what the table lists under a name stands just before or just after a stretch of text."""
        before, after = (beside(self.language.value, side, name) for side in ("before", "after"))
        opening = max(0, start - _BESIDE)
        return bool(
            (before is not None and before.search(self.text[opening:start]))
            or (after is not None and after.match(self.text, end))
        )

    def lean(self, start: int, end: int) -> Lean:
        """The nearest verb of the sentence decides; in Japanese it comes after what it is said of."""
        closing = SENTENCE_END.search(self.text, end, end + _REACH)
        after = self.text[end : closing.start() if closing else end + _REACH]
        opening = max(0, start - _REACH)
        for match in SENTENCE_END.finditer(self.text, opening, start):
            opening = match.end()
        before = "" if self.japanese else self.text[opening:start]
        ahead = _verbs(self.language.value, "future")
        # I've got, 予約した: the form is past, what is told is not.
        said = [ahead.sub(lambda match: " " * len(match[0]), part) for part in (before, after)]
        past = _distance(_verbs(self.language.value, "past"), said[0], said[1])
        future = _distance(ahead, before, after)
        if past is None and future is None:
            return "none"
        return "past" if future is None or (past is not None and past <= future) else "future"


def _distance(pattern: re.Pattern[str], before: str, after: str) -> int | None:
    states = words("not_past_en")
    found = [len(before) - m.end() for m in pattern.finditer(before) if m[0].casefold() not in states]
    found += [m.start() for m in pattern.finditer(after) if m[0].casefold() not in states]
    return min(found, default=None)
