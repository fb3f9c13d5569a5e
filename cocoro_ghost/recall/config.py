"""Every number of remembering, in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from cocoro_ghost.model.retrieval import Diversity, Mode

Shares = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class WordWeights:
    """BM25 over a turn and its neighbours; fitted on locomo_dev, one conversation left out at a time."""

    k1: float = 1.2
    b: float = 0.5
    beside: float = 0.3
    two_away: float = 0.1
    plain_turn: int = 60
    """Turns up to this many words count their neighbours in full, longer ones less and less."""
    name: float = 0.5
    lone: float = 0.5
    """A single character that stands for a word, beside pairs of characters."""
    related: float = 0.4
    related_terms: int = 12
    related_asked: int = 400
    """Related words that one message looks up, shared by its terms."""
    most_terms: int = 64
    """Terms of one message that are looked up; a longer one is asked by those most likely to be rare."""
    other_side: float = 0.8
    """Words of the one a question does not name, beside those of the one it does."""


@dataclass(frozen=True, slots=True)
class Weights:
    """How routes count together."""

    words: float = 1.0
    words_at_least: float = 0.2
    words_full_at: float = 0.4
    """Words count in full once the best turn holds this share of the message, little where none does."""
    meaning: float = 0.5
    time: float = 1.0
    beside: float = 0.5
    """How far a turn's cosine is lifted towards its nearer neighbour's."""
    recency: float = 0.02
    recency_days: float = 30.0
    context: float = 0.06
    state: float = 0.10
    pin: float = 0.05


@dataclass(frozen=True, slots=True)
class TimeWeights:
    """What counts as being of the asked period."""

    days_before: float = 3.0
    days_after: float = 7.0
    said_only: float = 0.85
    said_but_about_else: float = 0.25
    sure: float = 0.5


@dataclass(frozen=True, slots=True)
class RecallConfig:
    """Limits, deadlines, weights and quotas of the whole path."""

    candidates: int = 60
    small_memory: int = 5000
    """Below so many events a wider look (twice as many hits) costs nothing."""
    selected: int = 12
    recent: int = 50
    catch_up: int = 200
    """Texts that were written but not indexed: so many are taken in before remembering."""
    words: int = 160
    related_words: int = 50
    postings: int = 3000
    meaning: int = 150
    meaning_recent_days: int = 90
    meaning_recent: int = 60
    meaning_states: int = 60
    meaning_affects: int = 20
    states: int = 40
    word_states: int = 30
    about_time: int = 120
    threads: int = 6
    thread_events: int = 12
    links: int = 24
    reply_chain: int = 6
    seeds: int = 12
    entities: int = 8
    entity_events: int = 10
    entity_states: int = 6
    entity_floor: float = 0.3
    state_seeds: int = 8
    state_links: int = 8
    preview_chars: int = 280
    select_deadline: float = 8.0
    embedding_deadline: float = 2.0
    relevance_floor: float = 0.30
    max_inject_tokens: int = 1200
    episode_strategy: str = "quote_key_parts"
    off: frozenset[str] = frozenset()
    """Left out, for ablations: a route's name, `neighbours`, `related`, `sides`."""
    word_weights: WordWeights = WordWeights()
    weights: Weights = Weights()
    time_weights: TimeWeights = TimeWeights()
    deadlines: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType(
            {
                "recent": 0.25, "words": 0.60, "replies": 0.20, "threads": 0.35,
                "links": 0.35, "states": 0.25, "about_time": 0.40, "entities": 0.40, "state_links": 0.35,
            }
        )
    )  # fmt: skip

    def deadline(self, route: str) -> float:
        """Seconds; the search by meaning waits for the embedding and 0.2 s more."""
        waited = self.embedding_deadline + 0.2 if route == "meaning" else 0.4
        return self.deadlines.get(route, waited)

    def uses(self, what: str) -> bool:
        return what not in self.off


QUOTAS: Mapping[Mode, Shares] = MappingProxyType(
    {
        Mode.ASSOCIATIVE_RECENT: MappingProxyType(
            {
                "state": 0.20, "several": 0.40, "meaning": 0.15, "context": 0.10, "words": 0.05,
                "entities": 0.05, "exploration": 0.05,
            }
        ),
        Mode.EXPLICIT_ABOUT_TIME: MappingProxyType(
            {
                "state": 0.20, "several": 0.30, "about_time": 0.20, "meaning": 0.10, "context": 0.05,
                "words": 0.05, "exploration": 0.05,
            }
        ),
    }
)  # fmt: skip
AFFECT_SHARE = 0.05

DIVERSITY: Mapping[Mode, Diversity] = MappingProxyType(
    {
        Mode.ASSOCIATIVE_RECENT: Diversity(per_state_kind=0.15, per_thread=0.5),
        Mode.EXPLICIT_ABOUT_TIME: Diversity(
            per_state_kind=0.15, per_life_stage=0.6, per_year=0.6, per_thread=0.4
        ),
        Mode.TARGETED_BROAD: Diversity(per_state_kind=0.15, per_life_stage=0.4, per_year=0.4, per_thread=0.3),
    }
)


def quotas(mode: Mode) -> Shares:
    """Asking about a period and asking about the past in general share their seats alike."""
    return QUOTAS.get(mode, QUOTAS[Mode.EXPLICIT_ABOUT_TIME])
