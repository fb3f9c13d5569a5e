"""Care for every mind: distress is met first, and nothing is said unasked for hours after it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.hear.message import hear_chat
from cocoro_ghost.language.distress import find_distress
from cocoro_ghost.model.scene import Language
from cocoro_ghost.reply.compose import internal_context
from cocoro_ghost.reply.help_at_hand import in_distress
from cocoro_ghost.reply.stream import Done
from cocoro_ghost.settings.file import Config
from cocoro_ghost.turn import take_turn
from eval.reader import train
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


@pytest.mark.parametrize("language", ["ja", "en"])
def test_what_may_be_a_hint_is_asked_about_and_sends_nobody_to_a_help_line(
    tmp_path: Path, language: str
) -> None:
    lines = (Path(train.__file__).parent / f"distress_{language}_hints.jsonl").read_text(encoding="utf-8")
    hints = [json.loads(line)["text"] for line in lines.splitlines() if '"distress"' in line]
    unsure = (
        text
        for text in hints
        if (found := find_distress(text, Language(language))) and not found.sure and "?" not in text
    )
    done, soon, _ = asyncio.run(_said(tmp_path, next(text for text in unsure if "？" not in text)))
    assert done.care is not None
    assert not done.care.sure
    assert not any(line.number in done.reply_text for line in done.care.lines)
    assert soon, "nothing is said unasked"
