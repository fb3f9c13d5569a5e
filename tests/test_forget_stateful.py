"""R12, stateful: lives of growing, tidying, forgetting and remembering, checked after every step."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from cocoro_ghost.grow.after_turn import NEXT_TIDY_KEY
from cocoro_ghost.grow.forget import forget_event, unforget
from cocoro_ghost.mind.client import PlanRequest
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.store import jobs, meta
from cocoro_ghost.store.undo import forgettings
from cocoro_ghost.testing import ScriptedMind
from tests.conftest import Figures
from tests.growing import GROWN, a_life, all_near, fact, feels, likes, lives, replays_to_current


class Living(RuleBasedStateMachine):
    """Hear, grow, tidy, forget, remember, wait; beside it a twin that never heard what was forgotten."""

    steps = 0

    @initialize()
    def begin(self) -> None:
        self.context = a_life()
        self.life = self.context.__enter__()
        self.told: list[tuple[int, int, str, dict[str, Any]]] = []
        self.forgotten: set[int] = set()
        # Tidying comes only by its own rule: "apply then forget" speaks of applying.
        self.life.g.write(lambda tx: meta.put(tx, NEXT_TIDY_KEY, "1000000"))
        mind = self.life.g.mind
        assert isinstance(mind, ScriptedMind)
        mind.answers["scope_summary"] = lambda r: {
            "scope_type": "bond",
            "scope_key": "",
            "body_text": f"私たちは{len(r.material.events)}回話した。",  # type: ignore[union-attr]
        }
        mind.answers["state_links"] = all_near
        mind.answers["tidy_plan"] = _merge_all

    @rule(place=st.sampled_from(["東京", "福岡", "札幌"]), v=st.sampled_from([-0.9, 0.0, 0.7]))
    def move(self, place: str, v: float) -> None:
        self._tell(f"{place}に住んでる", {**lives(place), **feels(v)})

    @rule(subject=st.sampled_from(["梅", "茶"]), polarity=st.sampled_from(["like", "dislike"]))
    def prefer(self, subject: str, polarity: str) -> None:
        word = "好き" if polarity == "like" else "嫌い"
        self._tell(f"{subject}が{word}", likes(subject, polarity=polarity))

    @rule(thing=st.sampled_from(["猫", "犬"]), thread=st.sampled_from(["動物", "家"]))
    def keep(self, thing: str, thread: str) -> None:
        updates = [
            fact(f"あなたは{thing}を飼っている"),
            {"kind": "task", "body_text": f"{thing}の世話をする"},
        ]
        self._tell(
            f"{thing}を飼って世話する",
            {"state_updates": updates, "context_updates": {"threads": [{"thread_key": thread}]}},
        )

    @rule(hours=st.integers(1, 200))
    def wait(self, hours: int) -> None:
        self.life.g.clock.tick(hours * 3600)

    @rule(data=st.data())
    def forget(self, data: st.DataObject) -> None:
        there = [event_id for event_id, *_ in self.told if event_id not in self.forgotten]
        if there:
            event_id = data.draw(st.sampled_from(there))
            self.life.g.write(lambda tx: forget_event(tx, event_id))
            self.forgotten.add(event_id)

    @rule()
    def remember(self) -> None:
        rows = [row for row in self.life.g.read(lambda r: forgettings(r)) if row.undone_at is None]
        newest = max((event_id for event_id, *_ in self.told), default=0)
        # Only the last act can be taken back exactly; later turns may rest on what was forgotten.
        if rows and rows[0].entity_id == newest:
            self.life.g.write(lambda tx: unforget(tx, rows[0].forgetting_id))
            self.forgotten.discard(newest)
            self.life.g.work()

    @rule()
    def tidy(self) -> None:
        self.tidied = True
        self.life.g.write(
            lambda tx: jobs.enqueue(tx, JobKind.TIDY_MEMORY, {"trigger": "test"}, key="tidy_memory")
        )
        self.life.g.work()

    @invariant()
    def revisions_replay_to_what_stands(self) -> None:
        Living.steps += 1
        if hasattr(self, "life"):
            assert replays_to_current(self.life) == []
            assert self.life.dead_jobs() == []

    @invariant()
    def nothing_rests_on_what_was_forgotten(self) -> None:
        if hasattr(self, "life"):
            for table in GROWN:
                for row in self.life.snapshot()[table]:
                    evidence = set(json.loads(row.get("evidence_json") or "[]"))
                    assert not evidence & self.forgotten, (table, row)

    @invariant()
    def one_home_and_one_mind_about_each_thing(self) -> None:
        if not hasattr(self, "life"):
            return
        homes = [s for s in self.life.states() if s.payload.get("slot") == "residence"]
        assert len(homes) <= 1
        confirmed = [
            r["subject_key"] for r in self.life.snapshot()["user_preferences"] if r["status"] == "confirmed"
        ]
        assert len(confirmed) == len(set(confirmed))

    def teardown(self) -> None:
        if not hasattr(self, "life"):
            return
        try:
            for event_id, *_ in self.told:
                self.life.g.write(lambda tx, i=event_id: forget_event(tx, i))  # type: ignore[misc]
            left = {table: rows for table, rows in self.life.snapshot().items() if rows}
            assert left == {}, "all forgotten: nothing is left"
        finally:
            self.context.__exit__(None, None, None)

    def _tell(self, text: str, plan: dict[str, Any]) -> None:
        before = self.life.snapshot()
        event_id = self.life.tell(text, plan)
        learned = self.life.snapshot()
        self.life.g.write(lambda tx: forget_event(tx, event_id))
        assert self.life.snapshot() == before, "apply then forget is before"
        (row, *_) = self.life.g.read(lambda r: forgettings(r, 1))
        self.life.g.write(lambda tx: unforget(tx, row.forgetting_id))
        self.life.g.work()
        assert self.life.snapshot() == learned, "and remembering brings it back"
        self.told.append((event_id, self.life.g.clock.now, text, plan))


def _merge_all(request: PlanRequest) -> dict[str, Any]:
    first, *rest = request.material.states  # type: ignore[union-attr]
    keep = {
        "kind": first.kind,
        "op": "upsert",
        "state_id": first.state_id,
        "body_text": first.body_text + "。",
    }
    closes = [{"kind": s.kind, "op": "close", "state_id": s.state_id} for s in rest]
    return {"state_updates": [keep, *closes]}


UNHURRIED = settings(
    stateful_step_count=14,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    # A database per try makes shrinking slow; the steps are printed anyway.
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    derandomize=True,
)


def test_a_life_of_growing_tidying_and_forgetting(figures: Figures) -> None:
    run_state_machine_as_test(Living, settings=settings(UNHURRIED, max_examples=20))
    checks = f"{Living.steps} stateful checks"
    figures("R12", f"{checks}: apply then forget = before, revisions replay, 0 mismatches")


@pytest.mark.nightly
def test_many_lives_of_growing_tidying_and_forgetting() -> None:
    run_state_machine_as_test(Living, settings=settings(UNHURRIED, max_examples=400))
