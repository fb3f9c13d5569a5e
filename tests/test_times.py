"""Time expressions: what is found, what it resolves to, and what is no time at all."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocoro_ghost.language.times import AboutDates, about_time, find_times, resolve_when
from cocoro_ghost.language.times.numbers import number_en, number_ja
from cocoro_ghost.model.reading import Period
from cocoro_ghost.model.scene import Language

NOW = datetime(2025, 6, 18, 20, 0)  # a Wednesday evening


def short(about: AboutDates | None) -> str | None:
    """`2024-06-01..2024-08-31`, `2018`, `1990..1999`, `high`, `2018 high`."""
    if about is None:
        return None
    parts = []
    if about.start is not None:
        same = about.start == about.end
        parts.append(f"{about.start}" if same else f"{about.start}..{about.end}")
    elif about.year_start is not None:
        same = about.year_start == about.year_end
        parts.append(f"{about.year_start}" if same else f"{about.year_start}..{about.year_end}")
    if about.life_stage is not None:
        parts.append(about.life_stage.value)
    return " ".join(parts)


def cases(name: str = "times_about") -> list[tuple[str, str, str]]:
    lines = (Path(__file__).parent / "data" / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if line and not line.startswith("#")]  # type: ignore[misc]


def test_what_texts_are_about_stays_above_its_floors() -> None:
    read = [
        (text, expected, short(about_time(text, datetime.fromisoformat(now))) or "-")
        for now, text, expected in cases()
    ]
    missed = [one for one in read if one[1] != one[2]]
    assert len(missed) <= 0.02 * len(read), missed
    # A wrong date is worse than none.
    wrong = [one for one in missed if one[2] != "-"]
    assert len(wrong) <= 0.01 * len(read), wrong


def covered(mention: Period) -> str:
    first, last = (mention.start, mention.end) if mention.start else (mention.year_start, mention.year_end)
    return f"{first}" if first == last else f"{first}..{last}"


def test_the_days_that_expressions_cover_stay_above_their_floor() -> None:
    missed = []
    for now, text, expected in cases("times_periods"):
        mentions = find_times(text, datetime.fromisoformat(now))
        dated = [m for m in mentions if (m.start or m.year_start) and not m.recurring]
        found = " ".join(covered(m) for m in dated) or "-"
        missed += [(text, expected, found)] if found != expected else []
    assert len(missed) <= 0.04 * len(cases("times_periods")), missed


@pytest.mark.parametrize(
    "piece", ["10月と5月、", "last 3 ", "from 1 to ", "1/1/", "毎週", "3年", "the first "]
)
def test_a_text_made_of_times_is_read_to_a_bound(piece: str) -> None:
    assert len(find_times(piece * 4000, NOW)) <= 400


FRAGMENTS = (
    "去年", "先週", "の", "金曜", "3月", "31日", "三年前", "九九九九九九日後", "令和", "元年", "から", "まで",
    "夏", "夜12時", "25時", "高校の頃", "2018年", "9999年後", "毎週", "昨日", "２０", "last ", "next ",
    "Friday ", "in ", "ago ", "March ", "31st ", "2020 ", "from ", "to ", "the ", "24:00 ",
    "every ", "summer ",
    "'98 ", "grade ", "two weeks ", "before last ", "999 decades ", "end of ", "at nine ", "Christmas ", "\n",
)  # fmt: skip


@given(
    st.lists(st.sampled_from(FRAGMENTS), max_size=9),
    st.sampled_from(list(Language)),
    st.datetimes(datetime(1990, 1, 1), datetime(2090, 1, 1)),
)
@settings(max_examples=150, deadline=None)
def test_any_jumble_is_read_without_a_fault(parts: list[str], language: Language, now: datetime) -> None:
    text = "".join(parts)
    for mention in find_times(text, now, language):
        assert text[slice(*mention.span)] == mention.text
        assert mention.start is None or (mention.end is not None and mention.start <= mention.end)
    about_time(text, now, language)
    resolve_when(text, now, language)


@pytest.mark.parametrize(
    ("text", "scheduled", "kind", "weekdays", "time_of_day"),
    [
        ("明日の7時に起こして", datetime(2025, 6, 19, 7), "once", (), "07:00"),
        ("明日の午後3時半に教えて", datetime(2025, 6, 19, 15, 30), "once", (), "15:30"),
        ("金曜の9時に会議ってリマインドして", datetime(2025, 6, 20, 9), "once", (), "09:00"),
        ("9時に薬を飲むって教えて", datetime(2025, 6, 18, 21), "once", (), "09:00"),
        ("朝6時に起こして", datetime(2025, 6, 19, 6), "once", (), "06:00"),
        ("30分後に教えて", datetime(2025, 6, 18, 20, 30), "once", (), None),
        ("1時間半後に起こして", datetime(2025, 6, 18, 21, 30), "once", (), None),
        ("7月1日の10:15に電話", datetime(2025, 7, 1, 10, 15), "once", (), "10:15"),
        ("毎朝8時に薬", None, "daily", (), "08:00"),
        ("毎日22時に日記", None, "daily", (), "22:00"),
        ("毎週月曜と木曜の8時半にゴミ出し", None, "weekly", ("mon", "thu"), "08:30"),
        ("平日の朝7時に起こして", None, "weekly", ("mon", "tue", "wed", "thu", "fri"), "07:00"),
        ("remind me on Friday at nine", datetime(2025, 6, 20, 9), "once", (), "09:00"),
        ("remind me tomorrow at 3pm", datetime(2025, 6, 19, 15), "once", (), "15:00"),
        ("wake me up at 6:30 tomorrow morning", datetime(2025, 6, 19, 6, 30), "once", (), "06:30"),
        ("remind me in 20 minutes", datetime(2025, 6, 18, 20, 20), "once", (), None),
        ("in half an hour tell me to stretch", datetime(2025, 6, 18, 20, 30), "once", (), None),
        ("ping me in two hours", datetime(2025, 6, 18, 22), "once", (), None),
        ("every Monday and Thursday at 8:30 call mom", None, "weekly", ("mon", "thu"), "08:30"),
        ("every day at noon", None, "daily", (), "12:00"),
        ("on weekdays at 7 am", None, "weekly", ("mon", "tue", "wed", "thu", "fri"), "07:00"),
        ("毎週月曜日と木曜日の8時半にゴミ出し", None, "weekly", ("mon", "thu"), "08:30"),
        ("wake me at 8 pm tomorrow", datetime(2025, 6, 19, 20), "once", (), "20:00"),
        ("remind me at 10 tonight", datetime(2025, 6, 18, 22), "once", (), "22:00"),
        ("remind me about the milk", None, None, (), None),
        ("牛乳を忘れないように言って", None, None, (), None),
    ],
)
def test_when_a_reminder_rings(
    text: str,
    scheduled: datetime | None,
    kind: str | None,
    weekdays: tuple[str, ...],
    time_of_day: str | None,
) -> None:
    assert resolve_when(text, NOW) == (scheduled, kind, weekdays, time_of_day)


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("去年の夏と今年の春、どっちが楽しかった？", None, ["去年の夏", "今年の春"]),
        ("When I was in high school, what did I play?", None, ["high school"]),
        ("What happened last summer and in 2019?", None, ["last summer", "2019"]),
        ("高校の頃の話覚えてる？", None, ["高校"]),
        ("12歳の頃どこに住んでたっけ", None, ["12歳の頃"]),
        ("毎朝7時に起きる", None, ["毎朝"]),
        ("昨日のlast minuteな変更", Language.JA, ["昨日"]),
        ("", None, []),
    ],
)
def test_mentions_stand_where_they_are_written(
    text: str, language: Language | None, found: list[str]
) -> None:
    mentions = find_times(text, NOW, language)
    assert [m.text for m in mentions] == found
    assert all(text[slice(*m.span)] == m.text for m in mentions)


def test_an_age_hints_but_does_not_date() -> None:
    (mention,) = find_times("12歳のときに犬を飼った", NOW)
    assert mention.life_stage is not None
    assert about_time("12歳のときに犬を飼った", NOW) is None


def test_years_and_days_follow_the_label_convention() -> None:
    year = about_time("2018年に転職した", NOW)
    assert year is not None
    assert (year.year_start, year.year_end, year.start, year.end) == (2018, 2018, None, None)
    day = about_time("昨日転職した", NOW)
    assert day is not None
    assert (day.year_start, day.start, day.end) == (2025, date(2025, 6, 17), date(2025, 6, 17))


def test_a_time_of_day_goes_to_its_day_and_a_habit_recurs() -> None:
    (plan,) = find_times("明日の午後3時に歯医者", NOW)
    assert (plan.start, plan.clock, plan.recurring) == (date(2025, 6, 19), "15:00", False)
    (habit,) = find_times("毎週金曜はジムに行く", NOW)
    assert habit.recurring


@pytest.mark.parametrize(
    ("text", "year_start"),
    [("12月31日の夜に会った", 2024), ("2月29日に生まれた子", 2024), ("正月に会った", 2026)],
)
def test_the_turn_of_the_year(text: str, year_start: int) -> None:
    about = about_time(text, datetime(2026, 1, 2) if "正月" in text else datetime(2025, 3, 1))
    assert about is not None
    assert about.year_start == year_start


@pytest.mark.parametrize(
    "text",
    ["13月45日に", "2月30日に会った", "0日前", "令和99年", "25時に", "99/99", "Feb 31st 2020", "二千年"],
)
def test_impossible_times_do_not_raise(text: str) -> None:
    find_times(text, NOW)
    resolve_when(text, NOW)


def test_numbers() -> None:
    assert [number_ja(n) for n in ("12", "十二", "二〇一八", "百二十", "千九百九十")] == [
        12,
        12,
        2018,
        120,
        1990,
    ]
    assert [number_en(n) for n in ("7", "seven", "twenty-five", "a couple of", "an")] == [7, 7, 25, 2, 1]
