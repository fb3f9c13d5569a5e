"""Forgetting, moving, taking back and renaming are done by code, whichever mind speaks, and can be undone."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest

from cocoro_ghost.api import actions
from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.grow.forget import unforget
from cocoro_ghost.hear.message import hear_chat
from cocoro_ghost.settings.file import Config
from cocoro_ghost.store import preferences, revisions, states, undo
from cocoro_ghost.store.ports import Reader
from cocoro_ghost.testing import HashEmbedder, ScriptedMind
from cocoro_ghost.turn import take_turn

MONDAY = 1_775_469_600
"""2026-04-06 19:00 in Tokyo."""


def _kept(reader: Reader) -> str:
    held = [s.body_text for s in states.told(reader, 100) if s.valid_to_ts is None]
    return "\n".join([*held, *(f"{p.status} {p.subject}" for p in preferences.with_status(reader, limit=50))])


async def _say(ghost: Ghost, text: str) -> str:
    parts = ghost.turn_parts(text)
    async for _ in take_turn(parts, await hear_chat(text, [], parts.language), asyncio.Event()):
        pass
    assert ghost.worker is not None
    await ghost.worker.run_until_idle()
    clock = ghost.base.clock
    assert isinstance(clock, FrozenClock)
    clock.tick(90)
    return await ghost.memory.read(_kept)


def _model() -> ScriptedMind:
    """A model that chats and overlooks everything: its plans are empty."""
    return ScriptedMind({"write_plan": [{}]}, replies=("Sure.",))


def _stand(language: str) -> Stand:
    config = Config(language=language, time_zone="Asia/Tokyo", use_keyring=False)
    return Stand(FrozenClock(MONDAY, "Asia/Tokyo"), _model(), HashEmbedder(), config=config)


@pytest.mark.parametrize(
    ("language", "told", "wish", "word"),
    [
        ("en", "I like ginger tea", "Forget that I like ginger tea", "confirmed ginger tea"),
        ("ja", "生姜湯が好き", "生姜湯が好きってこと、忘れて", "confirmed 生姜湯"),
        ("en", "I love olives", "I never said that", "confirmed olives"),
        ("ja", "オリーブが好き", "そんなこと言ってない", "confirmed オリーブ"),
    ],
)
async def test_what_is_asked_to_go_goes_and_comes_back(
    tmp_path: Path, language: str, told: str, wish: str, word: str
) -> None:
    async with open_ghost(tmp_path, stand=_stand(language)) as ghost:
        assert word in await _say(ghost, told)
        assert word not in await _say(ghost, wish)
        done = await ghost.memory.read(undo.forgettings)
        for act in done:
            await ghost.memory.write(partial(unforget, forgetting_id=act.forgetting_id))
        assert word in await ghost.memory.read(_kept)


@pytest.mark.parametrize(
    ("language", "told", "change", "before", "after"),
    [
        ("en", "I have a meeting on Friday", "Not Friday, Thursday", "Apr 10", "Apr 9"),
        ("ja", "金曜に会議がある", "金曜じゃなくて木曜だった", "4月10日", "4月9日"),
        ("en", "Call me Kenneth", "From now on call me Ken", "called Kenneth.", "called Ken."),
        ("ja", "健一って呼んで", "これからはケンって呼んで", "健一と呼ぶ", "ケンと呼ぶ"),
    ],
)
async def test_what_is_changed_changes_and_can_be_undone(
    tmp_path: Path, language: str, told: str, change: str, before: str, after: str
) -> None:
    async with open_ghost(tmp_path, stand=_stand(language)) as ghost:
        assert before in await _say(ghost, told)
        kept = await _say(ghost, change)
        assert after in kept
        assert before not in kept
        made = await ghost.memory.read(lambda reader: revisions.resting_on(reader, 2))
        for revision in reversed([one for one in made if one.entity_type == "state"]):
            if after in str(revision.after) or before in str(revision.after):
                await actions.undo_revision(ghost, revision.revision_id, "")
        assert before in await ghost.memory.read(_kept)
