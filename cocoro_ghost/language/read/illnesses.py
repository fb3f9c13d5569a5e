"""What ails somebody: allergies and illnesses as a phrase names them."""

from __future__ import annotations

import re

from cocoro_ghost.language.read.clause import Clause, Phrase
from cocoro_ghost.language.read.kinds import Context
from cocoro_ghost.language.read.tables import endings, entries

_WORDS = 5
"""Words of an illness at most."""


def allergy_in(phrase: Phrase, clause: Clause, context: Context) -> str:
    if not context.japanese:
        text = phrase.text.removeprefix("a ").removeprefix("an ")
        if "allerg" in text.lower():
            return text.lower().split(" allerg")[0].replace("severe ", "")
        return text if any(word in {"allergic", "intolerant", "allergy"} for word in clause.words) else ""
    for one in (phrase, *clause.phrases, *((clause.noun,) if clause.noun else ())):
        if "アレルギー" in one.text:
            what = re.sub(r"(?:の)?アレルギー(?:持ち)?.*$", "", one.text)
            if what:
                return what
            other = clause.by_role("に", "は", "、", "が")
            return other.text if other is not None and "アレルギー" not in other.text else ""
    return ""


def illness_in(phrase: Phrase, clause: Clause, context: Context) -> str:
    words = entries(f"{context.code}/lexicon", "illness")
    text = re.sub(r"(?:持ち|気味|の気|の手前)$", "", phrase.text)
    if context.japanese:
        hit = (
            text in words
            or any(end in words for end in endings(text))
            or re.search(r"(?:症|病|障害|炎)$", text)
        )
        return text if hit and text not in {"病", "症", "障害"} else ""
    said = re.findall(r"[a-z0-9à-ÿ']+", text.lower().replace("’", "'"))
    return text if _listed(said, words) else ""


def _listed(said: list[str], words: frozenset[str]) -> bool:
    """Whether one of the words, which may be several together or in the plural, stands there."""
    stretches = (" ".join(said[at : at + count]) for at in range(len(said)) for count in range(1, _WORDS + 1))
    return any(one in words or (one.endswith("s") and one[:-1] in words) for one in stretches)
