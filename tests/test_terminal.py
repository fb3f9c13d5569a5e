"""The terminal talk: saying, asking why, mood, state, forgetting, answering anew, incognito; and setup."""

from __future__ import annotations

import io
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from rich.console import Console

from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.cli.own_ghost import OwnGhost
from cocoro_ghost.cli.served_ghost import ServedGhost
from cocoro_ghost.cli.setup import use_found
from cocoro_ghost.cli.terminal import Companion, Terminal
from cocoro_ghost.cli.terminal_words import words_for
from cocoro_ghost.errors import Outage
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.mind.discover import Found
from cocoro_ghost.model.scene import Language
from cocoro_ghost.settings.file import Config
from cocoro_ghost.store import events
from cocoro_ghost.testing import HashEmbedder, ScriptedMind
from cocoro_ghost.tidy.separate import separate
from tests.serving import house

pytestmark = pytest.mark.anyio


@pytest.fixture
async def ghost(tmp_path: Path) -> AsyncIterator[Ghost]:
    config = Config(use_keyring=False, language="ja", time_zone="Asia/Tokyo")
    async with open_ghost(tmp_path, stand=Stand(embedder=HashEmbedder(), config=config)) as found:
        yield found


class TypedTalk:
    """What a person types and sees."""

    def __init__(self, companion: Companion, language: Language = Language.JA) -> None:
        self.screen = io.StringIO()
        console = Console(file=self.screen, width=200, highlight=False)
        self.talk = Terminal(companion, console, words_for(language))

    async def type(self, text: str) -> str:
        before = len(self.screen.getvalue())
        await self.talk.answer(text)
        return self.screen.getvalue()[before:]


async def think(ghost: Ghost) -> None:
    assert ghost.worker is not None
    await ghost.worker.run_until_idle()


async def test_a_talk_that_is_remembered_asked_about_and_forgotten(ghost: Ghost) -> None:
    terminal = TypedTalk(OwnGhost(ghost))
    assert words_for(Language.JA).no_states in await terminal.type("/state")
    assert await terminal.type("私は京都に住んでいます")
    await think(ghost)
    assert "京都" in await terminal.type("/state")
    assert "state" in await terminal.type("/learned")
    assert words_for(Language.JA).no_mood not in await terminal.type("/mood")
    assert words_for(Language.JA).forgotten in await terminal.type("/forget")
    assert "京都" not in await terminal.type("/state")


async def test_a_denied_memory_is_shown_and_brought_back(ghost: Ghost) -> None:
    terminal, words = TypedTalk(OwnGhost(ghost)), words_for(Language.JA)
    assert words.nothing_denied in await terminal.type("/undeny")
    await terminal.type("去年の夏に北海道でラベンダー畑を見た")
    await terminal.type("それは関係ないよ")
    await ghost.memory.write(lambda tx: separate(tx, 2, ["e1"]))
    assert "ラベンダー" in await terminal.type("/denied")
    assert words.brought_back in await terminal.type("/undeny")
    assert words.nothing_denied in await terminal.type("/denied")
    assert (await ghost.memory.read(lambda reader: events.get(reader, 1))).searchable


async def test_why_shows_what_was_recalled(ghost: Ghost) -> None:
    terminal = TypedTalk(OwnGhost(ghost))
    await terminal.type("去年の夏に北海道でラベンダー畑を見た")
    await think(ghost)
    await terminal.type("北海道のラベンダー畑の話、覚えてる?")
    assert "e1" in await terminal.type("/why")
    assert "ラベンダー" in await terminal.type("/history")


async def test_again_keeps_the_old_reply_and_incognito_keeps_nothing(ghost: Ghost) -> None:
    terminal = TypedTalk(OwnGhost(ghost))
    await terminal.type("おはよう")
    await terminal.type("/again")
    assert len(await ghost.memory.read(lambda reader: events.older_replies(reader, 1))) == 1
    assert words_for(Language.JA).incognito_on in await terminal.type("/incognito")
    await terminal.type("これは内緒")
    assert await ghost.memory.read(events.count) == 1


@pytest.mark.parametrize("text", ["/help", "/nonsense"])
async def test_help_lists_every_command(ghost: Ghost, text: str) -> None:
    shown = await TypedTalk(OwnGhost(ghost)).type(text)
    assert all(command in shown for command in ("/why", "/mood", "/state", "/forget", "/history", "/quit"))


async def test_the_same_talk_with_a_served_ghost(tmp_path: Path) -> None:
    async with house(tmp_path) as home, home.client(secure=False) as client:
        typed, words = TypedTalk(ServedGhost(client)).type, words_for(Language.JA)
        assert words.nothing_said in await typed("/forget")
        assert words.nothing_recalled in await typed("/why")
        assert words.no_states in await typed("/state")
        assert words.no_mood in await typed("/mood")
        assert await typed("去年の夏に北海道でラベンダー畑を見た")
        assert await typed("北海道のラベンダー畑の話、覚えてる?")
        assert "e1" in await typed("/why")
        assert await typed("/again")
        assert "ラベンダー" in await typed("/history")
        assert words.forgotten in await typed("/forget")
        await home.ghost.memory.write(lambda tx: separate(tx, 2, ["e1"]))
        assert "ラベンダー" in await typed("/denied")
        assert words.brought_back in await typed("/undeny")
        assert words.nothing_denied in await typed("/denied")
        assert words.incognito_on in await typed("/incognito")
        assert "/forget" in await typed("/help")
        assert await home.ghost.memory.read(events.count) == 2


async def test_a_served_ghost_that_went_away_is_said_so(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        client = home.client(secure=False)
    async with client:
        typed = TypedTalk(ServedGhost(client)).type
        assert "does not answer" in await typed("/state")
        assert "does not answer" in await typed("いる？")


async def test_a_failing_model_is_told_and_the_talk_goes_on(tmp_path: Path) -> None:
    config = Config(use_keyring=False, language="en")
    mind = ScriptedMind(replies=[Outage("The model is down."), "back"])
    async with open_ghost(tmp_path, stand=Stand(mind=mind, embedder=HashEmbedder(), config=config)) as ghost:
        terminal = TypedTalk(OwnGhost(ghost))
        assert "llm_unavailable" in await terminal.type("hello")
        assert "back" in await terminal.type("hello")


async def test_setup_stores_what_was_chosen_with_its_key(
    ghost: Ghost, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-canary0123456789abcdef")
    await use_found(ghost, Found("openai", "key", "OPENAI_API_KEY"), "gpt-x")
    chosen = ghost.chosen().llm
    assert (chosen.model, chosen.api_key) == ("openai/gpt-x", "sk-canary0123456789abcdef")
    await use_found(
        ghost, Found("ollama", "local_server", "http://127.0.0.1:11434/v1", ("llama3",)), "llama3"
    )
    assert (ghost.chosen().llm.model, ghost.chosen().llm.api_key) == ("ollama/llama3", None)
    assert len(ghost.book().llm) == 3
