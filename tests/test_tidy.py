"""Tidying: triggers, exact and near duplicates, scoped summaries, links, threads, observation."""

from __future__ import annotations

from typing import Any

import pytest

from cocoro_ghost.errors import BadAnswer, Outage
from cocoro_ghost.grow.forget import forget_event
from cocoro_ghost.mind.client import PlanRequest
from cocoro_ghost.model.event import Origin, Source
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.material import TidyMaterial
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import ScopeType, State, StateDraft, StateKind
from cocoro_ghost.store import graph, jobs, meta, revisions, states
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.testing import ScriptedMind
from cocoro_ghost.tidy.grow_summaries import REST_AFTER_SECONDS
from cocoro_ghost.tidy.link_states import MAX_LINKS
from cocoro_ghost.work.deps import SUMMARIES_KEY
from tests.growing import DAY, Life, a_life, fact, feels
from tests.tidying import add, runs, tidy


def mind_of(life: Life) -> ScriptedMind:
    assert isinstance(life.g.mind, ScriptedMind)
    return life.g.mind


def ids(found: list[State]) -> list[int]:
    return [state.state_id for state in found]


def test_tidying_comes_after_ten_chat_turns_and_then_every_two_hundred() -> None:
    with a_life() as life:
        when: list[int] = []
        for turn in range(1, 431):
            life.g.hear("やあ")
            life.g.hear("通知", source=Source.NOTIFICATION, origin=Origin.APP)
            pending = life.g.read(lambda r: jobs.under_way(r, JobKind.TIDY_MEMORY))
            if pending:
                when.append(turn)
                life.g.write(lambda tx: tx.execute("UPDATE jobs SET status = 'done'") and None)
        assert when == [10, 210, 410]


def test_never_two_at_once_and_none_is_lost() -> None:
    with a_life() as life:
        for _ in range(215):
            life.g.hear("やあ")
        query = "SELECT count(*) AS n FROM jobs WHERE kind = 'tidy_memory'"
        assert life.g.read(lambda r: r.rows(query))[0]["n"] == 1
        life.g.write(lambda tx: tx.execute("UPDATE jobs SET status = 'done'") and None)
        life.g.hear("やあ")
        assert life.g.read(lambda r: jobs.under_way(r, JobKind.TIDY_MEMORY)), "due since turn 210"


def test_exact_duplicates_close_and_the_newest_confirmed_stays() -> None:
    with a_life() as life:
        life.tell("はじめ")
        now = life.g.clock.domain_now()
        old = add(life, "同じ文", last_confirmed_at=now - DAY)
        new = add(life, "同じ文", last_confirmed_at=now)
        other = add(life, "同じ文", payload={"x": 1})
        task = add(life, "同じ文", StateKind.TASK)
        closed = add(life, "同じ文", valid_to_ts=now - 5)
        counts = tidy(life)
        assert ids(life.states()) == [new, other, task]
        assert sorted(ids(life.states(closed=True))) == sorted([old, closed])
        assert (counts["exact_duplicates"], counts["closed"]) == (1, 1)
        assert counts["looked_at"] == {"fact": 3, "task": 1}
        revision = life.g.read(lambda r: revisions.of_entity(r, "state", old))[0]
        assert (revision.actor, revision.evidence_event_ids) == (Actor.TIDY, (1,))
        assert revision.reason == "duplicate"


def test_at_most_two_hundred_closes_a_run() -> None:
    with a_life() as life:
        life.tell("はじめ")

        def write(tx: Tx) -> None:
            with tx.because(Cause(Actor.IMPORT, "from before", (1,))):
                for _ in range(251):
                    states.create(tx, StateDraft(StateKind.FACT, "同じ文", evidence_event_ids=(1,)))

        life.g.write(write)
        assert tidy(life)["closed"] == 200
        assert len(life.states()) == 51
        assert tidy(life)["closed"] == 50
        assert len(life.states()) == 1


def merge_all(request: PlanRequest) -> dict[str, Any]:
    material = request.material
    assert isinstance(material, TidyMaterial)
    first, *rest = material.states
    keep = {
        "kind": first.kind,
        "op": "upsert",
        "state_id": first.state_id,
        "body_text": "あなたは毎朝コーヒーを飲む",
    }
    closes = [{"kind": s.kind, "op": "close", "state_id": s.state_id, "reason": "同じこと"} for s in rest]
    return {"state_updates": [keep, *closes]}


def test_near_duplicates_merge_into_one_with_all_evidence() -> None:
    with a_life() as life:
        mind_of(life).answers["tidy_plan"] = merge_all
        life.tell("コーヒー")
        life.tell("コーヒー2")
        now = life.g.clock.domain_now()
        one = add(life, "あなたは毎朝コーヒーを飲んでいる", last_confirmed_at=now - DAY, confidence=0.6)
        two = add(life, "あなたは毎朝コーヒーを飲んでいる。", confidence=0.9, evidence_event_ids=(2,))
        far = add(life, "妹の名前は美咲")
        life.g.work()
        counts = tidy(life)
        assert ids(life.states()) == [two, far]
        merged = next(s for s in life.states() if s.state_id != far)
        assert merged.body_text == "あなたは毎朝コーヒーを飲む"
        assert merged.evidence_event_ids == (1, 2)
        assert (merged.confidence, merged.last_confirmed_at) == (0.9, now)
        assert sorted(merged.payload["cluster"]) == [one, two]
        assert (counts["clusters"], counts["merged"]) == (1, 1)
        newest = life.g.read(lambda r: revisions.of_entity(r, "state", merged.state_id))[0]
        assert newest.reason == "同じこと"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ({"payload": {"slot": "pet", "value": "猫"}}, {"payload": {"slot": "pet", "value": "犬"}}),
        ({"origin": "app"}, {"origin": "user"}),
        ({"kind": StateKind.FACT}, {"kind": StateKind.TASK}),
    ],
)
def test_what_differs_is_not_even_proposed(left: dict[str, Any], right: dict[str, Any]) -> None:
    with a_life() as life:
        mind_of(life).answers["tidy_plan"] = merge_all
        life.tell("はじめ")
        add(life, "あなたは毎朝コーヒーを飲んでいる", **left)
        add(life, "あなたは毎朝コーヒーを飲んでいる。", **right)
        life.g.work()
        assert tidy(life)["clusters"] == 0
        assert len(life.states()) == 2


@pytest.mark.parametrize(
    "answer",
    [
        {"state_updates": [{"kind": "fact", "op": "close", "state_id": 4711}]},
        {"state_updates": [{"kind": "fact", "op": "close", "state_id": i} for i in (1, 2)]},
        {"state_updates": [{"kind": "task", "op": "close", "state_id": 1}]},
        {"state_updates": "nonsense"},
        BadAnswer("no JSON", raw="?"),
    ],
)
def test_a_bad_tidy_plan_changes_nothing_and_does_not_stop_the_run(answer: Any) -> None:
    with a_life() as life:
        mind_of(life).answers["tidy_plan"] = [answer]
        life.tell("はじめ")
        add(life, "あなたは毎朝コーヒーを飲んでいる")
        add(life, "あなたは毎朝コーヒーを飲んでいる。")
        life.g.work()
        counts = tidy(life)
        assert (counts["clusters"], counts["merged"]) == (1, 0)
        assert counts["dropped"] != []
        assert len(life.states()) == 2


def test_summaries_grow_by_update_one_per_scope() -> None:
    asked: list[tuple[str, str, int, bool]] = []

    def summarise(request: PlanRequest) -> dict[str, Any]:
        m: Any = request.material
        asked.append((m.scope_type.value, m.scope_key, len(m.events), m.previous is not None))
        return {
            "scope_type": "bond",
            "scope_key": "lie",
            "body_text": f"私は{m.scope_label}を{'また' * len(asked)}まとめた",
        }

    person = [{"type": "person", "name": "美咲さん", "confidence": 0.9}]
    plan = {
        "event_annotations": {"entities": person},
        "context_updates": {"threads": [{"thread_key": "引っ越し"}]},
        **feels(0.5),
    }
    with a_life() as life:
        mind_of(life).answers["scope_summary"] = summarise
        for _ in range(3):
            life.tell("美咲さんと引っ越しの話をした", plan)
        counts = tidy(life)
        assert sorted(asked) == [
            ("bond", "rolling:7d", 3, False),
            ("period", "2026-01", 3, False),
            ("person", "美咲", 3, False),
            ("topic", "引っ越し", 3, False),
        ]
        assert counts["summaries"] == 4
        before = life.states(StateKind.SUMMARY)
        friend = life.g.read(lambda r: states.summary_of_scope(r, ScopeType.PERSON, "美咲"))
        assert friend is not None
        assert friend.payload["favorability_score"] == 0.75
        assert [e.name for e in friend.entities] == ["美咲さん"]
        assert friend.evidence_event_ids == (1, 2, 3)
        asked.clear()
        assert tidy(life)["summaries"] == 0, "nothing new, nothing asked"
        assert asked == []
        for _ in range(3):
            life.tell("美咲さんと引っ越しの話の続き", plan)
        tidy(life)
        assert ids(life.states(StateKind.SUMMARY)) == ids(before), "grown, not multiplied"
        assert all(previous for *_, previous in asked)
        bond = life.g.read(lambda r: states.summary_of_scope(r, ScopeType.BOND, "rolling:7d"))
        assert bond is not None
        assert bond.payload["last_event_id"] == 6


def test_an_outage_in_the_middle_keeps_what_was_answered_and_comes_back_for_the_rest() -> None:
    answers: list[Any] = [
        {"scope_type": "bond", "scope_key": "", "body_text": "私たちは話した。"},
        Outage("503"),
    ]
    with a_life() as life:
        mind_of(life).answers["scope_summary"] = answers
        life.tell("やあ")
        assert tidy(life)["summaries"] == 1
        assert life.bodies(StateKind.SUMMARY) == ["私たちは話した。"]
        mind_of(life).answers["scope_summary"] = answers[:1]
        life.g.clock.tick(901)
        life.g.work()
        assert len(life.states(StateKind.SUMMARY)) == 2
        assert len(runs(life)) == 2


def test_an_outage_at_once_delays_the_run_whole() -> None:
    with a_life() as life:
        mind_of(life).answers["scope_summary"] = [Outage("503")]
        life.tell("やあ")
        life.g.write(lambda tx: jobs.enqueue(tx, JobKind.TIDY_MEMORY, {}, key="tidy_memory"))
        life.g.work()
        assert runs(life) == []
        (job,) = life.g.read(lambda r: jobs.listed(r, 1, kind=JobKind.TIDY_MEMORY))
        assert (job.status, job.attempts, job.snoozes) == ("pending", 0, 1)


def test_summaries_are_grown_from_chats_only() -> None:
    with a_life() as life:
        for _ in range(5):
            life.tell("広告の通知", source=Source.NOTIFICATION, origin=Origin.APP)
        tidy(life)
        assert [r for r in mind_of(life).requests if r.purpose == "scope_summary"] == []


def test_state_links_are_few_sure_and_only_to_what_was_near() -> None:
    def link_all(request: PlanRequest) -> dict[str, Any]:
        material: Any = request.material
        pairs = [
            (near.state.state_id, other.state_id) for near in material.groups for other in near.neighbours
        ]
        made = [
            {"from_state_id": one, "to_state_id": other, "label": label, "confidence": sure}
            for one, other in [*pairs, (pairs[0][0], 4711), (4711, pairs[0][1])]
            for label, sure in (("contradicts", 0.6), ("supports", 0.9))
        ]
        return {"links": made}

    with a_life() as life:
        mind_of(life).answers["state_links"] = link_all
        updates = [fact(f"あなたは毎朝コーヒーを{n}杯飲んでいる") for n in range(9)]
        life.tell("コーヒーを毎朝飲んでる", {"state_updates": updates})
        rows = life.snapshot()["state_links"]
        assert rows
        assert {row["label"] for row in rows} == {"supports"}
        outgoing = [row["from_state_id"] for row in rows]
        assert max(outgoing.count(i) for i in set(outgoing)) <= MAX_LINKS
        assert all(row["confidence"] >= 0.65 for row in rows)
        # Nine memories, two questions: the rules are not paid for once a memory.
        asked: list[Any] = [r.material for r in mind_of(life).requests if r.purpose == "state_links"]
        assert [len(material.groups) for material in asked] == [8, 1]


def test_threads_in_two_spellings_become_one() -> None:
    with a_life() as life:
        for event_id, key in enumerate(("ＤＩＹ", "diy", "料理"), start=1):
            life.tell("話")
            life.g.write(lambda tx, i=event_id, k=key: _join(tx, i, k))  # type: ignore[misc]
        assert tidy(life)["threads_merged"] == 1
        threads = {row.thread_key: row.events for row in life.g.read(lambda r: graph.threads(r, 10))}
        assert threads == {"ＤＩＹ": 2, "料理": 1}


def test_the_run_is_observed_and_nothing_is_deleted() -> None:
    with a_life() as life:
        life.tell("コーヒーを飲む", {"state_updates": [fact("あなたはコーヒーを飲む")], **feels(0.4)})
        before = life.g.read(
            lambda r: [
                r.rows(f"SELECT count(*) AS n FROM {t}")[0]["n"] for t in ("events", "event_affects", "state")
            ]
        )
        tidy(life)
        (run,) = runs(life)
        assert run.trigger.startswith("test")
        assert run.milliseconds >= 0
        assert set(run.counts) >= {
            "looked_at",
            "merged",
            "closed",
            "summaries",
            "clusters",
        }
        after = life.g.read(
            lambda r: [
                r.rows(f"SELECT count(*) AS n FROM {t}")[0]["n"] for t in ("events", "event_affects", "state")
            ]
        )
        assert after == before
        assert life.g.read(lambda r: meta.get(r, "summaries_up_to_event")) == "1"


def test_the_long_mood_is_never_tidied() -> None:
    with a_life() as life:
        life.tell("やあ", feels(0.5))
        (mood,) = life.states(StateKind.LONG_MOOD)
        counts = tidy(life)
        assert counts["looked_at"] == {}
        assert life.states(StateKind.LONG_MOOD) == [mood]


def _join(tx: Tx, event_id: int, key: str) -> None:
    with tx.because(Cause(Actor.GROW, "test", (event_id,))):
        graph.join_thread(tx, event_id, key, 0.8, (event_id,))


def test_what_is_forgotten_while_the_mind_thinks_is_no_evidence_and_the_reset_stands() -> None:
    with a_life() as life:
        forgot: list[int] = []

        def summarise(request: PlanRequest) -> dict[str, Any]:
            m: Any = request.material
            if life.states(StateKind.SUMMARY) and not forgot:
                forgot.append(2)
                life.g.write(lambda tx: forget_event(tx, 2))
            return {
                "scope_type": m.scope_type.value,
                "scope_key": m.scope_key,
                "body_text": "私たちはよく話した",
            }

        mind_of(life).answers["scope_summary"] = summarise
        for _ in range(3):
            life.tell("今日は海に行った")
        tidy(life)
        life.tell("また海に行った")
        counts = tidy(life)
        assert forgot == [2]
        assert any("forgotten meanwhile" in reason for reason in counts["dropped"])
        assert all(2 not in state.evidence_event_ids for state in life.states(StateKind.SUMMARY))
        assert life.g.read(lambda r: meta.get(r, SUMMARIES_KEY)) == "0"
        life.g.clock.tick(REST_AFTER_SECONDS)
        life.g.work()
        assert life.g.read(lambda r: meta.get(r, SUMMARIES_KEY)) == "4"
        assert all(2 not in state.evidence_event_ids for state in life.states(StateKind.SUMMARY))
