"""Care for every mind: distress is met first, and nothing is said unasked for hours after it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.hear.message import hear_chat
from cocoro_ghost.reply.compose import internal_context
from cocoro_ghost.reply.help_at_hand import in_distress
from cocoro_ghost.reply.stream import Done
from cocoro_ghost.settings.file import Config
from cocoro_ghost.turn import take_turn
from tests.speaking import EN, JA, scene

HOURS = 3600


async def _said(folder: Path, text: str) -> tuple[Done, bool, bool]:
    clock = FrozenClock(zone="Asia/Tokyo")
    config = Config(time_zone="Asia/Tokyo", use_keyring=False)
    async with open_ghost(folder, stand=Stand(clock=clock, config=config)) as ghost:
        parts = ghost.turn_parts(text)
        heard = await hear_chat(text, [], parts.language)
        frames = [frame async for frame in take_turn(parts, heard, asyncio.Event())]
        assert isinstance(frames[-1], Done)
        now = clock.domain_now()
        soon = await ghost.memory.read(lambda reader: in_distress(reader, now + HOURS))
        later = await ghost.memory.read(lambda reader: in_distress(reader, now + 24 * HOURS))
        return frames[-1], soon, later


@pytest.mark.parametrize("text", ["もう死にたい", "I want to kill myself"])
def test_distress_is_met_with_care_and_a_help_line(tmp_path: Path, text: str) -> None:
    done, soon, later = asyncio.run(_said(tmp_path, text))
    assert done.care is not None
    assert done.care.lines
    assert done.care.lines[0].number in done.reply_text
    assert soon
    assert not later


@pytest.mark.parametrize("text", ["死ぬほど笑った", "This deadline is killing me"])
def test_near_misses_are_left_alone(tmp_path: Path, text: str) -> None:
    done, soon, _ = asyncio.run(_said(tmp_path, text))
    assert done.care is None
    assert not soon


def test_a_model_is_told_how_to_answer() -> None:
    from datetime import datetime

    from cocoro_ghost.language import read

    for language, text in (
        (JA, "消えてしまいたい、もう生きていたくない"),
        (EN, "I don't want to live anymore"),
    ):
        reading = read(text, now=datetime(2026, 6, 20, 20, 15))
        with_note = internal_context(scene(language, text, reading=reading))
        without = internal_context(scene(language, text))
        assert len(with_note) > len(without)
        assert with_note.isascii() == (language is EN), "in the language of the talk"
