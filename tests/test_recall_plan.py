"""The plan: by rules, in Japanese and English, which way to remember and which period is meant."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from cocoro_ghost.clock import local_iso, parse_iso
from cocoro_ghost.model.event import LifeStage
from cocoro_ghost.model.retrieval import Mode, RetrievalPlan
from cocoro_ghost.recall.config import RecallConfig
from cocoro_ghost.recall.plan import make_plan, period_of

ZONE = ZoneInfo("Asia/Tokyo")
NOW = parse_iso("2026-06-15T12:00:00", ZONE)


def planned(text: str, mode: Mode | None = None) -> RetrievalPlan:
    return make_plan(text, NOW, ZONE, RecallConfig(), mode)


def days(plan: RetrievalPlan) -> tuple[str, str]:
    """First and last local day of the period."""
    assert plan.time is not None
    period = period_of(plan.time, ZONE)
    assert period is not None
    return local_iso(period[0], ZONE)[:10], local_iso(period[1] - 1, ZONE)[:10]


@pytest.mark.parametrize(
    "text", ["おなかすいた", "この曲いいね", "I like this song", "猫がかわいい", "What should I cook?"]
)
def test_talk_of_the_moment_is_remembered_by_association(text: str) -> None:
    assert planned(text).mode is Mode.ASSOCIATIVE_RECENT
    assert planned(text).time is None


@pytest.mark.parametrize(
    "text",
    [
        "覚えてる？",
        "前に話した映画、なんだっけ",
        "昔の話をして",
        "Do you remember when we talked about boats?",
        "Have I ever told you about my sister?",
        "You said that before, didn't you?",
    ],
)
def test_asking_for_the_past_in_general_searches_broadly(text: str) -> None:
    assert planned(text).mode is Mode.TARGETED_BROAD


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2024年に何してた？", "2024-01-01", "2024-12-31"),
        ("令和3年のこと", "2021-01-01", "2021-12-31"),
        ("平成10年はどうだった？", "1998-01-01", "1998-12-31"),
        ("昭和60年の話", "1985-01-01", "1985-12-31"),
        ("2025年3月3日に会った人", "2025-03-03", "2025-03-03"),
        ("先月の旅行", "2026-05-01", "2026-05-31"),
        ("昨日のこと覚えてる？", "2026-06-14", "2026-06-14"),
        ("What did I do on May 23, 2024?", "2024-05-23", "2024-05-23"),
        ("What happened in March 2025?", "2025-03-01", "2025-03-31"),
        ("How was last summer?", "2025-06-01", "2025-08-31"),
    ],
)
def test_a_named_period_is_looked_up(text: str, first: str, last: str) -> None:
    plan = planned(text)
    assert plan.mode is Mode.EXPLICIT_ABOUT_TIME
    assert days(plan) == (first, last)


@pytest.mark.parametrize(
    ("text", "stage"),
    [
        ("高校の頃の友達", LifeStage.HIGH),
        ("大学時代に何してた？", LifeStage.UNIVERSITY),
        ("back in high school", LifeStage.HIGH),
    ],
)
def test_a_life_stage_is_a_period_without_dates(text: str, stage: LifeStage) -> None:
    plan = planned(text)
    assert plan.mode is Mode.EXPLICIT_ABOUT_TIME
    assert plan.time is not None
    assert plan.time.life_stage is stage
    assert period_of(plan.time, ZONE) is None


def test_the_present_moment_and_habits_are_no_period() -> None:
    assert planned("今日は暑いね").mode is Mode.ASSOCIATIVE_RECENT
    assert planned("毎週月曜にジムに行く").mode is Mode.ASSOCIATIVE_RECENT


def test_the_mode_can_be_given() -> None:
    plan = planned("2024年に何してた？", Mode.TARGETED_BROAD)
    assert plan.mode is Mode.TARGETED_BROAD
    assert plan.time is None


def test_broad_modes_spread_over_life_and_the_plan_carries_its_limits() -> None:
    broad, plain = planned("覚えてる？"), planned("ねえ")
    assert max(broad.diversity.per_life_stage, plain.diversity.per_life_stage) < 1.0
    assert broad.diversity.per_year < plain.diversity.per_year
    assert (plain.max_candidates, plain.max_selected) == (60, 12)
    assert plain.as_dict()["mode"] == "associative_recent"


def test_a_very_long_message_is_cut_not_refused() -> None:
    assert len(planned("あ" * 50_000).queries[0]) <= 4000


def test_the_same_words_mean_other_days_elsewhere() -> None:
    hint = make_plan("昨日のこと", NOW, UTC, RecallConfig()).time
    assert hint is not None
    assert hint.start_ts == int(datetime(2026, 6, 14, tzinfo=UTC).timestamp())


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        ("また明日ね。おやすみ", Mode.ASSOCIATIVE_RECENT),
        ("Talk to you tomorrow. Good night", Mode.ASSOCIATIVE_RECENT),
        ("明日の予定って何だったっけ？", Mode.EXPLICIT_ABOUT_TIME),
        ("What did I plan for tomorrow?", Mode.EXPLICIT_ABOUT_TIME),
    ],
)
def test_a_time_ahead_is_looked_at_only_when_asked_about(text: str, mode: Mode) -> None:
    assert make_plan(text, 1_767_225_600, ZoneInfo("Asia/Tokyo"), RecallConfig()).mode is mode
