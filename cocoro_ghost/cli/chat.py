"""`cocoro-ghost chat`: a conversation in the terminal, with a look into what is remembered."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from pathlib import Path
from typing import Annotated

import httpx2
import typer
from rich.console import Console
from rich.text import Text

from cocoro_ghost.bootstrap import open_foundations, open_ghost, speaks_japanese
from cocoro_ghost.cli.options import DataDir
from cocoro_ghost.cli.own_ghost import OwnGhost
from cocoro_ghost.cli.served_address import served_at
from cocoro_ghost.cli.served_ghost import ServedGhost
from cocoro_ghost.cli.terminal import Terminal
from cocoro_ghost.cli.terminal_words import Words, words_for
from cocoro_ghost.errors import DataDirBusy
from cocoro_ghost.model.scene import Language
from cocoro_ghost.settings.file import data_directory


def register(app: typer.Typer) -> None:
    @app.command(name="chat")
    def chat_command(
        data_dir: DataDir = None,
        incognito: Annotated[bool, typer.Option("--incognito", help="Nothing of this talk is kept.")] = False,
    ) -> None:
        """Talk in the terminal; /help lists what else you can ask."""
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(_chat(data_dir, incognito))


async def _chat(data_dir: Path | None, incognito: bool) -> None:
    console = Console(highlight=False)
    try:
        async with open_ghost(data_dir) as ghost:
            await ghost.start()
            words = words_for(ghost.language())
            await converse(Terminal(OwnGhost(ghost), console, words, incognito=incognito), console, words)
    except DataDirBusy:
        # It is being served already: talk to that one.
        await _chat_with_served(data_dir, console, incognito)


async def _chat_with_served(data_dir: Path | None, console: Console, incognito: bool) -> None:
    with open_foundations(data_dir, locked=False) as base:
        token, zone = base.token, base.clock.zone
        address = served_at(data_directory(data_dir), base.config.server)
        japanese = speaks_japanese(base.config)
    words = words_for(Language.JA if japanese else Language.EN)
    async with httpx2.AsyncClient(
        base_url=address,
        headers={"Authorization": f"Bearer {token}"},
        timeout=200,
        trust_env=False,
    ) as client:
        talk = Terminal(ServedGhost(client, zone), console, words, incognito=incognito)
        await converse(talk, console, words)


async def converse(talk: Terminal, console: Console, words: Words) -> None:
    """Reads lines until the end; a line that begins with `/` looks into memory."""
    console.print(Text(words.greeting, style="dim"))
    while (line := await _next_line(console)) is not None:
        text = line.strip()
        if text in {"/quit", "/exit"}:
            return
        if text:
            await talk.answer(text)


async def _next_line(console: Console) -> str | None:
    if not sys.stdin.isatty():
        line: str = await asyncio.to_thread(sys.stdin.readline)
        if not line:
            return None
        console.print(Text(f"> {line.rstrip()}"))
        return line
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401 - gives the prompt its history and editing
    try:
        return await asyncio.to_thread(input, "> ")
    except EOFError:
        return None
