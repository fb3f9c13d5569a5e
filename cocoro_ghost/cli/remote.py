"""The terminal talk with a ghost that is being served already: over loopback HTTP, with the same words."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import httpx2
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cocoro_ghost.cli.words import Words
from cocoro_ghost.errors import Conflict, GhostError, Outage

SHOWN = 20


class RemoteTalk:
    """Says lines and looks into memory through the wire."""

    def __init__(
        self, client: httpx2.AsyncClient, console: Console, words: Words, *, incognito: bool = False
    ) -> None:
        self._client = client
        self._console = console
        self._words = words
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
        command = self._commands.get(text.split()[0]) if text.startswith("/") else None
        try:
            if command is not None:
                await command()
            elif text.startswith("/"):
                self._dim("\n".join(self._words.help_lines))
            else:
                await self._say({"input_text": text, "client_id": "terminal", "incognito": self._incognito})
        except httpx2.HTTPError as error:
            self._console.print(Text(f"The served ghost does not answer: {error}", style="red"))
        except GhostError as error:
            self._console.print(Text(str(error), style="red"))

    async def _say(self, body: dict[str, Any]) -> None:
        async with self._client.stream("POST", "/api/chat", json=body) as answer:
            if answer.status_code != 200:
                raise Outage(f"The served ghost answered {answer.status_code}.")
            async for name, data in _frames(answer.aiter_lines()):
                self._show(name, data)

    def _show(self, name: str, data: dict[str, Any]) -> None:
        if name == "token":
            self._console.print(Text(data["text"], style="cyan"), end="", soft_wrap=True)
        elif name == "done":
            self._console.print()
            self._last_event = data["event_id"] or self._last_event
        else:
            self._console.print(Text(f"[{data['code']}] {data['message']}", style="red"))

    async def _again(self) -> None:
        await self._say({"regenerate": self._wanted()})

    async def _why(self) -> None:
        run_id = (await self._get(f"/api/memory/events/{self._wanted()}"))["retrieval_run_id"]
        selected = (
            [] if run_id is None else (await self._get(f"/api/memory/retrieval-runs/{run_id}"))["selected"]
        )
        if not selected:
            self._dim(self._words.nothing_recalled)
            return
        table = Table("ref", self._words.memory, self._words.reason, box=None)
        for one in selected:
            table.add_row(one["ref"], await self._text(one["ref"]), one.get("reason", ""))
        self._console.print(table)

    async def _text(self, ref: str) -> str:
        if ref[:1] == "e":
            event = await self._get(f"/api/memory/events/{ref[1:]}")
            return str(event["user_text"] or event["assistant_text"] or "")
        return str((await self._get(f"/api/memory/state/{ref[1:]}"))["body_text"]) if ref[:1] == "s" else ""

    async def _mood(self) -> None:
        mood = (await self._get("/api/mood/debug"))["mood"]
        if mood is None:
            self._dim(self._words.no_mood)
            return
        vad = mood["vad"]
        self._console.print(f"{mood['body_text']}  v={vad['v']:+.2f} a={vad['a']:+.2f} d={vad['d']:+.2f}")

    async def _state(self) -> None:
        found = (await self._get(f"/api/memory/state?limit={SHOWN}&searchable=true"))["items"]
        held = [one for one in found if one["active"] and one["kind"] != "long_mood_state"]
        if not held:
            self._dim(self._words.no_states)
        for one in held:
            self._console.print(
                Text.assemble((f"s{one['state_id']} {one['kind']:9} ", "dim"), one["body_text"])
            )

    async def _learned(self) -> None:
        learned = (await self._get(f"/api/memory/events/{self._wanted()}"))["learned"]
        if not learned:
            self._dim(self._words.nothing_learned)
        for one in learned:
            self._console.print(
                Text.assemble((f"r{one['revision_id']} {one['entity_type']} ", "dim"), one["reason"])
            )

    async def _forget(self) -> None:
        answer = await self._client.post(f"/api/memory/events/{self._wanted()}/forget", json={})
        answer.raise_for_status()
        self._dim(self._words.forgotten)

    async def _denied(self) -> None:
        for number, text in await self._apart():
            self._console.print(Text.assemble((f"{number} ", "dim"), text))

    async def _undeny(self) -> None:
        for number, text in (await self._apart())[:1]:
            answer = await self._client.post(f"/api/memory/separations/{number}/undo")
            answer.raise_for_status()
            self._dim(f"{self._words.brought_back} {text}")

    async def _apart(self) -> list[tuple[int, str]]:
        rows = (await self._get(f"/api/memory/separations?limit={SHOWN}"))["items"]
        found = [
            (row["separation_id"], " / ".join(one["text"] for one in row["memories"]))
            for row in rows
            if row["undone_at"] is None
        ]
        if not found:
            self._dim(self._words.nothing_denied)
        return found

    async def _history(self) -> None:
        found = (await self._get("/api/memory/events?source=chat&limit=10"))["items"]
        for one in reversed(found):
            self._console.print(Text(f"> {one['user_text']}"))
            self._console.print(Text(f"  {one['assistant_text'] or ''}", style="cyan"))

    async def _toggle(self) -> None:
        self._incognito = not self._incognito
        self._dim(self._words.incognito_on if self._incognito else self._words.incognito_off)

    async def _get(self, path: str) -> dict[str, Any]:
        answer = await self._client.get(path)
        answer.raise_for_status()
        found: dict[str, Any] = answer.json()
        return found

    def _wanted(self) -> int:
        if not self._last_event:
            raise Conflict(self._words.nothing_learned)
        return self._last_event

    def _dim(self, text: str) -> None:
        self._console.print(Text(text, style="dim"))


async def _frames(lines: AsyncIterator[str]) -> AsyncIterator[tuple[str, dict[str, Any]]]:
    name = ""
    async for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield name, json.loads(line.removeprefix("data: "))
