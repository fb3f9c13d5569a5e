"""Shared by the tests of growing: a memory whose mind answers each turn with the plan given for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.mind.client import PlanRequest
from cocoro_ghost.model.material import WriteMaterial
from cocoro_ghost.model.preference import Preference
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import State, StateKind
from cocoro_ghost.store import preferences, revisions, states
from cocoro_ghost.testing import ScriptedMind
from cocoro_ghost.testing.growth import GrowingMemory, growing_memory

DAY = 86_400
GROWN = ("state", "event_links", "event_threads", "event_affects", "user_preferences", "state_links")


@dataclass(slots=True)
class Life:
    """One ghost's memory, told turn by turn."""

    g: GrowingMemory
    plans: dict[int, Any] = field(default_factory=dict)

    def tell(self, text: str | None, plan: Any = None, reply: str | None = "うん。", **more: Any) -> int:
        """One turn that teaches `plan`; returns the event's id."""
        event_id = self.hear(text, plan, reply, **more)
        self.g.work()
        return event_id

    def hear(self, text: str | None, plan: Any = None, reply: str | None = "うん。", **more: Any) -> int:
        """As `tell`, but nothing is learned until `g.work()`."""
        event_id = self.g.hear(text, reply, **more)
        self.plans[event_id] = {} if plan is None else plan
        return event_id

    def states(self, kind: StateKind | None = None, *, closed: bool = False) -> list[State]:
        """Active states (or the closed ones), oldest first; the long mood only when asked for."""
        now = self.g.clock.domain_now()
        found = [states.from_row(row) for row in self.g.read(lambda r: r.rows("SELECT * FROM state"))]
        wanted = [s for s in found if s.kind is kind or (kind is None and s.kind is not StateKind.LONG_MOOD)]
        return [s for s in wanted if (s.valid_to_ts is not None and s.valid_to_ts <= now) is closed]

    def bodies(self, kind: StateKind | None = None, *, closed: bool = False) -> list[str]:
        return [state.body_text for state in self.states(kind, closed=closed)]

    def preference(self, subject: str, polarity: str = "like") -> Preference | None:
        found = self.g.read(lambda r: preferences.about_subject(r, subject))
        return next((p for p in found if p.polarity == polarity), None)

    def dropped(self, event_id: int) -> str:
        query = "SELECT dropped_json FROM write_plans WHERE event_id = :event_id"
        rows = self.g.read(lambda r: r.rows(query, {"event_id": event_id}))
        return " ".join(row["dropped_json"] for row in rows)

    def dead_jobs(self) -> list[Any]:
        query = "SELECT kind, last_error FROM jobs WHERE status IN ('dead', 'quarantined')"
        return self.g.read(lambda r: r.rows(query))

    def snapshot(self) -> dict[str, list[dict[str, Any]]]:
        """Everything grown, for comparing before and after."""

        def read(reader: Any) -> dict[str, list[dict[str, Any]]]:
            found = {table: reader.rows(f"SELECT * FROM {table} ORDER BY 1") for table in GROWN}
            for table in ("event_entities", "state_entities"):
                columns = "entity_type_norm, entity_name_norm, " + table.removesuffix("_entities") + "_id"
                found[table] = reader.rows(f"SELECT {columns} FROM {table} ORDER BY 3, 1, 2")
            return found

        return self.g.read(read)


@contextmanager
def a_life(language: Language = Language.JA, clock: FrozenClock | None = None) -> Iterator[Life]:
    mind = ScriptedMind()
    with growing_memory(mind, language=language, clock=clock) as g:
        life = Life(g)

        def plan(request: PlanRequest) -> Any:
            assert isinstance(request.material, WriteMaterial)
            return life.plans.get(request.material.event.event_id, {})

        mind.answers["write_plan"] = plan
        yield life


def replays_to_current(life: Life) -> list[str]:
    """Entities whose newest revision is not what stands in the table."""

    def read(reader: Any) -> list[str]:
        wrong: list[str] = []
        query = "SELECT entity_type, entity_id, max(revision_id) AS r FROM revisions GROUP BY 1, 2"
        for row in reader.rows(query):
            after = revisions.get(reader, row["r"]).after
            if revisions.current(reader, row["entity_type"], row["entity_id"]) != after:
                wrong.append(f"{row['entity_type']} {row['entity_id']}")
        known = {(row["entity_type"], row["entity_id"]) for row in reader.rows(query)}
        for table in GROWN:
            key = revisions.KEY_COLUMN[table]
            for row in reader.rows(f"SELECT {key} AS i FROM {table}"):
                wrong += [] if (table, row["i"]) in known else [f"{table} {row['i']} has no revision"]
        return wrong

    return life.g.read(read)


def fact(body: str, **more: Any) -> dict[str, Any]:
    return {"kind": "fact", "op": "upsert", "body_text": body, "reason": "そう聞いた", **more}


def lives(place: str, **more: Any) -> dict[str, Any]:
    payload = {"slot": "residence", "value": place}
    return {"state_updates": [fact(f"あなたは{place}に住んでいる", payload=payload, **more)]}


def likes(subject: str, op: str = "confirm", polarity: str = "like", domain: str = "food") -> dict[str, Any]:
    return {"preference_updates": [{"op": op, "domain": domain, "polarity": polarity, "subject": subject}]}


def feels(
    v: float, confidence: float = 0.9, text: str = "話を聞いて、胸の奥がじんわりと温かくなった。"
) -> dict[str, Any]:
    return {
        "event_affect": {
            "moment_affect_text": text,
            "moment_affect_labels": ["気持ち"],
            "moment_affect_score_vad": {"v": v, "a": v / 2, "d": 0.0},
            "moment_affect_confidence": confidence,
        }
    }


def all_near(request: PlanRequest) -> dict[str, Any]:
    """An answer that links everything to everything near."""
    groups = request.material.groups  # type: ignore[union-attr]
    made = {"label": "relates_to", "confidence": 0.9}
    pairs = [(near.state.state_id, other.state_id) for near in groups for other in near.neighbours]
    return {"links": [{"from_state_id": one, "to_state_id": other, **made} for one, other in pairs]}
