"""Distress is recognised, near misses are left alone, and help is named for the region."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cocoro_ghost.errors import ConfigError
from cocoro_ghost.language.distress import find_distress
from cocoro_ghost.language.help_lines import help_for, region_of_zone, regions
from cocoro_ghost.model.scene import Language
from cocoro_ghost.settings.file import load_config
from eval.reader import train

JA, EN = Language.JA, Language.EN


def labelled(language: str, label: str) -> list[str]:
    path = Path(train.__file__).parent / f"distress_{language}.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [row["text"] for row in rows if row["label"] == label]


@pytest.mark.parametrize("language", ["ja", "en"])
def test_words_of_distress_are_recognised(language: str) -> None:
    texts = labelled(language, "distress")
    missed = [text for text in texts if find_distress(text, Language(language)) is None]
    assert len(texts) >= 150
    assert len(missed) <= 0.05 * len(texts), missed


@pytest.mark.parametrize("language", ["ja", "en"])
def test_near_misses_are_left_alone(language: str) -> None:
    texts = labelled(language, "calm")
    wrong = [text for text in texts if find_distress(text, Language(language)) is not None]
    assert len(texts) >= 150
    assert len(wrong) <= 0.03 * len(texts), wrong


@pytest.mark.parametrize("language", ["ja", "en"])
def test_hints_never_trained_on_are_mostly_heard_and_what_is_like_them_is_not(language: str) -> None:
    path = Path(train.__file__).parent / f"distress_{language}_hints.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    found = {
        label: [
            find_distress(row["text"], Language(language))
            for row in rows
            if row["sealed"] and row["label"] == label
        ]
        for label in ("distress", "calm")
    }
    heard = {label: [one for one in each if one is not None] for label, each in found.items()}
    assert len(heard["distress"]) >= 0.4 * len(found["distress"])
    assert len(heard["calm"]) <= 0.08 * len(found["calm"])
    assert any(not one.sure for one in heard["distress"]), "what only may be a hint says so"
    surely_wrong = [one.cue for one in heard["calm"] if one.sure]
    assert len(surely_wrong) <= 0.04 * len(found["calm"]), surely_wrong


@pytest.mark.parametrize(
    ("text", "language", "kind"),
    [
        ("もう死にたい", JA, "suicide"),
        ("またリスカしちゃった", JA, "self_harm"),
        ("昨日も旦那に殴られた", JA, "danger"),
        ("I want to die", EN, "suicide"),
        ("I've been cutting again", EN, "self_harm"),
        ("he threatened to kill me", EN, "danger"),
    ],
)
def test_the_kind_and_the_place_are_told(text: str, language: Language, kind: str) -> None:
    found = find_distress(text, language)
    assert found is not None
    assert found.kind == kind
    assert text.lower()[found.span[0] : found.span[1]] == found.cue


def test_a_long_text_is_read_at_both_ends() -> None:
    assert find_distress("今日は晴れ。" * 4000 + "もう死にたい", JA) is not None
    assert find_distress("I want to die. " + "It rained. " * 4000, EN) is not None


@given(st.text(max_size=600), st.sampled_from(list(Language)))
def test_any_text_is_read_without_a_fault(text: str, language: Language) -> None:
    found = find_distress(text, language)
    assert found is None or 0 <= found.span[0] <= found.span[1]


def test_help_by_setting_zone_and_anywhere() -> None:
    assert region_of_zone("Asia/Tokyo") == "JP"
    assert region_of_zone("Australia/Sydney") == "AU"
    assert region_of_zone("Europe/Berlin") is None
    japan = help_for(JA, zone="Asia/Tokyo")
    assert japan.region == "JP"
    assert japan.emergency
    assert any(line.number == "0120-279-338" for line in japan.lines)
    assert help_for(JA, region="us", zone="Asia/Tokyo").region == "US"
    assert help_for(JA, zone="UTC").region == "JP", "a machine on UTC says nothing of where it stands"
    assert help_for(JA, zone="Europe/Berlin").region is None
    assert help_for(EN, zone=None).region is None
    anywhere = help_for(EN, zone="Europe/Berlin")
    assert anywhere.lines == ()
    assert "emergency" in anywhere.text
    assert help_for(EN, text="Call Ann.").text == "Call Ann."


@pytest.mark.parametrize("region", regions())
def test_every_line_names_its_source_and_day(region: str) -> None:
    for language in Language:
        lines = help_for(language, region=region).lines
        assert lines
        for line in lines:
            assert line.name
            assert line.number
            assert line.hours
            assert line.source.startswith("https://")
            assert line.checked >= date(2026, 11, 16)


def test_region_and_text_can_be_set(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text(
        '[care]\nregion = "GB"\ntext = "Ring my sister."\n', encoding="utf-8"
    )
    care = load_config(tmp_path).care
    assert (care.region, care.text) == ("GB", "Ring my sister.")
    (tmp_path / "config.toml").write_text('[care]\nregion = "Japan"\n', encoding="utf-8")
    with pytest.raises(ConfigError):
        load_config(tmp_path)


@pytest.mark.parametrize(
    "text", ["I repair clocks for a living", "she earns a living as a potter", "I hate living alone"]
)
def test_to_make_a_living_is_no_sign(text: str) -> None:
    assert find_distress(text, EN) is None


def test_no_point_in_anything_is_a_sign_no_point_in_a_thing_is_none() -> None:
    assert find_distress("most days I don't see the point", EN) is not None
    assert find_distress("I don't see the point of this meeting", EN) is None


@pytest.mark.parametrize(
    ("grief", "despair", "language"),
    [
        (
            "先輩が急に倒れて、そのまま亡くなった。まだ信じられない。",
            "夫が亡くなってから、私も後を追いたいとばかり思う",
            JA,
        ),
        (
            "飼ってた犬が今朝死にました。涙が止まらない",
            "あの子が亡くなってから、早く同じところに行きたい",
            JA,
        ),
        ("my dog died this morning. i keep crying", "mum died and i dont want to be here without her", EN),
        (
            "Dad passed away last week. The house is so quiet.",
            "since he died I just want to be wherever he is",
            EN,
        ),
    ],
)
def test_grief_is_no_distress_and_the_wish_to_follow_is(grief: str, despair: str, language: Language) -> None:
    assert find_distress(grief, language) is None
    found = find_distress(despair, language)
    assert found is not None
    assert found.sure


@pytest.mark.parametrize(
    "text", ["my back is killing me", "these shoes are killing me", "I'm dying of this cold"]
)
def test_pain_told_with_an_idiom_is_no_sign(text: str) -> None:
    assert find_distress(text, EN) is None
