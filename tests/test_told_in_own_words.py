"""What is told in Japanese in one's own words: dialect, names, sentences that lean on another, bad news."""

from __future__ import annotations

from datetime import datetime

import pytest

from cocoro_ghost.language import read
from cocoro_ghost.mind.embedded.plain_words import Told, state_updates
from cocoro_ghost.model.reading import Slot
from tests.test_keeper import broken, talk

NOW = datetime(2026, 4, 6, 19, 0)


def kept(text: str) -> list[str]:
    return [u.body_text for u in state_updates(Told(read(text, now=NOW), 1, "あなた", ()))]


@pytest.mark.parametrize(
    ("said", "role", "name"),
    [
        ("家に猫おんねん。ちまきって名前の三毛", "猫", "ちまき"),
        ("トイプードル飼ってて、モカっていうの。3歳", "トイプードル", "モカ"),
        ("うちの犬、ぽてとって名前なんだけど食いしんぼう", "犬", "ぽてと"),
        ("姉がうるさい。なつみっていうんだけど中2", "姉", "なつみ"),
        ("彼氏できた！ハルトって人", "彼氏", "ハルト"),
        ("コーチの森さんが厳しくて", "コーチ", "森"),
        ("お隣の高橋さんに野菜をもらった", "お隣", "高橋"),
    ],
)
def test_a_name_is_whose_was_spoken_of_just_before(said: str, role: str, name: str) -> None:
    assert (role, name) in {(c.who.role, c.who.name) for c in read(said, now=NOW).claims}


def test_what_is_told_of_a_brother_is_not_the_speakers() -> None:
    claims = read("弟がうるさい。そうたっていうんだけど小5", now=NOW).claims
    assert all(c.who.name == "そうた" for c in claims if c.slot is Slot.SCHOOL)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("うちナオいうねん、よろしく", "ナオ"),
        ("おれゆうと、高2", "ゆうと"),
        ("美容室で働いてる佐藤といいます", "佐藤"),
        ("こんばんは、タイから来ましたメイです", "メイ"),
    ],
)
def test_who_presents_themselves_is_known_by_name(said: str, name: str) -> None:
    claims = read(said, now=NOW).claims
    assert [(c.who.kind, c.value) for c in claims if c.slot is Slot.NAME] == [("me", name)]


@pytest.mark.parametrize(
    "said", ["上司の田中です", "犯人は田中です", "父が大工っていうのもあって", "どうしようって子どもが言う"]
)
def test_somebody_else_is_nobody_who_presents_themselves(said: str) -> None:
    assert not [c for c in read(said, now=NOW).claims if c.slot is Slot.NAME and c.who.kind == "me"]


@pytest.mark.parametrize(
    "said",
    [
        "夏休みは8月3日から合宿で山梨",
        "実は来月から札幌に転勤になった",
        "締め切りは金曜まで",
        "今週の金曜が納品日",
    ],
)
def test_a_day_leaves_no_stump_behind(said: str) -> None:
    found = kept(said)
    assert found
    assert not any(stump in body for body in found for stump in ("はから", "はまで", "のから", "：が"))


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("最近ヨガ始めてん。毎週火曜", "毎週火曜"),
        ("膝の手術をすることになりました。来月の二十日です", "5月20日"),
        ("木曜の夜は体育館で卓球やってる", "卓球"),
        ("畑仕事が日課です", "畑仕事"),
        ("酒はやめた", "やめた"),
        ("コーヒーはブラックしか飲まない", "ブラック"),
    ],
)
def test_what_lasts_is_kept_with_what_belongs_to_it(said: str, word: str) -> None:
    assert any(word in body for body in kept(said))


def test_only_is_no_dislike() -> None:
    assert read("カレーは甘口しか食べられない", now=NOW).tastes == ()


def test_a_stranger_is_answered_from_what_was_told() -> None:
    played = talk(
        "ja",
        {"say": "娘が二人いてさ、上がひなで中三、下がりつで小五"},
        {"say": "息子は静岡で設計の仕事をしてる"},
        {"say": "パン屋でバイトしてる"},
        {"say": "娘の名前覚えてる？", "reply": [["ひな"], ["りつ"]]},
        {"say": "上の子って何年生だっけ", "reply": "中三"},
        {"say": "息子はどこに住んでるんだっけ", "reply": "静岡"},
        {"say": "息子の誕生日言ったっけ", "not_reply": "静岡"},
        {"say": "バイト辞めて今は塾講師やってる", "memory": "塾講師", "not_memory": "パン屋"},
        {"say": "今どこで働いてるか覚えてる？", "reply": "塾", "not_reply": "パン屋"},
    )
    assert broken(played) == []


def test_bad_news_is_met_and_no_line_comes_twice() -> None:
    filed = ["メモ", "覚えておく", "しまって", "残して"]
    played = talk(
        "ja",
        {"say": "去年の秋に主人を亡くしまして", "not_reply": filed},
        {"say": "妻に胃癌が見つかりました", "not_reply": filed},
        {"say": "昨日、父が倒れて入院した", "not_reply": filed},
        {"say": "もう全部どうでもいい", "not_reply": [*filed, "ふふ"]},
        {"say": "犬が死んじゃった", "not_reply": filed},
    )
    assert broken(played) == []
    replies = [reply for _, _, reply in played.lines]
    assert len(set(replies)) == len(replies)


@pytest.mark.parametrize("animal", ["猫", "犬", "ハムスター"])
def test_a_kind_of_pet_may_be_liked(animal: str) -> None:
    (taste,) = read(f"{animal}が大好きなんだ", now=datetime(2026, 11, 18)).tastes
    assert taste.subject == animal
    assert not read(f"うちの{animal}は魚が好き", now=datetime(2026, 11, 18)).tastes
