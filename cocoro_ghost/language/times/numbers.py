"""Numbers as people write them: digits, kanji numerals, English number words."""

from __future__ import annotations

import re
from collections.abc import Iterable

NUM_JA = r"(?:\d{1,4}|[〇一二三四五六七八九十百千]{1,6})"
_DIGIT = {c: i for i, c in enumerate("〇一二三四五六七八九")}
_LARGEST = 9999
"""No count of days or years is meant beyond it, and dates end there."""
_UNIT = {"十": 10, "百": 100, "千": 1000}
_WIDE = {ord(c): c2 for c, c2 in zip("０１２３４５６７８９／：．－", "0123456789/:.-", strict=True)}
_WIDE |= {0xFF21 + i: chr(65 + i) for i in range(26)} | {0xFF41 + i: chr(97 + i) for i in range(26)}
_WIDE |= {ord("’"): "'", ord("‘"): "'", ord("　"): " ", ord("–"): "-", ord("—"): "-"}

_ONES = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS = {
    w: 20 + 10 * i
    for i, w in enumerate(("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"))
}
_ORDINALS = (
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth",
    "nineteenth", "twentieth",
)  # fmt: skip
_WORDS = {w: i for i, w in enumerate(_ONES)} | _TENS
_VAGUE = {"a": 1, "an": 1, "a couple": 2, "a couple of": 2, "couple": 2, "couple of": 2, "a dozen": 12}


def _either(words: Iterable[str]) -> str:
    return "(?:" + "|".join(sorted(words, key=len, reverse=True)) + ")"


UNDER_100 = rf"(?:{_either(_TENS)}(?:[- ]?{_either(_ONES[1:10])})?|{_either(_ONES[1:])})"
SPOKEN_NUMBER = rf"(?:a couple(?: of)?|couple(?: of)?|a dozen|an?\b|{UNDER_100})"
NUM_EN = rf"(?:\d{{1,3}}|{SPOKEN_NUMBER})"
SPOKEN_DAY = rf"(?:(?:twenty|thirty)[- ]{_either(_ORDINALS[1:10])}|{_either(_ORDINALS[1:])}|thirtieth)"
SPOKEN_YEAR = (
    r"(?P<cent_word>(?:fif|six|seven|eigh|nine)teen|twenty)(?: hundred(?: and)?)?[- ]"
    rf"(?P<year_word>{_either(_TENS)}(?:[- ]{_either(_ONES[1:10])})?|{_either(_ONES[10:])})(?!\w)"
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
    """`3`, `three`, `twenty-five`, `a couple of` → int."""
    folded = re.sub(r"\s+", " ", text.strip().casefold())
    if folded.isdigit():
        return int(folded)
    if folded in _VAGUE:
        return _VAGUE[folded]
    return sum(_WORDS[part] for part in re.split(r"[- ]", folded) if part in _WORDS)


def ordinal_en(text: str) -> int:
    """`3rd`, `third`, `twenty-seventh` → int; 0 for anything else."""
    digits = re.match(r"\d+", text)
    if digits:
        return int(digits[0])
    *tens, last = re.split(r"[- ]", text.casefold())
    ones = 30 if last == "thirtieth" else _ORDINALS.index(last) if last in _ORDINALS else 0
    return ones + sum(_TENS.get(word, 0) for word in tens)


def spoken_year(match: re.Match[str]) -> int:
    """A match of SPOKEN_YEAR: `nineteen eighty six`, `two thousand and five`."""
    if match["cent_word"]:
        return 100 * number_en(match["cent_word"]) + number_en(match["year_word"])
    return 2000 + (number_en(match["after_2000"]) if match["after_2000"] else 0)
