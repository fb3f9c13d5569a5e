"""The bodies of what was selected, as data for a mind and as episodes for the pack; each with its origin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, tzinfo

from cocoro_ghost.clock import midnight, offset_iso
from cocoro_ghost.model.affect import Affect
from cocoro_ghost.model.event import AboutTime, ClientContext, Event, Origin
from cocoro_ghost.model.pack import Episode
from cocoro_ghost.model.retrieval import Candidate, Selected
from cocoro_ghost.model.scene import Language, Mood, Persona, Recalled
from cocoro_ghost.model.state import State
from cocoro_ghost.store import affects, events, states
from cocoro_ghost.store.ports import Reader

SOURCE_WORDS = {
    Language.JA: {
        "app": "通知より", "screen": "画面より", "import": "取り込んだ記録より", "ghost": "私の言葉",
        "feeling": "私の気持ち",
    },
    Language.EN: {
        "app": "from a notification", "screen": "seen on the screen", "import": "from imported records",
        "ghost": "my own words", "feeling": "how I felt",
    },
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Moment:
    """When and to whom the ghost is about to speak."""

    now: int
    zone: tzinfo | None
    language: Language
    asked: str = ""
    last_chat: str = ""
    """Time since the last chat, in words."""
    context: ClientContext | None = None
    mood: Mood | None = None
    persona: Persona | None = None
    period: tuple[int, int] | None = None
    """The period that is asked about, in UTC seconds."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Selected memories with their bodies."""

    recalled: tuple[Recalled, ...]
    episodes: tuple[Episode, ...]
    states: tuple[State, ...]
    threads: tuple[str, ...] = ()


def read_chosen(
    reader: Reader, chosen: Sequence[Selected], known: Mapping[object, Candidate], moment: Moment
) -> Chosen:
    """The bodies of what was selected, in the order of selection."""
    ids = {
        kind: [one.ref.id for one in chosen if one.ref.kind == kind] for kind in ("event", "state", "affect")
    }
    felt = affects.by_ids(reader, ids["affect"])
    found = events.by_ids(reader, ids["event"])
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
            recalled.append(_recalled_event(event, one, moment.zone))
            episodes.append(_episode(event, one, relevance, short.get(event.event_id, ""), moment))
        elif one.ref.kind == "affect" and one.ref.id in felt:
            recalled.append(_recalled_feeling(felt[one.ref.id], one))
            episodes.append(_feeling(felt[one.ref.id], one, relevance, moment))
    in_order = tuple(held[state_id] for state_id in ids["state"] if state_id in held)
    return Chosen(tuple(recalled), tuple(episodes), in_order, _threads(chosen, known))


def _threads(chosen: Sequence[Selected], known: Mapping[object, Candidate]) -> tuple[str, ...]:
    """Of all that was chosen, each once, the best first."""
    candidates = (known[one.ref] for one in chosen if one.ref in known)
    return tuple(dict.fromkeys(key for one in candidates for key in one.facts.threads))


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
        origin=state.origin,
        confidence=state.confidence,
    )


def _recalled_event(event: Event, one: Selected, zone: tzinfo | None) -> Recalled:
    return Recalled(
        ref=str(one.ref),
        kind="event",
        text=event.user_text or _seen(event),
        reply_text=event.assistant_text or "",
        said_at=event.created_at,
        happened_at=_happened_at(event.about, zone),
        score=one.score,
        reason=one.reason,
        origin=event.origin.value,
    )


def _happened_at(about: AboutTime, zone: tzinfo | None) -> int | None:
    """The first moment of it; of what is known by its year alone, that of the year."""
    if about.start_ts is not None or about.year_start is None:
        return about.start_ts
    return midnight(date(about.year_start, 1, 1), zone)


def _recalled_feeling(affect: Affect, one: Selected) -> Recalled:
    return Recalled(
        ref=str(one.ref),
        kind="event_affect",
        text=affect.text,
        reply_text="",
        said_at=affect.created_at,
        happened_at=None,
        score=one.score,
        reason=one.reason,
        origin=Origin.GHOST.value,
    )


def _episode(event: Event, one: Selected, relevance: float, summary: str, moment: Moment) -> Episode:
    words = SOURCE_WORDS[moment.language]
    # Whose words they are decides what may be told back as the person's own.
    source = words.get(event.origin.value, "") if event.origin is not Origin.USER else ""
    return Episode(
        when=offset_iso(event.created_at, moment.zone),
        user_text=event.user_text or _seen(event),
        reply_text=event.assistant_text or "",
        reason=one.reason,
        score=one.score,
        # What a mind chose matters, whatever the measure says.
        relevance=max(relevance, 0.6) if one.snippet else relevance,
        title=source,
        reply_summary=summary,
        speaker=event.speaker or source,
        snippet=one.snippet,
        name=str(one.ref),
    )


def _feeling(affect: Affect, one: Selected, relevance: float, moment: Moment) -> Episode:
    return Episode(
        when=offset_iso(affect.created_at, moment.zone),
        user_text="",
        reply_text=affect.text,
        reason=one.reason,
        score=one.score,
        relevance=max(relevance, 0.6) if one.snippet else relevance,
        title=SOURCE_WORDS[moment.language]["feeling"],
        name=str(one.ref),
    )


def _seen(event: Event) -> str:
    return " ".join(filter(None, event.image_summaries or ()))
