"""Tasks end by themselves: a date gone by, or long silence; a mention opens them again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cocoro_ghost.grow.forget import forget_event
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.revision import Actor
from cocoro_ghost.model.state import StateKind
from cocoro_ghost.store import jobs, revisions
from cocoro_ghost.work.worker import Worker
from tests.growing import DAY, a_life
from tests.tidying import add, tidy


def test_expired_tasks_close_and_say_why() -> None:
    with a_life() as life:
        task = {"kind": "task", "body_text": "本を返す", "payload": {"due": "2026-01-05T10:00:00"}}
        lasting = {"kind": "task", "body_text": "部屋を片付ける"}
        life.tell("本を返して部屋を片付ける", {"state_updates": [task, lasting]})
        life.g.clock.tick(5 * DAY)
        assert tidy(life)["expired_tasks"] == 0, "due is not expired"
        life.g.clock.tick(10 * DAY)
        assert tidy(life)["expired_tasks"] == 1
        (ended,) = life.states(StateKind.TASK, closed=True)
        assert (ended.body_text, ended.payload["closed_because"]) == ("本を返す", "expired")
        assert ended.valid_to_ts == ended.payload["expires_ts"]
        assert life.bodies(StateKind.TASK) == ["部屋を片付ける"]


CHORE = {"state_updates": [{"kind": "task", "body_text": "部屋を片付ける"}]}


def test_an_undated_task_nobody_mentions_expires_after_ninety_days() -> None:
    with a_life() as life:
        life.tell("部屋を片付けなきゃ", CHORE)
        life.g.clock.tick(60 * DAY)
        life.tell("まだ部屋を片付けてない", CHORE)
        mentioned = life.g.clock.domain_now()
        life.g.clock.tick(90 * DAY - 1)
        assert tidy(life)["expired_tasks"] == 0
        life.g.clock.tick(1)
        counts = tidy(life)
        assert (counts["expired_tasks"], counts["closed"]) == (1, 1)
        (ended,) = life.states(StateKind.TASK, closed=True)
        assert ended.payload["closed_because"] == "expired"
        assert ended.valid_to_ts == mentioned + 90 * DAY
        newest = life.g.read(lambda r: revisions.of_entity(r, "state", ended.state_id, limit=1))[0]
        assert (newest.actor, newest.reason) == (Actor.TIDY, "unmentioned")
        assert tidy(life)["expired_tasks"] == 0, "once is enough"


def test_an_expired_task_is_open_again_when_the_user_mentions_it() -> None:
    with a_life() as life:
        first = life.tell("部屋を片付けなきゃ", CHORE)
        life.g.clock.tick(100 * DAY)
        tidy(life)
        before = life.snapshot()
        again = life.tell("やっぱり部屋を片付けなきゃ", CHORE)
        (task,) = life.states(StateKind.TASK)
        assert (task.valid_to_ts, task.evidence_event_ids) == (None, (first, again))
        assert "closed_because" not in task.payload
        assert tidy(life)["expired_tasks"] == 0, "it was just mentioned"
        life.g.write(lambda tx: forget_event(tx, again))
        assert life.snapshot()["state"] == before["state"], "a mention can be taken back"


def test_a_dated_task_mentioned_after_its_expiry_loses_its_old_date() -> None:
    with a_life() as life:
        dated = {"kind": "task", "body_text": "本を返す", "payload": {"due": "2026-01-05T10:00:00"}}
        life.tell("本を返す", {"state_updates": [dated]})
        life.g.clock.tick(60 * DAY)
        assert tidy(life)["expired_tasks"] == 1
        life.tell("本を返すの忘れてた", {"state_updates": [dated | {"payload": {}}]})
        (task,) = life.states(StateKind.TASK)
        assert not {"due_ts", "expires_ts", "closed_because"} & set(task.payload)
        assert tidy(life)["expired_tasks"] == 0


def test_words_said_before_the_expiry_but_learned_after_it_keep_the_task_open() -> None:
    with a_life() as life:
        life.tell("部屋を片付けなきゃ", CHORE)
        life.g.clock.tick(80 * DAY)
        late = life.hear("部屋を片付けるの、まだなんだ", CHORE)
        life.g.clock.tick(20 * DAY)
        tidied = Worker(life.g.db, life.g.clock, life.g.handlers)
        payload = {"trigger": "test"}
        life.g.write(lambda tx: jobs.enqueue(tx, JobKind.TIDY_MEMORY, payload, key="tidy_memory"))
        life.g.run(tidied.run_until_idle(only=[JobKind.TIDY_MEMORY]))
        assert life.bodies(StateKind.TASK, closed=True) == ["部屋を片付ける"]
        life.g.work()
        (task,) = life.states(StateKind.TASK)
        assert task.evidence_event_ids[-1] == late


def test_pinned_dated_and_done_tasks_are_not_touched_by_silence() -> None:
    with a_life() as life:
        life.tell("やること")
        add(life, "大事な用事", StateKind.TASK, pin=True)
        add(life, "十年後の約束", StateKind.TASK, payload={"due_ts": 2_100_000_000})
        add(life, "済んだ用事", StateKind.TASK, payload={"done_at": 1}, valid_to_ts=life.g.clock.domain_now())
        life.g.clock.tick(400 * DAY)
        assert tidy(life)["expired_tasks"] == 0
        assert len(life.states(StateKind.TASK)) == 2


@pytest.mark.parametrize(("days", "expired"), [(0, 0), (3, 1)])
def test_the_silence_after_which_a_task_expires_is_a_setting(days: int, expired: int) -> None:
    with a_life() as life:
        life.g = replace(life.g, undated_task_days=days)
        life.tell("部屋を片付けなきゃ", CHORE)
        life.g.clock.tick(4 * DAY)
        assert tidy(life)["expired_tasks"] == expired
