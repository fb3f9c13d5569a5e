"""English as it is typed in a hurry, spelled out: `im`, `hes`, `w`. All readers see the same words."""

from __future__ import annotations

import re
from functools import cache

from cocoro_ghost.language.read.tables import table

_ITS_OWN = re.compile(r"its (?:own|name|way)\b", re.IGNORECASE)
_NAMES = re.compile(r"(^|[,.!] *)(my )?names (?=[A-Za-z]+(?:[ ,.!]|$))", re.IGNORECASE)
"""names darnell: a name is told, not several."""
_WOULD = re.compile(r"\bid(?= (?:pick|take|rather|love|like|say|go|buy|be|have|never|choose)\b)")
_OF_ONE = r"mum|mom|dad|wife|husband|boyfriend|girlfriend|bf|gf|partner|boss|gran|nan|best friend"
_WHOSE = re.compile(
    rf"\b((?:{_OF_ONE})(?=s (?:in|at|an?|the|called|from|got|been|coming|moving|on|not)\b)"
    rf"|(?:{_OF_ONE}|son|daughter|brother|sister|dog|cat|friend|teacher)(?=s (?:name|birthday|job|age)\b))s\b"
)
"""dads in bristol, my brothers name: of whom one has but one, or what each has of their own."""


@cache
def _left_out() -> tuple[tuple[re.Pattern[str], str], ...]:
    """`work as a barista`, `not a barista anymore`: sentences whose `I` was not typed."""
    rows = table("en/typed")["left_out"]
    lead = r"(^|[.!?\n]\s*|^\d\d, |^(?:so|and|yeah|also|well|but|anyway|btw)[ ,]+(?:yeah[ ,]+)?)"
    return tuple(
        (re.compile(rf"{lead}(?=(?:{words})\b)", re.IGNORECASE), rf"\1{meant} ")
        for meant, words in rows.items()
    )


@cache
def _typed() -> tuple[re.Pattern[str], dict[str, str]]:
    words = dict(table("en/typed")["words"])
    return re.compile(rf"(?<![\w'’&/.@-])(?:{'|'.join(words)})(?![\w'’&/@-])", re.IGNORECASE), words


def spelled_out(text: str) -> str:
    """The text with the apostrophes and letters that were left out; words in capitals stay as they are."""
    pattern, words = _typed()
    hasty = text == text.lower()

    def meant(found: re.Match[str]) -> str:
        typed = found[0]
        if len(typed) > 1 and typed.isupper():
            return typed
        # Who writes with capitals means by `its` what it says.
        if typed == "its" and (not hasty or _ITS_OWN.match(text, found.start())):
            return typed
        plain = words[typed.lower()]
        return plain[0].upper() + plain[1:] if typed[0].isupper() else plain

    plain = _NAMES.sub(r"\1\2name's ", pattern.sub(meant, text))
    for begins, with_i in _left_out():
        plain = begins.sub(with_i, plain)
    return _WHOSE.sub(r"\1's", _WOULD.sub("i'd", plain)) if hasty else plain
