"""The word index: every event and state findable by its words, written in the transaction of the text itself.

It is derived: `rebuild` makes it again from the log, `check` tells whether that is needed. A query of any
length is answered within a budget of postings: its rarest terms find the candidates, all of them rank these.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from cocoro_ghost.language.grams import content_terms, index_terms, is_unspaced, query_terms, word_count
from cocoro_ghost.model.rows import named_rows
from cocoro_ghost.store import events
from cocoro_ghost.store.ports import Asked, Reader, Row, Tx

TALK_GAP_SECONDS = 1800
"""A turn that comes later than this begins another talk."""
NEAR_WORDS = 120
"""Turns longer than this stand on their own: their neighbours are not indexed with them."""
POSTINGS, MOST_POSTINGS = 4000, 30_000
_RANKED = 150
"""So many candidates are ranked by every term of a long text, twice as many in a large memory."""
_NEAR_WORTH = 0.3
"""What a term counts that stands only in the turn before or after."""
_NEAR_TERMS = 90
_K1, _B = 1.2, 0.75
_SPARE = 20
_COMMON = 50
_PAGE = 500
_FOREVER = 1 << 62
_TALKS = ("chat", "import")

Progress = Callable[[int], None]


class WordRow(NamedTuple):
    """One event as ranking sees it; hundreds are read for a message."""

    event_id: int
    terms: str
    """Telling terms: the user's words, the reply, the images, one line each."""
    size: int
    before_id: int | None
    after_id: int | None


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of a memory can be found by words."""

    missing_events: int
    missing_states: int
    strays: int

    @property
    def complete(self) -> bool:
        return not (self.missing_events or self.missing_states or self.strays)


@dataclass(frozen=True, slots=True)
class Within:
    """Which events may be found."""

    source: str | None = None
    since: int | None = None
    until: int | None = None
    before_id: int | None = None
    except_id: int | None = None


ANYWHERE = Within()


# -- writing ------------------------------------------------------------------------------------------------


def index_event(tx: Tx, event_id: int) -> None:
    """Takes one event in, new or changed, and lets the turns beside it know."""
    index_events(tx, [event_id])


def index_events(tx: Tx, ids: Iterable[int]) -> None:
    """Takes many events in, each written once."""
    texts: dict[int, str] = {}
    touched: set[int] = set()
    for event_id in ids:
        row = tx.one("words.event", event_id=event_id)
        if row is None:
            continue
        tx.run("words.not_pending", what="event", id=event_id)
        before, after = _beside(tx, row)
        parts = _parts(row)
        texts[event_id] = _joined(index_terms(part) for part in parts)
        terms = [content_terms(part) for part in parts]
        size = round(sum(word_count(part) for part in terms))
        lines = "\n".join(" ".join(part) for part in terms)
        tx.run("words.put_row", event_id=event_id, lines=lines, size=size, before_id=before, after_id=after)
        if before is not None:
            tx.run("words.set_after", event_id=before, after_id=event_id)
        if after is not None:
            tx.run("words.set_before", event_id=after, before_id=event_id)
        touched |= {found for found in (before, event_id, after) if found is not None}
    # Afterwards, each once: in a batch of a talk nearly every turn is somebody's neighbour.
    for event_id in sorted(touched):
        _write(tx, event_id, texts.get(event_id))


def index_state(tx: Tx, state_id: int, body_text: str) -> None:
    """Takes one state in, new or changed."""
    tx.run("words.not_pending", what="state", id=state_id)
    tx.words.put("state", state_id, " ".join(index_terms(body_text)))


def drop(tx: Tx) -> None:
    """Empties the index; nothing is lost but time, and all of it waits to be taken in again."""
    tx.words.drop()
    tx.run("words.drop_rows")
    tx.run("words.all_pending")


def rebuild(tx: Tx, progress: Progress | None = None) -> int:
    """Makes the whole index again from the texts; returns how many things were taken in."""
    drop(tx)
    done = 0
    while taken := catch_up(tx, _PAGE):
        done += taken
        if progress:
            progress(done)
    return done


def catch_up(tx: Tx, limit: int = _PAGE) -> int:
    """Takes in what was written without being indexed; returns how many things that were."""
    waiting = tx.all("words.pending", limit=limit)
    index_events(tx, [row["id"] for row in waiting if row["what"] == "event"])
    for row in waiting:
        if row["what"] == "state":
            state = tx.one("states.get", state_id=row["id"])
            index_state(tx, row["id"], "" if state is None else state["body_text"])
    return len(waiting)


def behind(reader: Reader, limit: int = 1) -> int:
    """How many finished things (up to a limit) wait to be taken in."""
    return int(reader.value("words.pending_finished", limit=limit))


def waiting(reader: Reader) -> int:
    """How many events wait to be taken in: what every write keeps count of, without looking at the index."""
    return {row["what"]: int(row["n"]) for row in reader.all("words.pending_counts")}.get("event", 0)


def check(reader: Reader) -> Coverage:
    """Compares the index with what it is derived from."""
    waiting = {row["what"]: int(row["n"]) for row in reader.all("words.pending_counts")}
    events = waiting.get("event", 0) + reader.words.unwritten("event")
    states = waiting.get("state", 0) + reader.words.unwritten("state")
    return Coverage(events, states, reader.words.strays())


# -- finding ------------------------------------------------------------------------------------------------


def event_counts(reader: Reader, terms: Iterable[str]) -> dict[str, int]:
    """In how many events each known term stands (in the turn itself or beside it)."""
    return _counts(reader, "event", terms)


def state_counts(reader: Reader, terms: Iterable[str]) -> dict[str, int]:
    return _counts(reader, "state", terms)


class TermCounts:
    """Counts of common terms, remembered: reading a long list of postings only to count it is dear.

    They are counted anew once the memory has grown by a tenth. Safe to share between threads.
    """

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], int] = {}
        self._grown_at = 0

    def events(self, reader: Reader, terms: Iterable[str], total: int | None = None) -> dict[str, int]:
        """`total`: the size of the memory, for who has asked for it already."""
        return self._counts(reader, "event", list(terms), total)

    def states(self, reader: Reader, terms: Iterable[str], total: int | None = None) -> dict[str, int]:
        return self._counts(reader, "state", list(terms), total)

    def _counts(self, reader: Reader, what: str, terms: Sequence[str], total: int | None) -> dict[str, int]:
        size = events.last_id(reader) if total is None else total
        # Not exact on purpose: counts only weigh terms against each other.
        if size > self._grown_at:
            self._known, self._grown_at = {}, size + size // 10
        known = self._known
        remembered = {term: known[what, term] for term in terms if (what, term) in known}
        fresh = _counts(reader, what, [term for term in terms if term not in remembered])
        known.update({(what, term): count for term, count in fresh.items() if count >= _COMMON})
        return {**remembered, **fresh}


def affordable(counts: Mapping[str, int], budget: int = POSTINGS) -> list[str]:
    """The rarest terms whose postings fit the budget together; always at least one."""
    chosen: list[str] = []
    for term in sorted(counts, key=lambda term: (counts[term], term)):
        if chosen and counts[term] > budget:
            break
        chosen.append(term)
        budget -= counts[term]
    return chosen


def search_events(
    reader: Reader,
    counts: Mapping[str, int],
    limit: int,
    within: Within = ANYWHERE,
    *,
    budget: int = POSTINGS,
    total: int | None = None,
) -> list[tuple[int, float]]:
    """Searchable events that hold the rarest of the counted terms, best first, with what these are worth."""
    if not counts:
        return []
    size = events.last_id(reader) if total is None else total
    worths = _worths(size, counts, affordable(counts, budget))
    # Beside a turn only its rarest terms are looked for: a common one there says next to nothing.
    near = affordable(counts, budget // 3)
    asked = {Asked(term, is_head=_is_prefix(term)): worth for term, worth in worths.items()}
    asked |= {Asked(term, True, _is_prefix(term)): _NEAR_WORTH * worths[term] for term in near}
    return _best(
        reader,
        "event",
        asked,
        limit,
        source=within.source,
        since=0 if within.since is None else within.since,
        until=_FOREVER if within.until is None else within.until,
        before=_FOREVER if within.before_id is None else within.before_id,
        except_id=-1 if within.except_id is None else within.except_id,
    )


def search_states(
    reader: Reader,
    counts: Mapping[str, int],
    limit: int,
    now: int,
    *,
    closed: bool = False,
    budget: int = POSTINGS,
    total: int | None = None,
) -> list[tuple[int, float]]:
    """Searchable states that hold the rarest of the counted terms; closed ones only when asked for."""
    size = events.last_id(reader) if total is None else total
    worths = _worths(size, counts, affordable(counts, budget))
    asked = {Asked(term, is_head=_is_prefix(term)): worth for term, worth in worths.items()}
    return _best(reader, "state", asked, limit, now=now, closed=int(closed))


def find_events(
    reader: Reader, text: str, limit: int, within: Within = ANYWHERE, remembered: TermCounts | None = None
) -> list[tuple[int, float]]:
    """Events for a text of any length, one character or two thousand, ranked by all of its terms."""
    total = events.last_id(reader)
    counts = (remembered or TermCounts()).events(reader, query_terms(text), total)
    # The more a text says and the more there is, the less the rarest of it tells: more is looked at.
    deep = max(limit, min(_RANKED, 60 + 2 * len(counts)) + min(_RANKED, total // 1000))
    budget = min(max(POSTINGS, total // 4), MOST_POSTINGS)
    found = dict(search_events(reader, counts, deep, within, budget=budget, total=total))
    scores = _ranked(reader, found, _worths(total, counts, counts))
    best = sorted(found, key=lambda event_id: (-scores[event_id], -found[event_id]))
    return [(event_id, scores[event_id]) for event_id in best[:limit]]


def find_states(
    reader: Reader, text: str, limit: int, now: int, *, closed: bool = False
) -> list[tuple[int, float]]:
    """States for a text of any length."""
    counts = state_counts(reader, query_terms(text))
    return search_states(reader, counts, limit, now, closed=closed)


def rows(reader: Reader, ids: Iterable[int]) -> dict[int, WordRow]:
    """What ranking needs of many events, in one query."""
    return {row[0]: row for row in named_rows(WordRow, reader.tuples("words.rows", ids=list(ids)))}


def places(reader: Reader, ids: Iterable[int]) -> dict[int, tuple[int, int | None, int | None]]:
    """Length in words, the turn before and the turn after, of many events."""
    found = reader.tuples("words.places", ids=list(ids))
    return {event_id: (size, before, after) for event_id, size, before, after in found}


# -- inside -------------------------------------------------------------------------------------------------


def _write(tx: Tx, event_id: int, own: str | None) -> None:
    row = tx.one("words.row", event_id=event_id)
    if row is None:
        return
    if own is None:
        event = tx.one("words.event", event_id=event_id)
        assert event is not None
        own = _joined(index_terms(part) for part in _parts(event))
    beside = (row["before_id"], row["after_id"])
    near = [] if row["size"] > NEAR_WORDS else [_near(tx, other) for other in beside if other is not None]
    tx.words.put("event", event_id, own, " ".join(near))


def _near(tx: Tx, event_id: int) -> str:
    row = tx.one("words.row", event_id=event_id)
    if row is None or row["size"] > NEAR_WORDS:
        return ""
    return " ".join(row["terms"].split()[:_NEAR_TERMS])


def _beside(tx: Tx, row: Row) -> tuple[int | None, int | None]:
    if row["source"] not in _TALKS:
        return None, None
    place = {name: row[name] for name in ("conversation", "source", "event_id")}
    found: list[int | None] = []
    for query in ("words.turn_before", "words.turn_after"):
        other = tx.one(query, **place)
        same_talk = other is not None and abs(other["created_at"] - row["created_at"]) <= TALK_GAP_SECONDS
        found.append(other["event_id"] if other is not None and same_talk else None)
    return found[0], found[1]


def _parts(row: Row) -> tuple[str, str, str]:
    images = row["image_summaries_json"]
    described = " ".join(json.loads(images)) if images else ""
    return row["user_text"] or "", row["assistant_text"] or "", described


def _joined(parts: Iterable[Sequence[str]]) -> str:
    return " ".join(term for part in parts for term in part)


def _counts(reader: Reader, what: str, terms: Iterable[str]) -> dict[str, int]:
    asked = list(dict.fromkeys(terms))
    heads = [term for term in asked if _is_prefix(term)]
    counts = reader.words.counts(what, [term for term in asked if not _is_prefix(term)])
    counts |= reader.words.head_counts(what, heads)
    return {term: counts[term] for term in asked if counts.get(term)}


def _worths(total: int, counts: Mapping[str, int], terms: Iterable[str]) -> dict[str, float]:
    """The rarer a term, the more it says."""
    return {term: math.log(1 + max(total, counts[term]) / counts[term]) for term in terms}


def _best(
    reader: Reader, what: str, asked: Mapping[Asked, float], limit: int, **filters: object
) -> list[tuple[int, float]]:
    """What holds most of the asked worth, as far as the filters let it through; newest first among equals."""
    if not asked:
        return []
    holding = reader.words.holding(what, list(asked))
    held, at = np.unique(np.concatenate(holding), return_inverse=True)
    scores = np.bincount(at, np.repeat(list(asked.values()), [len(ids) for ids in holding]), len(held))
    order = np.lexsort((-held, -scores))
    found: list[tuple[int, float]] = []
    # A page at a time: the filters mostly let nearly all through, and then the first page is enough.
    for start in range(0, len(order), limit + _SPARE):
        page = order[start : start + limit + _SPARE]
        ids = held[page].tolist()
        allowed = {row[0] for row in reader.tuples(f"words.{what}s_allowed", ids=ids, **filters)}
        found += [pair for pair in zip(ids, scores[page].tolist(), strict=True) if pair[0] in allowed]
        if len(found) >= limit:
            break
    return found[:limit]


def _ranked(reader: Reader, ids: Iterable[int], worths: Mapping[str, float]) -> dict[int, float]:
    """BM25 of every term over the turns themselves."""
    told = rows(reader, ids)
    mean = sum(row.size for row in told.values()) / max(1, len(told))
    heads = {term for term in worths if _is_prefix(term)}
    scores = dict.fromkeys(ids, 0.0)
    for event_id, row in told.items():
        terms = row.terms.split()
        held = Counter([term for term in terms if term in worths])
        if heads:
            held.update([term[0] for term in terms if term[0] in heads and len(term) > 1])
        norm = _K1 * (1 - _B + _B * row.size / max(1.0, mean))
        scores[event_id] = sum(worths[term] * n * (_K1 + 1) / (n + norm) for term, n in held.items())
    return scores


def _is_prefix(term: str) -> bool:
    """A single character of an unspaced script: every pair that begins with it is meant."""
    return len(term) == 1 and is_unspaced(term)
