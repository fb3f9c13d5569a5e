"""The day after a dated plan: asked once, in plain words, and only when it may speak."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import StateDraft, StateKind
from cocoro_ghost.senses.plan_follow_up import PlanFollowUp, plan_words
from cocoro_ghost.settings.page import PageSettings, store_page_settings
from cocoro_ghost.store import events, states
from cocoro_ghost.store.ports import Tx
from tests.serving import House, house

pytestmark = pytest.mark.anyio
DAY = 86_400


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path) as started:
        yield started


class Asked:
    """What was asked, kept under its key as the attendant keeps it."""

    def __init__(self, home: House, speaks: bool = True) -> None:
        self.lines: list[str] = []
        self._home = home
        ghost = home.ghost
        self.follow_up = PlanFollowUp(
            ghost.memory, ghost.settings_db, ghost.clock, self._ask, lambda: speaks, ghost.language_of
        )

    async def _ask(self, key: str, line: str, language: Language) -> None:
        self.lines.append(line)
        await self._home.app_state.attendant._ask_about(key, line, language)


async def plan(home: House, text: str, **payload: Any) -> int:
    draft = StateDraft(StateKind.TASK, text, payload)

    def write(tx: Tx) -> int:
        with tx.because(Cause(Actor.USER, "test")):
            return states.create(tx, draft)

    return await home.ghost.memory.write(write)


def at_ten(home: House, days: int) -> int:
    """So many days on, at ten in the morning; returns the moment before the jump."""
    clock = home.ghost.clock
    before = clock.domain_now()
    tokyo = (before + 9 * 3600) % DAY
    clock.advance(days * DAY + 10 * 3600 - tokyo)
    return before


async def test_a_plan_is_asked_about_once_on_the_day_after(home: House) -> None:
    asked = Asked(home)
    now = home.ghost.clock.domain_now()
    state_id = await plan(home, "予定: 歯医者の予約", due_ts=now + 3600)
    assert await asked.follow_up.look() is False
    at_ten(home, 2)
    assert await asked.follow_up.look() is True
    assert asked.lines == ["「歯医者の予約」、どうだった？"]
    assert await asked.follow_up.look() is False
    kept = await home.ghost.memory.read(lambda reader: events.find_external(reader, f"follow_up:{state_id}"))
    assert kept is not None
    assert kept.assistant_text == asked.lines[0]


async def test_what_was_done_is_old_or_not_wished_is_not_asked(home: House) -> None:
    asked = Asked(home)
    now = home.ghost.clock.domain_now()
    await plan(home, "済んだこと", due_ts=now + 3600, done_at=now)
    at_ten(home, 2)
    assert await asked.follow_up.look() is False
    await plan(home, "古い予定", due_ts=now - 10 * DAY)
    assert await asked.follow_up.look() is False
    await plan(home, "旅行", due_ts=home.ghost.clock.domain_now() - DAY)
    await home.ghost.settings_db.write(
        lambda tx: store_page_settings(tx, PageSettings(follow_up_plans=False))
    )
    assert await asked.follow_up.look() is False


async def test_nobody_is_asked_when_it_may_not_speak(home: House) -> None:
    asked = Asked(home, speaks=False)
    await plan(home, "旅行", due_ts=home.ghost.clock.domain_now() - DAY)
    at_ten(home, 1)
    assert await asked.follow_up.look() is False


def test_the_words_of_a_plan_lose_their_label_and_their_time() -> None:
    clock = FrozenClock()
    text = "あなたの予定: 来週の金曜日に歯医者の予約がある（2026-11-27）。"
    assert plan_words(text, clock, Language.JA) == "歯医者の予約がある"
    assert plan_words("Your plan: see the dentist next Friday.", clock, Language.EN) == "see the dentist"
