"""What is known of the person, in the order one would tell it; and what waits for their word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from cocoro_ghost.api.schemas.turns import AboutChange, AboutLine, AboutMeOut, AboutSection
from cocoro_ghost.model.preference import Preference, PreferenceStatus
from cocoro_ghost.model.revision import Revision
from cocoro_ghost.model.state import State, StateKind
from cocoro_ghost.store import browse, preferences, revisions, snapshots
from cocoro_ghost.store.ports import Reader

SectionName = Literal["self", "home", "work", "family", "pets", "health", "likes", "plans", "other"]
ORDER: tuple[SectionName, ...] = (
    "self", "home", "work", "family", "pets", "health", "likes", "plans", "other",
)  # fmt: skip
# A state says what it is about in its slot (single-valued) or in `about`; what says neither is "other".
_BY_TOPIC: dict[str, SectionName] = {
    **dict.fromkeys(
        ("name", "called", "age", "birth_date", "birthday", "blood_type", "height", "handedness"), "self"
    ),
    **dict.fromkeys(("residence", "hometown", "home", "moved"), "home"),
    **dict.fromkeys(("job", "occupation", "work", "employer", "school", "study"), "work"),
    **dict.fromkeys(("family", "partner", "marital", "child", "friend"), "family"),
    **dict.fromkeys(("pet", "pets"), "pets"),
    **dict.fromkeys(("allergy", "health", "illness", "diet"), "health"),
}
MOST_LINES = 500
OLD_SECONDS = 180 * 86_400
RECENT_SECONDS = 45 * 86_400
MOST_CHANGES = 12


def about_me(reader: Reader, now: int) -> AboutMeOut:
    """Everything that holds now, by section; likes only where the person said so."""
    lines: dict[SectionName, list[AboutLine]] = {name: [] for name in ORDER}
    wanted = browse.StateFilter(active_at=now, searchable=True)
    for state in browse.states(reader, wanted, MOST_LINES):
        if state.kind not in (StateKind.SUMMARY, StateKind.LONG_MOOD):
            lines[section_of(state)].append(_state_line(state, now))
    for liked in preferences.with_status(reader, PreferenceStatus.CONFIRMED, limit=MOST_LINES):
        lines["likes"].append(_preference_line(liked, now))
    sections = [AboutSection(name=name, lines=_in_order(lines[name])) for name in ORDER if lines[name]]
    return AboutMeOut(sections=sections, changes=_changes(reader, now))


def section_of(state: State) -> SectionName:
    if state.kind is StateKind.TASK:
        return "plans"
    for member in ("slot", "about"):
        topic = state.payload.get(member)
        if isinstance(topic, str) and topic in _BY_TOPIC:
            return _BY_TOPIC[topic]
    return "family" if state.kind is StateKind.RELATION else "other"


def old(state: State, now: int) -> bool:
    """Long not spoken of, and of a kind that changes: a plan has its own date, a name does not fade."""
    return (
        now - state.last_confirmed_at > OLD_SECONDS
        and state.kind in (StateKind.FACT, StateKind.RELATION)
        and section_of(state) != "self"
        and not state.pin
    )


def _state_line(state: State, now: int) -> AboutLine:
    due = state.payload.get("due_ts")
    return AboutLine(
        ref=f"s{state.state_id}",
        text=state.body_text,
        since=state.valid_from_ts,
        last_confirmed_at=state.last_confirmed_at,
        due_ts=due if isinstance(due, int) else None,
        pin=state.pin,
        evidence_event_ids=list(state.evidence_event_ids),
        ask=old(state, now),
    )


def _preference_line(liked: Preference, now: int) -> AboutLine:
    return AboutLine(
        ref=f"p{liked.preference_id}",
        text=liked.subject,
        polarity=liked.polarity.value,
        last_confirmed_at=liked.last_seen_at,
        evidence_event_ids=list(liked.evidence_event_ids),
        ask=now - liked.last_seen_at > OLD_SECONDS,
    )


def _in_order(lines: Iterable[AboutLine]) -> list[AboutLine]:
    return sorted(lines, key=lambda line: (not line.pin, line.due_ts or 0, -line.last_confirmed_at))


def _changes(reader: Reader, now: int) -> list[AboutChange]:
    """Facts that came to read differently, or ended, in the last weeks."""
    found: list[AboutChange] = []
    for revision in revisions.newest(reader, 300, entity_type="state"):
        if revision.created_at < now - RECENT_SECONDS or len(found) >= MOST_CHANGES:
            break
        change = _change(revision)
        if change is not None:
            found.append(change)
    return found


def _change(revision: Revision) -> AboutChange | None:
    before, after = revision.before, revision.after
    if before is None or after is None or snapshots.kind(before) not in ("fact", "relation"):
        return None
    ended = snapshots.has_ended(after) and not snapshots.has_ended(before)
    reworded = snapshots.text(before) != snapshots.text(after)
    if not ended and not reworded:
        return None
    return AboutChange(
        text=snapshots.text(after) or "",
        before=snapshots.text(before) if reworded else None,
        ended=ended,
        at=revision.created_at,
        state_id=revision.entity_id,
    )
