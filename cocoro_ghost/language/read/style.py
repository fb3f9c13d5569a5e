"""How the speaker wants to be talked to: 絵文字は使わないで, keep it brief. Words are in the tables."""

from __future__ import annotations

import re

from cocoro_ghost.language.read.clause import Clause, Phrase
from cocoro_ghost.language.read.kinds import Context, is_self
from cocoro_ghost.language.read.tables import entries, phrases
from cocoro_ghost.model.preference import Domain, Polarity
from cocoro_ghost.model.reading import Certainty, Taste

_PLEADS = ("request", "must", "pleased")
_AWAY = ("neg", "stop")
_USING = frozenset({"use", "send", "give", "do", "write", "add", "ask"})


def style_of(clause: Clause, context: Context) -> list[Taste]:
    """The wish about manners of speech that a clause makes; usually none."""
    if clause.has("cond", "quoted", "past") and not clause.has("pleased"):
        return []
    return _japanese(clause, context) if context.japanese else _english(clause, context)


def _japanese(clause: Clause, context: Context) -> list[Taste]:
    table = "ja/tastes"
    talks = entries(table, "talking").intersection(clause.words)
    stops = entries(table, "stopping").intersection(clause.words)
    pleads = clause.has(*_PLEADS) or any(word in clause.text for word in phrases(table, "pleading"))
    if not pleads or not (talks or stops):
        return []
    away = clause.has("neg") or bool(stops)
    thing = _thing_of_style(clause, away=away)
    if thing is not None and not is_self(thing, context):
        polarity = Polarity.DISLIKE if away else Polarity.LIKE
        return [_taste(thing.text.removesuffix("の話"), polarity, thing.span)]
    said_how = (mark.removeprefix("how:") for mark in sorted(clause.marks) if mark.startswith("how:"))
    manner = next(filter(_is_manner, said_how), "") if talks and not away else ""
    return _liked_manner(manner, clause)


def _thing_of_style(clause: Clause, *, away: bool) -> Phrase | None:
    """絵文字; whatever one is asked not to use is a matter of style, too."""
    thing = next((p for p in clause.phrases if _names_style(p, "ja/tastes")), None)
    if thing is None and away and "使う" in clause.words:
        return clause.by_role("を", "は", "、", "も", "")
    return thing


def _names_style(phrase: Phrase, table: str) -> bool:
    return any(word in phrase.text for word in phrases(table, "style_words"))


def _is_manner(word: str) -> bool:
    return word.startswith(phrases("ja/tastes", "manner_stems"))


def _liked_manner(manner: str, clause: Clause) -> list[Taste]:
    if not manner:
        return []
    at = clause.span[0] + max(0, clause.text.lower().find(manner))
    return [_taste(manner, Polarity.LIKE, (at, at + len(manner)))]


def _english(clause: Clause, context: Context) -> list[Taste]:
    if not clause.words:
        return _no_such(clause)
    if not clause.has("bare", "request", "pleased") and not _to_ghost(clause):
        return []
    verb, away = clause.words[0], clause.has(*_AWAY)
    thing = clause.by_role("obj") if verb in _USING else None
    if (
        thing is not None
        and (verb == "use" or _names_style(thing, "en/tastes"))
        and clause.has("bare", *_AWAY)
    ):
        return [_taste(_plain(thing.text), Polarity.DISLIKE if away else Polarity.LIKE, thing.span)]
    talks = verb in entries("en/tastes", "talking") and clause.words[1:2] != ("me",) and not away
    return _liked_manner(_english_manner(clause.text.lower()), clause) if talks else []


def _no_such(clause: Clause) -> list[Taste]:
    """`No emojis, please`."""
    noun = clause.noun
    if noun is None or not clause.text.lower().startswith("no ") or not _names_style(noun, "en/tastes"):
        return []
    return [_taste(_plain(re.sub(r"^[nN]o ", "", noun.text)), Polarity.DISLIKE, noun.span)]


def _english_manner(low: str) -> str:
    known = phrases("en/tastes", "style_manner")
    return next((word for word in known if re.search(rf"\b{re.escape(word)}(?:er|ly)?\b", low)), "")


def _to_ghost(clause: Clause) -> bool:
    subject = clause.by_role("subj")
    return subject is not None and subject.text.lower() == "you" and clause.has("want", "request")


def _plain(text: str) -> str:
    return re.sub(r"^(?:any|so many|too many|the|those|all those)\s+", "", text, flags=re.IGNORECASE)


def _taste(subject: str, polarity: Polarity, span: tuple[int, int]) -> Taste:
    return Taste(polarity, subject, Domain.STYLE, span, Certainty.SAID, confidence=0.9)
