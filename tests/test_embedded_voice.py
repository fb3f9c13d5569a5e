"""How the embedded mind speaks: no repetition, few sentences, and what it says unasked."""

from __future__ import annotations

import asyncio
import re
from random import Random

import pytest

from cocoro_ghost.errors import BadAnswer
from cocoro_ghost.mind.client import ImageRequest, Material, PlanRequest, Purpose, SpeakRequest
from cocoro_ghost.mind.embedded.mind import EmbeddedMind
from cocoro_ghost.mind.embedded.phrases import sentences
from cocoro_ghost.model.answers import (
    Answer,
    ReplySummary,
    ScopeSummary,
    SearchResultPack,
    StateLinks,
    TidyPlan,
    WritePlan,
)
from cocoro_ghost.model.event import Event, EventStatus, Origin, Source
from cocoro_ghost.model.material import (
    CandidatePreview,
    ReplyMaterial,
    SelectMaterial,
    StateLinkMaterial,
    SummaryMaterial,
    TidyMaterial,
    WriteMaterial,
)
from cocoro_ghost.model.scene import Language, Occasion, PastTurn, Recalled
from cocoro_ghost.model.state import ScopeType, State, StateKind
from tests.speaking import (
    EN,
    JA,
    MIND,
    NOW,
    POTTERY_EN,
    POTTERY_JA,
    ZONE,
    at,
    said,
    scene,
    spoken,
    state,
)

EVERYDAY = {
    JA: """新しいカメラを買いました！ / 疲れた / おはよう / ありがとう / 機嫌どう? /
        スカイダイビングのこと覚えてる? / うん / カレー""",
    EN: """I bought a new camera today! / I'm so tired / Hello / Thanks / How are you? /
        Do you remember my skydiving trip? / ok / Curry""",
}


@pytest.mark.parametrize(
    ("language", "text"),
    [(lang, text.strip()) for lang, texts in EVERYDAY.items() for text in texts.split("/")],
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


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (JA, "陶芸のこと覚えてる?"),
        (JA, "陶芸教室に通い始めたのいつだっけ?"),
        (JA, "名古屋のこと覚えてる?"),
        (JA, "妹の名前なんだっけ?"),
        (JA, "私のこと何知ってる?"),
        (EN, "Do you remember the pottery thing?"),
        (EN, "When did I start pottery?"),
        (EN, "Do you remember Nagoya?"),
        (EN, "What's my sister's name?"),
    ],
)
def test_the_same_question_is_answered_in_other_words_each_time(language: Language, text: str) -> None:
    recalled: tuple[Recalled, ...] = (POTTERY_JA, state("あなたは名古屋に住んでいる。", closed=True))
    facts: tuple[str, ...] = ("あなたは金沢に住んでいる。", "あなたの妹の名前はゆい。")
    if language is EN:
        recalled = (POTTERY_EN, state("You live in Nagoya.", closed=True))
        facts = ("You live in Kanazawa.", "Your sister's name is Yui.")
    history: tuple[PastTurn, ...] = ()
    heard: list[set[str]] = []
    for turn in range(12):
        asked = scene(language, text, history=history[-10:], seed=turn, recalled=recalled, facts=facts)
        reply = spoken(asked)
        parts = set(sentences(reply, language))
        assert not parts & set().union(*heard[-10:]), reply
        heard.append(parts)
        history += (PastTurn(text, reply, at(NOW)),)


ALL_SORTS = {
    JA: """雨だね / 友達がケーキをくれた。すごくうれしい！ / 来週、北海道に旅行に行くんだ /
        日本の首都はどこ? / ジャズが好き / 虫は苦手 / レポート終わった / 🎉 / / ほげ。ふが。ぴよ。むにゃ。""",
    EN: """It's raining / My friend gave me a cake. I'm so happy! / I'm going to Hokkaido next week /
        What's the capital of Japan? / I love jazz / I can't stand spiders / I finished my report / 🎉 / /
        One. Two. Three. Four.""",
}


@pytest.mark.parametrize("language", [JA, EN])
def test_always_one_to_three_sentences_with_at_most_one_question_and_nothing_internal(
    language: Language,
) -> None:
    recalled = (POTTERY_JA, POTTERY_EN, state("あなたは猫のミケを飼っている。"))
    for text in (*map(str.strip, ALL_SORTS[language].split("/")), "a" * 500, "word " * 200):
        for reply in said(
            language, text, recalled=recalled, memory_pack="<<INTERNAL_CONTEXT>> [STABLE_FACTS] x"
        ):
            parts = sentences(reply, language)
            assert 1 <= len(parts) <= 3, reply
            assert sum(part.endswith("?") for part in parts) <= 1, reply
            assert not re.search(r"INTERNAL|STABLE|\[|\]|[{}<>|]|\bNone\b", reply), reply


PIECES = """ます です でした だ た んだ ね よ ? ! 私 あなた は が を 猫 ミケ 京都 いつ っけ 覚えてる 、 。 ( )
    {topic} I you my remember when did cat Kyoto 's (a|b) % [face:Joy] https://x.y (2026-13-45) （2026-06-21）
    いる 住んで ない かも 好き 嫌い like hate 名前 ありがとう hello なきゃ しよう … ー 🎉"""


@pytest.mark.parametrize("language", [JA, EN])
def test_whatever_is_said_or_remembered_there_is_an_answer(language: Language) -> None:
    chance = Random(7)

    def words() -> str:
        return "".join(chance.choices([*PIECES.split(), " "], k=chance.randint(0, 9)))

    for seed in range(150):
        kinds = chance.choices(["event", "fact", "relation", "task", "summary", "event_affect"], k=4)
        recalled = tuple(
            Recalled(f"s{i}", kind, words(), words(), at(NOW) - 10**i, None, 0.5, "", i % 2 == 0)
            for i, kind in enumerate(kinds)
        )
        reply = spoken(
            scene(language, words(), recalled=recalled, facts=(words(),), open_loops=(words(),), seed=seed)
        )
        assert 1 <= len(sentences(reply, language)) <= 3


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


def heard_event() -> Event:
    moment = at(NOW)
    return Event(
        1,
        moment,
        moment,
        Source.CHAT,
        Origin.USER,
        EventStatus.DONE,
        "main",
        True,
        "コーヒーが好き",
        "いいね。",
    )


def test_each_typed_question_gets_its_own_type_of_answer() -> None:
    home = State(
        1, StateKind.FACT, "あなたは金沢に住んでいる。", {}, 0.8, 0.5, False, True, None, None, 0, 0, 0
    )
    heard = heard_event()
    asked: tuple[tuple[Purpose, Material, type[Answer]], ...] = (
        ("write_plan", WriteMaterial(heard, (), (), (), JA, "", "あなた", at(NOW)), WritePlan),
        ("tidy_plan", TidyMaterial((home,), JA, at(NOW)), TidyPlan),
        ("reply_summary", ReplyMaterial(1, "いいね。", JA), ReplySummary),
        ("state_links", StateLinkMaterial(home, (), (), JA), StateLinks),
        (
            "scope_summary",
            SummaryMaterial(ScopeType.BOND, "all", "", None, (heard,), (home,), JA, "", "あなた", at(NOW)),
            ScopeSummary,
        ),
    )
    for purpose, material, kind in asked:
        made = asyncio.run(MIND.plan(PlanRequest(purpose, (), material), kind))
        assert isinstance(made, kind)
    with pytest.raises(BadAnswer):
        asyncio.run(MIND.plan(PlanRequest("reply_summary", (), ReplyMaterial(1, "x", JA)), WritePlan))


def test_warming_up_leaves_no_trace_in_what_is_said() -> None:
    said_to = scene(JA, "新しいカメラを買いました！")
    warm = EmbeddedMind(ZONE)
    asyncio.run(warm.warm_up())

    async def gather() -> str:
        return "".join([piece async for piece in warm.speak(SpeakRequest(said_to, ()))])

    assert asyncio.run(gather()) == spoken(said_to)
    assert warm.model_id == "embedded"


@pytest.mark.parametrize(
    ("language", "instruction", "extra", "word"),
    [
        (JA, "休憩を促して", {}, "休|目を|伸び|息|呼吸"),
        (JA, "励ましてあげて", {}, "見てる|応援|えらい|大丈夫|やってる|味方|一歩|花丸|あなた"),
        (JA, "ニュースを伝えて", {"payload_text": "金沢で大雪警報"}, "金沢で大雪警報"),
        (EN, "Suggest a break", {}, "(?i)break|rest|breath|stretch|pause|night|stand|shoulders"),
        (EN, "Tell them", {"payload_text": "Snow in Kanazawa"}, "Snow in Kanazawa"),
        (EN, "Tell them", {"payload_text": '{"a": [1]}'}, "^[^{]*$"),
    ],
)
def test_what_it_may_say_of_its_own_accord(
    language: Language, instruction: str, extra: dict[str, str], word: str
) -> None:
    for reply in said(language, instruction, occasion=Occasion.META_REQUEST, extra=extra):
        assert re.search(word, reply), reply


def test_a_notification_without_words_and_a_worrying_one() -> None:
    assert all("CI" in r for r in said(JA, "", occasion=Occasion.NOTIFICATION, source_system="CI"))
    replies = said(EN, "The build broke again, terrible", occasion=Occasion.NOTIFICATION, source_system="CI")
    assert all(re.search("worries|soon|should know|sorts", reply) for reply in replies)


@pytest.mark.parametrize(
    ("language", "text", "word"),
    [
        (JA, "何ができるの?", "覚え|思い出|おしゃべり|聞|リマインダー"),
        (JA, "暇だなあ", "?"),
        (JA, "あなたの好きな食べ物は?", "好き"),
        (JA, "どう思う?", "思う|信じ|味方|考え|聞か|後悔|いいと"),
        (JA, "本当に?", "ほんと|うそ|そう|たぶん|正直|つもり|冗談|知ってる"),
        (JA, "ただいま", "おかえり"),
        (JA, "行ってきます", "いってらっしゃい|気をつけて"),
        (JA, "大好きだよ", "うれし|照れ|好き|やさしい|ありがとう|覚えて|もう一回"),
        (EN, "What can you do?", "remember|listen|keep|memor|notice|reminder"),
        (EN, "I'm bored", "?"),
        (EN, "I'm back", "back|home"),
    ],
)
def test_more_small_talk(language: Language, text: str, word: str) -> None:
    for reply in said(language, text):
        assert re.search(re.escape(word) if word == "?" else word, reply, re.IGNORECASE), reply


def test_several_images_and_images_that_are_only_a_size() -> None:
    shown = ("白い犬", "黒い猫")
    assert all("2枚" in reply and "白い犬" in reply for reply in said(JA, "見て", image_summaries=shown))
    for reply in said(EN, "", image_summaries=("a PNG image of 10×20 pixels",)):
        assert "10×20" in reply
        assert re.search("can't|beyond|don't|only tell", reply)
