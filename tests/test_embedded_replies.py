"""What the embedded mind says, heard through `EmbeddedMind.speak` with hand-built scenes."""

from __future__ import annotations

import asyncio
import re
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from cocoro_ghost.mind.client import ImageRequest, PlanRequest, SpeakRequest
from cocoro_ghost.mind.embedded.mind import EmbeddedMind
from cocoro_ghost.mind.embedded.phrases import sentences
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.answers import SearchResultPack
from cocoro_ghost.model.material import CandidatePreview, SelectMaterial
from cocoro_ghost.model.preference import Polarity
from cocoro_ghost.model.scene import (
    KnownPreference,
    Language,
    Mood,
    Occasion,
    PastTurn,
    Persona,
    Recalled,
    Scene,
)

ZONE = ZoneInfo("Asia/Tokyo")
NOW = "2026-06-20T20:15:00"
PERSONAS = {
    Language.JA: Persona("ココロ", "やさしい相棒", "", "あなた"),
    Language.EN: Persona("Cocoro", "A kind companion", "", "you"),
}
JA, EN = Language.JA, Language.EN


def at(iso: str) -> int:
    return int(datetime.fromisoformat(iso).replace(tzinfo=ZONE).timestamp())


def event(text: str, said: str, happened: str | None = None, reply: str = "") -> Recalled:
    about = at(happened) if happened else None
    return Recalled("e1", "event", text, reply, at(said), about, 0.8, "")


def state(body: str, said: str = "2026-01-10T20:00:00", closed: bool = False, kind: str = "fact") -> Recalled:
    return Recalled("s1", kind, body, "", at(said), None, 0.7, "", closed)


def scene(language: Language, text: str, **more: Any) -> Scene:
    fields: dict[str, Any] = {
        "occasion": Occasion.CHAT,
        "language": language,
        "persona": PERSONAS[language],
        "now_ts": at(more.get("now_local", NOW)),
        "now_local": NOW,
        "user_text": text,
        "gap_seconds": 4000,
        "history": (PastTurn("…", "…", at("2026-06-20T19:00:00")),),
        "seed": 1,
    }
    return Scene(**(fields | more))


MIND = EmbeddedMind(ZONE)


def spoken(said_to: Scene) -> str:
    async def gather() -> str:
        return "".join([piece async for piece in MIND.speak(SpeakRequest(said_to, ()))])

    return asyncio.run(gather())


def said(language: Language, text: str, **more: Any) -> list[str]:
    """The same message under several seeds: what holds must hold for every wording."""
    return [spoken(scene(language, text, seed=seed, **more)) for seed in range(6)]


POTTERY_JA = event("先週から陶芸教室に通い始めたんだ", "2026-03-14T21:00:00", "2026-03-07T12:00:00")
POTTERY_EN = event("I started pottery classes last week", "2026-03-14T21:00:00", "2026-03-07T12:00:00")


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


@pytest.mark.parametrize(
    ("language", "text", "fit", "unfit"),
    [
        (JA, "試験に落ちちゃった…", "つら|しんど|大変|こた|へこ|そっか|そうか|…|平気|落ち込|きつ|苦し|痛|話", "おめでとう|やったね"),
        (JA, "祖母が亡くなった", "さみし|悔やみ|つらい|悲し|…|そば|思い出|涙", "おめでとう|やったね|楽し"),
        (JA, "昇進が決まった！", "おめでとう", "つらい|しんどい"),
        (EN, "I failed my driving test...", "sorry|rough|hard|hurt|oh no|lot to carry|wonder|brave|lighter|thank you|…", "congrat|yay"),
        (EN, "My grandmother passed away", "sorry|grieve|words|aches|meant|missing|holding|them|hurry", "congrat|yay"),
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
    lows = "しょんぼり|沈ん|静か|元気いっぱいとは|しんみり|さみし|おとなしめ|雨の日|low|grey|brightest|downcast|lonely|subdued|rainy"
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
        (EN, "Can you look up the weather?", "can't|can’t|beyond|not able|isn't something|no way|powers|no hands|remembering is all"),
        (JA, "ありがとう", "どういたし|うれし|ありがと|いつでも|よかった|照れ|お礼"),
        (JA, "もう寝るね、おやすみ", "おやすみ|眠って|いい夜"),
        (EN, "Good night", "night|sleep|rest"),
        (JA, "明日の7時に起こして", "候補|リマインダー|控え"),
        (JA, "それじゃないよ", "ごめん|違|思い違い|それじゃ|忘れておく|引っ込め|直し"),
    ],
)  # fmt: skip
def test_small_questions_and_requests(language: Language, text: str, word: str) -> None:
    for reply in said(language, text, recalled=(POTTERY_JA, POTTERY_EN)):
        assert re.search(word, reply, re.IGNORECASE), reply


def test_open_matters_are_listed_when_asked() -> None:
    assert all("確定申告" in r for r in said(JA, "やること何があったっけ?", open_loops=("確定申告を出す",)))
    assert all("taxes" in r for r in said(EN, "What do I have to do?", open_loops=("file the taxes",)))


EVERYDAY = {
    JA: ("新しいカメラを買いました！", "疲れた", "おはよう", "ありがとう", "機嫌どう?", "スカイダイビングのこと覚えてる?", "うん", "カレー"),
    EN: ("I bought a new camera today!", "I'm so tired", "Hello", "Thanks", "How are you?", "Do you remember my skydiving trip?", "ok", "Curry"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text"), [(lang, text) for lang, texts in EVERYDAY.items() for text in texts]
)
def test_never_the_same_sentence_within_ten_turns(language: Language, text: str) -> None:
    history: tuple[PastTurn, ...] = ()
    heard: list[set[str]] = []
    for turn in range(13):
        reply = spoken(scene(language, text, history=history[-10:], seed=100 + turn))
        parts = set(sentences(reply, language))
        assert 1 <= len(parts) <= 3, reply
        assert not parts & set().union(*heard[-10:]), reply
        heard.append(parts)
        history += (PastTurn(text, reply, at(NOW)),)


ALL_SORTS = {
    JA: ("雨だね", "友達がケーキをくれた。すごくうれしい！", "来週、北海道に旅行に行くんだ", "日本の首都はどこ?", "ジャズが好き", "虫は苦手", "レポート終わった", "🎉", "", "ほげ。ふが。ぴよ。むにゃ。", "a" * 500),
    EN: ("It's raining", "My friend gave me a cake. I'm so happy!", "I'm going to Hokkaido next week", "What's the capital of Japan?", "I love jazz", "I can't stand spiders", "I finished my report", "🎉", "", "One. Two. Three. Four.", "word " * 200),
}  # fmt: skip


@pytest.mark.parametrize("language", [JA, EN])
def test_always_one_to_three_sentences_with_at_most_one_question_and_nothing_internal(
    language: Language,
) -> None:
    recalled = (POTTERY_JA, POTTERY_EN, state("あなたは猫のミケを飼っている。"))
    for text in ALL_SORTS[language]:
        for reply in said(
            language, text, recalled=recalled, memory_pack="<<INTERNAL_CONTEXT>> [STABLE_FACTS] x"
        ):
            parts = sentences(reply, language)
            assert 1 <= len(parts) <= 3, reply
            assert sum(part.endswith("?") for part in parts) <= 1, reply
            assert not re.search(r"INTERNAL|STABLE|\[|\]|[{}<>|]|\bNone\b", reply), reply


def test_the_same_scene_gives_the_same_words_in_small_pieces() -> None:
    said_to = scene(JA, "新しいカメラを買いました！")

    async def pieces() -> list[str]:
        return [piece async for piece in EmbeddedMind(ZONE).speak(SpeakRequest(said_to, ()))]

    first, second = asyncio.run(pieces()), asyncio.run(pieces())
    assert first == second
    assert len(first) > 3
    assert max(map(len, first)) <= 3


@pytest.mark.parametrize(
    ("language", "content"),
    [
        (JA, "歯医者の予約の電話をする"),
        (JA, "燃えるゴミと資源ゴミをまとめて玄関に出してから洗濯機を回して布団"),
        (EN, "call the dentist"),
        (EN, "Take out the trash and water the plants now"),
    ],
)
@pytest.mark.parametrize("late", ["", "1"])
def test_a_reminder_is_short_and_keeps_time_and_content(language: Language, content: str, late: str) -> None:
    extra = {"time": "7:30", "late": late} if late else {"time": "7:30"}
    for reply in said(language, content, occasion=Occasion.REMINDER, extra=extra):
        assert content in reply
        assert "7:30" in reply
        assert len(reply) <= 50
        if late and len(content) < 38:
            assert re.search("遅|過ぎ|late", reply, re.IGNORECASE)


@pytest.mark.parametrize("language", [JA, EN])
def test_a_notification_names_its_source_and_asks_nothing(language: Language) -> None:
    text = "15時から定例会議です。参加しますか？" if language is JA else "Standup at 3 pm. Will you join?"
    for reply in said(language, text, occasion=Occasion.NOTIFICATION, source_system="Calendar"):
        assert "Calendar" in reply
        assert ("会議" if language is JA else "Standup") in reply
        assert not re.search(r"[?？]", reply)
        assert len(sentences(reply, language)) <= 3


@pytest.mark.parametrize(
    ("language", "instruction", "topic", "parroted"),
    [
        (JA, "ユーザーに陶芸について話しかけるよう指示します", "陶芸", "ユーザー|指示|話しかけ"),
        (EN, "Instruction: talk to the user about pottery", "pottery", "user|instruction"),
    ],
)
def test_speaks_of_its_own_accord_without_parroting(
    language: Language, instruction: str, topic: str, parroted: str
) -> None:
    memories = (POTTERY_JA,) if language is JA else (POTTERY_EN,)
    for reply in said(language, instruction, occasion=Occasion.META_REQUEST, recalled=memories):
        assert topic in reply
        assert not re.search(parroted, reply, re.IGNORECASE)


@pytest.mark.parametrize("language", [JA, EN])
def test_comments_on_the_screen_are_short(language: Language) -> None:
    seen = "コードエディタでテストを書いている画面" * 4 if language is JA else "a code editor with tests " * 6
    for summaries, extra in (((seen,), {}), ((), {"active_app": "Visual Studio Code"}), ((), {})):
        for reply in said(
            language, "", occasion=Occasion.DESKTOP_WATCH, image_summaries=summaries, extra=extra
        ):
            assert 0 < len(reply) <= 60


def test_images_are_taken_up_by_their_descriptions() -> None:
    assert all("白い犬" in r for r in said(JA, "これ見て", image_summaries=("夕焼けの海辺に立つ白い犬",)))
    assert all("white dog" in r for r in said(EN, "Look", image_summaries=("a white dog on a beach",)))
    for reply in said(JA, "", image_summaries=("",)):
        assert re.search("見られな|読み取れな|見えない|開けな|届いてない|だめだった", reply)


def test_seeing_tells_only_kind_and_size() -> None:
    request = ImageRequest("image/png", 1280, 720, b"", JA)
    assert asyncio.run(MIND.see(request)) == "1280×720のPNG画像"
    english = ImageRequest("image/jpeg", 10, 20, b"", EN)
    assert asyncio.run(MIND.see(english)) == "a JPEG image of 10×20 pixels"


def test_selection_is_the_best_scored() -> None:
    candidates = tuple(
        CandidatePreview(f"e{i}", "event", f"text {i}", NOW, score, ("words",))
        for i, score in enumerate((0.2, 0.9, 0.5))
    )
    material = SelectMaterial("?", "associative_recent", candidates, 2, EN, NOW)
    request = PlanRequest("search_result_pack", (), material)
    pack = asyncio.run(MIND.plan(request, SearchResultPack))
    assert [chosen.ref for chosen in pack.selected] == ["e1", "e2"]
    assert all(chosen.reason for chosen in pack.selected)
