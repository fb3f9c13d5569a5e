"""What holds of every message that is read: places inside it, nothing learned from what tells nothing."""

from __future__ import annotations

from datetime import datetime
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocoro_ghost.language import read
from cocoro_ghost.language.read.asked import kinds_asked
from cocoro_ghost.language.read.everyday_words import in_everyday_words
from cocoro_ghost.language.read.tables import table
from cocoro_ghost.language.spelled_out import spelled_out
from cocoro_ghost.language.tones import CLASSES, tone_of
from cocoro_ghost.model.reading import GLAD, HEAVY, Claim, Reading, Slot, Tone, Who
from cocoro_ghost.model.scene import Language
from tests.hostile_texts import hostile_texts

JA, EN = Language.JA, Language.EN
NOW = datetime(2026, 11, 18, 20, 0)
SOME = settings(max_examples=8, deadline=None, derandomize=True)
NAMES = {JA: ["ミサキ", "ハルト", "リク", "サクラ"], EN: ["Megan", "Tobias", "Priya", "Oscar"]}
KIN = {JA: ["妹", "弟", "姉", "娘"], EN: ["sister", "brother", "daughter", "cousin"]}
PETS = {JA: ["犬", "猫", "ウサギ"], EN: ["dog", "cat", "rabbit"]}
LIKED = {JA: ["紅茶", "登山", "うどん"], EN: ["green tea", "hiking", "noodles"]}
TOWNS = {JA: ["京都", "札幌", "名古屋"], EN: ["Bristol", "Leeds", "Chicago"]}


def reading(text: str, language: Language) -> Reading:
    return read(text, now=NOW, language=language)


def told(text: str, language: Language) -> list[Claim]:
    return [claim for claim in reading(text, language).claims if claim.slot is not Slot.DONE]


def tellings(luck: Random, language: Language) -> list[str]:
    """A few sentences that tell something lasting, in words drawn by luck."""
    name, kin, pet = luck.choice(NAMES[language]), luck.choice(KIN[language]), luck.choice(PETS[language])
    liked, town = luck.choice(LIKED[language]), luck.choice(TOWNS[language])
    if language is JA:
        made = [
            f"{town}に住んでる",
            f"{liked}が好き",
            f"{pet}を飼ってる。{name}って名前",
            f"{kin}は{name}っていうんだ",
        ]
    else:
        made = [
            f"I live in {town}",
            f"I love {liked}",
            f"we have a {pet} called {name}",
            f"my {kin} {name} is a nurse",
        ]
    return luck.sample(made, luck.randint(1, len(made)))


def joined(parts: list[str], language: Language) -> str:
    return "。".join(parts) + "。" if language is JA else ". ".join(parts) + "."


@pytest.mark.parametrize("language", [JA, EN])
@SOME
@given(seed=st.integers(0, 10**9))
def test_whatever_is_found_stands_inside_the_text_that_was_read(seed: int, language: Language) -> None:
    text = joined(tellings(Random(seed), language), language)
    found = reading(text, language)
    spans = [sentence.span for sentence in found.sentences]
    spans += [claim.span for claim in found.claims]
    spans += [taste.span for taste in found.tastes]
    spans += [period.span for period in found.times]
    spans += [name.span for name in found.names]
    assert spans
    for first, end in spans:
        assert 0 <= first < end <= len(text)
    for sentence in found.sentences:
        assert sentence.text.strip() in text
    assert found.text == text


@pytest.mark.parametrize("language", [JA, EN])
@SOME
@given(seed=st.integers(0, 10**9))
def test_the_same_words_are_read_the_same_and_beside_others_not_lost(seed: int, language: Language) -> None:
    luck = Random(seed)
    parts = tellings(luck, language)
    text = joined(parts, language)
    first = reading(text, language)
    assert reading(text, language) == first
    assert first.claims or first.tastes
    assert {taste.subject for part in parts for taste in reading(part, language).tastes} <= {
        taste.subject for taste in first.tastes
    }


@pytest.mark.parametrize("language", [JA, EN])
@SOME
@given(seed=st.integers(0, 10**9))
def test_questions_teach_nothing(seed: int, language: Language) -> None:
    luck = Random(seed)
    name, kin, pet = luck.choice(NAMES[language]), luck.choice(KIN[language]), luck.choice(PETS[language])
    liked, town = luck.choice(LIKED[language]), luck.choice(TOWNS[language])
    if language is JA:
        asked = [
            f"{town}に住んでる？",
            f"{liked}は好き？",
            f"{pet}の名前は{name}だっけ？",
            f"{kin}の名前なんだっけ",
        ]
    else:
        asked = [
            f"do I live in {town}?",
            f"do you like {liked}?",
            f"is my {kin} called {name}?",
            f"what's my {pet}'s name?",
        ]
    found = reading(luck.choice(asked), language)
    assert found.asks
    assert [claim for claim in found.claims if claim.slot is not Slot.DONE] == []
    assert found.tastes == ()


@pytest.mark.parametrize("language", [JA, EN])
@SOME
@given(seed=st.integers(0, 10**9))
def test_code_teaches_nothing_whatever_it_says(seed: int, language: Language) -> None:
    said = joined(tellings(Random(seed), language), language)
    lead = "このコード見て" if language is JA else "look at this code"
    fenced = f"{lead}\n```python\nprint('{said}')\nname = '{said}'\n```"
    found = reading(fenced, language)
    assert found.tastes == ()
    assert [c for c in found.claims if any(town in c.value for town in TOWNS[language])] == []
    assert [c for c in found.claims if c.who.name in NAMES[language]] == []


@pytest.mark.parametrize(
    ("language", "frame"),
    [
        (JA, "もし{}たら、どうなるかな"),
        (JA, "なんちゃって、{}なんて冗談だよ"),
        (EN, "what if {}?"),
        (EN, "imagine {}, would that be weird?"),
    ],
)
def test_what_is_only_imagined_is_not_so(language: Language, frame: str) -> None:
    for town in TOWNS[language]:
        said = f"{town}に住んで" if language is JA else f"I lived in {town}"
        homes = [claim.value for claim in told(frame.format(said), language) if claim.slot is Slot.HOME]
        assert homes == []


# -- names and what is told on --


FRAMES = ("{who}がいて、{name}って名前", "{who}は{name}っていうんだ", "うちの{who}、{name}っていう子")


def test_a_name_told_is_kept_as_whose_it_is() -> None:
    """A floor a little under what was measured; that nobody else gets the name has none."""
    kept, all_of_them = (
        0,
        [(f, w, n) for f in FRAMES for w in (*KIN[JA][:2], *PETS[JA][:2]) for n in NAMES[JA]],
    )
    for frame, who, name in all_of_them:
        claims = told(frame.format(who=who, name=name), JA)
        named = [claim for claim in claims if claim.who.name == name]
        kept += bool(named)
        assert {claim.who.kind for claim in named} <= {"pet" if who in PETS[JA] else "person"}
        # Whoever speaks is not renamed by it.
        assert not [claim for claim in claims if claim.slot is Slot.NAME and claim.who == Who()]
    assert kept >= 0.85 * len(all_of_them)


@pytest.mark.parametrize("name", NAMES[JA])
def test_ones_own_name_is_ones_own(name: str) -> None:
    (own,) = [claim for claim in told(f"はじめまして、{name}といいます", JA) if claim.slot is Slot.NAME]
    assert (own.value, own.who) == (name, Who())


@pytest.mark.parametrize("day", ["毎週水曜", "毎朝", "土曜の午後"])
def test_a_few_words_behind_a_telling_are_told_on_with_it(day: str) -> None:
    alone, both = told("最近ピラティスを始めた", JA), told(f"最近ピラティスを始めた。{day}", JA)
    assert alone
    assert any(day in claim.detail or day in claim.value for claim in both)
    # One thing is told, and no second one beside it.
    assert len(both) <= len(alone) + 1


@pytest.mark.parametrize("after", ["楽しかった", "疲れたなあ", "で、そっちはどう？", "妹は東京にいる"])
def test_what_is_felt_or_is_another_thing_is_not_told_on(after: str) -> None:
    for claim in told(f"最近ピラティスを始めた。{after}", JA):
        if "ピラティス" in claim.detail:
            assert after.rstrip("？") not in claim.value


def test_much_that_fits_no_slot_is_kept_in_its_own_words_once() -> None:
    text = (
        "My sister Megan restores antique church organs in a workshop near the harbour with two apprentices"
    )
    notes = [claim for claim in told(text, EN) if claim.slot is Slot.NOTE]
    assert len(notes) <= 1
    assert all("organs" in note.detail for note in notes)
    assert any("organs" in f"{claim.value} {claim.detail}" for claim in told(text, EN))


# -- spelled out --

typed_words = st.sampled_from(sorted(table("en/typed")["words"]))
plain_words = st.sampled_from(
    ["the", "cat", "goes", "home", "today", "is", "on", "Monday", "we", "saw", "it"]
)
english = st.lists(typed_words | plain_words, min_size=1, max_size=12).map(" ".join)


@settings(max_examples=150, deadline=None, derandomize=True)
@given(text=english)
def test_spelling_out_twice_is_spelling_out_once(text: str) -> None:
    once = spelled_out(text)
    assert spelled_out(once) == once


@settings(max_examples=60, deadline=None, derandomize=True)
@given(text=english)
def test_words_in_capitals_stay_as_they_are(text: str) -> None:
    # A single letter may be typed in capitals and mean the word all the same.
    loud = " ".join(word for word in text.upper().split() if len(word) > 1)
    assert spelled_out(loud) == loud


@pytest.mark.parametrize("typed", sorted(table("en/typed")["words"]))
def test_a_hasty_word_is_one_only_where_it_stands_alone(typed: str) -> None:
    for held in (f"x{typed}x", f"{typed}-ish", f"me@{typed}", f"/{typed}/", f"{typed}'s"):
        assert spelled_out(held) == held


@settings(max_examples=60, deadline=None, derandomize=True)
@given(text=st.text(alphabet="東京に住んでいます。猫が好きだよ、！？ァイウ123\n", max_size=60))
def test_japanese_has_nothing_to_spell_out(text: str) -> None:
    assert spelled_out(text) == text


# -- dialect --

STANDARD = [
    "昨日は友達と映画を見ました。", "京都に住んでいます。", "猫を二匹飼っている。",
    "明日は会議があるので早く寝る。", "妹は看護師として働いている。", "来月、札幌へ引っ越す予定だ。",
    "紅茶のほうが好きです。", "母の誕生日は三月です。",
]  # fmt: skip


@pytest.mark.parametrize("text", STANDARD)
def test_standard_japanese_is_left_as_it_is(text: str) -> None:
    assert in_everyday_words(text) == text


@pytest.mark.parametrize(
    "text",
    ["雨が降っとる。", "猫が好きやねん。", "今日は行かへん。", "それはあかん。", "ほんまに楽しかったわ。"],
)
def test_dialect_is_read_in_everyday_words_and_then_stays(text: str) -> None:
    once = in_everyday_words(text)
    assert once != text
    assert in_everyday_words(once) == once


@pytest.mark.parametrize(
    ("said", "plain"), [("登山が好きやけど", "登山が好きだけど"), ("紅茶が好きやで", "紅茶が好きだよ")]
)
def test_a_liking_in_dialect_is_the_liking(said: str, plain: str) -> None:
    spoken, written = reading(said, JA), reading(plain, JA)
    assert [taste.subject for taste in spoken.tastes] == [taste.subject for taste in written.tastes] != []


def test_a_name_that_is_known_needs_no_particle_and_no_name_is_a_pattern() -> None:
    assert in_everyday_words("りこ甘党", ["りこ"]) == "りこは甘党"
    assert in_everyday_words("りこ甘党", []) == "りこ甘党"
    for name in ("(", "[a", "a+", "\\", ".*", "^$"):
        assert in_everyday_words("今日は晴れ", [name]) == "今日は晴れ"


# -- hostile texts --


@pytest.mark.parametrize("language", [JA, EN])
def test_hostile_texts_grow_by_no_more_than_a_few_times(language: Language) -> None:
    for text in hostile_texts(120, length=1500):
        made = spelled_out(text) if language is EN else in_everyday_words(text)
        assert len(made) <= 4 * len(text) + 16


@pytest.mark.parametrize("language", [JA, EN])
def test_hostile_texts_teach_no_more_than_they_have_sentences(language: Language) -> None:
    for text in hostile_texts(200, length=80)[3::12]:
        found = reading(text, language)
        assert len(found.claims) + len(found.tastes) <= 8 * max(1, len(found.sentences))
        assert isinstance(found.tone, Tone)


# -- tones --


@pytest.mark.parametrize("language", [JA, EN])
@SOME
@given(text=st.text(max_size=80), valence=st.sampled_from(["neg", "neu", "pos", "", "odd"]))
def test_any_text_has_one_tone_and_an_unknown_valence_claims_none(
    text: str, valence: str, language: Language
) -> None:
    tone = tone_of([text] if text.strip() else [], valence, language)
    assert tone in Tone
    if valence in {"", "odd"} or not text.strip():
        assert tone is Tone.PLAIN
    if valence == "neg":
        # Cheer on bad news hurts.
        assert tone not in GLAD


def test_the_heads_classes_are_the_tones() -> None:
    assert tuple(tone.value for tone in Tone) == CLASSES
    assert GLAD.isdisjoint(HEAVY)
    assert Tone.PLAIN not in GLAD | HEAVY


@pytest.mark.parametrize(
    ("language", "loss"), [(JA, "昨日、祖母が亡くなりました"), (EN, "my grandmother died yesterday")]
)
@pytest.mark.parametrize("before", [0, 1, 4])
def test_what_weighs_is_heard_wherever_it_is_said(language: Language, loss: str, before: int) -> None:
    small = "今日は洗濯をした" if language is JA else "I did the laundry today"
    parts = [*[small] * before, loss]
    assert tone_of([*parts, joined(parts, language)], "neg", language) in HEAVY


@SOME
@given(words=st.lists(st.sampled_from(["when", "where", "job", "name", "Bristol", "why"]), max_size=6))
def test_kinds_asked_for_know_neither_order_nor_capitals_nor_how_often(words: list[str]) -> None:
    kinds = kinds_asked(" ".join(words), EN)
    assert kinds == kinds_asked(" ".join(reversed(words)).upper(), EN) == kinds_asked(" ".join(words * 2), EN)
