"""What is kept in the person's own words, and how it answers: facts without a slot, tastes by kind."""

from __future__ import annotations

from datetime import datetime

import pytest

from cocoro_ghost.language import read
from cocoro_ghost.model.reading import Claim, Slot
from tests.test_keeper import broken, talk

NOW = datetime(2026, 4, 6, 19, 0)


def claims(text: str) -> list[Claim]:
    return [c for c in read(text, now=NOW).claims if c.slot is not Slot.DONE]


def notes(text: str) -> list[Claim]:
    return [claim for claim in claims(text) if claim.slot is Slot.NOTE]


@pytest.mark.parametrize(
    "text",
    [
        "休みの日は畑で過ごしてる",
        "祖父の代から続く畳屋です",
        "通勤は自転車で四十分",
        "若い頃は貨物船に乗ってた",
        "去年、胆石の手術をした",
    ],
)
def test_what_lasts_and_fits_no_slot_is_kept_as_it_was_said(text: str) -> None:
    assert [claim.detail for claim in notes(text)] == [text]


@pytest.mark.parametrize(
    "text",
    [
        "さっき電車で寝過ごした",
        "今日の味噌汁しょっぱかった",
        "会議が長引いて昼抜き",
        "もし鳥だったら海を渡るのに",
        "「明日は晴れる」ってテレビが言ってた",
        "田んぼは五反だけ残してある？",
        "返事は一行でお願い",
        "残業さいこうですよーだ",
    ],
)
def test_talk_of_the_moment_is_not_kept(text: str) -> None:
    assert notes(text) == []


def test_a_note_of_somebody_is_theirs() -> None:
    (told,) = notes("姑は一人で畑をやってる")
    assert (told.who.kind, told.who.role) == ("person", "姑")
    (told,) = notes("ななは牛乳アレルギーがあって給食が大変")
    assert (told.who.kind, told.who.name) == ("person", "なな")


def test_what_is_told_of_one_being_is_told_by_the_whole_sentence() -> None:
    (told,) = [c for c in claims("兄が一人いて、函館で寿司を握ってる") if c.slot is Slot.FAMILY]
    assert told.detail == "兄が一人いて、函館で寿司を握ってる"


@pytest.mark.parametrize(
    ("text", "slot", "value"),
    [
        ("看護師の夏美です", Slot.NAME, "夏美"),
        ("ターボーって呼んで", Slot.CALLED, "ターボー"),
        ("花屋でバイト始めた", Slot.EMPLOYER, "花屋"),
        ("下宿先は国立市", Slot.HOME, "国立市"),
    ],
)
def test_slots_told_in_everyday_words(text: str, slot: Slot, value: str) -> None:
    assert (slot, value) in [(claim.slot, claim.value) for claim in claims(text)]


@pytest.mark.parametrize("text", ["禁酒して5年", "りお(7)とつむぎ(4)がいる", "6/12納品の案件がある"])
def test_numbers_that_are_no_age_and_no_grade(text: str) -> None:
    told = {(claim.who.kind, claim.slot) for claim in claims(text)}
    assert told.isdisjoint({("me", Slot.AGE), ("me", Slot.SCHOOL)})


def test_signs_round_a_trade_are_no_part_of_it() -> None:
    assert ("me", "美容師") in [(c.who.kind, c.value) for c in claims("✌️ 美容師3年目")]


def test_a_note_answers_by_its_words_or_by_what_stands_for_them() -> None:
    assert (
        broken(
            talk(
                "ja",
                {"say": "通勤は自転車で四十分", "kind": "learn", "memory": "自転車"},
                {"say": "この春から係長になりました"},
                {"say": "通勤って何でしてるんだっけ", "reply": "自転車"},
                {"say": "私の役職は？", "reply": "係長"},
                {"say": "私の血液型は？", "not_reply": ["自転車", "係長"]},
            )
        )
        == []
    )


def test_what_is_asked_of_somebody_is_not_answered_with_ones_own() -> None:
    assert (
        broken(
            talk(
                "ja",
                {"say": "看護師をしています"},
                {"say": "わたしの父の仕事を知っていますか？", "not_reply": "看護師"},
                {"say": "わたしの仕事は？", "reply": "看護師"},
            )
        )
        == []
    )


def test_a_liked_thing_is_found_by_its_kind() -> None:
    assert (
        broken(
            talk(
                "ja",
                {"say": "うどんは讃岐一択でしょ"},
                {"say": "盆栽が大好き"},
                {"say": "切手集めが大好き"},
                {"say": "好きなうどんは？", "reply": "讃岐"},
                {"say": "好きな言語は？", "not_reply": ["盆栽", "切手"]},
            )
        )
        == []
    )


def test_a_time_gone_by_is_told_by_what_was_planned_and_told_in_it() -> None:
    assert (
        broken(
            talk(
                "ja",
                {"say": "4月20日に歯科検診がある"},
                {"say": "若い頃は貨物船に乗ってた"},
                {"advance_days": 35},
                {"say": "4月はどんな月だったかな", "reply": ["歯科検診", "貨物船"]},
                {"say": "前は何をしていたっけ", "reply": "貨物船"},
            )
        )
        == []
    )


def test_a_note_that_is_put_right_holds_anew() -> None:
    assert (
        broken(
            talk(
                "ja",
                {"say": "うちの店の定休日は月曜です"},
                {"say": "定休日、木曜に変えた", "memory": "定休日は木曜", "not_memory": "月曜"},
                {"say": "来週の火曜から木曜まで福井出張です"},
                {"say": "すみません、福井ではなく富山でした", "memory": "富山出張", "not_memory": "福井"},
            )
        )
        == []
    )


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("毎週金曜の朝8時に植木の水やりって言ってほしい", "水やり"),
        ("明日の夜8時に「洗濯」とおしえてください", "洗濯"),
        ("明日の朝9時に町会費だから教えてけろ", "町会費"),
    ],
)
def test_reminders_are_asked_for_in_many_ways(text: str, content: str) -> None:
    (found,) = read(text, now=NOW).reminders
    assert content in found.content
