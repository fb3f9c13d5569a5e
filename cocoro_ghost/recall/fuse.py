"""Hits of all routes become one order: no id twice, every score on one scale, weighed and added. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.model.event import AboutTime
from cocoro_ghost.model.retrieval import (
    PAIRS,
    Candidate,
    Facts,
    Hit,
    Mode,
    Parts,
    Ref,
    RetrievalPlan,
    TimeHint,
)
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.settings.recall_section import TimeWeights

CONTEXT = ("replies", "threads", "links", "state_links")
_LINKED = frozenset((*CONTEXT, "entities"))
_ALONE = frozenset(("words", "meaning"))
_DAY = 86_400
_OF_THAT_TIME = 0.55
_KINDS = {"affect": 0, "event": 1, "state": 2}
TALK_SECONDS = 30 * 60
"""A longer pause ends a talk."""
_TALK = 10
"""So many turns at most stand before the mind as the present talk."""
Hits = Mapping[str, Sequence[Hit]]
Period = tuple[int, int] | None
Column = NDArray[np.float64]
Table = Mapping[str, Sequence[Any]]
"""The facts of everything that is weighed: a column for each field of `Facts`, all in one order."""


class _Found(NamedTuple):
    """What the routes found, by thing."""

    routes: Mapping[Ref, list[str]]
    linked: Mapping[Ref, float]
    """How well a thing is linked to other finds."""
    answers: Mapping[Ref, float]
    """How well it answers by itself."""


def rank(
    hits: Hits,
    facts: Mapping[Ref, Facts],
    plan: RetrievalPlan,
    period: Period,
    now: int,
    config: RecallConfig,
) -> list[Candidate]:
    """Every allowed thing once, best first; equal scores in the order newest first."""
    found = _by_thing(hits)
    allowed = _allowed((facts[ref] for ref in found.routes if ref in facts), plan, period, config)
    if not allowed:
        return []
    # All at once: hundreds of things are weighed for every message.
    known, then = [one for one, _ in allowed], np.array([fits for _, fits in allowed])
    table: Table = dict(zip(Facts._fields, zip(*known, strict=True), strict=True))
    refs = table["ref"]
    tells = _tells(table, config)
    answers = tells * _column(map(found.answers.__getitem__, refs), len(refs))
    parts = _parts(hits, found, table, then, plan, now, config)
    parts["words"] *= tells
    parts["meaning"] *= tells
    parts["standing"] *= np.minimum(1.0, 2 * answers)
    scores = _scores(parts, table, plan, config)
    if plan.mode is Mode.EXPLICIT_ABOUT_TIME:
        # What surely lies in the period asked about answers by that alone, and is worth telling by itself.
        answers = np.maximum(answers, _OF_THAT_TIME * parts["time"])
    names = tuple(parts)
    made_of = [Parts(names, row) for row in np.stack(list(parts.values()), axis=1).tolist()]
    routes = map(tuple, map(found.routes.__getitem__, refs))
    every = list(map(Candidate, refs, scores.tolist(), answers.tolist(), routes, made_of, known))
    return [every[at] for at in _order(scores, table)]


def looked_again(ranked: Sequence[Candidate], hits: Hits, config: RecallConfig) -> list[Candidate]:
    """The order once more: the very best by how close their words stand, the rest by their neighbours.

    Who is among the best stays so: of the first five one may come before another, and behind the first
    twenty the turns beside them come before others.
    """
    first, rest = list(ranked[: config.first]), list(ranked[config.first :])
    if config.uses("closeness"):
        first = _closest_first(first, hits.get("words", ()), config)
    order = first + rest
    if not config.uses("around"):
        return order
    best, behind = order[: config.best], order[config.best :]
    return best + _beside_first(behind, best, hits, config)


def _closest_first(first: Sequence[Candidate], words: Sequence[Hit], config: RecallConfig) -> list[Candidate]:
    """What says the words of the message in one breath, before what holds them here and there."""
    # Of a message whose words are hardly anywhere, those that are say little by standing together.
    weight = config.closeness * min(1.0, trust_in_words(words, config)) ** 2
    close = {hit.ref: hit.close for hit in words if hit.close}
    found = [_raised(one, "closeness", weight * close.get(one.ref, 0.0)) for one in first]
    return sorted(found, key=lambda one: -one.score)


def _beside_first(
    behind: Sequence[Candidate], best: Sequence[Candidate], hits: Hits, config: RecallConfig
) -> list[Candidate]:
    """What was said just before or after one of the best, before others that answer no better."""
    if not behind:
        return []
    beside = {hit.ref: hit.beside for route in ("meaning", "words") for hit in hits.get(route, ())}
    near: dict[Ref, float] = {}
    for one in best:
        for event_id in filter(None, beside.get(one.ref, ())):
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


def _raised(one: Candidate, why: str, by: float) -> Candidate:
    return one if by <= 0 else one._replace(score=one.score + by, parts={**one.parts, why: by})


def worth_weighing(hits: Hits, config: RecallConfig) -> set[Ref]:
    """Everything found but the turns that words and meaning alone found far down: they come before nobody.

    Reading and weighing one costs as much as finding it, and several hundred are found in any memory.
    """
    words, meaning = hits.get("words", ()), hits.get("meaning", ())
    kept = {hit.ref for route, found in hits.items() if route not in _ALONE for hit in found}
    alone = dict.fromkeys(hit.ref for hit in (*words, *meaning) if hit.ref not in kept)
    kept.update(ref for ref in alone if ref.kind != "event")
    turns = [ref for ref in alone if ref.kind == "event"]
    if len(turns) > config.weighed:
        weights = config.weights
        worth = weights.words * trust_in_words(words, config) * _scaled(words, turns, from_zero=True)
        worth += weights.meaning * _scaled(meaning, turns, from_zero=False)
        turns = [turns[at] for at in np.argsort(-worth, kind="stable")[: config.weighed].tolist()]
    return kept.union(turns)


def _by_thing(hits: Hits) -> _Found:
    routes: dict[Ref, list[str]] = {}
    linked: dict[Ref, float] = {}
    answers: dict[Ref, float] = {}
    for route, route_hits in hits.items():
        links = route in _LINKED
        for ref, score, relevance, *_ in route_hits:
            mine = routes.get(ref)
            if mine is None:
                routes[ref], answers[ref] = [route], relevance
            else:
                if mine[-1] != route:
                    mine.append(route)
                if relevance > answers[ref]:
                    answers[ref] = relevance
            if links and score > linked.get(ref, 0.0):
                linked[ref] = score
    return _Found(routes, linked, answers)


def _allowed(
    every: Iterable[Facts], plan: RetrievalPlan, period: Period, config: RecallConfig
) -> list[tuple[Facts, float]]:
    """What may be remembered now, each with how well it fits the period asked about."""
    hint = plan.time if config.uses("about_time") else None
    dated = plan.mode is Mode.EXPLICIT_ABOUT_TIME
    if hint is None:
        return [(one, 0.0) for one in every if one.searchable and (plan.past or not one.closed)]
    found = []
    for one in every:
        if not one.searchable:
            continue
        then = time_match(one, hint, period, config.time_weights)
        if not one.closed or plan.past or (dated and then > 0):
            found.append((one, then))
    return found


def _parts(
    hits: Hits,
    found: _Found,
    table: Table,
    then: Column,
    plan: RetrievalPlan,
    now: int,
    config: RecallConfig,
) -> dict[str, Column]:
    """What a score is made of, a column each."""
    refs, count = table["ref"], len(table["ref"])
    present = _ongoing(table, plan, now) if config.uses("ongoing") else frozenset()
    words = _scaled(hits.get("words", ()), refs, from_zero=True)
    return {
        "words": trust_in_words(hits.get("words", ()), config) * words,
        "meaning": _scaled(hits.get("meaning", ()), refs, from_zero=False),
        "time": then,
        "age_days": np.maximum(0.0, (now - np.array(table["said_at"], np.float64)) / _DAY),
        "tastes": _scaled(hits.get("tastes", ()), refs, from_zero=True),
        "context": _column(map(found.linked.get, refs, repeat(0.0)), count),
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


def _order(scores: Column, table: Table) -> list[int]:
    """Best first, then newest, then by kind and id: a total order."""
    kinds, ids = zip(*table["ref"], strict=True)
    said = np.array(table["said_at"], np.int64)
    place = np.array([_KINDS[kind] for kind in kinds])
    order: list[int] = np.lexsort((np.array(ids), place, -said, -scores)).tolist()
    return order


def _column(values: Iterable[float], count: int) -> Column:
    return np.fromiter(values, np.float64, count)


def _scaled(hits: Sequence[Hit], refs: Sequence[Ref], *, from_zero: bool) -> Column:
    """A route's scores as 0..1: against its best, or over the range it found."""
    if not hits:
        return np.zeros(len(refs))
    best: dict[Ref, float] = {}
    for ref, score, *_ in hits:
        if score > best.get(ref, -math.inf):
            best[ref] = score
    low = 0.0 if from_zero else min(best.values())
    # Where all scores are equal there is no range to divide by.
    width = max(max(best.values()) - low, 1e-9)
    found = _column(map(best.get, refs, repeat(low)), len(refs))
    return np.clip((found - low) / width, 0.0, 1.0)


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


def trust_in_words(hits: Sequence[Hit], config: RecallConfig) -> float:
    """The best of hits that hardly hold a word of the message is still a poor one."""
    weights = config.weights
    if not config.uses("trust"):
        return 1.0
    best = max((hit.relevance for hit in hits), default=0.0) / weights.words_full_at
    if hits and hits[0].flag == PAIRS:
        # A pair of characters is half a word: two of three are often there by chance.
        best **= 2
    return min(weights.words_most, weights.words_at_least + (1.0 - weights.words_at_least) * best)


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
