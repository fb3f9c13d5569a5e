"""Reads what a MemoryPack may hold: facts, narrative, relationships, open loops, episodes."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import tzinfo

from cocoro_ghost.clock import local_iso, offset_iso
from cocoro_ghost.model.affect import Affect
from cocoro_ghost.model.event import ClientContext, EntityType, Event
from cocoro_ghost.model.pack import Episode, Line, PackMaterial, Strategy
from cocoro_ghost.model.preference import Polarity, PreferenceStatus
from cocoro_ghost.model.retrieval import Candidate, Selected
from cocoro_ghost.model.scene import Language, Mood, Persona, Recalled
from cocoro_ghost.model.state import ScopeType, State, StateKind
from cocoro_ghost.store import affects, candidates, events, preferences, states
from cocoro_ghost.store.entities import EntityKey
from cocoro_ghost.store.ports import Reader

BOND_KEY = "rolling:7d"
RECENCY_DAYS = 30.0
MAX_FACTS, MAX_LOOPS, MAX_PERSONS, MAX_PREFERENCES, MAX_TOPICS = 24, 8, 5, 40, 3
MAX_TASKS = 24
_STATES_A_NAME, _FACTS_A_NAME = 20, 5
_DAY = 86_400
_LIKES = {
    (Language.JA, Polarity.LIKE): "好き: {}", (Language.JA, Polarity.DISLIKE): "苦手: {}",
    (Language.EN, Polarity.LIKE): "likes {}", (Language.EN, Polarity.DISLIKE): "dislikes {}",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Moment:
    """When and to whom the ghost is about to speak."""

    now: int
    zone: tzinfo | None
    language: Language
    last_chat: str = ""
    """Time since the last chat, in words."""
    context: ClientContext | None = None
    mood: Mood | None = None
    persona: Persona | None = None


@dataclass(frozen=True, slots=True)
class Chosen:
    """Selected memories with their bodies."""

    recalled: tuple[Recalled, ...]
    episodes: tuple[Episode, ...]
    states: tuple[State, ...]
    threads: tuple[str, ...] = ()


def fact_worth(state: State, now: int) -> float:
    """0.45 confidence + 0.25 salience + 0.20 recency + 0.10 pin."""
    return (
        0.45 * state.confidence
        + 0.25 * state.salience
        + 0.20 * recency(state.last_confirmed_at, now)
        + 0.10 * float(state.pin)
    )


def recency(ts: int, now: int) -> float:
    return math.exp(-max(0, now - ts) / (RECENCY_DAYS * _DAY))


def read_chosen(
    reader: Reader, chosen: Sequence[Selected], known: Mapping[object, Candidate], moment: Moment
) -> Chosen:
    """The bodies of what was selected, in the order of selection."""
    ids = {
        kind: [one.ref.id for one in chosen if one.ref.kind == kind] for kind in ("event", "state", "affect")
    }
    felt = affects.by_ids(reader, ids["affect"])
    found = events.by_ids(reader, [*ids["event"], *(one.event_id for one in felt.values())])
    held = states.by_ids(reader, ids["state"])
    short = events.fresh_summaries(reader, found)
    recalled: list[Recalled] = []
    episodes: list[Episode] = []
    for one in chosen:
        relevance = known[one.ref].relevance if one.ref in known else 0.0
        if one.ref.kind == "state" and one.ref.id in held:
            recalled.append(_recalled_state(held[one.ref.id], one, moment.now))
        elif one.ref.kind == "event" and one.ref.id in found:
            event = found[one.ref.id]
            recalled.append(_recalled_event(event, one))
            episodes.append(_episode(event, one, relevance, short.get(event.event_id, ""), moment))
        elif one.ref.kind == "affect" and one.ref.id in felt:
            recalled.append(_recalled_affect(felt[one.ref.id], one))
    return Chosen(tuple(recalled), tuple(episodes), tuple(held.values()), _threads(chosen, known))


def _threads(chosen: Sequence[Selected], known: Mapping[object, Candidate]) -> tuple[str, ...]:
    """Of all that was chosen, each once, the best first."""
    candidates = (known[one.ref] for one in chosen if one.ref in known)
    return tuple(dict.fromkeys(key for one in candidates for key in one.facts.threads))


def read_material(
    reader: Reader, chosen: Chosen, named: Sequence[EntityKey], moment: Moment, strategy: Strategy
) -> PackMaterial:
    """Everything the pack may hold, best first in each section."""
    persona = moment.persona
    by_name = candidates.states_named_all(reader, named, moment.now, _STATES_A_NAME)
    of_names = [[state_id for state_id, _ in by_name[key]] for key in named]
    return PackMaterial(
        language=moment.language,
        capsule=_capsule(moment),
        facts=tuple(_facts(reader, chosen, of_names, moment)),
        narrative=tuple(_narrative(reader, named, chosen.threads[:MAX_TOPICS])),
        relationships=tuple(_relationships(reader, named)),
        loops=tuple(_loops(reader, of_names, moment)),
        episodes=chosen.episodes,
        strategy=strategy,
        persona_name=persona.name if persona else "",
        second_person=persona.second_person if persona else "",
    )


def _capsule(moment: Moment) -> tuple[str, ...]:
    lines = [f"now_local: {local_iso(moment.now, moment.zone)}"]
    if moment.last_chat:
        lines.append(f"last_chat: {moment.last_chat}")
    if moment.context is not None:
        said = {name: value for name, value in asdict(moment.context).items() if value}
        if said:
            lines.append(f"client_context: {json.dumps(said, ensure_ascii=False)}")
    if moment.mood is not None:
        mood = {name: round(value, 2) for name, value in moment.mood.total.as_dict().items()}
        said = {"text": " ".join(moment.mood.text.split())[:200], **mood}
        lines.append(f"persona_mood_state: {json.dumps(said, ensure_ascii=False)}")
    return tuple(lines)


def _facts(reader: Reader, chosen: Chosen, of_names: Sequence[list[int]], moment: Moment) -> list[Line]:
    kinds = (StateKind.FACT, StateKind.RELATION)
    ids = [state_id for newest in of_names for state_id in newest[:_FACTS_A_NAME]]
    known = {state.state_id: state for state in (*states.by_ids(reader, ids).values(), *chosen.states)}
    holding = [
        state
        for state in known.values()
        if state.kind in kinds and state.searchable and state.active_at(moment.now)
    ]
    lines = [Line(state.body_text, fact_worth(state, moment.now)) for state in holding]
    for one in preferences.with_status(reader, PreferenceStatus.CONFIRMED, limit=MAX_PREFERENCES):
        worth = 0.45 * one.confidence + 0.25 * 0.6 + 0.20 * recency(one.last_seen_at, moment.now)
        lines.append(Line(_LIKES[moment.language, one.polarity].format(one.subject), worth))
    return sorted(lines, key=lambda line: -line.score)[:MAX_FACTS]


def _narrative(reader: Reader, named: Sequence[EntityKey], threads: Sequence[str]) -> list[Line]:
    """The bond first, then the persons and topics that are spoken of."""
    bond = states.summary_of_scope(reader, ScopeType.BOND, BOND_KEY)
    found = [bond] if bond is not None else []
    persons = [(ScopeType.PERSON, key.norm) for key in named if key.type is EntityType.PERSON]
    topics = [(ScopeType.TOPIC, key) for key in [*threads, *(key.norm for key in named)]]
    found += states.summaries_of_scopes(reader, [*persons, *topics]).values()
    return [Line(state.body_text) for state in found if state.searchable and state.body_text]


def _relationships(reader: Reader, named: Sequence[EntityKey]) -> list[Line]:
    lines: list[Line] = []
    persons = [(ScopeType.PERSON, key.norm) for key in named if key.type is EntityType.PERSON]
    for (_, norm), summary in states.summaries_of_scopes(reader, persons).items():
        score = summary.payload.get("favorability_score")
        if isinstance(score, int | float):
            lines.append(Line(f"{norm}: favorability_score={score:.2f}"))
    return lines[:MAX_PERSONS]


def _loops(reader: Reader, of_names: Sequence[list[int]], moment: Moment) -> list[Line]:
    """Open tasks: those of the named first, then by when they are due."""
    mine = {state_id for newest in of_names for state_id in newest}
    tasks = [
        state
        for state in candidates.open_tasks(reader, moment.now, MAX_TASKS)
        if not state.payload.get("done_at") and not _expired(state, moment.now)
    ]
    tasks.sort(key=lambda state: (state.state_id not in mine, _due(state), -state.last_confirmed_at))
    return [Line(_task_words(state, moment)) for state in tasks[:MAX_LOOPS]]


def _task_words(state: State, moment: Moment) -> str:
    due = state.payload.get("due_ts")
    return (
        f"{state.body_text} (due {local_iso(due, moment.zone)})" if isinstance(due, int) else state.body_text
    )


def _due(state: State) -> int:
    due = state.payload.get("due_ts")
    return due if isinstance(due, int) else 1 << 60


def _expired(state: State, now: int) -> bool:
    expires = state.payload.get("expires_ts")
    return isinstance(expires, int) and expires <= now


def _recalled_state(state: State, one: Selected, now: int) -> Recalled:
    return Recalled(
        ref=str(one.ref),
        kind=state.kind.value,
        text=state.body_text,
        reply_text="",
        said_at=state.last_confirmed_at,
        happened_at=state.valid_from_ts,
        score=one.score,
        reason=one.reason,
        closed=not state.active_at(now),
    )


def _recalled_affect(affect: Affect, one: Selected) -> Recalled:
    return Recalled(
        str(one.ref), "event_affect", affect.text, "", affect.created_at, None, one.score, one.reason
    )


def _recalled_event(event: Event, one: Selected) -> Recalled:
    seen = " ".join(filter(None, event.image_summaries or ()))
    return Recalled(
        ref=str(one.ref),
        kind="event",
        text=event.user_text or seen,
        reply_text=event.assistant_text or "",
        said_at=event.created_at,
        happened_at=event.about.start_ts,
        score=one.score,
        reason=one.reason,
    )


def _episode(event: Event, one: Selected, relevance: float, summary: str, moment: Moment) -> Episode:
    # What a mind chose matters, whatever the measure says.
    chosen_by_mind = bool(one.snippet)
    seen = " ".join(filter(None, event.image_summaries or ()))
    return Episode(
        when=offset_iso(event.created_at, moment.zone),
        user_text=event.user_text or seen,
        reply_text=event.assistant_text or "",
        reason=one.reason,
        score=one.score,
        relevance=max(relevance, 0.6) if chosen_by_mind else relevance,
        reply_summary=summary,
        speaker=event.speaker or "",
    )
