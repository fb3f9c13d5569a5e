"""Reaching the past: spread over life, what held before, tellings before askings, the recent in a talk."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from cocoro_ghost.clock import local
from cocoro_ghost.language.asking import knows_nothing, only_asks
from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.model.event import AboutTime, Entity, EntityType, LifeStage
from cocoro_ghost.model.pack import SectionName
from cocoro_ghost.model.preference import Domain, Polarity, Preference, PreferenceStatus
from cocoro_ghost.model.retrieval import Mode
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import StateKind
from cocoro_ghost.store import entities, preferences, states
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


@pytest.mark.parametrize(
    ("name", "told", "question"),
    [
        ("さくら", "さくらと水族館に行った", "さくらちゃんは元気かな、何か話したっけ"),
        ("さくら", "さくらと水族館に行った", "昨日はさくらと会えた"),
        ("Nora", "Nora and I went to the aquarium", "Is Nora doing well?"),
    ],
)
def test_a_name_is_known_whatever_it_is_written_in(life: Life, name: str, told: str, question: str) -> None:
    event_id = life.say(told, names=[name])
    for number in range(12):
        life.say(f"仕事の話 work {number}", days_ago=20 + number)
    found = {str(one.ref): one.routes for one in life.recall(question).fused.ranked}
    assert "entities" in found[f"e{event_id}"]


@pytest.mark.parametrize(("alias", "name"), [("さとっち", "佐藤健"), ("Bobby", "Robert Hale")])
def test_an_alias_leads_to_the_name(life: Life, alias: str, name: str) -> None:
    event_id = life.say("大学で会った友達の話 a friend from college", names=[name])
    life.because(lambda tx: entities.put_alias(tx, EntityType.PERSON, alias, name))
    found = {str(one.ref): one.routes for one in life.recall(f"{alias}は元気？").fused.ranked}
    assert "entities" in found[f"e{event_id}"]


@pytest.mark.parametrize(
    ("topic", "reply", "bare"),
    [
        ("京都の紅葉を見に行く計画", "いいね、いつ行くの？", "それで？"),
        ("a plan to see the maples in Kyoto", "Lovely, when do you go?", "yes, go on"),
    ],
)
def test_a_message_without_content_is_searched_with_its_thread(
    life: Life, topic: str, reply: str, bare: str
) -> None:
    earlier = life.say(f"{topic} 2", days_ago=90)
    for number in range(8):
        life.say(f"猫のごはん cat food {number}", days_ago=50 + number)
    life.say(topic, reply, days_ago=2 / 1440)
    assert ranked(life.recall(bare))[0] == f"e{earlier}"
    assert f"e{earlier}" in chosen(life.recall(bare))


@pytest.mark.parametrize("question", ["2018年に何したっけ", "What did I do in 2018?"])
def test_a_period_without_a_word_of_content_finds_what_lies_in_it(life: Life, question: str) -> None:
    about = AboutTime(year_start=2018, year_end=2018, confidence=0.9)
    then = life.say("北海道を自転車で一周した cycled around Hokkaido", days_ago=30, about=about)
    for number in range(10):
        life.say(f"最近は忙しい busy {number}", days_ago=5 + number)
    assert chosen(life.recall(question)) == [f"e{then}"]


@pytest.mark.parametrize("language", list(Language))
def test_the_nearest_deadline_is_told_however_many_tasks_there_are(life: Life, language: Language) -> None:
    ids = [
        life.hold(f"用事{number}", StateKind.TASK, payload={"due_ts": NOW + (40 - number) * DAY})
        for number in range(30)
    ]
    for number in range(30):
        life.hold(f"いつかやる{number}", StateKind.TASK)
    named = life.hold("佐藤健に本を返す", StateKind.TASK, entities=(Entity(EntityType.PERSON, "佐藤健"),))
    told = life.recall("佐藤健は元気かな", language=language).pack.told[SectionName.OPEN_LOOPS]
    names = [line.name for line in told]
    assert f"s{ids[-1]}" in names
    assert f"s{named}" in names
    assert names.index(f"s{ids[-1]}") < names.index(f"s{ids[-2]}")


@pytest.mark.parametrize(
    ("body", "question", "past"),
    [
        ("あなたは横浜に住んでいる", "昔はどこに住んでた？", "2025-09まで: あなたは横浜に住んでいる"),
        ("You live in Leeds", "Where I used to live?", "until 2025-09: You live in Leeds"),
    ],
)
def test_what_is_over_is_told_as_past(life: Life, body: str, question: str, past: str) -> None:
    before = life.hold(body)
    life.because(lambda tx: states.close(tx, before, NOW - 100 * DAY))
    result = life.recall(question)
    assert past in result.pack.text
    assert [one.closed for one in result.recalled if one.ref == f"s{before}"] == [True]
    assert result.pack.facts == ()


def _like(life: Life, subject: str, event_id: int, **more: Any) -> None:
    told = {"status": PreferenceStatus.CONFIRMED, "polarity": Polarity.LIKE, "domain": Domain.FOOD} | more
    liked = Preference(
        0, subject=subject, subject_key=fold_key(subject), note=None, confidence=0.9, confirmed_at=None,
        evidence_event_ids=(event_id,), first_seen_at=NOW, last_seen_at=NOW, revoked_at=None, **told,
    )  # fmt: skip
    life.because(lambda tx: preferences.create(tx, liked))


@pytest.mark.parametrize(
    ("told", "other", "subject", "question"),
    [
        (
            "ラーメンなら毎日でもいいな",
            "食べ物の値段の話を読んだ、第{}回",
            "ラーメン",
            "私の好きな食べ物って何だっけ？",
        ),
        (
            "I could have ramen every day",
            "We read about food prices, part {}",
            "ramen",
            "What food do I like?",
        ),
    ],
)
def test_a_question_after_tastes_finds_where_they_were_told(
    life: Life, told: str, other: str, subject: str, question: str
) -> None:
    """The turn that told shares no word with the question; dozens of others do."""
    liked = life.say(told, days_ago=300)
    gone = life.say("前は納豆ばかりだった", days_ago=500)
    hated = life.say("セロリだけはちょっと", days_ago=300)
    for number in range(40):
        life.say(other.format(number), days_ago=20 + number)
    _like(life, subject, liked)
    _like(life, "納豆", gone, status=PreferenceStatus.REVOKED)
    _like(life, "セロリ", hated, polarity=Polarity.DISLIKE)
    found = chosen(life.recall(question))
    assert f"e{liked}" in found[:3]
    assert not {f"e{gone}", f"e{hated}"} & set(found)
    assert f"e{liked}" not in chosen(life.recall("食べ物の値段 food prices")), "nobody asked for tastes"


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        ("来週は金沢に出張なんだ。前に行ったのいつだっけ？", "金沢"),
        ("I'm off to Lisbon next week. Do you remember when I went there before?", "Lisbon"),
    ],
)
def test_what_is_told_beside_a_question_is_searched_for(life: Life, message: str, kept: str) -> None:
    assert kept in life.recall(message).plan.search


def test_what_is_known_by_its_year_alone_happened_in_that_year(life: Life) -> None:
    """Told in another year: who answers by the period asked about must not go by when it was said."""
    life.say("免許を取った", days_ago=30, about=AboutTime(year_start=2018, year_end=2018, confidence=0.9))
    life.say("何でもない日", days_ago=31)
    told = next(one for one in life.recall("免許を取った").recalled if one.text == "免許を取った")
    assert told.happened_at is not None
    assert local(told.happened_at, life.clock.zone).year == 2018


@pytest.mark.parametrize("question", ["2018年に何したっけ？", "What did I do in 2018?"])
def test_the_one_thing_known_of_a_period_is_told(life: Life, question: str) -> None:
    """No word in common and nothing beside it: that it is of the time asked about is enough."""
    year = AboutTime(year_start=2018, year_end=2018, confidence=0.95)
    then = life.say("沖縄で潜水の免許を取った", days_ago=60, about=year)
    life.say("今日は眠い", days_ago=1)
    assert f"e{then}" in [one.ref for one in life.recall(question).recalled]


@pytest.mark.parametrize(
    ("question", "months"),
    [
        ("去年の2月はどうだった？", ["2025-02"]),
        ("How was February last year?", ["2025-02"]),
        ("去年の春はどんなだった？", ["2025-03", "2025-04", "2025-05"]),
        ("How was last spring?", ["2025-03", "2025-04", "2025-05"]),
        ("2025年はどんな年だった？", ["2025-01", "2025-04", "2025-08", "2025-12"]),
        ("What was the year 2025 like?", ["2025-01", "2025-04", "2025-08", "2025-12"]),
        ("去年の2月10日はどうだった？", []),
        ("元気？", []),
    ],
)
def test_the_months_of_a_period_asked_about_are_told(life: Life, question: str, months: list[str]) -> None:
    """No word in common with the question: what was summed up of a month is told by its name."""
    for month in range(1, 13):
        key = f"2025-{month:02d}"
        scope = {"scope": {"type": "period", "key": key}}
        life.hold(
            f"第{month}の月は静かだった。", StateKind.SUMMARY, payload=scope, last_confirmed_at=NOW - DAY
        )
    told = life.recall(question).pack.told.get(SectionName.SHARED_NARRATIVE, ())
    assert [line.text[:7] for line in told] == months
