"""`cocoro-ghost chat`: a conversation in the terminal, with a look into what is remembered."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Protocol

import httpx2
import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cocoro_ghost.bootstrap import open_foundations, open_ghost, speaks_japanese
from cocoro_ghost.cli.options import DataDir
from cocoro_ghost.cli.remote import RemoteTalk
from cocoro_ghost.cli.words import Words, words_for
from cocoro_ghost.clock import local
from cocoro_ghost.errors import DataDirBusy, GhostError
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.grow.forget import forget_event
from cocoro_ghost.hear.chat import again, hear_chat
from cocoro_ghost.model.scene import Language
from cocoro_ghost.reply.frames import Done, Failed, Frame, Token
from cocoro_ghost.store import browse, events, revisions, states
from cocoro_ghost.store.database import Reader
from cocoro_ghost.tidy.separate import separations, texts_of, undo_separation
from cocoro_ghost.turn import take_turn

SHOWN_TURNS = 10
SHOWN_STATES = 20


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
            talk = TerminalTalk(ghost, console, incognito=incognito)
            await converse(talk, console, words_for(ghost.language()))
    except DataDirBusy:
        # It is being served already: talk to that one.
        await _chat_with_served(data_dir, console, incognito)


async def _chat_with_served(data_dir: Path | None, console: Console, incognito: bool) -> None:
    with open_foundations(data_dir, locked=False) as base:
        token, port = base.token, base.config.server.http_port
        japanese = speaks_japanese(base.config)
    words = words_for(Language.JA if japanese else Language.EN)
    async with httpx2.AsyncClient(
        base_url=f"http://127.0.0.1:{port}",
        headers={"Authorization": f"Bearer {token}"},
        timeout=200,
        trust_env=False,
    ) as client:
        await converse(RemoteTalk(client, console, words, incognito=incognito), console, words)


class Answers(Protocol):
    async def answer(self, text: str) -> None: ...


async def converse(talk: Answers, console: Console, words: Words) -> None:
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


class TerminalTalk:
    """Says lines and looks into memory within this process."""

    def __init__(self, ghost: Ghost, console: Console, *, incognito: bool = False) -> None:
        self._ghost = ghost
        self._console = console
        self._incognito = incognito
        self._last_event = 0
        self._words: Words = words_for(ghost.language())
        self._commands: dict[str, Callable[[], Awaitable[None]]] = {
            "/why": self._why,
            "/mood": self._mood,
            "/state": self._state,
            "/learned": self._learned,
            "/forget": self._forget,
            "/denied": self._denied,
            "/undeny": self._undeny,
            "/again": self._again,
            "/history": self._history,
            "/incognito": self._toggle,
            "/help": self._help,
        }

    async def answer(self, text: str) -> None:
        """One line from the person: a command, or something said."""
        command = self._commands.get(text.split()[0]) if text.startswith("/") else None
        try:
            if command is not None:
                await command()
            elif text.startswith("/"):
                await self._help()
            else:
                await self._say(text)
        except GhostError as error:
            self._console.print(Text(str(error), style="red"))

    async def _say(self, text: str) -> None:
        language = self._ghost.language_of(text)
        heard = await hear_chat(text, [], language, client_id="terminal", incognito=self._incognito)
        await self._hear_out(take_turn(self._ghost.turn_parts(text), heard, asyncio.Event()))

    async def _again(self) -> None:
        wanted = self._last_event
        event = await self._ghost.memory.read(lambda reader: events.get(reader, wanted))
        parts = self._ghost.turn_parts(event.user_text or "")
        await self._hear_out(take_turn(parts, again(event), asyncio.Event()))

    async def _hear_out(self, frames: AsyncIterator[Frame]) -> None:
        async for frame in frames:
            if isinstance(frame, Token):
                self._console.print(Text(frame.text, style="cyan"), end="", soft_wrap=True)
            elif isinstance(frame, Done):
                self._console.print()
                self._last_event = frame.event_id or self._last_event
            elif isinstance(frame, Failed):
                self._console.print(Text(f"[{frame.code}] {frame.message}", style="red"))

    async def _why(self) -> None:
        """What was recalled for the last reply."""
        wanted = self._last_event

        def read(reader: Reader) -> list[dict[str, object]]:
            run_id = browse.run_of_event(reader, wanted)
            if run_id is None:
                return []
            found = browse.run(reader, run_id)["selected"]
            return list(found) if isinstance(found, list) else list(found.get("items", []))

        rows = await self._ghost.memory.read(read)
        if not rows:
            self._dim(self._words.nothing_recalled)
            return
        texts = await self._texts([str(row.get("ref", "")) for row in rows])
        table = Table("ref", self._words.memory, self._words.reason, box=None)
        for row in rows:
            ref = str(row.get("ref", ""))
            table.add_row(ref, texts.get(ref, ""), str(row.get("reason", "")))
        self._console.print(table)

    async def _texts(self, refs: Sequence[str]) -> dict[str, str]:
        def read(reader: Reader) -> dict[str, str]:
            told = events.by_ids(reader, [int(ref[1:]) for ref in refs if ref[:1] == "e"])
            held = states.by_ids(reader, [int(ref[1:]) for ref in refs if ref[:1] == "s"])
            found = {f"e{i}": event.user_text or event.assistant_text or "" for i, event in told.items()}
            return found | {f"s{i}": state.body_text for i, state in held.items()}

        return await self._ghost.memory.read(read)

    async def _mood(self) -> None:
        mood = await self._ghost.memory.read(self._ghost.mood)
        if mood is None:
            self._dim(self._words.no_mood)
            return
        total = mood.total
        self._console.print(f"{mood.text}  v={total.v:+.2f} a={total.a:+.2f} d={total.d:+.2f}")

    async def _state(self) -> None:
        now = self._ghost.clock.domain_now()
        found = await self._ghost.memory.read(
            lambda reader: states.newest_confirmed(reader, now, SHOWN_STATES)
        )
        if not found:
            self._dim(self._words.no_states)
        for state in found:
            self._console.print(
                Text.assemble((f"s{state.state_id} {state.kind.value:9} ", "dim"), state.body_text)
            )

    async def _learned(self) -> None:
        wanted = self._last_event
        found = await self._ghost.memory.read(lambda reader: revisions.resting_on(reader, wanted))
        if not found:
            self._dim(self._words.nothing_learned)
        for revision in found:
            self._console.print(
                Text.assemble((f"r{revision.revision_id} {revision.entity_type} ", "dim"), revision.reason)
            )

    async def _forget(self) -> None:
        """Takes back all that the last message taught."""
        if not self._last_event:
            self._dim(self._words.nothing_learned)
            return
        wanted = self._last_event
        await self._ghost.memory.write(lambda tx: forget_event(tx, wanted, "asked in the terminal"))
        self._dim(self._words.forgotten)

    async def _denied(self) -> None:
        """What denials have set apart, newest first."""
        for number, text in await self._apart():
            self._console.print(Text.assemble((f"{number} ", "dim"), text))

    async def _undeny(self) -> None:
        """Takes the latest denial back."""
        for number, text in (await self._apart())[:1]:
            await self._ghost.memory.write(partial(undo_separation, separation_id=number))
            self._dim(f"{self._words.brought_back} {text}")

    async def _apart(self) -> list[tuple[int, str]]:
        """Number and words of what is set apart; says so when that is nothing."""

        def read(reader: Reader) -> list[tuple[int, str]]:
            rows = [row for row in separations(reader, SHOWN_STATES) if row["undone_at"] is None]
            texts = texts_of(reader, {ref for row in rows for ref in row["ref"].split(",")})
            return [
                (row["separation_id"], " / ".join(texts.get(ref, "") for ref in row["ref"].split(",")))
                for row in rows
            ]

        found = await self._ghost.memory.read(read)
        if not found:
            self._dim(self._words.nothing_denied)
        return found

    async def _history(self) -> None:
        turns = await self._ghost.memory.read(lambda reader: events.finished_chats(reader, SHOWN_TURNS))
        for event in turns:
            when = local(event.created_at, self._ghost.clock.zone).strftime("%Y-%m-%d %H:%M")
            self._console.print(Text.assemble((f"{when} ", "dim"), f"> {event.user_text}"))
            self._console.print(Text(f"{'':17}{event.assistant_text}", style="cyan"))

    async def _toggle(self) -> None:
        self._incognito = not self._incognito
        self._dim(self._words.incognito_on if self._incognito else self._words.incognito_off)

    async def _help(self) -> None:
        for line in self._words.help_lines:
            self._dim(line)

    def _dim(self, text: str) -> None:
        self._console.print(Text(text, style="dim"))
