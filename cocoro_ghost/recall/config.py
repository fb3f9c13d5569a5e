"""Every number of remembering, in one place; those a person may want to change stand in the settings file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from cocoro_ghost.model.pack import Strategy
from cocoro_ghost.model.retrieval import Diversity, Mode
from cocoro_ghost.settings.recall_section import Quotas, TimeWeights, Weights, WordWeights
from cocoro_ghost.settings.recall_section import Recall as Section

_SECTION = Section()
STEPS: Mapping[str, str] = MappingProxyType(
    {
        "neighbours": "the turns beside a turn",
        "passages": "what a long turn says in one of its passages",
        "related": "words that mean nearly the same",
        "sides": "whose words they are",
        "scaffolding": "taking off the words of asking before the search for words",
        "trust": "words by how much of the message they hold",
        "recency": "the recent first in a talk",
        "ongoing": "setting back what stands before the mind anyway",
        "tellings": "tellings before askings",
        "closeness": "words that stand close together, among the very best",
        "around": "the turns beside the best, behind them",
        "pieces": "telling the best apart piece by piece, where they are nearly equal",
    }
)
"""What remembering does beside its routes, by the name it is left out under."""


def _caps(section: Section) -> Mapping[Mode, Diversity]:
    return MappingProxyType(
        {
            Mode.ASSOCIATIVE_RECENT: Diversity(**section.caps.model_dump()),
            Mode.EXPLICIT_ABOUT_TIME: Diversity(**section.caps_period.model_dump()),
            Mode.TARGETED_BROAD: Diversity(**section.caps_past.model_dump()),
        }
    )


@dataclass(frozen=True, slots=True)
class RecallConfig:
    """Limits, deadlines, weights and quotas of the whole path."""

    candidates: int = 60
    small_memory: int = 5000
    """Below so many events twice as many hits are looked at: it costs 6 ms and finds up to a point more."""
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
    tastes: int = 20
    weighed: int = 160
    """Turns that words and meaning alone found: so many of the best are read and weighed."""
    first: int = 5
    closeness: float = 0.8
    """So many of the best are ordered anew by how close the message's words stand in them."""
    alike: float = 0.2
    pieces: float = 1.0
    """Of these, what comes so near to the best answer of a question is read piece by piece of a word."""
    best: int = 20
    around: float = 0.2
    """Behind so many of the best a turn beside one of them has this share of its score more."""
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
    rerank_most: int = 30
    rerank_weight: float = 0.5
    rerank_deadline: float = 1.5
    relevance_floor: float = 0.30
    max_inject_tokens: int = 1200
    episode_strategy: Strategy = "quote_key_parts"
    off: frozenset[str] = frozenset()
    """Left out, for ablations: a route's name or one of `STEPS`."""
    word_weights: WordWeights = _SECTION.words
    weights: Weights = _SECTION.weights
    time_weights: TimeWeights = _SECTION.times
    quotas: Quotas = _SECTION.quotas
    quotas_past: Quotas = _SECTION.quotas_past
    caps: Mapping[Mode, Diversity] = field(default_factory=lambda: _caps(_SECTION))
    deadlines: Mapping[str, float] = field(
        default_factory=lambda: MappingProxyType(
            {
                "recent": 0.25, "words": 0.60, "replies": 0.20, "tastes": 0.25, "threads": 0.35,
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

    def seats(self, mode: Mode) -> Mapping[str, float]:
        """Shares by seat; asking about a period and about the past in general share alike."""
        chosen = self.quotas if mode is Mode.ASSOCIATIVE_RECENT else self.quotas_past
        return {name: share for name, share in chosen.model_dump().items() if share > 0}


def config_of(section: Section) -> RecallConfig:
    """What the settings file says."""
    return RecallConfig(
        candidates=section.candidates,
        selected=section.selected,
        select_deadline=section.select_deadline_seconds,
        embedding_deadline=section.embedding_deadline_seconds,
        episode_strategy=section.episode_strategy,
        rerank_most=section.rerank.candidates,
        rerank_weight=section.rerank.weight,
        rerank_deadline=section.rerank.deadline_seconds,
        relevance_floor=section.relevance_floor,
        word_weights=section.words,
        weights=section.weights,
        time_weights=section.times,
        quotas=section.quotas,
        quotas_past=section.quotas_past,
        caps=_caps(section),
    )
