"""What shares words with the message: turns with what stands beside them, and states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import repeat

from cocoro_ghost.language.grams import content_terms, is_unspaced
from cocoro_ghost.model.retrieval import Hit, Kind, ManyHits, Mode
from cocoro_ghost.recall.lexical import Asked, LexicalScorer, WordScore, asked_terms, known_only, texts_scored
from cocoro_ghost.recall.route import GatherContext
from cocoro_ghost.store import candidates, events, words
from cocoro_ghost.store.ports import Reader
from cocoro_ghost.store.words import Within, WordRow


async def gather(context: GatherContext) -> Sequence[Hit]:
    """Events and states by their words, on one scale."""
    return await context.db.read(lambda reader: _find(reader, context))


def _find(reader: Reader, context: GatherContext) -> Sequence[Hit]:
    config = context.config
    asked = asked_terms(
        context.words or context.text, config.word_weights, with_related=config.uses("related")
    )
    if not asked:
        return []
    near = [term for one in asked for term, _ in one.related]
    total = events.last_id(reader)
    counts = context.counts.events(reader, [*(one.term for one in asked), *near], total)
    asked = known_only(asked, counts, config.word_weights.related_terms)
    found = _events(reader, context, asked, counts, total)
    rows = _with_neighbours(reader, found, context)
    scorer = LexicalScorer(
        asked, counts, max(1, total), rows, config.word_weights,
        neighbours=config.uses("neighbours"), sides=config.uses("sides"),
    )  # fmt: skip
    scores = scorer.scored(found)
    if config.uses("closeness"):
        scores = scorer.with_closeness(scores)
    unspaced = 2 * sum(is_unspaced(one.term) for one in asked) > len(asked)
    in_pairs = scorer.asked_for if unspaced else 0.0
    before, after = _neighbours(rows)
    pairs: dict[int, tuple[int | None, ...]] = dict(zip(rows, zip(before, after, strict=True), strict=True))
    beside = list(map(pairs.get, scores, repeat(())))
    held = _states(reader, context, asked, counts, total)
    every = [*scores.values(), *held.values()]
    kinds: list[Kind] = ["event"] * len(scores)
    kinds += ["state"] * len(held)
    return ManyHits(
        kinds,
        [*scores, *held],
        [one.score for one in every],
        [one.coverage for one in every],
        [in_pairs] * len(scores) + [0.0] * len(held),
        [one.close for one in every],
        beside + [()] * len(held),
    )


def _events(
    reader: Reader,
    context: GatherContext,
    asked: Sequence[Asked],
    counts: dict[str, int],
    total: int,
) -> list[int]:
    config = context.config
    times = 2 if total < config.small_memory else 1
    within = Within(until=context.until, before_id=context.before_id, except_id=context.event_id)
    own = {one.term: counts[one.term] for one in asked if one.term in counts}
    near = {term: counts[term] for one in asked for term, _ in one.related if term not in own}
    found = words.search_events(
        reader, own, times * config.words, within, budget=config.postings, total=total
    )
    found += words.search_events(
        reader, near, times * config.related_words, within, budget=config.postings // 2, total=total
    )
    return list(dict.fromkeys(event_id for event_id, _ in found))


def _with_neighbours(reader: Reader, found: Sequence[int], context: GatherContext) -> dict[int, WordRow]:
    rows = words.rows(reader, found)
    if not context.config.uses("neighbours"):
        return rows
    # Two turns away matters little: such a turn counts where it was found anyway.
    before, after = _neighbours(rows)
    return rows | words.rows(reader, {*filter(None, before), *filter(None, after)} - rows.keys())


def _neighbours(rows: Mapping[int, WordRow]) -> tuple[Sequence[int | None], Sequence[int | None]]:
    """The turn before and the turn after each, by columns."""
    if not rows:
        return (), ()
    _, _, _, before, after = zip(*rows.values(), strict=True)
    return before, after


def _states(
    reader: Reader, context: GatherContext, asked: Sequence[Asked], counts: dict[str, int], total: int
) -> dict[int, WordScore]:
    own = context.counts.states(reader, [one.term for one in asked], total)
    if not own:
        return {}
    past = context.plan.past or context.plan.mode is Mode.EXPLICIT_ABOUT_TIME
    found = words.search_states(
        reader,
        own,
        context.config.word_states,
        context.now,
        closed=past,
        budget=context.config.postings // 2,
        total=total,
    )
    # A term no event holds would count for nothing: what states say of it stands in.
    rarity = {**own, **counts}
    bodies = candidates.bodies(reader, [state_id for state_id, _ in found])
    texts = {state_id: _terms(body) for state_id, body in bodies.items()}
    return texts_scored(texts, asked, rarity, max(1, total))


@lru_cache(maxsize=2048)
def _terms(body: str) -> tuple[str, ...]:
    return tuple(content_terms(body))
