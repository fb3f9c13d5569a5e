"""The terminal's companion when the ghost lives in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence

from cocoro_ghost.cli.terminal import SHOWN_STATES, SHOWN_TURNS, Exchange, Noted
from cocoro_ghost.clock import local
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.grow.forget import forget_event
from cocoro_ghost.hear.message import again, hear_chat
from cocoro_ghost.reply.stream import Frame
from cocoro_ghost.store import events, revisions, runs, states, undo
from cocoro_ghost.store.ports import Reader
from cocoro_ghost.tidy.separate import texts_of, undo_separation
from cocoro_ghost.turn import take_turn


class OwnGhost:
    """Says and looks things up in the opened memory."""

    def __init__(self, ghost: Ghost) -> None:
        self._ghost = ghost

    async def say(self, text: str, *, incognito: bool) -> AsyncIterator[Frame]:
        language = self._ghost.language_of(text)
        heard = await hear_chat(text, [], language, client_id="terminal", incognito=incognito)
        async for frame in take_turn(self._ghost.turn_parts(text), heard, asyncio.Event()):
            yield frame

    async def again(self, event_id: int) -> AsyncIterator[Frame]:
        event = await self._ghost.memory.read(lambda reader: events.get(reader, event_id))
        parts = self._ghost.turn_parts(event.user_text or "")
        async for frame in take_turn(parts, again(event), asyncio.Event()):
            yield frame

    async def why(self, event_id: int) -> Sequence[Noted]:
        def read(reader: Reader) -> list[Noted]:
            run_id = runs.of_event(reader, event_id)
            chosen = [] if run_id is None else runs.get(reader, run_id).selected
            told = events.by_ids(reader, [int(one["ref"][1:]) for one in chosen if one["ref"][:1] == "e"])
            held = states.by_ids(reader, [int(one["ref"][1:]) for one in chosen if one["ref"][:1] == "s"])
            texts = {f"e{i}": event.user_text or event.assistant_text or "" for i, event in told.items()}
            texts |= {f"s{i}": state.body_text for i, state in held.items()}
            return [Noted(one["ref"], one.get("reason", ""), texts.get(one["ref"], "")) for one in chosen]

        return await self._ghost.memory.read(read)

    async def mood(self) -> str | None:
        mood = await self._ghost.memory.read(self._ghost.mood_shelf.read)
        if mood is None:
            return None
        return f"{mood.text}  v={mood.total.v:+.2f} a={mood.total.a:+.2f} d={mood.total.d:+.2f}"

    async def held(self) -> Sequence[Noted]:
        now = self._ghost.clock.domain_now()
        found = await self._ghost.memory.read(
            lambda reader: states.newest_confirmed(reader, now, SHOWN_STATES)
        )
        return [Noted(f"s{state.state_id}", state.kind.value, state.body_text) for state in found]

    async def learned(self, event_id: int) -> Sequence[Noted]:
        found = await self._ghost.memory.read(lambda reader: revisions.resting_on(reader, event_id))
        return [Noted(f"r{one.revision_id}", one.entity_type, one.reason) for one in found]

    async def forget(self, event_id: int) -> None:
        await self._ghost.memory.write(lambda tx: forget_event(tx, event_id, "asked in the terminal"))

    async def denied(self) -> Sequence[tuple[int, str]]:
        def read(reader: Reader) -> list[tuple[int, str]]:
            found = [one for one in undo.separations(reader, SHOWN_STATES) if one.undone_at is None]
            texts = texts_of(reader, {ref for one in found for ref in one.refs})
            return [(one.separation_id, " / ".join(texts.get(ref, "") for ref in one.refs)) for one in found]

        return await self._ghost.memory.read(read)

    async def undeny(self, separation_id: int) -> None:
        await self._ghost.memory.write(lambda tx: undo_separation(tx, separation_id))

    async def history(self) -> Sequence[Exchange]:
        turns = await self._ghost.memory.read(lambda reader: events.finished_chats(reader, SHOWN_TURNS))
        zone = self._ghost.clock.zone
        return [
            Exchange(
                local(event.created_at, zone).strftime("%Y-%m-%d %H:%M"),
                event.user_text or "",
                event.assistant_text or "",
            )
            for event in turns
        ]
