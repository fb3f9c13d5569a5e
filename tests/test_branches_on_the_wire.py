"""Branches of a talk over a real face: going back forgets nothing, and incognito leaves no trace at all."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from cocoro_ghost.model.client_turn import Standing
from cocoro_ghost.store import client_turns, events
from cocoro_ghost.store.ports import Reader
from cocoro_ghost.testing import ScriptedMind
from tests.serving import House, house
from tests.test_openai_face import post, reply, token, user


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path, mind=ScriptedMind()) as served:
        yield served


class Talk:
    """One client with its key; `say` sends a path and a new message and returns the reply's words."""

    def __init__(self, home: House, key: str) -> None:
        self.home = home
        self.key = key

    async def say(self, path: list[tuple[str, str]], text: str, **more: Any) -> str:
        messages: list[dict[str, str]] = []
        for said, told in path:
            messages += [user(said), reply(told)]
        answer = await post(self.home, self.key, [*messages, user(text)], **more)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["choices"][0]["message"]["content"])

    async def grown(self, *texts: str) -> list[tuple[str, str]]:
        path: list[tuple[str, str]] = []
        for text in texts:
            path.append((text, await self.say(path, text)))
        return path


async def _kept(home: House) -> list[tuple[str | None, Standing | None, bool, str | None]]:
    """Every turn with its standing, whether it was forgotten, and its reply."""

    def read(reader: Reader) -> list[tuple[str | None, Standing | None, bool, str | None]]:
        found = events.by_ids(reader, range(1, events.last_id(reader) + 1)).values()
        return [
            (
                one.user_text,
                client_turns.standing(reader, one.event_id),
                one.forgotten_at is not None,
                one.assistant_text,
            )
            for one in found
        ]

    return await home.ghost.memory.read(read)


async def _standings(home: House) -> dict[str | None, Standing | None]:
    return {text: standing for text, standing, _, _ in await _kept(home)}


async def test_going_back_to_an_older_branch_takes_the_newer_one_off_and_forgets_nothing(home: House) -> None:
    talk = Talk(home, await token(home))
    path = await talk.grown("猫を飼ってる", "名前はモモ", "三歳だよ")
    await talk.say(path[:1], "やっぱり犬の話")
    current, left = Standing.CURRENT, Standing.OTHER_BRANCH
    assert await _standings(home) == {
        "猫を飼ってる": current, "名前はモモ": left, "三歳だよ": left, "やっぱり犬の話": current,
    }  # fmt: skip
    await talk.say(path, "元気だよ")
    assert await _standings(home) == {
        "猫を飼ってる": current, "名前はモモ": current, "三歳だよ": current, "やっぱり犬の話": left,
        "元気だよ": current,
    }  # fmt: skip
    assert not any(forgotten for _, _, forgotten, _ in await _kept(home))


async def test_asking_again_on_an_older_branch_is_no_edit_of_the_newer_one(home: House) -> None:
    """An edit is forgotten; a person who only swipes back has changed nothing."""
    talk = Talk(home, await token(home))
    path = await talk.grown("猫を飼ってる", "名前はモモ", "三歳だよ")
    await talk.say(path[:1], "犬も飼ってる")
    before = len(await _kept(home))
    await talk.say(path[:1], "名前はモモ")
    kept = await _kept(home)
    assert len(kept) == before, "it is the same turn, answered anew"
    assert not any(forgotten for _, _, forgotten, _ in kept)
    standings = await _standings(home)
    assert (standings["名前はモモ"], standings["犬も飼ってる"]) == (Standing.CURRENT, Standing.OTHER_BRANCH)


async def test_incognito_moves_changes_and_keeps_nothing(home: House) -> None:
    talk = Talk(home, await token(home))
    path = await talk.grown("猫を飼ってる", "名前はモモ", "三歳だよ")
    before = await _kept(home)
    asked = {
        "new": (3, "新しいこと"), "branch": (1, "別の道"), "again": (2, "三歳だよ"), "edit": (2, "四歳だよ"),
        "the first again": (0, "猫を飼ってる"), "another talk": (0, "知らない話"),
    }  # fmt: skip
    for what, (told, text) in asked.items():
        headers = {"x-ghost-reply": "r9", "x-ghost-message": f"m {what}"}
        assert await talk.say(path[:told], text, model="ghost:incognito", headers=headers)
        assert await _kept(home) == before, what
    turns = await home.ghost.memory.read(lambda r: r.rows("SELECT reply_id FROM client_turns"))
    assert {row["reply_id"] for row in turns} == {None}
    older = await home.ghost.memory.read(lambda r: r.rows("SELECT count(*) AS n FROM reply_revisions"))
    assert older == [{"n": 0}]


async def test_incognito_after_a_branch_was_left_brings_nothing_back(home: House) -> None:
    talk = Talk(home, await token(home))
    path = await talk.grown("猫を飼ってる", "名前はモモ", "三歳だよ")
    await talk.say(path[:1], "犬の話")
    before = await _kept(home)
    await talk.say(path, "秘密", model="ghost:incognito")
    assert await _kept(home) == before
