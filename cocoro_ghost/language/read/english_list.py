"""Who one is, told without a verb: `Olu here, med student`, `backend dev, Berlin, 34`."""

from __future__ import annotations

from cocoro_ghost.language.read.english_words import Word, lemma
from cocoro_ghost.language.read.tables import entries, phrases

_LONGEST = 7
"""Words of one thing told at most."""
_AGES = range(10, 100)


def told_of_oneself(part: list[Word]) -> list[list[Word]]:
    """The parts of a list that tells who is speaking, each as it would stand behind `I am`; else nothing."""
    found = _between_commas(part)
    if found and _is_name_here(found[0]):
        name = found[0][:1]
        # No Doctor here: a trade is nobody's name.
        if _is_trade(name):
            return []
        return [name, *(one for one in found[1:] if _is_trade(one) or _is_age(one))]
    return found if _is_list_of_oneself(found) else []


def tells_age_first(split: list[tuple[list[Word], str]]) -> bool:
    """`22, work as a barista`: a number before how one lives is one's age."""
    if len(split) < 2 or not _is_age(split[0][0]):
        return False
    lives = {lemma(word) for word in entries("en/words", "way_of_life")}
    return any(lemma(part[0].low) in lives or _is_trade(part) for part, _ in split[1:])


def _between_commas(part: list[Word]) -> list[list[Word]]:
    found: list[list[Word]] = [[]]
    for word in part:
        if word.low == ",":
            found.append([])
        else:
            found[-1].append(word)
    return [one for one in found if one]


def _is_name_here(part: list[Word]) -> bool:
    return len(part) == 2 and part[1].low == "here" and _is_capital(part[0])


def _is_list_of_oneself(found: list[list[Word]]) -> bool:
    # Thanks, Coach is no list: it takes an age, or three things.
    enough = len(found) > 2 or (len(found) == 2 and any(_is_age(one) for one in found))
    told = (_is_age, _is_trade, _is_place, _lives)
    if not enough or not all(any(is_such(one) for is_such in told) for one in found):
        return False
    return any(_is_trade(one) for one in found)


def is_place(part: list[Word]) -> bool:
    """Berlin, beside a trade and an age, is where one lives."""
    return _is_place(part) and not _is_trade(part)


def _is_capital(word: Word) -> bool:
    return word.text[:1].isupper() and word.low not in entries("en/claims", "not_name")


def _is_place(part: list[Word]) -> bool:
    return len(part) <= 2 and all(_is_capital(word) for word in part)


def _lives(part: list[Word]) -> bool:
    """`based in Leeds`, `from Cork`."""
    return part[0].low in entries("en/words", "lives_at") and _is_capital(part[-1])


def _is_age(part: list[Word]) -> bool:
    return len(part) == 1 and part[0].low.isdigit() and int(part[0].low) in _AGES


def _is_trade(part: list[Word]) -> bool:
    lows = [word.low for word in part]
    if not lows or len(lows) > _LONGEST:
        return False
    at = next((i for i, low in enumerate(lows) if low in {"in", "at", "from", "for"}), len(lows))
    last = " ".join(lows[max(0, at - 2) : at]), lows[at - 1] if at else ""
    jobs = entries("en/lexicon", "job") | entries("en/claims", "pupils")
    return any(one in jobs or one.endswith(phrases("en/claims", "job_tail")) for one in last if one)
