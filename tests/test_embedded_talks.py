"""Replies in real talks: clauses kept apart, names used, own life answered, questions that fit."""

from __future__ import annotations

import re

import pytest

from cocoro_ghost.model.preference import Polarity
from cocoro_ghost.model.scene import KnownPreference, Language, PastTurn, Recalled
from tests.speaking import EN, JA, at, event, said, scene, spoken, state

MONTH = 31 * 86400
TURNED = (
    "変わ|なった|苦手じゃない|克服|前は|苦手から|思わなく"
    "|now|change|used to|no longer|anymore|peace|came around|of all things"
)
UNTOLD = "聞いて(い)?ない|知らない|聞いたことがない|覚えがない|haven't told|don't know|nothing|don't think"
TOLD = {
    JA: """新しい机を買った / 週末は友達と山に登った / 京都に住んでる / お寿司が好き / 仕事が忙しい /
        犬を散歩させた / 来週は出張だよ / 昨日は映画を観た / 朝から雨だった / 部屋を片付けた""",
    EN: """I bought a desk / I hiked with a friend / I live in Bath / I love sushi / Work is busy /
        I walked the dog / I'm travelling next week / I saw a film yesterday / It rained all morning /
        I tidied my room""",
}


def likes(subject: str, domain: str = "food") -> KnownPreference:
    return KnownPreference(Polarity.LIKE, domain, subject)


def dislikes(subject: str, domain: str = "food") -> KnownPreference:
    return KnownPreference(Polarity.DISLIKE, domain, subject)


@pytest.mark.parametrize(
    ("language", "text", "liked", "other"),
    [
        (JA, "神戸に住んでて、うどんが大好きなんだ", "うどん", "神戸が好き|神戸、いい|神戸か|神戸ね"),
        (EN, "I live in Oslo and I really love pancakes", "pancakes", "(like|fond of|fan of) Oslo"),
        (EN, "My favourite drink is cocoa, I adore it", "cocoa", "^Drink|like drink"),
    ],
)
def test_only_what_is_liked_is_taken_for_liked(language: Language, text: str, liked: str, other: str) -> None:
    for reply in said(language, text):
        assert liked in reply.casefold(), reply
        assert not re.search(other, reply), reply


@pytest.mark.parametrize(
    ("language", "text", "liked", "avoided"),
    [
        (JA, "餃子は好きだけど、セロリは苦手", "餃子", "セロリ"),
        (EN, "I love dumplings but I can't stand celery", "dumplings", "celery"),
    ],
)
def test_a_like_and_a_dislike_in_one_breath_are_not_confused(
    language: Language, text: str, liked: str, avoided: str
) -> None:
    for reply in said(language, text):
        assert reply.casefold().index(liked) < reply.casefold().index(avoided), reply
        wrong = f"{liked}(?:は苦手|はだめ|はなし)|no {liked}|avoid {liked}|bring up {liked}"
        assert not re.search(wrong, reply, re.IGNORECASE), reply


@pytest.mark.parametrize(
    ("language", "text", "subject", "denied"),
    [
        (JA, "トマト、最近食べられるようになったよ", "トマト", "苦手なの、覚えてる|苦手だったよね|得意じゃ"),
        (JA, "トマト、いまは好き", "トマト", "苦手なの、覚えてる|苦手だったよね。|無理してない"),
        (EN, "I actually like tomatoes now", "tomatoes", "isn't for you|don't even like|rather avoid"),
        (EN, "I don't mind tomatoes anymore", "tomatoes", "isn't for you|don't even like|rather avoid"),
    ],
)
def test_a_turned_taste_is_noticed_and_the_old_one_not_repeated(
    language: Language, text: str, subject: str, denied: str
) -> None:
    for reply in said(language, text, preferences=(dislikes(subject),)):
        assert subject in reply.casefold(), reply
        assert not re.search(denied, reply), reply
        assert re.search(TURNED, reply), reply


def test_a_taste_known_already_is_met_as_known() -> None:
    for reply in said(JA, "やっぱり餃子が大好き", preferences=(likes("餃子"),)):
        assert re.search("知ってる|やっぱり|ほんとに好き|変わらない|前から", reply), reply
    for reply in said(EN, "I love dumplings", preferences=(likes("dumplings"),)):
        assert re.search("I know|remembered|[Ss]till|hasn't changed", reply), reply


@pytest.mark.parametrize(
    ("language", "text", "named"),
    [
        (JA, "私の好きな食べ物、覚えてる?", "餃子"),
        (JA, "僕の苦手な食べ物って覚えてる?", "セロリ"),
        (EN, "Do you remember what food I like?", "dumplings"),
        (EN, "Do you remember what I can't stand?", "celery"),
    ],
)
def test_remembering_tastes_answers_from_the_confirmed_ones(
    language: Language, text: str, named: str
) -> None:
    tastes = (
        (likes("餃子"), dislikes("セロリ")) if language is JA else (likes("dumplings"), dislikes("celery"))
    )
    for reply in said(language, text, preferences=tastes):
        assert named in reply.casefold(), reply


@pytest.mark.parametrize(
    ("language", "text", "name"),
    [
        (JA, "大輔です。よろしくね", "大輔"),
        (JA, "はじめまして、由美っていいます", "由美"),
        (EN, "I'm Oscar, nice to meet you", "Oscar"),
        (EN, "Hi! My name is Greta", "Greta"),
    ],
)
def test_an_introduction_is_answered_by_name(language: Language, text: str, name: str) -> None:
    for reply in said(language, text):
        assert name in reply, reply
        assert re.search("よろしく|はじめまして|meet you|Hello|Pleased", reply), reply
        assert not re.search("どうしてそう|どんな感じ|What's it like|made you think|由来", reply), reply


@pytest.mark.parametrize("language", [JA, EN])
def test_the_name_is_used_once_known_and_a_bare_you_never_greets(language: Language) -> None:
    text, fact = (
        ("おはよう", "あなたの名前は大輔。") if language is JA else ("Good morning", "Your name is Oscar.")
    )
    name = "大輔" if language is JA else "Oscar"
    now = "2026-06-20T07:30:00"
    replies = [spoken(scene(language, text, seed=n, facts=(fact,), now_local=now)) for n in range(40)]
    assert any(name in reply for reply in replies)
    for reply in (*replies, *said(language, text, now_local=now)):
        assert "、あなた" not in reply
    sister = "あなたの妹の名前は由美。" if language is JA else "Your sister's name is Greta."
    assert not any(re.search("由美|Greta", reply) for reply in said(language, text, facts=(sister,)))


@pytest.mark.parametrize(
    ("language", "text", "answer"),
    [
        (JA, "私の仕事って何だったか覚えてる?", "美容師"),
        (JA, "いま私がどこに住んでるかわかる?", "金沢に住んでる"),
        (JA, "私の名前わかる?", "大輔"),
        (JA, "ペット飼ってるの覚えてる?", "ミケ"),
        (JA, "弟の名前なんだっけ?", "翔太"),
        (EN, "Do you remember what my job is?", "hairdresser"),
        (EN, "Do you know where I live now?", "live in Leeds"),
        (EN, "Do you know my name?", "Oscar"),
        (EN, "What are my pets called?", "Mittens"),
        (EN, "What's my brother's name?", "Ralph"),
    ],
)
def test_questions_about_ones_own_life_find_the_facts(language: Language, text: str, answer: str) -> None:
    facts: tuple[str, ...] = (
        "あなたの名前は大輔。", "あなたは金沢に住んでいる。", "あなたは美容師をしている。",
        "あなたは猫のミケを飼っている。", "あなたの弟の翔太が来年結婚する。",
    )  # fmt: skip
    if language is EN:
        facts = (
            "Your name is Oscar.", "You live in Leeds.", "You work as a hairdresser.",
            "You have a cat called Mittens.", "Your brother Ralph is getting married.",
        )  # fmt: skip
    for reply in said(language, text, facts=facts):
        assert answer in reply, reply


@pytest.mark.parametrize(
    ("language", "text", "old", "new", "past"),
    [
        (
            JA,
            "前はどこに住んでたっけ?",
            "あなたは名古屋に住んでいる。",
            "あなたは金沢に住んでいる。",
            "名古屋に住んでた",
        ),
        (EN, "Where did I live before?", "You live in Hull.", "You live in Leeds.", "used to live in Hull"),
        (EN, "What was my old job?", "You work as a cook.", "You work as a pilot.", "used to work as a cook"),
    ],
)
def test_what_was_before_is_told_from_what_ended(
    language: Language, text: str, old: str, new: str, past: str
) -> None:
    for reply in said(language, text, recalled=(state(old, closed=True),), facts=(new,)):
        assert past in reply, reply
    for reply in said(language, text, facts=(new,)):
        assert re.search(UNTOLD, reply), reply


@pytest.mark.parametrize(
    ("language", "text", "memory", "fact", "quoted"),
    [
        (
            JA, "大学のころ、私は何をしてた?", "大学生のころは山岳部で、毎週登ってた",
            "あなたは大学の職員をしている。", "山岳部",
        ),
        (
            EN, "What did I do in college?", "In college I rowed every morning",
            "You work at a college.", "rowed",
        ),
    ],
)  # fmt: skip
def test_a_time_of_life_is_answered_by_its_memory(
    language: Language, text: str, memory: str, fact: str, quoted: str
) -> None:
    recalled = (event(memory, "2026-05-01T20:00:00"),)
    for reply in said(language, text, recalled=recalled, facts=(fact,)):
        assert quoted in reply, reply


@pytest.mark.parametrize(
    ("language", "text", "unfit"),
    [
        (EN, "I work at the hospital as a receptionist", "sorry|oh no|rough|hurt|hard"),
        (EN, "I'm a doctor at St. Luke's in York", "sorry|oh no|St\\.$|St\\. [^L]"),
        (JA, "病院で受付の仕事をしてるよ", "つら|しんど|大変だったね|…"),
        (JA, "それが終わったら、家族で海に行きたい", "おつかれさま|片付い|やりきっ|終わったんだね"),
        (EN, "Once that's finished I want to visit Rome", "well done|nice work|off the list|you did it"),
        (JA, "中学のころホルンを吹いてた", "由来|科目|筋肉痛|自信作"),
        (EN, "In high school I played the oboe", "play with someone|how far|which part"),
        (JA, "うちの犬はポチっていうんだ", "どうしてそう思った"),
    ],
)
def test_nothing_unfitting_is_said(language: Language, text: str, unfit: str) -> None:
    for reply in said(language, text):
        assert not re.search(unfit, reply, re.IGNORECASE), reply


@pytest.mark.parametrize(
    ("language", "text", "nonsense"),
    [
        (EN, "Could you be my friend?", "about friend|your friend, I|don't know|couldn't say"),
        (EN, "It's lovely outside, isn't it?", "(with|about) isn't|depth|don't know"),
        (EN, "When the exams are over I want to sleep", "don't know|couldn't say|no answer"),
        (JA, "友達になってくれる?", "わからない|知らない|くわしくない"),
    ],
)
def test_invitations_tags_and_wishes_are_no_questions_of_knowledge(
    language: Language, text: str, nonsense: str
) -> None:
    for reply in said(language, text):
        assert not re.search(nonsense, reply, re.IGNORECASE), reply


def test_a_question_about_someone_known_is_not_answered_with_ignorance_of_them() -> None:
    dog = state("You have a dog called Pickle.", said="2026-06-01T10:00:00")
    for reply in said(EN, "Can Pickle swim?", recalled=(dog,)):
        assert not re.search("Pickle isn't|about Pickle|know Pickle", reply), reply
        assert "a dog called Pickle" in reply, reply


@pytest.mark.parametrize(
    ("language", "text", "word"),
    [
        (JA, "ただいま。久しぶりだね", "おかえり"),
        (JA, "久しぶり。元気だった?", "1か月"),
        (JA, "1か月ぶりかな", "1か月"),
        (EN, "I'm back. It's been a while, hasn't it?", "back|there you are"),
        (EN, "Hey, it's been ages. How have you been?", "a month"),
        (EN, "It's been so long!", "a month"),
    ],
)
def test_after_a_long_silence_the_return_is_welcomed(language: Language, text: str, word: str) -> None:
    for reply in said(language, text, gap_seconds=MONTH):
        assert re.search(word, reply, re.IGNORECASE), reply
        assert re.search("1か月|a month", reply, re.IGNORECASE), reply
        assert not re.search("のことか|それって、どんな感じ|hasn't|don't know", reply), reply


@pytest.mark.parametrize(
    ("language", "text", "seen"),
    [
        (JA, "ねえ、画面見てくれる?", "画面"),
        (JA, "カメラで私のこと見える?", "カメラ"),
        (EN, "Can you look at my screen?", "screen"),
        (EN, "Do you see me on the camera?", "camera"),
    ],
)
def test_a_failed_look_is_said_plainly(language: Language, text: str, seen: str) -> None:
    for reply in said(language, text, image_summaries=("",)):
        assert seen in reply, reply
        assert re.search("見られなかった|見えな|届いてない|couldn't|can't|didn't|nothing", reply), reply


def test_what_was_done_is_dated_by_its_report_and_not_by_its_deadline() -> None:
    due = state("You have to return the books by June 30th (2026-06-30).", kind="task")
    told_of = event("I returned the books!", "2026-06-12T10:00:00")
    for reply in said(EN, "When did I return the books?", recalled=(due, told_of)):
        assert "June 12th" in reply, reply
        assert "June 30th" not in reply, reply


def test_what_closes_an_open_matter_is_met_as_done() -> None:
    loop = "You have to repaint the fence by June 30th (2026-06-30)."
    for reply in said(EN, "I finally repainted the fence!", open_loops=(loop,)):
        assert "repaint the fence" in reply, reply
    for reply in said(JA, "棚の修理、できたよ!", open_loops=("あなたの予定: 棚の修理をしないと。",)):
        assert re.search("おつかれ|やりき|片付|終わった|がんば|やったね|肩の荷|最後まで|えらい", reply), reply


def test_at_most_about_half_of_the_turns_ask_back() -> None:
    for language, texts in TOLD.items():
        history: tuple[PastTurn, ...] = ()
        asked = 0
        for turn, text in enumerate([*map(str.strip, texts.split("/"))] * 2):
            reply = spoken(scene(language, text, history=history[-10:], seed=turn))
            assert reply.count("?") <= 1, reply
            asked += "?" in reply
            history += (PastTurn(text, reply, at("2026-06-20T20:00:00")),)
        assert asked <= 11, asked


@pytest.mark.parametrize(
    ("language", "text"),
    [(JA, "じゃあ、またね。おやすみ"), (EN, "Talk to you tomorrow, good night"), (EN, "See you!")],
)
def test_goodbyes_are_short(language: Language, text: str) -> None:
    memories: tuple[Recalled, ...] = (event("昨日は雨だった", "2026-06-19T10:00:00"),)
    for reply in said(language, text, recalled=memories):
        assert len(reply) <= 45, reply
        assert "雨" not in reply


@pytest.mark.parametrize(
    ("language", "text", "word"),
    [
        (EN, "my ferry got cancelled twice", "sorry|rough|hurt|hard|oh no|…|carry|wonder|brave|easy"),
        (JA, "約束をすっぽかされてショックだった", "つら|しんど|そっか|…|こた|へこ|きつ|苦し|平気"),
        (EN, "Leo and I split up", "sorry|rough|hurt|hard|oh no|…|lot to carry|wonder|brave|easy|anyone"),
    ],
)  # fmt: skip
def test_misfortune_without_a_plain_word_for_it_is_felt(language: Language, text: str, word: str) -> None:
    for reply in said(language, text):
        assert re.search(word, reply, re.IGNORECASE), reply
        assert not re.search("good to know|interesting|got it|なるほど", reply, re.IGNORECASE), reply


def test_being_ill_is_met_with_care() -> None:
    for reply in said(JA, "風邪をひいたみたいで熱がある"):
        assert re.search("大事|無理しない|休んで|いたわ|よくなり|つらい", reply), reply
    for reply in said(EN, "I caught a cold"):
        assert re.search("well soon|easy|passes|Look after|better", reply), reply


def test_a_correction_names_what_is_right() -> None:
    for reply in said(JA, "訂正、好きなのは紅茶じゃなくて緑茶ね", preferences=(likes("紅茶"),)):
        assert "緑茶" in reply, reply


def test_what_to_eat_is_answered_with_what_is_known_to_be_liked() -> None:
    for reply in said(JA, "晩ごはん何がいいかな?", preferences=(likes("餃子"), dislikes("セロリ"))):
        assert "餃子" in reply, reply
        assert "セロリ" not in reply
    for reply in said(EN, "What should I have for dinner?", preferences=(likes("dumplings"),)):
        assert "dumplings" in reply.casefold(), reply


def test_a_family_name_is_not_said_bare() -> None:
    for reply in said(JA, "鈴木と申します。よろしくお願いします"):
        assert "鈴木さん" in reply, reply


def test_thanks_before_bed_are_answered_with_good_night() -> None:
    assert all(re.search("おやすみ|眠って|いい夜", r) for r in said(JA, "今日はありがとう、おやすみ"))
    assert all(re.search("night|sleep|rest", r, re.I) for r in said(EN, "Thanks for today, good night"))


def test_what_only_the_ghost_said_is_not_quoted_as_the_users_memory() -> None:
    memory = event("Good evening", "2026-05-20T20:00:00", reply="I'm thinking of the trip to Porto.")
    for reply in said(EN, "Do you remember Porto?", recalled=(memory,)):
        assert "Good evening" not in reply, reply


def test_a_note_in_brackets_is_not_spoken() -> None:
    pet = state("あなたは犬のポチを飼ってる（8歳）。")
    for reply in said(JA, "ポチのこと覚えてる?", recalled=(pet,)):
        assert "犬のポチを飼ってる" in reply, reply
        assert "（" not in reply, reply


@pytest.mark.parametrize(
    ("language", "text", "thing"),
    [(JA, "好きな飲み物？麦茶かな", "麦茶"), (EN, "Favorite fruit? Papaya, easily", "papaya")],
)
def test_a_question_answered_by_the_one_who_asked_is_a_telling(
    language: Language, text: str, thing: str
) -> None:
    for reply in said(language, text):
        assert thing in reply.casefold()
