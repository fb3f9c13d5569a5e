"""Reads what a MemoryPack may hold: who someone is, facts, narrative, relationships, open loops, episodes."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import timedelta, tzinfo

from cocoro_ghost.clock import local, local_iso
from cocoro_ghost.language.mood_words import mood_words
from cocoro_ghost.model.event import EntityType, Origin
from cocoro_ghost.model.pack import Line, PackMaterial, Strategy
from cocoro_ghost.model.preference import Polarity, PreferenceStatus
from cocoro_ghost.model.scene import KnownPreference, Language
from cocoro_ghost.model.state import ScopeType, State, StateKind
from cocoro_ghost.recall.read_chosen import SOURCE_WORDS, Chosen, Moment
from cocoro_ghost.store import candidates, preferences, states
from cocoro_ghost.store.entities import EntityKey
from cocoro_ghost.store.ports import Reader

Summed = Mapping[tuple[ScopeType, str], State]
BOND_KEY = "rolling:7d"
RECENCY_DAYS = 30.0
MAX_PROFILE, MAX_FACTS, MAX_LOOPS, MAX_PERSONS, MAX_PREFERENCES, MAX_TOPICS = 16, 24, 8, 5, 40, 3
MAX_TASKS = 24
MAX_MONTHS = 4
KEPT_LOOPS = 3
"""So many of the next deadlines stay longer than any old quote."""
_STATES_A_NAME, _FACTS_A_NAME = 20, 5
_FACTUAL = (StateKind.FACT, StateKind.RELATION)
_DAY = 86_400
_OVERDUE = 14 * _DAY
_LIKES = {
    (Language.JA, Polarity.LIKE): "好き: {}", (Language.JA, Polarity.DISLIKE): "苦手: {}",
    (Language.EN, Polarity.LIKE): "likes {}", (Language.EN, Polarity.DISLIKE): "dislikes {}",
}  # fmt: skip
_PAST = {Language.JA: "{}まで: {}", Language.EN: "until {}: {}"}
_FUTURE = {Language.JA: "{}から: {}", Language.EN: "from {}: {}"}


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


def read_material(
    reader: Reader, chosen: Chosen, named: Sequence[EntityKey], moment: Moment, strategy: Strategy
) -> PackMaterial:
    """Everything the pack may hold, best first in each section."""
    persona = moment.persona
    by_name = candidates.states_named_all(reader, named, moment.now, _STATES_A_NAME)
    ids = [[state_id for state_id, _ in by_name[key]] for key in named]
    summed = _summed(reader, chosen, named, moment)
    facts = {state_id for newest in ids for state_id in newest[:_FACTS_A_NAME]}
    of_names = states.these_or_tasks(reader, [one for newest in ids for one in newest], facts)
    return PackMaterial(
        language=moment.language,
        capsule=_capsule(moment),
        facts=tuple(_facts(reader, chosen, [of_names[one] for one in facts if one in of_names], moment)),
        narrative=tuple(_narrative(summed, chosen, moment)),
        relationships=tuple(_relationships(summed)),
        loops=tuple(_loops(reader, chosen, of_names.values(), moment)),
        episodes=chosen.episodes,
        strategy=strategy,
        persona_name=persona.name if persona else "",
        second_person=persona.second_person if persona else "",
        asked=moment.asked,
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
        words = mood_words(moment.mood.total, moment.language)
        lines.append(f"persona_mood_state: {' '.join(moment.mood.text.split())[:200]} ({words})")
    return tuple(lines)


# -- facts --


def _facts(reader: Reader, chosen: Chosen, of_names: Sequence[State], moment: Moment) -> list[Line]:
    """Who someone is, then what was selected, then what is known of those who are named, then tastes."""
    found: dict[int, Line] = {}
    for state in _holding(states.profile(reader, MAX_PROFILE, moment.now), moment):
        keep = state.pin or bool(state.payload.get("slot"))
        found[state.state_id] = state_line(state, moment, fact_worth(state, moment.now), keep=keep)
    selected = [state for state in chosen.states if _is_fact(state, moment.now)]
    for place, state in enumerate(selected):
        line = state_line(state, moment, 2.0 - place / 100)
        found[state.state_id] = found.get(state.state_id, line)
    for state in _holding((one for one in of_names if one.kind in _FACTUAL), moment):
        found.setdefault(state.state_id, state_line(state, moment, fact_worth(state, moment.now)))
    first = {ref: line for ref, line in found.items() if line.keep or line.score > 1}
    others = [line for ref, line in found.items() if ref not in first] + _tastes(reader, moment)
    others.sort(key=lambda line: -line.score)
    return [*first.values(), *others[: MAX_FACTS + MAX_PREFERENCES]]


def _holding(held: Iterable[State], moment: Moment) -> list[State]:
    """What is so now and may be told."""
    return [state for state in held if _may_be_told(state) and state.active_at(moment.now)]


def _is_fact(state: State, now: int) -> bool:
    """What belongs among the facts: facts and relations of any time, and tasks that are over."""
    if state.kind is StateKind.TASK:
        return bool(state.payload.get("done_at")) or not state.active_at(now)
    return state.kind in _FACTUAL and _may_be_told(state)


def _may_be_told(state: State) -> bool:
    return state.searchable and bool(state.body_text)


def state_line(state: State, moment: Moment, score: float, *, keep: bool = False) -> Line:
    """A state in words: with its source where that is not the person, as past where it is over."""
    past = not state.active_at(moment.now)
    text = state.body_text
    if past and state.valid_to_ts is not None and state.valid_to_ts <= moment.now:
        text = _PAST[moment.language].format(_month(state.valid_to_ts, moment), text)
    elif past and state.valid_from_ts is not None:
        text = _FUTURE[moment.language].format(_month(state.valid_from_ts, moment), text)
    source = "" if state.origin == Origin.USER.value else SOURCE_WORDS[moment.language].get(state.origin, "")
    said = local_iso(state.last_confirmed_at, moment.zone)[:10]
    text = f"{text} ({', '.join(filter(None, (said, source)))})"
    return Line(text, score, f"s{state.state_id}", state.body_text, past=past, keep=keep)


def _tastes(reader: Reader, moment: Moment) -> list[Line]:
    """Confirmed ones only: a candidate is no ground to assert anything."""
    lines = []
    for one in preferences.with_status(reader, PreferenceStatus.CONFIRMED, limit=MAX_PREFERENCES):
        worth = 0.45 * one.confidence + 0.25 * 0.6 + 0.20 * recency(one.last_seen_at, moment.now)
        text = _LIKES[moment.language, one.polarity].format(one.subject)
        known = KnownPreference(one.polarity, one.domain.value, one.subject)
        lines.append(Line(text, worth, f"p{one.preference_id}", text, preference=known))
    return lines


def _month(ts: int, moment: Moment) -> str:
    return local_iso(ts, moment.zone)[:7]


# -- narrative --


def _summed(reader: Reader, chosen: Chosen, named: Sequence[EntityKey], moment: Moment) -> Summed:
    """The summaries of the bond, the months, persons and topics that are spoken of, in one query."""
    persons = [(ScopeType.PERSON, key.norm) for key in named if key.type is EntityType.PERSON]
    topics = [(ScopeType.TOPIC, key) for key in [*chosen.threads[:MAX_TOPICS], *(key.norm for key in named)]]
    months = [(ScopeType.PERIOD, key) for key in months_within(moment.period, moment.zone)]
    return states.summaries_of_scopes(reader, [(ScopeType.BOND, BOND_KEY), *months, *persons, *topics])


def _narrative(summed: Summed, chosen: Chosen, moment: Moment) -> list[Line]:
    """The bond, the months, persons and topics that are spoken of, then other summaries that were chosen."""
    of_type: dict[ScopeType, list[State]] = {scope: [] for scope in ScopeType}
    for (scope, _), state in summed.items():
        of_type[scope].append(state)
    found = [bond for bond in of_type[ScopeType.BOND] if not _window_is_over(bond, moment.now)]
    found += _spread(of_type[ScopeType.PERIOD])
    found += [*of_type[ScopeType.PERSON], *of_type[ScopeType.TOPIC]]
    found += [state for state in chosen.states if state.kind is StateKind.SUMMARY]
    once = {state.state_id: state for state in found if _may_be_told(state)}
    return [_summary_line(state, moment) for state in once.values()]


def months_within(period: tuple[int, int] | None, zone: tzinfo | None) -> list[str]:
    """The months of which a period holds at least half, as summaries are keyed: a week names no month."""
    if period is None:
        return []
    first, last = (local(ts, zone).replace(tzinfo=None) for ts in period)
    found, start = [], first.replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    while start < last:
        end = (start + timedelta(days=32)).replace(day=1)
        if min(last, end) - max(first, start) >= (end - start) / 2:
            found.append(f"{start:%Y-%m}")
        start = end
    return found


def _spread(months: list[State]) -> list[State]:
    """Of more months than may be told an even choice: a year is not its last season."""
    if len(months) <= MAX_MONTHS:
        return months
    return [months[at * (len(months) - 1) // (MAX_MONTHS - 1)] for at in range(MAX_MONTHS)]


def _window_is_over(state: State, now: int) -> bool:
    """Seven days that ended weeks ago are not how things stand."""
    scope = state.payload.get("scope") or {}
    rolling = re.fullmatch(r"rolling:(\d{1,3})d", str(scope.get("key", "")))
    return rolling is not None and now - state.last_confirmed_at > int(rolling[1]) * _DAY


def _summary_line(state: State, moment: Moment) -> Line:
    scope = state.payload.get("scope") or {}
    text = state.body_text
    if scope.get("type") == ScopeType.PERIOD.value:
        text = f"{scope.get('key')}: {text}"
    if not state.active_at(moment.now) and state.valid_to_ts is not None:
        text = _PAST[moment.language].format(_month(state.valid_to_ts, moment), text)
    past = _window_is_over(state, moment.now)
    if past:
        text = _PAST[moment.language].format(local_iso(state.last_confirmed_at, moment.zone)[:10], text)
    return Line(text, past=past, name=f"s{state.state_id}", body=state.body_text)


def _relationships(summed: Summed) -> list[Line]:
    lines: list[Line] = []
    for (scope, norm), summary in summed.items():
        score = summary.payload.get("favorability_score")
        if scope is ScopeType.PERSON and isinstance(score, int | float):
            lines.append(Line(f"{norm}: favorability_score={score:.2f}"))
    return lines[:MAX_PERSONS]


# -- open loops --


def _loops(reader: Reader, chosen: Chosen, of_names: Iterable[State], moment: Moment) -> list[Line]:
    """Open tasks: what was selected and what concerns the named first, then by when they are due."""
    first = {state.state_id for state in chosen.states} | {state.state_id for state in of_names}
    due = candidates.open_tasks(reader, moment.now, moment.now - _OVERDUE, MAX_TASKS)
    found = {state.state_id: state for state in (*chosen.states, *of_names, *due)}
    tasks = [state for state in found.values() if _is_open(state, moment.now)]
    tasks.sort(key=lambda state: (state.state_id not in first, _due(state), -state.last_confirmed_at))
    selected = {state.state_id for state in chosen.states}
    most = max(MAX_LOOPS, sum(state.state_id in selected for state in tasks))
    next_due = {state.state_id for state in sorted(tasks, key=_due)[:KEPT_LOOPS] if _due(state) < _NEVER}
    # What is kept stands before what may go: the last line goes first.
    shown = sorted(tasks[:most], key=lambda state: state.state_id not in next_due)
    return [
        Line(_task_words(state, moment), name=f"s{state.state_id}", body=state.body_text,
             keep=state.state_id in next_due)
        for state in shown
    ]  # fmt: skip


def _is_open(state: State, now: int) -> bool:
    return (
        state.kind is StateKind.TASK
        and _may_be_told(state)
        and state.active_at(now)
        and not state.payload.get("done_at")
        and not _expired(state, now)
    )


def _task_words(state: State, moment: Moment) -> str:
    due = state.payload.get("due_ts")
    return (
        f"{state.body_text} (due {local_iso(due, moment.zone)})" if isinstance(due, int) else state.body_text
    )


_NEVER = 1 << 60


def _due(state: State) -> int:
    due = state.payload.get("due_ts")
    return due if isinstance(due, int) else _NEVER


def _expired(state: State, now: int) -> bool:
    expires = state.payload.get("expires_ts")
    return isinstance(expires, int) and expires <= now
