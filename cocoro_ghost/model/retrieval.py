"""What remembering is made of: the plan, hits of the routes, fused candidates, and the report of a run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Literal, NamedTuple, overload

from cocoro_ghost.model.event import AboutTime, LifeStage
from cocoro_ghost.model.preference import Domain, Polarity

Kind = Literal["event", "state", "affect"]
_LETTERS: dict[str, Kind] = {"e": "event", "s": "state", "a": "affect"}


class Mode(StrEnum):
    ASSOCIATIVE_RECENT = "associative_recent"
    EXPLICIT_ABOUT_TIME = "explicit_about_time"
    TARGETED_BROAD = "targeted_broad"


class Ref(NamedTuple):
    """One thing in memory; written e12, s7, a3. A tuple: hundreds are made and looked up for a message."""

    kind: Kind
    id: int

    def __str__(self) -> str:
        return f"{self.kind[0]}{self.id}"

    @staticmethod
    def parse(text: str) -> Ref | None:
        """The thing a handle names; None for anything else."""
        kind = _LETTERS.get(text[:1])
        return Ref(kind, int(text[1:])) if kind and text[1:].isdecimal() and len(text) < 20 else None


@dataclass(frozen=True, slots=True)
class TimeHint:
    """The period a message asks about. UTC seconds (end excluded), local years, or a life stage."""

    text: str
    start_ts: int | None = None
    end_ts: int | None = None
    year_start: int | None = None
    year_end: int | None = None
    life_stage: LifeStage | None = None


@dataclass(frozen=True, slots=True)
class Diversity:
    """The largest share of the seats that one bucket may take; 1.0 sets no bound."""

    per_type: float = 1.0
    per_state_kind: float = 1.0
    per_life_stage: float = 1.0
    per_year: float = 1.0
    per_thread: float = 1.0


@dataclass(frozen=True, slots=True)
class TasteAsked:
    """A message asks what the person likes or dislikes; None where it does not say which or of what kind."""

    polarity: Polarity | None = None
    domain: Domain | None = None


@dataclass(frozen=True, slots=True)
class RetrievalPlan:
    """How one message is to be remembered by; made by rules, stored with the run."""

    mode: Mode
    queries: tuple[str, ...]
    time: TimeHint | None = None
    diversity: Diversity = Diversity()
    max_candidates: int = 60
    max_selected: int = 12
    only_asks: bool = False
    """The message tells nothing: it may mean any time, the present talk as well."""
    past: bool = False
    """It asks for what held before: closed states may answer."""
    taste: TasteAsked | None = None
    question: str = ""
    """What is asked of memory, as it was said, without what is told or chatted beside it."""
    search: str = ""
    """What words are searched by, where that is not the message as it stands."""

    def as_dict(self) -> dict[str, object]:
        return asdict(self)


UNDATED = AboutTime()


class Hit(NamedTuple):
    """One route found one thing. `relevance` is absolute (0..1): does it answer at all."""

    ref: Ref
    score: float
    relevance: float = 0.0
    pairs: float = 0.0
    """How much the message asks, in rare words, where it is searched by pairs of characters; else 0."""
    close: float = 0.0
    """How much of the message stands close together in it; of the best found by words only."""
    beside: tuple[int | None, ...] = ()
    """Of a turn the one before and the one after, where the route knows them."""


class ManyHits(Sequence[Hit]):
    """Hits of one route by columns: of the hundreds that are weighed, few are looked at one by one."""

    __slots__ = ("beside", "close", "ids", "kinds", "pairs", "relevances", "scores")

    def __init__(
        self,
        kinds: Sequence[Kind],
        ids: Sequence[int],
        scores: Sequence[float],
        relevances: Sequence[float],
        pairs: Sequence[float] = (),
        close: Sequence[float] = (),
        beside: Sequence[tuple[int | None, ...]] = (),
    ) -> None:
        self.kinds, self.ids, self.scores, self.relevances = kinds, ids, scores, relevances
        self.pairs = pairs or (0.0,) * len(ids)
        self.close = close or (0.0,) * len(ids)
        self.beside = beside or ((),) * len(ids)

    @staticmethod
    def of(hits: Sequence[Hit]) -> ManyHits:
        """The same hits, by columns."""
        if isinstance(hits, ManyHits) or not hits:
            return hits if isinstance(hits, ManyHits) else ManyHits((), (), (), ())
        refs, scores, relevances, pairs, close, beside = zip(*hits, strict=True)
        kinds, ids = zip(*refs, strict=True)
        return ManyHits(kinds, ids, scores, relevances, pairs, close, beside)

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, at: int) -> Hit: ...
    @overload
    def __getitem__(self, at: slice) -> list[Hit]: ...
    def __getitem__(self, at: int | slice) -> Hit | list[Hit]:
        if isinstance(at, slice):
            return [self[one] for one in range(*at.indices(len(self)))]
        ref = Ref(self.kinds[at], self.ids[at])
        return Hit(ref, self.scores[at], self.relevances[at], self.pairs[at], self.close[at], self.beside[at])


@dataclass(frozen=True, slots=True)
class RouteReport:
    """What became of one route in one run."""

    route: str
    status: Literal["ok", "late", "failed", "off"]
    hits: int
    milliseconds: float
    error: str = ""

    def as_dict(self) -> dict[str, object]:
        """As a trace keeps it."""
        found: dict[str, object] = {
            "route": self.route,
            "status": self.status,
            "hits": self.hits,
            "ms": self.milliseconds,
        }
        return {**found, "error": self.error} if self.error else found


class Facts(NamedTuple):
    """What fusion knows of a candidate beside its scores; bodies are not among it. Hundreds a message."""

    ref: Ref
    said_at: int
    searchable: bool = True
    about: AboutTime = UNDATED
    state_kind: str | None = None
    closed: bool = False
    valid_from_ts: int | None = None
    valid_to_ts: int | None = None
    confidence: float = 1.0
    salience: float = 0.5
    pin: bool = False
    event_id: int | None = None
    """The event an affect belongs to."""
    created_at: int | None = None
    """When a state was first held, however often it was confirmed since."""
    threads: tuple[str, ...] = ()
    only_asks: bool = False
    """A turn that told nothing but asked."""
    unanswered: bool = False
    """… and got no answer but that nothing is known."""

    @property
    def since(self) -> int:
        return self.said_at if self.created_at is None else self.created_at


class Parts(Mapping[str, float]):
    """What a score is made of, by name; hundreds are weighed for a message, and few are looked into."""

    __slots__ = ("_names", "_values")

    def __init__(self, names: tuple[str, ...], values: Sequence[float]) -> None:
        self._names, self._values = names, values

    def __getitem__(self, name: str) -> float:
        if name not in self._names:
            raise KeyError(name)
        return self._values[self._names.index(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Candidate(NamedTuple):
    """A thing that may be remembered, with where it came from and how its score is made up."""

    ref: Ref
    score: float
    relevance: float
    routes: tuple[str, ...]
    parts: Mapping[str, float]
    facts: Facts
    seat: str = ""
    """The quota it was seated under; empty when it was not seated."""

    def as_dict(self) -> dict[str, object]:
        """As a trace keeps it: ids and numbers, no bodies."""
        return {
            "ref": str(self.ref),
            "score": round(self.score, 4),
            "relevance": round(self.relevance, 3),
            "routes": list(self.routes),
            "seat": self.seat,
            "parts": {name: round(value, 3) for name, value in self.parts.items() if value},
        }


@dataclass(frozen=True, slots=True)
class Selected:
    """A memory that was chosen, and why."""

    ref: Ref
    score: float
    reason: str
    snippet: str = ""


@dataclass(frozen=True, slots=True)
class Selection:
    """Who chose and what; `fallback` says why the fused order stood where a mind was asked."""

    chosen: tuple[Selected, ...]
    by: str
    milliseconds: float = 0.0
    fallback: str = ""
    unknown: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fused:
    """Candidates with seats in order, the whole order, and the count of seats by quota."""

    seated: tuple[Candidate, ...]
    ranked: tuple[Candidate, ...]
    seats: Mapping[str, int] = field(default_factory=dict)
