"""The one reading of a message, through `language.read`."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from datetime import date, datetime
from pathlib import Path

import pytest

from cocoro_ghost import language
from cocoro_ghost.language import read
from cocoro_ghost.language.read.cues import cue, plain
from cocoro_ghost.language.read.tables import table
from cocoro_ghost.model.reading import Slot
from cocoro_ghost.model.scene import Language

NOW = datetime(2026, 7, 1, 12, 0)


def test_times_and_names_stand_in_the_reading() -> None:
    reading = read("明日、佐藤さんと京都に行く", now=NOW)
    assert reading.language is Language.JA
    assert [(p.start, p.end) for p in reading.times] == [(date(2026, 7, 2), date(2026, 7, 2))]
    assert {name.name for name in reading.names} >= {"佐藤", "京都"}
    assert all(reading.text[slice(*name.span)] == name.name for name in reading.names)


def test_nothing_said_is_an_empty_reading() -> None:
    reading = read(" \n", now=NOW)
    assert not reading.sentences
    assert not reading.claims
    assert reading.question is None


def test_claims_tastes_and_corrections_of_plain_words() -> None:
    told = read("金沢に住んでる。どら焼きが大好きで、納豆は苦手", now=NOW)
    assert ("residence", "金沢") in {(claim.slot.value, claim.value) for claim in told.claims}
    assert {(taste.polarity.value, taste.subject) for taste in told.tastes} == {
        ("like", "どら焼き"),
        ("dislike", "納豆"),
    }
    moved = read("It's on Wednesday, not Tuesday", now=NOW)
    assert [(c.old, c.new) for c in moved.corrections] == [("Tuesday", "Wednesday")]


def test_a_question_teaches_nothing_and_loses_its_scaffolding() -> None:
    asked = read("ポスターの話、覚えてる？", now=NOW)
    assert not asked.claims
    assert not asked.tastes
    assert asked.question is not None
    assert asked.question.search_text == "ポスター"
    slot = read("前はどこに住んでたっけ？", now=NOW).question
    assert slot is not None
    assert (slot.slot, slot.before) == (Slot.HOME, True)


def test_what_shall_be_forgotten_is_named() -> None:
    for text in ("コーヒーが好きってこと、忘れて", "Forget that I like coffee"):
        forgets = read(text, now=NOW).forgets
        assert [f.subject.lower() for f in forgets] in (["コーヒー"], ["coffee"])
    assert not read("財布忘れて困った", now=NOW).forgets
    assert not read("I always forget my keys", now=NOW).forgets


HOSTILE = (
    "",
    "😀",
    "ああああ" * 8000,
    "a" * 32_000,
    "((((" * 8000,
    "「" * 5000,
    "\u202e\u0000\ud7ff",
    "def f(x):\n    return {'a': [1, 2]}\n",
    "Привет, как дела? 你好吗 안녕하세요",
    "SELECT * FROM users; -- 好き嫌い",
    "の" * 3000,
    "not " * 4000,
    "好きじゃなくなくなくなくない" * 200,
    "I I I I my my my's 's 's n't n't",
)


def test_hostile_texts_are_read_in_bounds_and_teach_no_fact() -> None:
    for text in HOSTILE:
        reading = read(text, now=NOW)
        assert reading.text == text
        assert all(0 <= claim.span[0] <= claim.span[1] <= len(text) for claim in reading.claims)
        assert not [claim for claim in reading.claims if claim.slot in {Slot.NAME, Slot.HOME, Slot.AGE}]


def test_every_cue_of_the_tables_is_read_standing_alone() -> None:
    """A message may be one of them and nothing else: やっぱり."""
    cues = {
        cue
        for file in (Path(language.__file__).parent / "tables").rglob("*.toml")
        for cue in re.findall(r'"([^"\n]{1,40})"', file.read_text(encoding="utf-8"))
    }
    assert "やっぱり" in cues
    for words in cues:
        assert read(words, now=NOW).text == words


def test_a_reading_is_the_same_every_time() -> None:
    text = "昨日、上司の黒木さんに褒められた。来週の水曜に健診がある。ほうとうが好き"
    assert read(text, now=NOW) == read(text, now=NOW)


@pytest.mark.parametrize("name", ["健太", "さくら", "田中"])
def test_who_names_nobody_else_introduces_themselves(name: str) -> None:
    said = read(f"はじめまして、{name}っていいます。", now=NOW)
    claims = [claim for claim in said.claims if claim.slot is Slot.NAME]
    assert [(claim.who.kind, claim.value) for claim in claims] == [("me", name)]


@pytest.mark.parametrize(
    "text", ["昔はどこに住んでた？", "前の仕事なんだったっけ？", "Where did I live before?"]
)
def test_what_was_is_asked_about_ones_own_life(text: str) -> None:
    question = read(text, now=NOW).question
    assert question is not None
    assert question.about == "me"


@pytest.mark.parametrize("text", ["ひまりは卵アレルギーなの", "むぎはもう12歳", "あおいもぜんそくなの"])
def test_what_is_told_of_a_name_nobody_knows_is_not_the_speakers(text: str) -> None:
    told = [claim for claim in read(text, now=datetime(2026, 4, 6, 9)).claims if claim.slot is not Slot.DONE]
    assert not [claim for claim in told if claim.who.kind == "me" or claim.slot is not Slot.NOTE]


@pytest.mark.parametrize(
    ("text", "new"), [("やっぱり木曜になった", "木曜"), ("結局、来月の5日になったよ", "来月の5日")]
)
def test_another_day_after_all_is_a_correction(text: str, new: str) -> None:
    (found,) = read(text, now=datetime(2026, 4, 6, 9)).corrections
    assert (found.old, found.new, found.about) == ("", new, "")


def test_what_became_of_one_after_all_is_no_correction() -> None:
    assert read("やっぱり医者になった", now=datetime(2026, 4, 6, 9)).corrections == ()


@pytest.mark.parametrize("text", ["みおは絶叫系が苦手", "たくやは抹茶が好き", "ゆいも納豆が嫌いなんだ"])
def test_a_taste_of_a_name_nobody_knows_is_not_the_speakers(text: str) -> None:
    assert not read(text, now=NOW).tastes


@pytest.mark.parametrize(
    "text", ["ラーメンは豚骨が好き", "夏はそうめんが好き", "おやつはせんべいが好き", "うちは猫が好き"]
)
def test_what_a_taste_is_told_within_is_nobody(text: str) -> None:
    assert read(text, now=NOW).tastes


@pytest.mark.parametrize(
    "text", ["やっぱり", "やっぱ。", "やっぱり…", "違う。", "ごめん、", "Actually...", "No, wait."]
)
def test_an_opening_without_a_sentence_corrects_nothing(text: str) -> None:
    assert read(text, now=datetime(2026, 4, 6, 9)).corrections == ()


def test_not_bad_is_liked_and_bad_is_not() -> None:
    assert [taste.subject for taste in read("納豆は悪くない", now=NOW).tastes] == ["納豆"]
    assert not read("最近体調が悪いんだ", now=NOW).tastes


def test_a_reading_is_a_plain_value_whoever_looks_first() -> None:
    """Members that are made when first looked at belong to copies, pickles and comparisons as all others."""
    text = "私は京都に住んでいます。コーヒーが好きです。昨日は疲れた"
    one, other = read(text, now=NOW), read(text, now=NOW)
    assert one == other
    assert pickle.loads(pickle.dumps(read(text, now=NOW))) == one
    assert replace(read(text, now=NOW), text="x").claims == one.claims
    assert asdict(read(text, now=NOW))["tone"] == one.tone
    assert not hasattr(one, "claim")
    with ThreadPoolExecutor(4) as several:
        fresh = read(text, now=NOW)
        assert set(several.map(lambda _: fresh.claims, range(8))) == {one.claims}


@pytest.mark.parametrize("code", ["ja", "en"])
def test_every_cue_is_found_in_its_own_words(code: str) -> None:
    """Only sections that a sentence's letters lead to are tried: none of their cues may be lost by that."""
    for section, listed in _cues_of(table(f"{code}/acts")):
        for entry in filter(None, map(str.strip, listed.split(","))):
            said = " ".join(part.strip("^$= ") for part in entry.split("+"))
            lost = plain(said) != said or set("();|") & set(said) or {"+", "$"} <= set(entry)
            assert lost or cue(said, code, section), (section, entry)


def _cues_of(listed: Mapping[str, object], before: str = "") -> Iterator[tuple[str, str]]:
    for key, value in listed.items():
        if isinstance(value, Mapping):
            yield from _cues_of(value, f"{before}{key}.")
        elif isinstance(value, str):
            yield f"{before}{key}", value
