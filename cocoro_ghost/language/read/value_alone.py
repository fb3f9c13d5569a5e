"""Corrections that say nothing but the value: `no wait, Thursday`, ごめん、五月四日だった, it's Meghan."""

from __future__ import annotations

import re
from difflib import get_close_matches

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.read.cues import plain
from cocoro_ghost.language.read.engine import Line
from cocoro_ghost.language.read.kinds import Context
from cocoro_ghost.language.read.sentence_spans import begins_in
from cocoro_ghost.language.read.tables import table
from cocoro_ghost.model.reading import Correction

_GONE = re.compile(r"昨|先|一昨|おと|きの|ゆうべ")
_MARKS = " 、,。.!！…-—"
_VALUE_ENDS = {
    "ja": re.compile(r"(?:だっ|でし|やっ|[だでたすわねよ]|なん|やわ|の間違い|から)+$"),
    "en": re.compile(r"(?: (?:actually|instead|i think|lol|haha|i meant|i mean|not that))+$"),
}
_IT_IS = re.compile(r"it'?s |it is |that'?s |actually |no,? it")
_SPELLED_LIKE = 0.7


def value_alone(line: Line, context: Context) -> Correction | None:
    """An opening that says that something was wrong, then nothing but the value that is meant."""
    if line.asks:
        return None
    rest, opened = _behind_the_opening(plain(line.text), context.code)
    known = _misspelt(rest, context)
    if known and (opened or _IT_IS.match(plain(line.text))):
        return Correction(known, _as_written(rest.partition(",")[0], line), line.span)
    if not opened or not rest:
        return None
    days = [p.text for p in context.times if begins_in(p.span, line.span) and not p.recurring]
    said = [d for d in days if len(fold(d).strip()) * 5 >= len(rest) * 4 and not _GONE.match(d)]
    return Correction("", said[0], line.span) if said else None


def _behind_the_opening(text: str, code: str) -> tuple[str, bool]:
    """What is left of a sentence, and whether it was opened as a correction."""
    rest, opened, known = text, False, table(f"{code}/acts")["correct"]
    weak = (*known["weak_openings"], *known["leads_in"])
    while (cut := _opening(rest, code)) and len(cut) < len(rest):
        # Ah, it's Monday: only who is sorry, or says no, means what was told.
        rest, opened = rest[len(cut) :].strip(_MARKS), opened or cut not in weak
    return _VALUE_ENDS[code].sub("", rest).strip(_MARKS), opened


def _opening(text: str, code: str) -> str:
    known = table(f"{code}/acts")["correct"]
    openings = (*known["sorry_openings"], *known["no_openings"], *known["leads_in"])
    said = (o for o in openings if text.startswith(o) and (code == "ja" or not text[len(o) :][:1].isalnum()))
    return max(said, key=len, default="")


def _misspelt(rest: str, context: Context) -> str:
    """Meghan where Megan is known: the name of one told of that is spelled nearly so."""
    said = rest.partition(",")[0].strip()
    names = {fold(who.name): who.name for who in context.beings.values() if who.name.isascii()}
    if not said.isalpha() or said in names:
        return ""
    close = get_close_matches(said, names, 1, _SPELLED_LIKE)
    return names[close[0]] if close else ""


def _as_written(folded: str, line: Line) -> str:
    at = fold(line.text).find(folded)
    return line.text[at : at + len(folded)].title() if at >= 0 else folded.title()
