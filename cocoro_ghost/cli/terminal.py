"""What a person types and sees in the terminal: lines said, and commands that look into memory.

It is the same whether the ghost lives in this process or is being served already.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cocoro_ghost.cli.terminal_words import Words
from cocoro_ghost.errors import GhostError
from cocoro_ghost.reply.stream import Done, Failed, Frame, Token, Waiting

SHOWN_TURNS = 10
SHOWN_STATES = 20


@dataclass(frozen=True, slots=True)
class Noted:
    """One line about memory: where it stands, what it is, what it says."""

    ref: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Exchange:
    when: str
    said: str
    replied: str


class Companion(Protocol):
    """A ghost to talk to; `event_id` is the turn that a command is about."""

    def say(self, text: str, *, incognito: bool) -> AsyncIterator[Frame]: ...
    def again(self, event_id: int) -> AsyncIterator[Frame]: ...
    async def why(self, event_id: int) -> Sequence[Noted]: ...
    async def mood(self) -> str | None: ...
    async def held(self) -> Sequence[Noted]: ...
    async def learned(self, event_id: int) -> Sequence[Noted]: ...
    async def forget(self, event_id: int) -> None: ...
    async def denied(self) -> Sequence[tuple[int, str]]: ...
    async def undeny(self, separation_id: int) -> None: ...
    async def history(self) -> Sequence[Exchange]: ...


class Terminal:
    """Says lines and answers commands on a console."""

    def __init__(
        self, companion: Companion, console: Console, words: Words, *, incognito: bool = False
    ) -> None:
        self._companion, self._console, self._words = companion, console, words
        self._incognito = incognito
        self._last_event = 0
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
        }

    async def answer(self, text: str) -> None:
        """One line from the person: a command, or something said."""
        try:
            if text.startswith("/"):
                await self._commands.get(text.split()[0], self._help)()
            else:
                await self._hear_out(self._companion.say(text, incognito=self._incognito))
        except GhostError as error:
            self._console.print(Text(str(error), style="red"))

    async def _hear_out(self, frames: AsyncIterator[Frame]) -> None:
        async for frame in frames:
            if isinstance(frame, Waiting):
                self._tell_reading(frame)
            elif isinstance(frame, Token):
                self._console.print(Text(frame.text, style="cyan"), end="", soft_wrap=True)
            elif isinstance(frame, Done):
                self._console.print()
                self._last_event = frame.event_id or self._last_event
            elif isinstance(frame, Failed):
                self._console.print(Text(f"[{frame.code}] {frame.message}", style="red"))

    def _tell_reading(self, frame: Waiting) -> None:
        words = self._words.thinking if frame.thinking else self._words.reading
        far = "" if frame.percent is None else f" {frame.percent} %"
        self._console.print(Text(f"{words}{far}", style="dim"))

    async def _again(self) -> None:
        if self._has_turn():
            await self._hear_out(self._companion.again(self._last_event))

    async def _why(self) -> None:
        """What was recalled for the last reply."""
        found = await self._companion.why(self._last_event) if self._last_event else ()
        if not found:
            self._dim(self._words.nothing_recalled)
            return
        table = Table("ref", self._words.memory, self._words.reason, box=None)
        for one in found:
            # As texts: what was said may hold square brackets, which a table would take for its own.
            table.add_row(Text(one.ref), Text(one.text), Text(one.kind))
        self._console.print(table)

    async def _mood(self) -> None:
        mood = await self._companion.mood()
        if mood is None:
            self._dim(self._words.no_mood)
        else:
            self._console.print(Text(mood))

    async def _state(self) -> None:
        self._list(await self._companion.held(), self._words.no_states)

    async def _learned(self) -> None:
        if self._has_turn():
            self._list(await self._companion.learned(self._last_event), self._words.nothing_learned)

    async def _forget(self) -> None:
        """Takes back all that the last message taught."""
        if self._has_turn():
            await self._companion.forget(self._last_event)
            self._dim(self._words.forgotten)

    async def _denied(self) -> None:
        """What denials have set apart, newest first."""
        found = await self._companion.denied()
        self._list([Noted(str(number), "", text) for number, text in found], self._words.nothing_denied)

    async def _undeny(self) -> None:
        """Takes the latest denial back."""
        found = await self._companion.denied()
        if not found:
            self._dim(self._words.nothing_denied)
            return
        number, text = found[0]
        await self._companion.undeny(number)
        self._dim(f"{self._words.brought_back} {text}")

    async def _history(self) -> None:
        for one in await self._companion.history():
            self._console.print(Text.assemble((f"{one.when} ", "dim"), f"> {one.said}"), soft_wrap=True)
            self._console.print(Text(f"{'':17}{one.replied}", style="cyan"), soft_wrap=True)

    async def _toggle(self) -> None:
        self._incognito = not self._incognito
        self._dim(self._words.incognito_on if self._incognito else self._words.incognito_off)

    async def _help(self) -> None:
        for line in self._words.help_lines:
            self._dim(line)

    def _has_turn(self) -> bool:
        if not self._last_event:
            self._dim(self._words.nothing_said)
        return bool(self._last_event)

    def _list(self, lines: Sequence[Noted], if_none: str) -> None:
        if not lines:
            self._dim(if_none)
        for one in lines:
            line = Text.assemble((f"{one.ref} {one.kind:9} ", "dim"), one.text)
            # Japanese has no spaces to break at: the terminal wraps it where it ends.
            self._console.print(line, soft_wrap=True)

    def _dim(self, text: str) -> None:
        self._console.print(Text(text, style="dim"))
