"""The terminal's companion when the ghost is being served already: the same, over loopback HTTP."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from datetime import tzinfo
from typing import Any

import httpx2

from cocoro_ghost.cli.terminal import SHOWN_STATES, SHOWN_TURNS, Exchange, Noted
from cocoro_ghost.clock import local
from cocoro_ghost.errors import Outage
from cocoro_ghost.reply.stream import Done, Failed, Frame, Token, Waiting


class ServedGhost:
    """Says and looks things up through the wire."""

    def __init__(self, client: httpx2.AsyncClient, zone: tzinfo | None = None) -> None:
        self._client, self._zone = client, zone

    def say(self, text: str, *, incognito: bool) -> AsyncIterator[Frame]:
        return self._chat({"input_text": text, "client_id": "terminal", "incognito": incognito})

    def again(self, event_id: int) -> AsyncIterator[Frame]:
        return self._chat({"regenerate": event_id})

    async def why(self, event_id: int) -> Sequence[Noted]:
        run_id = (await self._ask("GET", f"/api/memory/events/{event_id}"))["retrieval_run_id"]
        if run_id is None:
            return []
        chosen = (await self._ask("GET", f"/api/memory/retrieval-runs/{run_id}"))["selected"]
        return [Noted(one["ref"], one.get("reason", ""), await self._text(one["ref"])) for one in chosen]

    async def mood(self) -> str | None:
        mood = (await self._ask("GET", "/api/mood/debug"))["mood"]
        if mood is None:
            return None
        vad = mood["vad"]
        return f"{mood['body_text']}  v={vad['v']:+.2f} a={vad['a']:+.2f} d={vad['d']:+.2f}"

    async def held(self) -> Sequence[Noted]:
        found = (await self._ask("GET", f"/api/memory/state?limit={SHOWN_STATES}&searchable=true"))["items"]
        return [
            Noted(f"s{one['state_id']}", one["kind"], one["body_text"])
            for one in found
            if one["active"] and one["kind"] != "long_mood_state"
        ]

    async def learned(self, event_id: int) -> Sequence[Noted]:
        found = (await self._ask("GET", f"/api/memory/events/{event_id}"))["learned"]
        return [Noted(f"r{one['revision_id']}", one["entity_type"], one["reason"]) for one in found]

    async def forget(self, event_id: int) -> None:
        await self._ask("POST", f"/api/memory/events/{event_id}/forget", {})

    async def denied(self) -> Sequence[tuple[int, str]]:
        rows = (await self._ask("GET", f"/api/memory/separations?limit={SHOWN_STATES}"))["items"]
        return [
            (row["separation_id"], " / ".join(one["text"] for one in row["memories"]))
            for row in rows
            if row["undone_at"] is None
        ]

    async def undeny(self, separation_id: int) -> None:
        await self._ask("POST", f"/api/memory/separations/{separation_id}/undo")

    async def history(self) -> Sequence[Exchange]:
        found = (await self._ask("GET", f"/api/memory/events?source=chat&limit={SHOWN_TURNS}"))["items"]
        return [
            Exchange(
                local(one["created_at"], self._zone).strftime("%Y-%m-%d %H:%M"),
                one["user_text"] or "",
                one["assistant_text"] or "",
            )
            for one in reversed(found)
        ]

    async def _chat(self, body: dict[str, Any]) -> AsyncIterator[Frame]:
        try:
            async with self._client.stream("POST", "/api/chat", json={**body, "progress": True}) as answer:
                if answer.status_code != 200:
                    raise Outage(f"The served ghost answered {answer.status_code}.")
                async for frame in _frames(answer.aiter_lines()):
                    yield frame
        except httpx2.HTTPError as error:
            raise Outage(f"The served ghost does not answer: {error}") from error

    async def _text(self, ref: str) -> str:
        if ref[:1] == "e":
            event = await self._ask("GET", f"/api/memory/events/{ref[1:]}")
            return str(event["user_text"] or event["assistant_text"] or "")
        if ref[:1] == "s":
            return str((await self._ask("GET", f"/api/memory/state/{ref[1:]}"))["body_text"])
        return ""

    async def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        try:
            answer = await self._client.request(method, path, json=body)
            answer.raise_for_status()
        except httpx2.HTTPError as error:
            raise Outage(f"The served ghost does not answer: {error}") from error
        return dict(answer.json()) if answer.content else {}


async def _frames(lines: AsyncIterator[str]) -> AsyncIterator[Frame]:
    name = ""
    async for line in lines:
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield _frame(name, json.loads(line.removeprefix("data: ")))


def _frame(name: str, data: dict[str, Any]) -> Frame:
    if name == "token":
        return Token(data["text"])
    if name == "progress":
        return Waiting(data["percent"], data["stage"] == "thinking")
    if name == "done":
        return Done(data["event_id"] or 0, data.get("reply_text", ""))
    return Failed(data["code"], data["message"])
