"""States: said again is confirmed, contradicted is split in time, done ends; nothing is overwritten."""

from __future__ import annotations

from typing import Any

import pytest

from cocoro_ghost.clock import parse_iso
from cocoro_ghost.grow.mood import mood_now
from cocoro_ghost.model.event import EntityType, Origin, Source
from cocoro_ghost.model.state import MAX_EVIDENCE, StateKind
from cocoro_ghost.store import entities, revisions, states
from cocoro_ghost.store.entities import EntityKey
from tests.growing import DAY, Life, a_life, fact, feels, lives


def test_said_again_refreshes_instead_of_making_a_twin() -> None:
    with a_life() as life:
        life.tell("福岡に住んでる", {"state_updates": [fact("あなたは福岡に住んでいる", confidence=0.6)]})
        (before,) = life.states()
        life.g.clock.tick(30 * DAY)
        again = fact("あなたは 福岡に　住んでいる", confidence=0.8)
        life.tell("福岡に住んでるよ", {"state_updates": [again]})
        (after,) = life.states()
        assert after.state_id == before.state_id
        assert after.last_confirmed_at == before.last_confirmed_at + 30 * DAY
        assert after.confidence == 0.8
        assert after.evidence_event_ids == (1, 2)


def test_naming_a_known_state_confirms_it() -> None:
    with a_life() as life:
        life.tell("福岡に住んでる", {"state_updates": [fact("あなたは福岡に住んでいる")]})
        life.g.clock.tick(DAY)
        life.tell("福岡に住んでる", {"state_updates": [fact("あなたは福岡に住んでいる", state_id=1)]})
        (state,) = life.states()
        assert (state.state_id, state.last_confirmed_at) == (1, life.g.clock.domain_now())


def test_evidence_of_what_is_said_daily_stays_small() -> None:
    with a_life() as life:
        for _ in range(MAX_EVIDENCE + 10):
            life.tell("福岡に住んでる", lives("福岡"))
        (state,) = life.states()
        assert len(state.evidence_event_ids) == MAX_EVIDENCE
        assert state.evidence_event_ids[0] == 1
        assert state.evidence_event_ids[-1] == MAX_EVIDENCE + 10


def test_a_contradiction_in_a_slot_splits_the_period() -> None:
    with a_life() as life:
        life.tell("東京に住んでる", lives("東京"))
        life.g.clock.tick(100 * DAY)
        moved = "2026-04-01T00:00:00"
        life.tell("4月に福岡に引っ越した", lives("福岡", valid_from_ts=moved))
        (old,), (new,) = life.states(closed=True), life.states()
        assert (old.body_text, new.body_text) == ("あなたは東京に住んでいる", "あなたは福岡に住んでいる")
        assert old.valid_to_ts == new.valid_from_ts == parse_iso(moved, life.g.clock.zone)
        assert new.payload["supersedes"] == [old.state_id]
        revision = life.g.read(lambda r: revisions.of_entity(r, "state", old.state_id))[0]
        assert revision.evidence_event_ids == (2,)
        assert revision.before is not None
        assert revision.before["valid_to_ts"] is None


def test_moving_back_opens_a_new_period_and_keeps_both_old_ones() -> None:
    with a_life() as life:
        for place in ("東京", "福岡", "東京"):
            life.tell(f"{place}に住んでる", lives(place))
            life.g.clock.tick(50 * DAY)
        assert life.bodies() == ["あなたは東京に住んでいる"]
        assert life.bodies(closed=True) == ["あなたは東京に住んでいる", "あなたは福岡に住んでいる"]


def test_a_past_fact_coexists_with_the_present_one() -> None:
    with a_life() as life:
        life.tell("福岡に住んでる", lives("福岡"))
        past = lives("札幌", valid_from_ts="2010-04-01T00:00:00", valid_to_ts="2014-03-31T00:00:00")
        life.tell("大学のころは札幌に住んでた", past)
        assert life.bodies() == ["あなたは福岡に住んでいる"]
        assert life.bodies(closed=True) == ["あなたは札幌に住んでいる"]


def test_an_upsert_of_a_known_state_never_overwrites_another_claim() -> None:
    with a_life() as life:
        life.tell("猫を飼ってる", {"state_updates": [fact("あなたは三毛猫を飼っている")]})
        life.g.clock.tick(DAY)
        life.tell("柴犬の世話", {"state_updates": [fact("あなたは柴犬の世話を始めた", state_id=1)]})
        assert life.bodies() == ["あなたは柴犬の世話を始めた"]
        assert life.bodies(closed=True) == ["あなたは三毛猫を飼っている"]
        life.g.clock.tick(DAY)
        fuller = fact("あなたは柴犬の世話を始めた。名前は小鉄", state_id=2)
        life.tell("柴犬の名前は小鉄。世話が楽しい", {"state_updates": [fuller]})
        assert life.bodies() == ["あなたは柴犬の世話を始めた。名前は小鉄"], "told more fully: one state"
        assert [s.state_id for s in life.states()] == [2]


def test_facts_relations_and_tasks_coexist() -> None:
    updates: list[dict[str, Any]] = [
        fact("あなたには妹がいる"),
        fact("あなたには弟がいる"),
        {"kind": "relation", "body_text": "妹の名前は美咲"},
        {"kind": "task", "body_text": "妹に電話する"},
        {"kind": "task", "body_text": "弟に本を返す"},
    ]
    with a_life() as life:
        life.tell("妹の美咲と弟がいる。電話して本を返さないと", {"state_updates": updates})
        assert {state.body_text for state in life.states()} >= {update["body_text"] for update in updates}


def test_tasks_get_deadlines_and_are_marked_done() -> None:
    task = {"kind": "task", "body_text": "レポートを出す", "payload": {"due": "2026-01-10T18:00:00"}}
    with a_life() as life:
        life.tell("10日までにレポートを出す", {"state_updates": [task]})
        (state,) = life.states(StateKind.TASK)
        due = parse_iso("2026-01-10T18:00:00", life.g.clock.zone)
        assert state.payload == {"due_ts": due, "expires_ts": due + 7 * DAY}
        life.g.clock.tick(DAY)
        done = {"kind": "task", "op": "mark_done", "state_id": state.state_id}
        life.tell("レポート出したよ", {"state_updates": [done]})
        (ended,) = life.states(StateKind.TASK, closed=True)
        assert ended.payload["done_at"] == ended.valid_to_ts == life.g.clock.domain_now()


def test_closing_names_an_end_and_never_before_the_beginning() -> None:
    with a_life() as life:
        life.tell("ジムに通ってる", {"state_updates": [fact("あなたはジムに通っている")]})
        life.g.clock.tick(DAY)
        closing = {"kind": "fact", "op": "close", "state_id": 1, "valid_to_ts": "2001-01-01T00:00:00"}
        life.tell("ジムはやめた", {"state_updates": [closing]})
        (state,) = life.states(closed=True)
        assert state.valid_to_ts == state.valid_from_ts


def test_a_retelling_by_the_ghost_is_no_corroboration() -> None:
    with a_life() as life:
        life.tell("福岡に住んでる", {"state_updates": [fact("あなたは福岡に住んでいる", confidence=0.6)]})
        (before,) = life.states()
        life.g.clock.tick(DAY)
        again = {"state_updates": [fact("あなたは福岡に住んでいる", confidence=0.9)]}
        life.tell("おはよう", again, reply="福岡に住んでるあなたにも朝が来たね")
        assert life.states() == [before]


def test_a_candidate_becomes_the_users_own_word() -> None:
    with a_life() as life:
        said = {"state_updates": [fact("あなたは福岡に住んでいる", confidence=0.9)]}
        life.tell("福岡の天気", said, source=Source.NOTIFICATION, origin=Origin.APP)
        (candidate,) = life.states()
        assert (candidate.confidence, candidate.payload["candidate"]) == (0.5, True)
        life.g.clock.tick(DAY)
        life.tell("福岡に住んでるんだ", said)
        (own,) = life.states()
        assert (own.origin, own.confidence) == ("user", 0.9)
        assert "candidate" not in own.payload
        assert [s.state_id for s in life.states(closed=True)] == [candidate.state_id]


def test_the_long_mood_is_single_and_its_text_changes_with_the_day() -> None:
    def day(text: str, v: float) -> dict[str, Any]:
        told = {"kind": "long_mood_state", "body_text": text, "reason": "日が変わった"}
        return {**feels(v), "state_updates": [told]}

    with a_life() as life:
        life.tell("おはよう", day("このところ、私は静かに満ち足りた気持ちで過ごしている。", 0.5))
        life.g.clock.tick(600)
        life.tell("やあ", day("このところ、私はそわそわと落ち着かない日が続いている。", 0.1))
        (mood,) = life.states(StateKind.LONG_MOOD)
        assert "満ち足りた" in mood.body_text
        life.g.clock.tick(DAY)
        life.tell("また明日", day("このところ、私はそわそわと落ち着かない日が続いている。", 0.1))
        (mood,) = life.states(StateKind.LONG_MOOD)
        assert "落ち着かない" in mood.body_text
        now = life.g.clock.domain_now()
        assert abs(mood_now(mood, now + DAY).shock.v) < abs(mood_now(mood, now).shock.v)


@pytest.mark.parametrize("op", ["close", "mark_done"])
def test_the_long_mood_cannot_be_closed_by_a_plan(op: str) -> None:
    with a_life() as life:
        life.tell("おはよう", feels(0.5))
        (mood,) = life.states(StateKind.LONG_MOOD)
        update = {"kind": "long_mood_state", "op": op, "state_id": mood.state_id}
        life.tell("そういえばね", {"state_updates": [update]})
        assert [s.state_id for s in life.states(StateKind.LONG_MOOD)] == [mood.state_id]


def test_aliases_lead_to_one_name() -> None:
    def about(name: str, body: str, **payload: Any) -> dict[str, Any]:
        entity = {"type": "person", "name": name, "confidence": 0.9}
        return {"state_updates": [fact(body, entities=[entity], payload=payload)]}

    with a_life() as life:
        life.tell(
            "田中太郎はタロって呼ばれてる", about("田中太郎", "田中太郎はタロと呼ばれる", aliases=["タロ"])
        )
        life.tell("タロくんが来た", about("タロくん", "タロが遊びに来た"))
        key = EntityKey(EntityType.PERSON, "田中太郎")
        assert len(life.g.read(lambda r: entities.states_of(r, key, 10))) == 2


def test_salience_and_pin_survive_confirmation() -> None:
    with a_life() as life:
        life.tell("福岡に住んでる", {"state_updates": [fact("あなたは福岡に住んでいる", salience=0.9)]})
        _pin(life, 1)
        life.tell("福岡に住んでる", {"state_updates": [fact("あなたは福岡に住んでいる", salience=0.2)]})
        (state,) = life.states()
        assert (state.salience, state.pin) == (0.9, True)


def _pin(life: Life, state_id: int) -> None:
    from dataclasses import replace

    from cocoro_ghost.model.revision import Actor, Cause
    from cocoro_ghost.store.ports import Tx

    def write(tx: Tx) -> None:
        with tx.because(Cause(Actor.USER, "pinned")):
            states.save(tx, replace(states.get(tx, state_id), pin=True))

    life.g.write(write)


def test_a_task_is_done_even_when_the_reply_quotes_it() -> None:
    with a_life() as life:
        body = "あなたは来週の土曜日の保護者会のために資料を作る。"
        life.tell(
            "来週の土曜日に保護者会があるから、資料を作らないと",
            {"state_updates": [{"kind": "task", "body_text": body}]},
        )
        (task,) = life.states(StateKind.TASK)
        done = {"kind": "task", "op": "mark_done", "state_id": task.state_id}
        quoting = "おつかれさま。「来週の土曜日に保護者会があるから、資料を作らないと」って言ってたよね。"
        life.tell("保護者会の資料、できたよ！", {"state_updates": [done]}, reply=quoting)
        assert life.bodies(StateKind.TASK) == []
        assert life.bodies(StateKind.TASK, closed=True) == [body]
