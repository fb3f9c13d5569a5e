"""Times of day: 午後3時半, 朝7時, at nine, 8:30 pm, noon."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from cocoro_ghost.language.lexicon import rows
from cocoro_ghost.language.times.numbers import NUM_JA, number_en, number_ja
from cocoro_ghost.model.scene import Language


@dataclass(frozen=True, slots=True)
class ClockTime:
    """A time of day in a text; `certain` is False when morning or evening was not said."""

    hour: int
    minute: int
    start_index: int
    end_index: int
    certain: bool

    @property
    def text(self) -> str:
        return f"{self.hour:02d}:{self.minute:02d}"


@cache
def _patterns(language: str) -> tuple[re.Pattern[str], re.Pattern[str], int, int]:
    """A time of day, the part of the day beside it, and how far before and after that is looked for."""
    known = rows(language, "times")["clock"]
    shape = re.compile(known["pattern"].replace("N", NUM_JA) if language == "ja" else known["pattern"], re.I)
    return shape, re.compile(known["beside"], re.I), *known["reach"]


def find_clock_times(text: str, language: Language) -> list[ClockTime]:
    """The times of day named in a narrowed text, in order."""
    pattern, beside, before, after = _patterns(language.value)
    named: dict[str, int] = rows(language.value, "times")["clock"]["named"]
    parts: dict[str, str] = rows(language.value, "times")["clock"]["part"]
    found = []
    for match in pattern.finditer(text):
        if match["word"]:
            found.append(ClockTime(named[match["word"].casefold()], 0, *match.span(), True))
            continue
        said = match["part"] or ""
        if not said:
            near = beside.search(text[max(0, match.start() - before) : match.start()])
            near = near or beside.search(text[match.end() : match.end() + after])
            said = near[1] if near else ""
        number = number_ja if language is Language.JA else number_en
        minute = 30 if match["thirty"] else number(match["min"] or "0")
        hour, part = _hour(number(match["h"]), parts.get(said.casefold().replace(".", ""), ""))
        if hour <= 24 and minute < 60:
            found.append(ClockTime(hour % 24, minute, *match.span(), bool(part) or hour > 12 or hour == 0))
    return found


def _hour(hour: int, part: str) -> tuple[int, str]:
    """夜9時 is 21, 昼1時 is 13, 夜12時 and 12 am are midnight."""
    if hour == 12:
        return (0 if part in ("am", "night", "late") else 12), part
    later = part in ("pm", "night") or (part == "noon" and hour <= 6) or (part == "late" and hour > 6)
    return (hour + 12 if later and hour < 12 else hour), part
