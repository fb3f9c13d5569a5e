"""Whether a text stands on its material: names, numbers, dates and weekdays that it lacks are made up."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cocoro_ghost.language.fold import fold, fold_name
from cocoro_ghost.language.names import find_names
from cocoro_ghost.language.times.calendar import make_date
from cocoro_ghost.language.times.numbers import UNDER_100, number_en, number_ja
from cocoro_ghost.language.wording import MONTHS, sentences_of
from cocoro_ghost.model.scene import Language

_SURE = 0.6
"""Names found with less are often no names at all."""
_ISO = re.compile(r"(?P<y>\d{4})-(?P<m>\d{1,2})(?:-(?P<d>\d{1,2}))?(?:[t ]\d{1,2}:\d{2}(?::\d{2})?)?")
_JA_DATE = re.compile(r"(?:(?P<y>\d{4})年)?(?P<m>\d{1,2})月(?:(?P<d>\d{1,2})日)?")
_MONTH_NAMES = "|".join(f"{month}|{month[:3]}" for month in MONTHS).lower()
_EN_DATE = re.compile(
    rf"\b(?P<m>{_MONTH_NAMES})\b\.?(?:\s+(?P<d>\d{{1,2}})(?:st|nd|rd|th)?\b)?(?:,?\s+(?P<y>\d{{4}}))?"
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# In words only where something is counted; one, 一 and 二人 are in everybody's mouth without a count.
_JA_COUNT = re.compile(
    r"(?<![〇一二三四五六七八九十百千])(?!一[^〇一二三四五六七八九十百千]|二人)([〇一二三四五六七八九十百千]{1,6})"
    r"(?=[人匹頭羽本回年週歳才冊台杯枚個件軒泊度階着]|か月|ヶ月|カ月|時間|日間|キロ|つの)"
)
_EN_COUNT = re.compile(rf"\b(?!one\b)({UNDER_100})\b")
_DAYS = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
_WEEKDAY = re.compile(rf"([月火水木金土日])曜|\b({'|'.join(_DAYS)})days?\b")
_ASCII_WORD = re.compile(r"[a-z0-9']+")


def grounded(text: str, material: Sequence[str], language: Language) -> tuple[str, list[str]]:
    """The sentences that stand on the material, and for each of the others why it is left out."""
    ground = _Ground(material)
    kept, reasons = "", []
    for sentence in sentences_of(text):
        made_up = ground.lacks(sentence, language)
        if made_up:
            reasons.append(
                f"{', '.join(made_up)[:120]} occurs nowhere in the material: {sentence.strip()[:80]!r}"
            )
        else:
            kept += sentence
    return kept.strip(), reasons


class _Ground:
    """The material, ready to be looked things up in."""

    def __init__(self, material: Sequence[str]) -> None:
        self._text = fold("\n".join(material))
        self._dates = {found for line in material for found in _dates(fold(line))}
        self._numbers = {_plain(number) for number in _NUMBER.findall(_without_dates(self._text))}
        self._numbers |= {str(year) for year, _, _ in self._dates}
        self._numbers |= {str(value) for _, value in _counts(self._text)}
        self._weekdays = {day for _, day in _weekdays(self._text)}
        days = (make_date(*day) for day in self._dates if all(day))
        self._weekdays |= {day.weekday() for day in days if day is not None}
        self._words = set(_ASCII_WORD.findall(self._text))

    def lacks(self, sentence: str, language: Language) -> list[str]:
        """The names, dates and numbers of a sentence that are not there."""
        folded = fold(sentence)
        names = [one.name for one in find_names(sentence, language) if one.confidence >= _SURE]
        missing = [name for name in names if not self._names(fold_name(name))]
        missing += [_shown(one) for one in _dates(folded) if not self._dated(one)]
        numbers = _NUMBER.findall(_without_dates(folded))
        missing += [number for number in numbers if _plain(number) not in self._numbers]
        missing += [said for said, value in _counts(folded) if str(value) not in self._numbers]
        return missing + [said for said, day in _weekdays(folded) if day not in self._weekdays]

    def _names(self, name: str) -> bool:
        if not name.isascii():
            return name in self._text
        return set(_ASCII_WORD.findall(name)) <= self._words

    def _dated(self, said: tuple[int, int, int]) -> bool:
        """As exact as it is said: a month alone needs the month, a day its day."""
        year, month, day = said
        same_month = [(y, d) for y, m, d in self._dates if m == month]
        return any((not year or not y or y == year) and (not day or d == day) for y, d in same_month)


def _shown(said: tuple[int, int, int]) -> str:
    return "-".join(str(part) for part in said if part)


def _dates(folded: str) -> list[tuple[int, int, int]]:
    found = []
    for pattern in (_ISO, _JA_DATE, _EN_DATE):
        for match in pattern.finditer(folded):
            # "may" and "mar" are words as well: a month without a day or a year is no date in English.
            if pattern is _EN_DATE and not (match["d"] or match["y"]):
                continue
            found.append((int(match["y"] or 0), _month(match["m"]), int(match["d"] or 0)))
    return found


def _counts(folded: str) -> list[tuple[str, int]]:
    """Numbers in words, where they count something: 三匹, `three cats`."""
    found = [(match[1], number_ja(match[1])) for match in _JA_COUNT.finditer(_without_dates(folded))]
    return found + [(match[1], number_en(match[1])) for match in _EN_COUNT.finditer(folded)]


def _weekdays(folded: str) -> list[tuple[str, int]]:
    """Days of the week as they are said, Monday first."""
    return [
        (match[0], "月火水木金土日".index(match[1]) if match[1] else _DAYS.index(match[2]))
        for match in _WEEKDAY.finditer(folded)
    ]


def _month(text: str) -> int:
    return (
        int(text)
        if text.isdecimal()
        else next(n for n, m in enumerate(MONTHS, 1) if m.lower().startswith(text))
    )


def _without_dates(folded: str) -> str:
    for pattern in (_ISO, _JA_DATE, _EN_DATE):
        folded = pattern.sub(" ", folded)
    return folded


def _plain(number: str) -> str:
    return number.replace(",", "").lstrip("0") or "0"
