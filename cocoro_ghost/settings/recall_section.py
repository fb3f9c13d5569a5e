"""`[recall]` of the config file: how much is remembered before a reply, and the numbers it is weighed by."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from cocoro_ghost.settings.section import Section

Share = Annotated[float, Field(ge=0, le=1)]
Weight = Annotated[float, Field(ge=0, le=10)]


class WordWeights(Section):
    """BM25 over a turn and its neighbours; fitted on locomo_dev, one conversation left out at a time."""

    k1: Weight = 1.2
    b: Share = 0.5
    beside: Share = 0.3
    two_away: Share = 0.1
    plain_turn: Annotated[int, Field(ge=1)] = 60
    """Turns up to this many words count their neighbours in full, longer ones less and less."""
    name: Share = 0.5
    lone: Share = 0.5
    """A single character that stands for a word, beside pairs of characters."""
    related: Share = 0.4
    related_terms: Annotated[int, Field(ge=0, le=100)] = 12
    related_asked: Annotated[int, Field(ge=0, le=2000)] = 400
    """Related words that one message looks up, shared by its terms."""
    most_terms: Annotated[int, Field(ge=1, le=500)] = 64
    """Terms of one message that are looked up; a longer one is asked by those most likely to be rare."""
    other_side: Share = 0.8
    """Words of the one a question does not name, beside those of the one it does."""


class Weights(Section):
    """How routes count together."""

    words: Weight = 1.0
    words_at_least: Share = 0.02
    words_full_at: Annotated[float, Field(gt=0, le=1)] = 0.4
    """Words count in full once the best turn holds this share of the message, little where none does."""
    words_most: Weight = 1.5
    """… and more than in full, up to this, where it holds nearly all of it."""
    meaning: Weight = 0.5
    time: Weight = 1.0
    beside: Share = 0.5
    """How far a turn's cosine is lifted towards its nearer neighbour's."""
    recency: Weight = 0.2
    """Only in associative_recent: a message that tells something is about what goes on."""
    recency_asked: Weight = 0.05
    """… and for a message that only asks, which may mean any time."""
    recency_days: Annotated[float, Field(gt=0)] = 30.0
    ongoing: Weight = 1.0
    """Taken off the turns of the present talk, which stand before the mind anyway; not when it only asks."""
    only_asked: Share = 0.5
    """What is left to a turn that only asked, and …"""
    unanswered: Share = 0.1
    """… to one that was answered by not knowing."""
    tastes: Weight = 0.6
    """For a turn in which a taste was told, when tastes are asked for."""
    context: Weight = 0.06
    state: Weight = 0.10
    pin: Weight = 0.05


class TimeWeights(Section):
    """What counts as being of the asked period."""

    days_before: Annotated[float, Field(gt=0)] = 3.0
    days_after: Annotated[float, Field(gt=0)] = 7.0
    said_only: Share = 0.85
    said_but_about_else: Share = 0.25
    sure: Share = 0.5


class Quotas(Section):
    """Shares of the candidates' seats by what found them; free seats go to the best of the rest."""

    state: Share = 0.20
    several: Share = 0.40
    about_time: Share = 0.0
    meaning: Share = 0.15
    context: Share = 0.10
    words: Share = 0.05
    entities: Share = 0.05
    exploration: Share = 0.05
    affect: Share = 0.05


class Caps(Section):
    """The largest share that one bucket may take, of the candidates and of what is selected."""

    per_type: Share = 0.8
    per_state_kind: Share = 0.15
    per_life_stage: Share = 0.4
    per_year: Share = 0.6
    per_thread: Share = 0.5


class Rerank(Section):
    """A second look by a cross-encoder of one's own; off while there is no url."""

    url: str = ""
    """Of the endpoint itself, such as http://127.0.0.1:8080/v1/rerank (llama.cpp, Jina, Cohere, TEI)."""
    model: str = ""
    api_key: str = ""
    """Better given as COCORO_GHOST_RECALL__RERANK__API_KEY than written here."""
    candidates: Annotated[int, Field(ge=2, le=200)] = 30
    weight: Weight = 0.5
    deadline_seconds: Annotated[float, Field(gt=0, le=30)] = 1.5
    """Later than this, the order stands as it was."""


class Recall(Section):
    """How much is remembered before each reply."""

    candidates: Annotated[int, Field(ge=10, le=500)] = 60
    selected: Annotated[int, Field(ge=1, le=50)] = 12
    select_deadline_seconds: Annotated[float, Field(gt=0, le=60)] = 8.0
    embedding_deadline_seconds: Annotated[float, Field(gt=0, le=30)] = 2.0
    episode_strategy: Literal["quote_key_parts", "summarize", "full"] = "quote_key_parts"
    relevance_floor: Share = 0.30
    """What answers less than this is not selected."""
    weights: Weights = Weights()
    words: WordWeights = WordWeights()
    times: TimeWeights = TimeWeights()
    quotas: Quotas = Quotas()
    quotas_past: Quotas = Quotas(several=0.30, about_time=0.20, meaning=0.10, context=0.05, entities=0.0)
    """For a question about a period or about the past in general."""
    caps: Caps = Caps()
    caps_period: Caps = Caps(per_life_stage=0.6, per_thread=0.4)
    caps_past: Caps = Caps(per_year=0.4, per_thread=0.3)
    rerank: Rerank = Rerank()
