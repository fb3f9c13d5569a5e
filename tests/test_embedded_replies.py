"""What the embedded mind replies, heard through `EmbeddedMind.speak` with hand-built scenes."""

from __future__ import annotations

import re

import pytest

from cocoro_ghost.mind.embedded.phrases import sentences
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.preference import Polarity
from cocoro_ghost.model.scene import KnownPreference, Language, Mood, PastTurn, Persona, Recalled
from tests.speaking import (
    EN,
    JA,
    POTTERY_EN,
    POTTERY_JA,
    at,
    event,
    said,
    state,
)


@pytest.mark.parametrize(
    ("language", "text", "memory", "quoted"),
    [
        (JA, "陶芸のこと覚えてる?", POTTERY_JA, "陶芸教室に通い始めた"),
        (EN, "Do you remember the pottery thing?", POTTERY_EN, "I started pottery classes"),
    ],
)
def test_remembers_with_the_words_and_the_time(
    language: Language, text: str, memory: Recalled, quoted: str
) -> None:
    when = "3か月前" if language is JA else "three months ago"
    for reply in said(language, text, recalled=(memory,)):
        assert quoted in reply
        assert when in reply.lower()


@pytest.mark.parametrize(
    ("language", "text", "memory", "hidden"),
    [
        (JA, "スカイダイビングのこと覚えてる?", POTTERY_JA, "陶芸"),
        (JA, "弟の名前なんだっけ?", state("あなたの妹の名前はゆい。", kind="relation"), "ゆい"),
        (JA, "沖縄に行ったのはいつ?", POTTERY_JA, "3月7日"),
        (EN, "Do you remember my skydiving trip?", POTTERY_EN, "pottery"),
        (EN, "What's my brother's name?", state("Your sister's name is Yui.", kind="relation"), "Yui"),
        (EN, "When did I go to Okinawa?", POTTERY_EN, "March"),
    ],
)
def test_is_honest_when_it_knows_nothing(
    language: Language, text: str, memory: Recalled, hidden: str
) -> None:
    for reply in said(language, text, recalled=(memory,)):
        assert hidden not in reply
        assert reply.endswith(("?", "？"))


@pytest.mark.parametrize(
    ("language", "text", "memory", "date"),
    [
        (JA, "陶芸教室に通い始めたのっていつだっけ?", POTTERY_JA, "3月7日"),
        (
            JA,
            "京都に行ったのはいつ?",
            event("京都の鯖寿司おいしかった", "2025-08-20T21:00:00", "2025-08-16T00:00:00"),
            "去年の8月16日",
        ),
        (EN, "When did I start pottery?", POTTERY_EN, "March 7th"),
        (
            EN,
            "When did I go to Kyoto?",
            event("The sushi in Kyoto was so good", "2025-08-20T21:00:00", "2025-08-16T00:00:00"),
            "August 16th, 2025",
        ),
        (
            EN,
            "When did I go independent?",
            event("I went independent in 2017", "2025-08-20T21:00:00", "2017-01-01T00:00:00"),
            "2017",
        ),
    ],
)
def test_answers_when_with_the_date_of_the_memory(
    language: Language, text: str, memory: Recalled, date: str
) -> None:
    for reply in said(language, text, recalled=(memory,)):
        assert date in reply


def test_without_an_about_time_the_day_it_was_told_is_given_as_such() -> None:
    memory = event("新しい自転車を買った", "2026-06-02T09:00:00")
    for reply in said(JA, "自転車を買ったのいつだっけ?", recalled=(memory,)):
        assert "6月2日" in reply
        assert re.search("聞い|話|教え|話題|会話", reply)


@pytest.mark.parametrize(
    ("language", "text", "facts", "answer"),
    [
        (JA, "私ってどこに住んでるんだっけ?", ("あなたは金沢に住んでいる。",), "金沢に住んでる"),
        (JA, "妹の名前なんだっけ?", ("あなたの妹の名前はゆい。",), "妹の名前はゆい"),
        (JA, "私の名前は?", ("あなたの名前は太郎。", "あなたは金沢に住んでいる。"), "太郎"),
        (JA, "ペットの名前なんだっけ?", ("あなたは猫のミケを飼っている。",), "ミケ"),
        (EN, "Where do I live?", ("You live in Kanazawa.",), "you live in Kanazawa"),
        (EN, "What's my sister's name?", ("Your sister's name is Yui.",), "sister's name is Yui"),
        (EN, "What was my pet's name?", ("You have a cat named Mike.",), "Mike"),
    ],
)
def test_answers_where_who_and_what_from_facts(
    language: Language, text: str, facts: tuple[str, ...], answer: str
) -> None:
    for reply in said(language, text, facts=facts):
        assert answer.casefold() in reply.casefold()


@pytest.mark.parametrize(
    ("language", "text", "old", "new", "past", "present"),
    [
        (
            JA,
            "名古屋のこと覚えてる?",
            "あなたは名古屋に住んでいる。",
            "あなたは金沢に住んでいる。",
            "名古屋に住んでた",
            "金沢",
        ),
        (
            EN,
            "Do you remember Nagoya?",
            "You live in Nagoya.",
            "You live in Kanazawa.",
            "used to live in Nagoya",
            "Kanazawa",
        ),
        (EN, "Do you remember Kenta?", "Kenta is your boss.", "", "Kenta used to be your boss", ""),
    ],
)
def test_a_closed_state_is_told_as_past(
    language: Language, text: str, old: str, new: str, past: str, present: str
) -> None:
    for reply in said(language, text, recalled=(state(old, closed=True),), facts=(new,)):
        assert past in reply
        assert present in reply


@pytest.mark.parametrize("language", [JA, EN])
def test_tells_what_it_knows_about_the_user(language: Language) -> None:
    japanese = language is JA
    text = "私のこと何知ってる?" if japanese else "What do you know about me?"
    facts = ("あなたは金沢に住んでいる。",) if japanese else ("You live in Kanazawa.",)
    taste = KnownPreference(Polarity.LIKE, "food", "コーヒー" if japanese else "coffee")
    for reply in said(language, text, facts=facts, preferences=(taste,)):
        assert ("金沢" if japanese else "Kanazawa") in reply
        assert taste.subject in reply
    for reply in said(language, text):
        assert len(sentences(reply, language)) >= 2
        assert "?" in reply


@pytest.mark.parametrize(
    ("language", "text", "named", "unnamed"),
    [
        (JA, "私の好きな食べ物は?", "コーヒー", "ジャズ"),
        (JA, "苦手な食べ物は何だっけ?", "パクチー", "コーヒー"),
        (EN, "What food do I like?", "coffee", "jazz"),
        (EN, "What food do I hate?", "cilantro", "coffee"),
    ],
)
def test_asserts_only_confirmed_tastes_of_the_asked_kind(
    language: Language, text: str, named: str, unnamed: str
) -> None:
    subjects = ("コーヒー", "ジャズ", "パクチー") if language is JA else ("coffee", "jazz", "cilantro")
    tastes = (
        KnownPreference(Polarity.LIKE, "food", subjects[0]),
        KnownPreference(Polarity.LIKE, "topic", subjects[1]),
        KnownPreference(Polarity.DISLIKE, "food", subjects[2]),
    )
    candidate = state("あなたはラーメンが好き。" if language is JA else "You like ramen.")
    for reply in said(language, text, preferences=tastes, recalled=(candidate,)):
        assert named in reply.casefold()
        assert unnamed not in reply.casefold()
    for reply in said(language, text, recalled=(candidate,)):
        assert "ラーメン" not in reply
        assert "ramen" not in reply


def test_brings_up_one_fitting_memory_and_leaves_the_rest() -> None:
    other = event("昨日は雨で大変だった", "2026-06-01T10:00:00")
    for reply in said(JA, "今日は陶芸教室に行ってきた", recalled=(other, POTTERY_JA)):
        assert "陶芸教室に通い始めた" in reply
        assert "雨で大変" not in reply
    for reply in said(EN, "I went to my pottery class today", recalled=(POTTERY_EN,)):
        assert "I started pottery classes" in reply


def test_takes_up_what_was_said() -> None:
    assert all("カメラ" in reply for reply in said(JA, "新しいカメラを買いました！"))
    assert all("camera" in reply for reply in said(EN, "I bought a new camera today!"))


def test_says_the_users_clause_back_in_plain_speech_without_turning_persons_wrong() -> None:
    replies = said(JA, "私は金沢に引っ越しました")
    assert any("金沢に引っ越したんだ" in reply for reply in replies)
    assert not any("私は" in reply for reply in replies)
    assert not any("あなたが手伝って" in reply for reply in said(JA, "あなたが手伝ってくれたおかげだよ"))
    for reply in said(EN, "I gave my sister a book and you helped me"):
        assert "you helped you" not in reply


SORRY_JA = "つら|しんど|大変|こた|へこ|そっか|そうか|…|平気|落ち込|きつ|苦し|痛|話"
SORRY_EN = "sorry|rough|hard|hurt|oh no|lot to carry|wonder|brave|lighter|thank you|…"
GRIEF_EN = "sorry|grieve|words|aches|meant|missing|holding|them|hurry"


@pytest.mark.parametrize(
    ("language", "text", "fit", "unfit"),
    [
        (JA, "試験に落ちちゃった…", SORRY_JA, "おめでとう|やったね"),
        (JA, "祖母が亡くなった", "さみし|悔やみ|つらい|悲し|…|そば|思い出|涙", "おめでとう|やったね|楽し"),
        (JA, "昇進が決まった！", "おめでとう", "つらい|しんどい"),
        (EN, "I failed my driving test...", SORRY_EN, "congrat|yay"),
        (EN, "My grandmother passed away", GRIEF_EN, "congrat|yay"),
        (EN, "I got promoted!", "congrat", "sorry"),
        (EN, "I'm not happy with my job", ".", "wonderful|yay|glad"),
    ],
)  # fmt: skip
def test_good_and_bad_news_get_the_fitting_word_first(
    language: Language, text: str, fit: str, unfit: str
) -> None:
    for reply in said(language, text):
        # Sympathy must come first; congratulations may follow the news said back.
        heard = reply if fit.startswith(("おめでとう", "congrat")) else sentences(reply, language)[0]
        assert re.search(fit, heard, re.IGNORECASE), reply
        assert not re.search(unfit, reply, re.IGNORECASE), reply


@pytest.mark.parametrize(
    ("language", "text", "now", "word"),
    [
        (JA, "おはよう", "2026-06-20T07:30:00", "おはよ"),
        (JA, "やあ", "2026-06-20T08:00:00", "おはよ"),
        (JA, "こんばんは", "2026-06-20T20:00:00", "こんばんは|いい夜"),
        (EN, "Hello", "2026-06-20T08:00:00", "morning"),
        (EN, "Good evening", "2026-06-20T20:00:00", "evening|day|today|night"),
    ],
)
def test_greets_by_the_hour(language: Language, text: str, now: str, word: str) -> None:
    for reply in said(language, text, now_local=now):
        assert re.search(word, reply, re.IGNORECASE), reply


def test_greets_by_the_length_of_silence() -> None:
    month = 31 * 86400
    assert all("1か月" in reply for reply in said(JA, "やあ", gap_seconds=month))
    assert all("a month" in reply.lower() for reply in said(EN, "Hi", gap_seconds=month))
    assert all("ココロ" in reply for reply in said(JA, "こんにちは", gap_seconds=None, history=()))
    assert not any("ぶり" in reply for reply in said(JA, "やあ", gap_seconds=7200))


def test_a_greeting_before_the_news_does_not_swallow_the_news() -> None:
    for reply in said(JA, "おはよう。昨日、猫カフェでバイトを始めたよ"):
        assert re.search("猫カフェ|バイト", reply)


@pytest.mark.parametrize("language", [JA, EN])
def test_feeling_follows_the_mood(language: Language) -> None:
    text = "機嫌どう?" if language is JA else "How do you feel?"

    def mood(v: float, a: float) -> Mood:
        return Mood("", Vad(v, a, 0), Vad(), Vad(v, a, 0))

    low = set(said(language, text, mood=mood(-0.6, -0.3)))
    high = set(said(language, text, mood=mood(0.6, 0.5)))
    lows = (
        "しょんぼり|沈ん|静か|元気いっぱいとは|しんみり|さみし|おとなしめ|雨の日"
        "|low|grey|brightest|downcast|lonely|subdued|rainy"
    )
    assert all(re.search(lows, reply, re.IGNORECASE) for reply in low)
    assert not any(re.search(lows, reply, re.IGNORECASE) for reply in high)


@pytest.mark.parametrize(
    ("language", "text", "word"),
    [
        (JA, "今何時?", "20時15分"),
        (JA, "今日は何曜日?", "土曜日"),
        (EN, "What time is it?", "8:15"),
        (EN, "What day is it today?", "Saturday"),
        (JA, "ねえ、名前は?", "ココロ"),
        (EN, "What's your name?", "Cocoro"),
        (JA, "天気を調べて", "でき|無理|難しい|届かない|力"),
        (EN, "Can you look up the weather?", "can't|beyond|not able|isn't something|no way|powers|no hands"),
        (JA, "ありがとう", "どういたし|うれし|ありがと|いつでも|よかった|照れ|お礼"),
        (JA, "もう寝るね、おやすみ", "おやすみ|眠って|いい夜"),
        (EN, "Good night", "night|sleep|rest"),
        (JA, "明日の7時に起こして", "候補|リマインダー|控え"),
        (JA, "それじゃないよ", "ごめん|違|思い違い|それじゃ|忘れておく|引っ込め|直し"),
        (JA, "そんな話してないよ", "ごめん|違|思い違い|それじゃ|忘れておく|引っ込め|直し"),
    ],
)  # fmt: skip
def test_small_questions_and_requests(language: Language, text: str, word: str) -> None:
    for reply in said(language, text, recalled=(POTTERY_JA, POTTERY_EN)):
        assert re.search(word, reply, re.IGNORECASE), reply


def test_open_matters_are_listed_when_asked() -> None:
    assert all("確定申告" in r for r in said(JA, "やること何があったっけ?", open_loops=("確定申告を出す",)))
    for text in ("What do I have to do?", "What's on my list?"):
        assert all("taxes" in r for r in said(EN, text, open_loops=("file the taxes",)))


def test_an_open_matter_is_told_with_its_day_and_not_with_the_words_of_another_day() -> None:
    line = "あなたは、明日歯医者の予約がある（2026-06-26）。 (due 2026-06-26T23:59:59)"
    for reply in said(JA, "やること何があったっけ?", open_loops=(line,)):
        assert "歯医者の予約がある" in reply
        assert "6月26日" in reply
        assert not re.search("明日|due|2026|あなたは", reply)
    planned = "あなたの予定: 週末に引っ越し（2026-06-27–2026-06-28）。"
    for reply in said(JA, "やること何があったっけ?", open_loops=(planned,)):
        assert "「引っ越し」" in reply
        assert "6月27日" in reply
    english = "You have to hand in the report by tomorrow (2026-06-26)."
    for reply in said(EN, "What do I have to do?", open_loops=(english,)):
        assert "hand in the report" in reply
        assert "June 26th" in reply
        assert "tomorrow" not in reply


def test_when_something_planned_is_due() -> None:
    task = state("あなたは、来週歯医者の予約がある（2026-06-26）。", kind="task")
    assert all("6月26日" in reply for reply in said(JA, "歯医者っていつだっけ?", recalled=(task,)))


def test_what_was_told_a_moment_ago_is_known_before_it_has_grown() -> None:
    turns = (
        PastTurn("妹の名前はゆいだよ", "そうなんだ。", at("2026-06-20T20:10:00")),
        PastTurn("ゆいの仕事ってなんだっけ?", "まだ聞いてないと思う。", at("2026-06-20T20:12:00")),
    )
    for reply in said(JA, "妹の名前なんだっけ?", history=turns):
        assert "ゆい" in reply
        assert "仕事" not in reply
    for reply in said(JA, "さっきの話、覚えてる?", history=turns[:1]):
        assert "妹の名前はゆい" in reply


def test_tastes_in_the_packs_facts_are_not_told_twice() -> None:
    taste = KnownPreference(Polarity.LIKE, "food", "コーヒー")
    for reply in said(JA, "私のこと何知ってる?", facts=("好き: コーヒー",), preferences=(taste,)):
        assert reply.count("コーヒー") == 1


@pytest.mark.parametrize(
    ("told", "echo"),
    [
        ("本を読んだ", "本を読んだんだ"),
        ("昨日は友達と泳いだよ", "泳いだんだ"),
        ("ピアノを練習しています", "ピアノを練習してるんだ"),
        ("猫が家に来ました", "猫が家に来たんだ"),
        ("ここは静かです", "静かなんだ"),
    ],
)
def test_endings_become_plain_speech(told: str, echo: str) -> None:
    assert any(echo in reply for reply in said(JA, told))


@pytest.mark.parametrize(
    ("body", "label", "spoken_as"),
    [
        ("あなたは朝が苦手である。", "あなた", "朝が苦手なんだ|朝が苦手だ"),
        ("マスターには妹がいる。", "マスター", "妹がいる"),
        ("お兄ちゃんは左利き。", "お兄ちゃん", "左利きなんだ|左利きだ"),
        ("あなたは去年結婚しました。", "あなた", "去年結婚した"),
        ("佐藤さんはあなたの上司。", "あなた", "佐藤さんはあなたの上司"),
    ],
)
def test_states_are_told_in_speech_to_whom_they_are_about(body: str, label: str, spoken_as: str) -> None:
    persona = Persona("ココロ", "", "", label)
    for reply in said(JA, "私のこと何知ってる?", facts=(body,), persona=persona):
        assert re.search(spoken_as, reply), reply
        assert not re.search(f"{label}(?:は[^ね]|には)", reply), reply


@pytest.mark.parametrize(
    ("language", "text", "fact", "answer"),
    [
        (JA, "私が食べられないものって何だっけ", "あなたはピーナッツアレルギー。", "ピーナッツ"),
        (EN, "What can't I eat?", "You're allergic to peanuts.", "peanuts"),
        (EN, "What am I allergic to again?", "You're allergic to peanuts.", "peanuts"),
    ],
)
def test_what_one_cannot_eat_is_answered_from_the_allergy(
    language: Language, text: str, fact: str, answer: str
) -> None:
    for reply in said(language, text, facts=(fact,)):
        assert answer in reply
