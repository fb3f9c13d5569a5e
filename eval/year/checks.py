"""What must hold after each session: current, past, assertable, fading, evidence."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from cocoro_ghost.language.fold import fold, fold_key
from eval.year.story import Expect, Session


@dataclass(frozen=True, slots=True)
class Checked:
    session: str
    what: str
    ok: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class Expected:
    """Everything that must hold by now."""

    slots: dict[str, str] = field(default_factory=dict)
    past: tuple[str, ...] = ()
    likes: dict[str, str | None] = field(default_factory=dict)
    tasks: dict[str, bool] = field(default_factory=dict)

    def with_(self, news: Expect) -> Expected:
        return Expected(
            self.slots | dict(news.slots),
            (*self.past, *news.past),
            self.likes | dict(news.likes),
            self.tasks | dict(news.open_tasks),
        )


@dataclass(frozen=True, slots=True)
class Look:
    """The memory as the API shows it at one moment."""

    now: int
    states: list[dict[str, Any]]
    preferences: list[dict[str, Any]]
    mood: dict[str, Any]
    stats: dict[str, Any]

    def active(self) -> list[dict[str, Any]]:
        return [state for state in self.states if state["active"] and state["kind"] != "long_mood_state"]

    def counts(self, day: int, title: str) -> dict[str, Any]:
        kinds = Counter(state["kind"] for state in self.active())
        confirmed = sum(p["status"] == "confirmed" for p in self.preferences)
        closed = sum(not state["active"] for state in self.states)
        return {"day": day, "session": title, "closed": closed, "confirmed": confirmed, **kinds}


def check_session(
    session: Session,
    number: int,
    expected: Expected,
    look: Look,
    events: list[dict[str, Any]],
    shock_before_gap: float | None,
    shock_after_gap: float | None,
) -> list[Checked]:
    """All checks after one session."""
    name = f"{number + 1:02d} {session.title}"
    found = [
        *_current(name, expected, look),
        *_past(name, expected, look),
        *_assertable(name, expected, look),
    ]
    found += [*_tasks(name, expected, look), *_evidence(name, look), *_bounds(name, look)]
    if shock_before_gap is not None and shock_after_gap is not None and number > 0:
        ok = shock_after_gap <= shock_before_gap + 1e-9 and shock_after_gap < 0.1
        found.append(
            Checked(name, "the shock has faded since the last session", ok, f"{shock_after_gap:.4f}")
        )
    if session.mood is not None:
        found.append(_felt(name, session, events))
    if session.denial:
        found.append(_denied(name, look, events))
    return found


def _current(name: str, expected: Expected, look: Look) -> list[Checked]:
    found: list[Checked] = []
    for slot, value in expected.slots.items():
        held = [s for s in look.active() if s["payload"].get("slot") == slot and s["origin"] == "user"]
        values = [str(s["payload"].get("value", s["body_text"])) for s in held]
        ok = len(values) == 1 and fold_key(value) in fold_key(values[0])
        found.append(Checked(name, f"current {slot} is {value}, and only that", ok, ", ".join(values)))
    return found


def _past(name: str, expected: Expected, look: Look) -> list[Checked]:
    found: list[Checked] = []
    for value in expected.past:
        key = fold_key(value)
        closed = [s for s in look.states if not s["active"] and key in fold_key(s["body_text"])]
        current = [s for s in look.active() if key == fold_key(str(s["payload"].get("value", "")))]
        ends = all(s["valid_to_ts"] >= (s["valid_from_ts"] or 0) for s in closed)
        ok = bool(closed) and not current and ends
        found.append(Checked(name, f"{value} is past, not gone", ok, f"{len(closed)} closed"))
    return found


def _assertable(name: str, expected: Expected, look: Look) -> list[Checked]:
    found: list[Checked] = []
    for subject, polarity in expected.likes.items():
        confirmed = [
            p["polarity"]
            for p in look.preferences
            if p["status"] == "confirmed" and fold_key(p["subject"]) == fold_key(subject)
        ]
        wanted = [] if polarity is None else [polarity]
        what = f"may assert: {subject} {polarity}" if polarity else f"may not assert {subject}"
        found.append(Checked(name, what, confirmed == wanted, str(confirmed)))
    return found


def _tasks(name: str, expected: Expected, look: Look) -> list[Checked]:
    found: list[Checked] = []
    for thing, is_open in expected.tasks.items():
        held = [s for s in look.active() if s["kind"] == "task" and fold(thing) in fold(s["body_text"])]
        expired = [s for s in held if s["payload"].get("expires_ts", look.now + 1) <= look.now]
        ok = bool(held) if is_open and not expired else not [s for s in held if s not in expired]
        if is_open and not held:
            closed = [s for s in look.states if fold(thing) in fold(s["body_text"]) and s["kind"] == "task"]
            ok = any(s["payload"].get("closed_because") == "expired" for s in closed)
        found.append(Checked(name, f"task {thing}: {'open or expired' if is_open else 'done'}", ok))
    return found


def _evidence(name: str, look: Look) -> list[Checked]:
    without = [s["body_text"] for s in look.states if not s["evidence_event_ids"]]
    bare = [p["subject"] for p in look.preferences if not p["evidence_event_ids"]]
    failed = look.stats["failed_count"]
    return [
        Checked(
            name, "every state and preference has evidence", not without and not bare, str(without + bare)
        ),
        Checked(name, "no job failed", failed == 0, str(failed)),
    ]


def _bounds(name: str, look: Look) -> list[Checked]:
    moods = [s for s in look.states if s["kind"] == "long_mood_state"]
    bodies = Counter((s["kind"], fold_key(s["body_text"])) for s in look.active())
    twins = [body for (_, body), count in bodies.items() if count > 1]
    return [
        Checked(name, "one long mood at most", len(moods) <= 1, str(len(moods))),
        Checked(name, "no twins among active states", not twins, str(twins)),
    ]


def _felt(name: str, session: Session, events: list[dict[str, Any]]) -> Checked:
    felt = [e["affect"]["vad"]["v"] for e in events if e.get("affect")]
    best = max(felt, key=abs, default=0.0)
    ok = best > 0 if session.mood == "up" else best < 0
    return Checked(name, f"the moment felt {session.mood}", ok, str([round(v, 2) for v in felt]))


def _denied(name: str, look: Look, events: list[dict[str, Any]]) -> Checked:
    """One memory used before the denial (an event and what it alone taught are one) → it is set apart."""
    selected = events[-2].get("selected", [])
    by_id = {state["state_id"]: state for state in look.states}
    told = {f"s{i}": frozenset(by_id[i]["evidence_event_ids"]) for i in by_id}
    roots = {told.get(ref, frozenset([int(ref[1:])])) for ref in selected}
    hidden = {f"s{i}" for i, state in by_id.items() if not state["searchable"]}
    if len(selected) == 1 or (len(roots) == 1 and len(next(iter(roots))) == 1):
        wanted = {ref for ref in selected if ref.startswith("s")}
        return Checked(name, "the one denied memory was set apart", wanted <= hidden, str(selected))
    return Checked(name, "denial after several memories sets nothing apart", not hidden, str(selected))
