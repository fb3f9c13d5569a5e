"""The keeper: the order of what it says, what it never says, and that what it says is what is stored."""

from __future__ import annotations

import asyncio
import re
from datetime import datetime
from typing import Any

import pytest

from cocoro_ghost.evaluate.talks_run import Played, play
from cocoro_ghost.language import read
from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.mind.embedded.phrases import _book, say
from cocoro_ghost.model.scene import Language
from tests.speaking import EN, JA, scene, spoken

NOW = datetime(2026, 4, 6, 19)


def talk(language: str, *turns: dict[str, Any]) -> Played:
    return asyncio.run(play([{"id": "talk", "language": language, "turns": list(turns)}]))


def broken(played: Played) -> list[tuple[str, str, Any, str]]:
    return [(c.said, c.what, c.wanted, c.found) for c in played.checks if not c.ok]


def test_every_kind_has_six_wordings_in_both_languages_and_levels() -> None:
    japanese, english = _book(Language.JA), _book(Language.EN)
    assert set(japanese["plain"]) == set(japanese["polite"]) == set(english["plain"])
    for lines in (*japanese["plain"].values(), *japanese["polite"].values(), *english["plain"].values()):
        assert len(set(lines)) >= 6


def test_a_life_in_japanese_is_learned_asked_corrected_and_forgotten() -> None:
    played = talk(
        "ja",
        {"say": "はじめまして、遥です", "memory": "遥", "reply": "遥"},
        {"say": "長野に住んでる", "memory": "長野"},
        {"say": "梅干しが大好き", "memory": "like: 梅干し", "reply": "梅干し"},
        {"say": "来週の木曜に面接がある", "memory": "面接", "reply": "面接"},
        {"say": "木曜じゃなくて金曜だった", "memory": "4月17日", "reply": "17日"},
        {"say": "私の名前、覚えてる？", "reply": "遥"},
        {"say": "松本に引っ越したよ", "memory": "松本", "not_memory": "長野"},
        {"say": "前はどこに住んでたっけ？", "reply": "長野"},
        {"say": "血液型って話したっけ？", "not_reply": ["A型", "O型"]},
        {"say": "梅干しが好きってこと、忘れて", "not_memory": "梅干し", "reply": "梅干し"},
        {"say": "私の好きな食べ物は？", "not_reply": "梅干し"},
        {"say": "これからはハルって呼んで", "memory": "ハル", "reply": "ハル"},
        {"say": "明日の朝7時に燃えるゴミってリマインドして", "memory": "reminder: "},
    )
    assert broken(played) == []


def test_a_life_in_english_is_learned_asked_corrected_and_forgotten() -> None:
    played = talk(
        "en",
        {"say": "Hi, I'm Greta", "memory": "Greta", "reply": "Greta"},
        {"say": "I live in Utrecht and work as a welder", "memory": [["Utrecht"], ["welder"]]},
        {"say": "I can't stand raisins", "memory": "dislike: raisins", "reply": "raisins"},
        {"say": "I have a driving test next Tuesday", "memory": "driving test"},
        {"say": "Sorry, not Tuesday, Wednesday", "memory": "Apr 15", "reply": "15"},
        {"say": "What's my name?", "reply": "Greta"},
        {"say": "I moved to Delft", "memory": "Delft", "not_memory": "Utrecht"},
        {"say": "Where did I live before?", "reply": "Utrecht"},
        {"say": "What's my shoe size?", "reply": ["haven't", "never", "nothing", "don't know"]},
        {"say": "Forget that I hate raisins", "not_memory": "raisins"},
        {"say": "Remind me to call Joost tomorrow at 9am", "memory": "reminder: call Joost"},
    )
    assert broken(played) == []


LEARNED = (
    "盛岡に住んでて、蕎麦が好き",
    "妹の由香は看護師をしてる",
    "柴犬のこむぎを飼ってる",
    "小麦アレルギーなんだ",
    "来週の水曜に歯医者の予約がある",
    "I'm a baker and I love rye bread",
    "My brother Arjun is a chef",
    "I'm allergic to peanuts",
    "I have to hand in the report by Friday",
)


@pytest.mark.parametrize("said", LEARNED)
def test_what_is_said_to_be_remembered_is_stored(said: str) -> None:
    """Every thing named in the reply has its row once the jobs have settled, and every row was named."""
    played = talk("ja" if not said.isascii() else "en", {"say": said, "memory": [""], "kind": "stored"})
    reply, kept = fold_key(played.lines[0][2]), played.checks[0].found
    rows = [line.split(": ", 1)[1] for line in kept.splitlines() if ": " in line]
    assert rows
    for row in rows:
        words = [word for word in re.sub("[。のはにが]", " ", row).split() if len(word) > 1]
        assert any(fold_key(word.strip(".,:：")) in reply for word in words), (row, reply)


@pytest.mark.parametrize("language", [JA, EN])
def test_it_does_not_ask_back_and_does_not_repeat_the_clause(language: Language) -> None:
    texts = {
        JA: ["今日は洗濯物がよく乾いた", "駅前の工事がうるさい"],
        EN: ["The laundry dried well", "The roadworks are loud"],
    }
    for text in texts[language]:
        reply = spoken(scene(language, text))
        assert not reply.rstrip().endswith(("?", "？"))
        assert text.rstrip("た") not in reply


@pytest.mark.parametrize("language", [JA, EN])
def test_loss_and_illness_are_never_met_cheerfully(language: Language) -> None:
    texts = {
        JA: ["祖母が亡くなった", "がんだと言われた"],
        EN: ["My grandmother died", "I was told I have cancer"],
    }
    cheerful = {*_book(language)["plain"]["good"], *_book(language)["plain"]["greet"]}
    for text in texts[language]:
        assert spoken(scene(language, text)) not in cheerful


def test_a_question_about_the_world_is_declined_with_one_hint_a_day() -> None:
    played = talk(
        "ja",
        {"say": "フランスの首都はどこ？", "reply": "言語モデル"},
        {"say": "光の速さはどれくらい？", "not_reply": "言語モデル"},
        {"advance_days": 2},
        {"say": "一番高い山はどこ？", "reply": "言語モデル"},
    )
    assert broken(played) == []


@pytest.mark.parametrize(
    "asked",
    [
        "次の予定は？",
        "なんか予定あったっけ？",
        "近いうちに用事ある？",
        "これから何があるんだっけ？",
        "来月なにがある？",
        "来月はなにか入ってる？",
    ],
)
def test_what_comes_next_is_told_however_it_is_asked(asked: str) -> None:
    played = talk("ja", {"say": "来月の3日に札幌に出張がある"}, {"say": asked, "reply": "札幌"})
    assert broken(played) == []


@pytest.mark.parametrize(
    "asked",
    [
        "What's coming up for me?",
        "What's next on my calendar?",
        "Do I have any plans?",
        "What do I have next month?",
        "What's happening next month?",
    ],
)
def test_what_comes_next_is_told_in_english(asked: str) -> None:
    played = talk("en", {"say": "I have a dentist appointment on May 12"}, {"say": asked, "reply": "dentist"})
    assert broken(played) == []


def test_neighbouring_turns_are_not_answered_with_one_line() -> None:
    lines = {spoken(scene(JA, "今日は洗濯物がよく乾いた", seed=seed)) for seed in range(7)}
    assert len(lines) >= 5


@pytest.mark.parametrize(
    ("language", "told", "then", "kept"),
    [
        ("en", "My birthday is August 12th", "I think I lost my wallet", "August 12"),
        ("en", "I love reading", "I never have time to read these days", "like: reading"),
        ("ja", "看護師をしてます", "財布落としたかもしれない", "看護師"),
    ],
)
def test_a_mishap_ends_nothing_that_is_known(language: str, told: str, then: str, kept: str) -> None:
    played = talk(language, {"say": told}, {"say": then, "memory": kept})
    assert broken(played) == []


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (JA, "試験落ちた…"),
        (JA, "息子が学校でいじめられてるみたい"),
        (JA, "財布落としたかもしれない"),
        (EN, "They found something in my blood test"),
        (EN, "I haven't made any friends since I moved"),
    ],
)
def test_hard_news_gets_a_word_of_its_own(language: Language, text: str) -> None:
    lines = _book(language)["plain"]
    assert spoken(scene(language, text)) in [
        line for kind in ("bad", "loss", "illness") for line in lines[kind]
    ]


@pytest.mark.parametrize(
    ("language", "text", "kind"),
    [
        (JA, "疲れたからもう寝るね、おやすみ", "farewell_night"),
        (EN, "I'm exhausted, off to bed, good night", "farewell_night"),
    ],
)
def test_who_says_good_night_is_wished_one(language: Language, text: str, kind: str) -> None:
    assert spoken(scene(language, text)).endswith(tuple(_book(language)["plain"][kind]))


@pytest.mark.parametrize(
    ("language", "text"),
    [(JA, "どうしたらいいと思う？"), (EN, "What should I have for lunch?"), (JA, "この英文を日本語に訳して")],
)
def test_advice_and_tasks_are_declined_not_looked_up(language: Language, text: str) -> None:
    book = _book(language)["plain"]
    assert spoken(scene(language, text)) in {*book["cannot"], *book["cannot_hint"], *book["no_view"]}


@pytest.mark.parametrize(
    ("language", "text"), [(JA, "ちょっと聞いてくれる？"), (EN, "Can I tell you something?")]
)
def test_who_asks_leave_to_tell_is_listened_to(language: Language, text: str) -> None:
    assert spoken(scene(language, text)) in _book(language)["plain"]["go_on"]


@pytest.mark.parametrize(
    ("language", "text"),
    [(JA, "明日の天気は？"), (JA, "来月の祝日はいつ？"), (EN, "What's the weather tomorrow?")],
)
def test_what_the_world_does_ahead_is_no_plan(language: Language, text: str) -> None:
    reading = read(text, now=NOW, language=language)
    assert reading.question is not None
    assert reading.question.about == "world"


@pytest.mark.parametrize(
    ("language", "told", "kept"),
    [
        ("en", "I've got a cat called Pixel", "Your cat is called Pixel."),
        ("ja", "猫のタマを飼ってる", "あなたの猫はタマという。"),
        ("ja", "妹のさくらがいるよ", "あなたの妹はさくらという。"),
    ],
)
def test_who_is_told_by_name_alone_is_told_in_a_sentence(language: str, told: str, kept: str) -> None:
    assert broken(talk(language, {"say": told, "memory": kept})) == []


def test_a_reply_begins_with_a_capital_whatever_it_begins_with() -> None:
    for seed in range(12):
        line = say(scene(EN, "x", seed=seed), "quote", items="i sold it", when="today", when_ni="")
        assert not line[0].islower(), line
    assert any("iPhone" in say(scene(JA, "x", seed=seed), "answer", items="iPhone") for seed in range(12))
    assert not any("IPhone" in say(scene(JA, "x", seed=seed), "answer", items="iPhone") for seed in range(12))


@pytest.mark.parametrize(
    ("language", "first", "then", "asked", "twice"),
    [
        ("en", "I've got a greyhound called Bolt", "Bolt is scared of stairs", "Who is Bolt?", "called Bolt"),
        ("ja", "猫のタマを飼ってる", "タマは雷が苦手", "タマのこと覚えてる？", "タマという"),
    ],
)
def test_that_somebody_is_there_is_said_by_what_is_told_of_them(
    language: str, first: str, then: str, asked: str, twice: str
) -> None:
    assert broken(talk(language, {"say": first}, {"say": then}, {"say": asked, "not_reply": twice})) == []
