"""Hits of all routes become one order: no id twice, every score on one scale, weighed and added. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import compress, repeat
from typing import Any, TypeVar

import numpy as np

from cocoro_ghost.model.event import AboutTime
from cocoro_ghost.model.finds import Column, Finds, Numbers, kinds_and_ids, refs_of
from cocoro_ghost.model.retrieval import (
    Candidate,
    Facts,
    Mode,
    Parts,
    Ref,
    RetrievalPlan,
    TimeHint,
)
from cocoro_ghost.model.rows import rows_of
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.settings.recall_section import TimeWeights

T = TypeVar("T")
CONTEXT = ("replies", "threads", "links", "state_links")
_LINKED = (*CONTEXT, "entities")
_ALONE = frozenset(("words", "meaning"))
_DAY = 86_400
_OF_THAT_TIME = 0.55
TALK_SECONDS = 30 * 60
"""A longer pause ends a talk."""
_TALK = 10
"""So many turns at most stand before the mind as the present talk."""
_NO_CHANCE = 1.5
"""So many rare words together no turn holds by chance."""
Period = tuple[int, int] | None
Table = Mapping[str, Sequence[Any]]
"""The facts of everything that is weighed: a column for each field of `Facts`, all in one order."""


def rank(
    finds: Finds,
    facts: Mapping[Ref, Facts],
    plan: RetrievalPlan,
    period: Period,
    now: int,
    config: RecallConfig,
) -> list[Candidate]:
    """Every allowed thing once, best first; equal scores in the order newest first."""
    known, then = _allowed(finds.met(facts), plan, period, config)
    if not known:
        return []
    # All at once: hundreds of things are weighed for every message.
    table: Table = dict(zip(Facts._fields, zip(*known, strict=True), strict=True))
    refs, places = table["ref"], finds.places(table["ref"])
    tells = _tells(table, config)
    answers = tells * finds.answers()[places]
    parts = _parts(finds, places, table, np.array(then), plan, now, config)
    parts["words"] *= tells
    parts["meaning"] *= tells
    parts["standing"] *= np.minimum(1.0, 2 * answers)
    scores = _scores(parts, table, plan, config)
    if plan.mode is Mode.EXPLICIT_ABOUT_TIME:
        # What surely lies in the period asked about answers by that alone, and is worth telling by itself.
        answers = np.maximum(answers, _OF_THAT_TIME * parts["time"])
    names = tuple(parts)
    made_of = [Parts(names, row) for row in np.stack(list(parts.values()), axis=1).tolist()]
    every = rows_of(
        Candidate, refs, scores.tolist(), answers.tolist(), finds.routes(places), made_of, known, repeat("")
    )
    return [every[at] for at in _order(scores, table, finds.numbers[places])]


def looked_again(ranked: Sequence[Candidate], finds: Finds, config: RecallConfig) -> list[Candidate]:
    """The order once more: the very best by how close their words stand, the rest by their neighbours.

    Who is among the best stays so: of the first five one may come before another, and behind the first
    twenty the turns beside them come before others.
    """
    first, rest = list(ranked[: config.first]), list(ranked[config.first :])
    if config.uses("closeness"):
        first = _closest_first(first, finds, config)
    order = first + rest
    if not config.uses("around"):
        return order
    best, behind = order[: config.best], order[config.best :]
    return best + _beside_first(behind, best, finds, config)


def _closest_first(first: Sequence[Candidate], finds: Finds, config: RecallConfig) -> list[Candidate]:
    """What says the words of the message in one breath, before what holds them here and there."""
    # Of a message whose words are hardly anywhere, those that are say little by standing together.
    weight = config.closeness * min(1.0, trust_in_words(finds, config)) ** 2
    close = finds.close(_turns(first))
    found = [_raised(one, "closeness", weight * _of(close, one.ref, 0.0)) for one in first]
    return sorted(found, key=lambda one: -one.score)


def _beside_first(
    behind: Sequence[Candidate], best: Sequence[Candidate], finds: Finds, config: RecallConfig
) -> list[Candidate]:
    """What was said just before or after one of the best, before others that answer no better."""
    if not behind:
        return []
    beside = finds.beside(_turns(best))
    near: dict[Ref, float] = {}
    for one in best:
        for event_id in filter(None, _of(beside, one.ref, ())):
            ref = Ref("event", event_id)
            near[ref] = max(near.get(ref, 0.0), one.score)
    least = best[-1].score
    found = [
        _raised(one, "around", min(config.around * near[one.ref], least - one.score))
        if one.ref in near
        else one
        for one in behind
    ]
    return sorted(found, key=lambda one: -one.score)


def _turns(candidates: Sequence[Candidate]) -> frozenset[int]:
    return frozenset(one.ref.id for one in candidates if one.ref.kind == "event")


def _of(told: Mapping[int, T], ref: Ref, otherwise: T) -> T:
    return told.get(ref.id, otherwise) if ref.kind == "event" else otherwise


def _raised(one: Candidate, why: str, by: float) -> Candidate:
    return one if by <= 0 else one._replace(score=one.score + by, parts={**one.parts, why: by})


def worth_weighing(finds: Finds, config: RecallConfig) -> list[Ref]:
    """Everything found but the turns that words and meaning alone found far down: they come before nobody.

    Reading and weighing one costs as much as finding it, and several hundred are found in any memory.
    """
    kept = finds.found_by(route for route in finds.by_route if route not in _ALONE)
    kept |= finds.are_no_turns()
    turns = np.flatnonzero(~kept)
    if len(turns) > config.weighed:
        weights = config.weights
        # Among equals the one that was found first.
        turns = turns[np.argsort(finds.first_met[turns])]
        worth = weights.words * trust_in_words(finds, config) * finds.scaled("words", turns, from_zero=True)
        worth += weights.meaning * finds.scaled("meaning", turns, from_zero=False)
        turns = turns[np.argsort(-worth, kind="stable")[: config.weighed]]
    kept[turns] = True
    return refs_of(finds.numbers[kept])


def _allowed(
    every: Iterable[Facts], plan: RetrievalPlan, period: Period, config: RecallConfig
) -> tuple[list[Facts], list[float]]:
    """What may be remembered now, and how well each of it fits the period asked about."""
    hint = plan.time if config.uses("about_time") else None
    dated = plan.mode is Mode.EXPLICIT_ABOUT_TIME
    shown = [one for one in every if one.searchable]
    if hint is None:
        now = shown if plan.past else [one for one in shown if not one.closed]
        return now, [0.0] * len(now)
    then = [time_match(one, hint, period, config.time_weights) for one in shown]
    if plan.past:
        return shown, then
    allowed = [not one.closed or (dated and fits > 0) for one, fits in zip(shown, then, strict=True)]
    return list(compress(shown, allowed)), list(compress(then, allowed))


def _parts(
    finds: Finds,
    places: Numbers,
    table: Table,
    then: Column,
    plan: RetrievalPlan,
    now: int,
    config: RecallConfig,
) -> dict[str, Column]:
    """What a score is made of, a column each."""
    refs, count = table["ref"], len(table["ref"])
    present = _ongoing(table, plan, now) if config.uses("ongoing") else frozenset()
    words = finds.scaled("words", places, from_zero=True)
    return {
        "words": trust_in_words(finds, config) * words,
        "meaning": finds.scaled("meaning", places, from_zero=False),
        "time": then,
        "age_days": np.maximum(0.0, (now - np.array(table["said_at"], np.float64)) / _DAY),
        "tastes": finds.scaled("tastes", places, from_zero=True),
        "context": finds.best_of(_LINKED, 0.0)[places],
        # Being sure of something unrelated is no reason to bring it up: weighed by how well it answers.
        "standing": _standing(table),
        "ongoing": _column(map(present.__contains__, refs), count) if present else np.zeros(count),
    }


def _scores(parts: Mapping[str, Column], table: Table, plan: RetrievalPlan, config: RecallConfig) -> Column:
    weights = config.weights
    pinned = np.array(table["pin"], np.float64)
    scores: Column = (
        weights.words * parts["words"]
        + weights.meaning * parts["meaning"]
        + weights.time * parts["time"]
        + _recency(plan, config) * np.exp(-parts["age_days"] / weights.recency_days)
        + weights.tastes * parts["tastes"]
        + weights.context * parts["context"]
        + weights.state * parts["standing"]
        + weights.pin * pinned
        - weights.ongoing * parts["ongoing"]
    )
    return scores


def _order(scores: Column, table: Table, numbers: Numbers) -> list[int]:
    """Best first, then newest, then by kind and id: a total order."""
    kinds, ids = kinds_and_ids(numbers)
    said = np.array(table["said_at"], np.int64)
    order: list[int] = np.lexsort((ids, kinds, -said, -scores)).tolist()
    return order


def _column(values: Iterable[float], count: int) -> Column:
    return np.fromiter(values, np.float64, count)


def _recency(plan: RetrievalPlan, config: RecallConfig) -> float:
    if plan.mode is not Mode.ASSOCIATIVE_RECENT or not config.uses("recency"):
        return 0.0
    return config.weights.recency_asked if plan.only_asks else config.weights.recency


def _ongoing(table: Table, plan: RetrievalPlan, now: int) -> frozenset[Ref]:
    """The turns of the present talk, newest back to the first longer pause."""
    if plan.mode is not Mode.ASSOCIATIVE_RECENT or plan.only_asks:
        return frozenset()
    found: list[Ref] = []
    last, earliest = now, now - (_TALK + 1) * TALK_SECONDS
    lately = [pair for pair in zip(table["said_at"], table["ref"], strict=True) if pair[0] >= earliest]
    for said_at, ref in sorted((pair for pair in lately if pair[1].kind == "event"), reverse=True):
        if last - said_at > TALK_SECONDS or len(found) == _TALK:
            break
        found.append(ref)
        last = said_at
    return frozenset(found)


def _tells(table: Table, config: RecallConfig) -> Column:
    """How far each turn counts as evidence: one that told nothing does not, however well its words fit."""
    if not config.uses("tellings") or not any(table["only_asks"]):
        return np.ones(len(table["ref"]))
    asked = np.where(table["unanswered"], config.weights.unanswered, config.weights.only_asked)
    return np.where(table["only_asks"], asked, 1.0)


def _standing(table: Table) -> Column:
    """How surely and how strongly a state is held; nothing but states is."""
    held = np.array([kind == "state" for kind, _ in table["ref"]])
    sure: Column = 0.5 * np.array(table["confidence"]) + 0.5 * np.array(table["salience"])
    return held * sure


def trust_in_words(finds: Finds, config: RecallConfig) -> float:
    """The best of hits that hardly hold a word of the message is still a poor one."""
    weights, words = config.weights, finds.by_route.get("words")
    if not config.uses("trust"):
        return 1.0
    best = 0.0
    if words is not None:
        share = max(words.relevances)
        best = share / weights.words_full_at
        asked_for = max(words.pairs) / 2
        if asked_for:
            best = min(weights.words_most, best**2) * _not_by_chance(share, asked_for)
    return min(weights.words_most, weights.words_at_least + (1.0 - weights.words_at_least) * best)


def _not_by_chance(share: float, asked_for: float) -> float:
    """How surely pairs of characters are held because that was spoken of; a pair is half a word.

    By chance alone the best of all turns holds about as much of a message as one rare word says, wherever
    turns are long. What holds clearly more is no chance, nor is what lacks hardly anything.
    """
    return max(min(1.0, share * asked_for / _NO_CHANCE) ** 3, 2 * share - 1)


def time_match(facts: Facts, hint: TimeHint, period: tuple[int, int] | None, weights: TimeWeights) -> float:
    """0..1; `period` is the hint in UTC seconds, if it has dates."""
    if facts.ref.kind == "state":
        return _valid_then(facts, period)
    happened = _happened_then(facts.about, hint, period, weights)
    if period is None:
        return happened
    said = _nearness(facts.said_at, facts.said_at, period, weights)
    dated = _is_dated(facts.about) and facts.about.confidence >= weights.sure
    return max(happened, said * (weights.said_but_about_else if dated else weights.said_only))


def _happened_then(
    about: AboutTime, hint: TimeHint, period: tuple[int, int] | None, weights: TimeWeights
) -> float:
    # A date that was only guessed still counts for half.
    sureness = 0.5 + 0.5 * about.confidence
    if hint.life_stage is not None and about.life_stage == hint.life_stage:
        return sureness
    if period is not None and about.start_ts is not None:
        return sureness * _nearness(about.start_ts, about.end_ts or about.start_ts, period, weights)
    if hint.year_start is not None and about.year_start is not None:
        last = hint.year_end or hint.year_start
        overlaps = about.year_start <= last and (about.year_end or about.year_start) >= hint.year_start
        return sureness if overlaps else 0.0
    return 0.0


def _nearness(start: int, end: int, period: tuple[int, int], weights: TimeWeights) -> float:
    """1 inside the period, falling off quickly before it and slowly after: things are told a little later."""
    first, last = period
    if end < first:
        return math.exp(-(first - end) / _DAY / weights.days_before)
    if start >= last:
        return math.exp(-(start - last) / _DAY / weights.days_after)
    return 1.0


def _valid_then(facts: Facts, period: tuple[int, int] | None) -> float:
    if period is None:
        return 0.0
    begun = facts.valid_from_ts is None or facts.valid_from_ts < period[1]
    lasting = facts.valid_to_ts is None or facts.valid_to_ts >= period[0]
    if not (begun and lasting):
        return 0.0
    # What held then and no longer does is of that time; what still holds says little about it.
    return 1.0 if facts.closed else 0.3


def _is_dated(about: AboutTime) -> bool:
    return about.start_ts is not None or about.year_start is not None or about.life_stage is not None
