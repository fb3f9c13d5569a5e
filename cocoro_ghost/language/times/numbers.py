"""Numbers as people write them: digits, kanji numerals, English number words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cocoro_ghost.language.lexicon import rows

NUM_JA = r"(?:\d{1,4}|[〇一二三四五六七八九十百千]{1,6})"
_DIGIT = {c: i for i, c in enumerate("〇一二三四五六七八九")}
_LARGEST = 9999
"""No count of days or years is meant beyond it, and dates end there."""
_UNIT = {"十": 10, "百": 100, "千": 1000}
_WIDE = {
    ord(c): c2 for c, c2 in zip("０１２３４５６７８９／：．－’‘　–—", "0123456789/:.-'' --", strict=True)
}
_WIDE |= {0xFF21 + i: chr(65 + i) for i in range(26)} | {0xFF41 + i: chr(97 + i) for i in range(26)}
_WORDS: dict[str, dict[str, int]] = rows("en", "times")["numbers"]
_TENS, _DAYS = _WORDS["tens"], _WORDS["ordinal"]


def _either(words: Iterable[str]) -> str:
    return "(?:" + "|".join(sorted(words, key=len, reverse=True)) + ")"


def _up_to(words: dict[str, int], low: int, high: int) -> str:
    return _either(word for word, number in words.items() if low <= number <= high)


_ONES = _up_to(_WORDS["one"], 1, 9)
UNDER_100 = rf"(?:{_either(_TENS)}(?:[- ]?{_ONES})?|{_either(_WORDS['one'])})"
NUM_EN = rf"(?:\d{{1,3}}|{_either(_WORDS['vague'])}\b|{UNDER_100})"
SPOKEN_DAY = rf"(?:(?:twenty|thirty)[- ]{_up_to(_DAYS, 1, 9)}|{_either(_DAYS)})"
SPOKEN_YEAR = (
    r"(?P<century>(?:fif|six|seven|eigh|nine)teen|twenty)(?: hundred(?: and)?)?[- ]"
    rf"(?P<of_century>{_either(_TENS)}(?:[- ]{_ONES})?|{_up_to(_WORDS['one'], 10, 19)})(?!\w)"
    rf"|two thousand(?:(?: and)? (?P<after_2000>{UNDER_100}))?(?!\w)"
)


def narrow(text: str) -> str:
    """Full-width digits, letters and marks made narrow, character by character, so that indices stay."""
    return text.translate(_WIDE)


def number_ja(text: str) -> int:
    """`12`, `十二`, `二〇一八`, `百二十` → int."""
    if text.isdigit() and text.isascii():
        return int(text)
    if not any(c in _UNIT for c in text):
        return min(int("".join(str(_DIGIT[c]) for c in text)), _LARGEST)
    total, current = 0, 0
    for char in text:
        if char in _UNIT:
            total += (current or 1) * _UNIT[char]
            current = 0
        else:
            current = _DIGIT[char]
    return min(total + current, _LARGEST)


def number_en(text: str) -> int:
    """`3`, `3rd`, `three`, `twenty-seventh`, `a couple of` → int."""
    if digits := re.match(r"\d+", text):
        return int(digits[0])
    folded = re.sub(r"\s+", " ", text.strip().casefold())
    if folded in _WORDS["vague"]:
        return _WORDS["vague"][folded]
    known = _WORDS["one"] | _TENS | _DAYS
    return sum(known.get(part, 0) for part in re.split(r"[- ]", folded))


def spoken_year(match: re.Match[str]) -> int:
    """A match of SPOKEN_YEAR: `nineteen eighty six`, `two thousand and five`."""
    if match["century"]:
        return 100 * number_en(match["century"]) + number_en(match["of_century"])
    return 2000 + number_en(match["after_2000"] or "0")
