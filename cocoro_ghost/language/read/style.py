"""How the speaker wants to be talked to: 絵文字は使わないで, keep it brief. Words are in the tables."""

from __future__ import annotations

import re

from cocoro_ghost.language.read.clause import Clause, Phrase
from cocoro_ghost.language.read.kinds import Context, is_self
from cocoro_ghost.language.read.tables import entries, phrases
from cocoro_ghost.model.preference import Domain, Polarity
from cocoro_ghost.model.reading import Certainty, Taste

_PLEADS = ("request", "must", "pleased")


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
    thing = next((p for p in clause.phrases if _names_style(p, table)), None)
    away = clause.has("neg") or bool(stops)
    if thing is None and "使う" in clause.words and away:
        thing = clause.by_role("を", "は", "、", "も", "")
    if thing is not None and not is_self(thing, context):
        polarity = Polarity.DISLIKE if away else Polarity.LIKE
        return [_taste(thing.text.removesuffix("の話"), polarity, thing.span)]
    manner = next(
        (
            mark.removeprefix("how:")
            for mark in sorted(clause.marks)
            if mark.startswith("how:") and _is_manner(mark)
        ),
        "",
    )
    if manner and talks and not away:
        at = clause.span[0] + max(0, clause.text.find(manner))
        return [_taste(manner, Polarity.LIKE, (at, at + len(manner)))]
    return []


def _names_style(phrase: Phrase, table: str) -> bool:
    return any(word in phrase.text for word in phrases(table, "style_words"))


def _is_manner(mark: str) -> bool:
    word = mark.removeprefix("how:")
    return any(word.startswith(stem) for stem in phrases("ja/tastes", "manner_stems"))


def _english(clause: Clause, context: Context) -> list[Taste]:
    table = "en/tastes"
    asks = clause.has("bare", "request", "pleased") or _to_ghost(clause)
    low = f" {clause.text.lower()} "
    if (
        not clause.words
        and low.startswith(" no ")
        and clause.noun is not None
        and _names_style(clause.noun, table)
    ):
        return [
            _taste(
                _plain(clause.noun.text.removeprefix("no ").removeprefix("No ")),
                Polarity.DISLIKE,
                clause.noun.span,
            )
        ]
    if not asks or not clause.words:
        return []
    verb = clause.words[0]
    if verb in {"use", "send", "give", "do", "write", "add", "ask"}:
        thing = clause.by_role("obj")
        named = thing is not None and (_names_style(thing, table) or verb == "use")
        if thing is not None and named and (clause.has("neg", "stop") or clause.has("bare")):
            away = clause.has("neg", "stop")
            return [_taste(_plain(thing.text), Polarity.DISLIKE if away else Polarity.LIKE, thing.span)]
    if verb in entries(table, "talking") and clause.words[1:2] != ("me",) and not clause.has("neg", "stop"):
        manner = next(
            (
                word
                for word in phrases(table, "style_manner")
                if re.search(rf"\b{re.escape(word)}(?:er|ly)?\b", low)
            ),
            "",
        )
        if manner:
            at = clause.span[0] + max(0, clause.text.lower().find(manner))
            return [_taste(manner, Polarity.LIKE, (at, at + len(manner)))]
    return []


def _to_ghost(clause: Clause) -> bool:
    subject = clause.by_role("subj")
    return subject is not None and subject.text.lower() == "you" and clause.has("want", "request")


def _plain(text: str) -> str:
    return re.sub(r"^(?:any|so many|too many|the|those|all those)\s+", "", text, flags=re.IGNORECASE)


def _taste(subject: str, polarity: Polarity, span: tuple[int, int]) -> Taste:
    return Taste(polarity, subject, Domain.STYLE, span, Certainty.SAID, confidence=0.9)
