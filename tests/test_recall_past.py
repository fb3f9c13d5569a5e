"""Reaching the past: spread over life, what held before, tellings before askings, the recent in a talk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

from cocoro_ghost.language.asking import knows_nothing, only_asks
from cocoro_ghost.model.event import AboutTime, LifeStage
from cocoro_ghost.model.retrieval import Mode
from cocoro_ghost.store import states
from tests.recalling import DAY, NOW, Life, a_life, chosen, ranked

STAGES = {
    LifeStage.ELEMENTARY: ("小学校の運動会が楽しかった", "At elementary school sports day was fun"),
    LifeStage.MIDDLE: ("中学校の合唱が楽しかった", "At middle school the choir was fun"),
    LifeStage.HIGH: ("高校の学校祭が楽しかった", "At high school the school festival was fun"),
}


@pytest.fixture
def life() -> Iterator[Life]:
    with a_life() as one:
        yield one


@pytest.mark.parametrize(
    ("column", "question"),
    [(0, "学校で楽しかったこと"), (1, "Fun things at school")],
)
@pytest.mark.parametrize("mode", [None, Mode.TARGETED_BROAD])
def test_one_stage_of_life_does_not_crowd_out_the_others(
    life: Life, column: int, question: str, mode: Mode | None
) -> None:
    stage_of: dict[str, LifeStage] = {}
    for number in range(60):
        life.say(f"買い物メモ{number} shopping list {number}", days_ago=80 + number)
    for stage, count in zip(STAGES, (2, 1, 31), strict=True):
        for number in range(count):
            text = f"{STAGES[stage][column]} {number}"
            event_id = life.say(text, days_ago=40 + number, about=AboutTime(life_stage=stage, confidence=0.9))
            stage_of[f"e{event_id}"] = stage
    result = life.recall(question, mode=mode)
    picked = Counter(stage_of[ref] for ref in chosen(result))
    assert set(picked) == set(STAGES)
    assert picked[LifeStage.HIGH] <= 0.4 * 12
    seated = Counter(stage_of.get(str(one.ref)) for one in result.fused.seated)
    assert seated[LifeStage.HIGH] <= 0.4 * 60, "free seats keep the cap, too"


def test_a_question_about_one_stage_may_fill_every_seat_with_it(life: Life) -> None:
    for number in range(15):
        life.say(f"高校の部活の話 {number}", about=AboutTime(life_stage=LifeStage.HIGH, confidence=0.9))
    life.say("中学の部活の話", about=AboutTime(life_stage=LifeStage.MIDDLE, confidence=0.9))
    assert len(chosen(life.recall("高校の部活の話"))) == 12


@pytest.mark.parametrize(
    ("past", "present", "question", "plain"),
    [
        ("あなたは横浜に住んでいる", "あなたは札幌に住んでいる", "昔はどこに住んでた？", "どこに住んでる？"),
        (
            "You live in Leeds",
            "You live in Cardiff",
            "Where did I use to live? I used to live…",
            "Where do I live?",
        ),
    ],
)
@pytest.mark.parametrize("mode", [None, *Mode])
def test_what_held_before_is_found_when_it_is_asked_for(
    life: Life, past: str, present: str, question: str, plain: str, mode: Mode | None
) -> None:
    before, after = life.hold(past), life.hold(present)
    life.because(lambda tx: states.close(tx, before, NOW - 100 * DAY))
    assert {f"s{before}", f"s{after}"} <= set(chosen(life.recall(question, mode=mode)))
    assert f"s{before}" not in chosen(life.recall(plain))


@pytest.mark.parametrize(
    ("told", "asked", "unknown"),
    [
        ("姉の名前はさゆりで、看護師をしてる", "姉の名前は何だっけ？", "ごめん、それは覚えてないや。"),
        (
            "My sister is called Nora and works as a nurse",
            "What is my sister called?",
            "Sorry, I don't know.",
        ),
    ],
)
def test_a_question_asked_twice_finds_what_was_told(life: Life, told: str, asked: str, unknown: str) -> None:
    life.say(asked, unknown, days_ago=300)
    telling = life.say(told, days_ago=200)
    for days in (30, 20, 10):
        life.say(asked, unknown, days_ago=days)
    assert ranked(life.recall(asked))[0] == f"e{telling}"


def test_a_turn_that_only_asks_and_a_reply_that_knows_nothing() -> None:
    asking = ("どこだっけ？", "What did I say about Rex?", "remind me where we met", "名前を教えて")
    telling = (
        "昨日は寿司を食べた。おいしかったよ",
        "I moved to Leeds. Nice, right?",
        "犬を飼ったんだけど、名前どうしよう？",
        "x" * 200,
    )
    assert all(only_asks(text) for text in asking)
    assert not any(only_asks(text) for text in telling)
    assert knows_nothing("うーん、覚えてないなあ。")
    assert knows_nothing("I don't remember that.")
    assert not knows_nothing("Rex is your dog.")


def test_the_recent_comes_first_when_something_is_told_but_not_when_it_is_asked(life: Life) -> None:
    old = life.say("庭の手入れをして花を植えた", days_ago=400)
    new = life.say("庭の手入れをして花を植えた", days_ago=2)
    told = life.recall("庭の手入れの続きをしたよ、花も増えた")
    assert ranked(told).index(f"e{new}") < ranked(told).index(f"e{old}")
    score = {str(one.ref): one.score for one in told.fused.ranked}
    assert score[f"e{new}"] - score[f"e{old}"] > 0.15
    asked = {str(one.ref): one.score for one in life.recall("いつ庭の手入れをした？").fused.ranked}
    assert asked[f"e{new}"] - asked[f"e{old}"] < 0.06


def test_the_present_talk_is_not_remembered_again_while_it_goes_on(life: Life) -> None:
    earlier = life.say("登山の計画を立てた", days_ago=60)
    life.say("登山の計画の続きを話そう", days_ago=3 / 1440)
    told = life.recall("登山の計画、靴はもう買ったよ")
    assert ranked(told)[0] == f"e{earlier}"
