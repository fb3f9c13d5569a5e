"""A reply given anew: what only the old one had said is taken back; the person's words and the mood stay."""

from __future__ import annotations

from cocoro_ghost.grow.after_turn import AfterTurn
from cocoro_ghost.grow.answered_anew import answer_anew
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.state import StateKind
from cocoro_ghost.store import events, jobs
from cocoro_ghost.store.ports import Tx
from tests.growing import Life, a_life, fact, feels, likes, replays_to_current

SAID, REPLY = "猫のモモを飼っている", "モモちゃんね。そういえば札幌の雪まつりへ一緒に行きたいって話してたね。"
TAUGHT = {
    "state_updates": [fact("猫のモモを飼っている"), fact("札幌の雪まつりへ行きたい")],
    **likes("雪まつり", "upsert_candidate", domain="event"),
    **feels(0.8),
}


def anew(life: Life, event_id: int, text: str) -> None:
    life.g.write(lambda tx: answer_anew(tx, event_id, text, AfterTurn()))
    life.g.work()


def test_what_only_the_old_reply_said_is_taken_back_with_its_candidates() -> None:
    with a_life() as life:
        event_id = life.tell(SAID, TAUGHT, REPLY)
        assert life.bodies(StateKind.FACT) == ["猫のモモを飼っている", "札幌の雪まつりへ行きたい"]
        (mood,) = life.states(StateKind.LONG_MOOD)
        anew(life, event_id, "モモちゃん、元気？")
        assert life.bodies(StateKind.FACT) == ["猫のモモを飼っている"]
        assert life.preference("雪まつり") is None
        (after,) = life.states(StateKind.LONG_MOOD)
        assert after.payload == mood.payload
        (old,) = life.g.read(lambda reader: events.older_replies(reader, event_id))
        assert old.assistant_text == REPLY
        assert replays_to_current(life) == []
        assert life.dead_jobs() == []


def test_a_reply_that_only_goes_on_takes_nothing_back() -> None:
    with a_life() as life:
        event_id = life.tell(SAID, TAUGHT, REPLY)
        anew(life, event_id, f"{REPLY}楽しみだね。")
        assert "札幌の雪まつりへ行きたい" in life.bodies(StateKind.FACT)


def test_what_the_person_said_later_keeps_what_the_old_reply_began() -> None:
    with a_life() as life:
        event_id = life.tell(SAID, TAUGHT, REPLY)
        (_, wish) = life.states(StateKind.FACT)
        confirmed = {"state_updates": [fact("札幌の雪まつりへ行きたい", state_id=wish.state_id)]}
        life.tell("そう、札幌の雪まつりへ行きたい", confirmed)
        anew(life, event_id, "モモちゃん、元気？")
        assert "札幌の雪まつりへ行きたい" in life.bodies(StateKind.FACT)


def test_a_plan_made_from_the_old_reply_is_made_again() -> None:
    with a_life() as life:
        event_id = life.hear(SAID, TAUGHT, REPLY)
        life.g.run(_only_plan(life))
        life.plans[event_id] = {"state_updates": [fact("猫のモモを飼っている")]}
        anew(life, event_id, "モモちゃん、元気？")
        assert life.bodies(StateKind.FACT) == ["猫のモモを飼っている"]
        assert "given anew" in life.dropped(event_id)


async def _only_plan(life: Life) -> None:
    """The plan is made and kept; nothing of it is applied yet."""
    job = life.g.write(lambda tx: jobs.claim(tx, "me", [JobKind.GENERATE_WRITE_PLAN]))
    assert job is not None
    effect = await life.g.handlers.single[JobKind.GENERATE_WRITE_PLAN](job)

    def keep(tx: Tx) -> None:
        jobs.finish(tx, job.job_id, "me")
        effect(tx)

    life.g.write(keep)
