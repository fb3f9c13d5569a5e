"""Numbers as people write them: digits, kanji numerals, English number words."""

from __future__ import annotations

import re

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
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60}
ORDINALS = (
    "zeroth", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth",
    "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth",
    "nineteenth", "twentieth",
)  # fmt: skip
_WORDS = {w: i for i, w in enumerate(_ONES)} | _TENS
_VAGUE = {"a": 1, "an": 1, "a couple": 2, "a couple of": 2, "couple": 2, "couple of": 2, "a dozen": 12}
NUM_EN = (
    r"(?:\d{1,3}|a couple(?: of)?|couple(?: of)?|a dozen|an?"
    rf"|(?:twenty|thirty|forty|fifty)(?:[- ]?(?:{'|'.join(_ONES[1:10])}))?"
    rf"|{'|'.join(sorted(_ONES[1:], key=len, reverse=True))})"
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


def ordinal_en(text: str) -> int | None:
    """`3rd`, `third` → 3."""
    digits = re.match(r"\d+", text)
    if digits:
        return int(digits[0])
    folded = text.casefold()
    return ORDINALS.index(folded) if folded in ORDINALS else None
