"""A request of any face, carried out: a turn of the one ghost, a program's own call, or a probe.

The ghost keeps the state; what clients send again is compared with it (conversation.py). Turns wait in line.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from starlette.requests import HTTPConnection

from cocoro_ghost.api.app_state import AppState, app_state_of
from cocoro_ghost.connect.background import INCOGNITO_MODEL, Call, Shapes, header
from cocoro_ghost.connect.conversation import Kind, Meaning, MessageIds, conversation_of, meaning_of
from cocoro_ghost.connect.messages import ChatMessage, own_words, system_text
from cocoro_ghost.errors import GhostError, NotFound
from cocoro_ghost.grow import forget
from cocoro_ghost.hear.message import again, hear_chat
from cocoro_ghost.mind.client import Message, SpeakRequest
from cocoro_ghost.model.client import Client, HistoryRule, SystemRule
from cocoro_ghost.model.client_turn import ClientTurn, Standing
from cocoro_ghost.model.heard import Heard, SentMessage
from cocoro_ghost.model.scene import Occasion, PastTurn, Persona, Scene
from cocoro_ghost.reply.guard import SpeechGuard
from cocoro_ghost.reply.stream import Done, Failed, Frame, Token, within
from cocoro_ghost.store import client_turns, events
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.turn import TurnParts, take_turn

LINE_SECONDS = 30.0
FEWEST_TOKENS = 16
SYSTEM_CHARACTERS = 6_000
"""About 1,500 tokens of a client's own system text are taken along."""
CHAT_HEADERS = ("x-ghost-chat", "x-openwebui-chat-id", "x-librechat-conversation-id")
GHOST = "ghost"


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, whichever face it came through."""

    model: str
    messages: tuple[ChatMessage, ...]
    headers: Mapping[str, str] = field(default_factory=dict)
    stream: bool = False
    max_tokens: int | None = None
    chat: str | None = None
    """The conversation's name in the body, where the client sends one there."""

    @property
    def named_chat(self) -> str | None:
        found = (header(self.headers, name) for name in CHAT_HEADERS)
        return next((one for one in found if one), None) or self.chat

    @property
    def incognito(self) -> bool:
        """Recalls, keeps nothing: asked for by name, or a temporary chat of Open WebUI."""
        return self.model == INCOGNITO_MODEL or (self.named_chat or "").startswith("local:")

    @property
    def ids(self) -> MessageIds:
        return MessageIds(header(self.headers, "x-ghost-message"), header(self.headers, "x-ghost-parent"))


@dataclass(frozen=True, slots=True)
class Answered:
    """What a request turned out to be, and its frames."""

    call: Call
    kind: Kind | None
    frames: AsyncIterator[Frame]


class Talks:
    """The faces' way to the ghost."""

    def __init__(self, app: AppState, shapes: Shapes) -> None:
        self._app = app
        self._shapes = shapes

    def models(self) -> list[str]:
        """`ghost` first: some clients probe the first one listed."""
        personas = [f"{GHOST}/{one.name}" for one in self._app.ghost.book().persona]
        return [GHOST, INCOGNITO_MODEL, "ghost:task", *personas]

    async def answer(self, client: Client, asked: Asked) -> Answered:
        """Raises BadInput, NotFound or Conflict before a word is said."""
        model = asked.model.removesuffix(":latest")
        if model not in self.models():
            raise NotFound(f"There is no model {asked.model!r} here; use `{GHOST}`.", code="model_not_found")
        asked = replace(asked, model=model)
        conversation, stored = await self._app.ghost.memory.read(lambda r: self._stored(r, client, asked))
        call = self._shapes.call_of(
            asked.messages,
            asked.headers,
            model=model,
            stream=asked.stream,
            max_tokens=asked.max_tokens,
            known=bool(stored),
        )
        if call is Call.PROBE:
            return Answered(call, None, _said("pong"))
        if call is Call.TASK:
            return Answered(call, None, self._task(asked))
        meaning = meaning_of(stored, asked.messages, asked.ids, continues=call is Call.CONTINUE)
        heard = await self._heard(client, asked, conversation, meaning, call)
        parts = self._parts(client, asked, heard)
        frames = await self._app.current_turn.begin_when_free(
            lambda stop: take_turn(parts, heard, stop), LINE_SECONDS
        )
        return Answered(call, meaning.kind, frames)

    # -- which talk it belongs to --

    def _stored(self, reader: Reader, client: Client, asked: Asked) -> tuple[str, list[ClientTurn]]:
        """The conversation's name, new where it is a new one, and its turns: no other client's."""
        if asked.named_chat is not None:
            conversation = f"{client.client_id}/{asked.named_chat[:200]}"
            return conversation, client_turns.of_conversation(reader, conversation)
        turns = client_turns.of_client(reader, client.client_id)
        now = self._app.ghost.clock.domain_now()
        found = conversation_of(turns, asked.messages, now)
        if found is None:
            return f"{client.client_id}/~{uuid.uuid4().hex}", []
        return found, [turn for turn in turns if turn.conversation == found]

    # -- what was heard --

    async def _heard(
        self, client: Client, asked: Asked, conversation: str, meaning: Meaning, call: Call
    ) -> Heard:
        await self._move_branches(meaning)
        if meaning.event_id is not None and meaning.kind in (Kind.REGENERATE, Kind.CONTINUE):
            return await self._again(asked, conversation, meaning)
        words = own_words(meaning.message.text)
        language = self._app.ghost.language_of(words.own)
        heard = await hear_chat(
            words.own,
            list(meaning.message.images),
            language,
            client_id=client.client_id,
            incognito=asked.incognito,
        )
        edited = meaning.event_id if meaning.kind is Kind.EDIT else None
        if edited is not None and not asked.incognito:
            await self._app.ghost.memory.write(lambda tx: _supersede(tx, edited))
        sent = SentMessage(
            client.client_id,
            asked.ids.message_id,
            asked.ids.parent_id,
            header(asked.headers, "x-ghost-reply"),
            Standing.DOUBTFUL if call is Call.DOUBTFUL else Standing.CURRENT,
            edited,
        )
        history = _sent_history(asked.messages, self._app.ghost.clock.domain_now())
        uses_sent = client.history_rule is HistoryRule.SENT or meaning.kind is Kind.FOREIGN
        return replace(
            heard,
            conversation=conversation,
            speaker=_speaker(client, asked.headers),
            via=sent,
            history=history if uses_sent else None,
        )

    async def _again(self, asked: Asked, conversation: str, meaning: Meaning) -> Heard:
        event_id = meaning.event_id or 0
        event = await self._app.ghost.memory.read(lambda reader: events.get(reader, event_id))
        heard = replace(again(event), conversation=conversation, incognito=asked.incognito)
        if reply_id := header(asked.headers, "x-ghost-reply"):
            await self._app.ghost.memory.write(lambda tx: client_turns.replied(tx, event_id, reply_id))
        if meaning.kind is Kind.CONTINUE:
            return replace(heard, continues=event.assistant_text or "")
        return heard

    async def _move_branches(self, meaning: Meaning) -> None:
        if not meaning.left and not meaning.back:
            return

        def write(tx: Tx) -> None:
            for event_id in meaning.left:
                client_turns.stand(tx, event_id, Standing.OTHER_BRANCH)
            for event_id in meaning.back:
                client_turns.stand(tx, event_id, Standing.CURRENT)

        await self._app.ghost.memory.write(write)

    # -- how it is answered --

    def _parts(self, client: Client, asked: Asked, heard: Heard) -> TurnParts:
        parts = self._app.ghost.turn_parts(heard.text)
        limit = parts.max_tokens
        if asked.max_tokens is not None:
            limit = min(limit, max(FEWEST_TOKENS, asked.max_tokens))
        return replace(parts, persona=self._persona(client, asked, parts.persona), max_tokens=limit)

    def _persona(self, client: Client, asked: Asked, own: Persona) -> Persona:
        """The ghost's, the one a model id names, or what the client's system messages make of it."""
        name = asked.model.partition("/")[2]
        for one in self._app.ghost.book().persona:
            if name and one.name == name:
                own = replace(
                    own, name=one.name, text=one.persona_text, second_person=one.second_person_label
                )
        system = system_text(asked.messages)[:SYSTEM_CHARACTERS]
        if not system or client.system_rule is SystemRule.IGNORE:
            return own
        if client.system_rule is SystemRule.REPLACE:
            return replace(own, text=system, addon="")
        return replace(own, addon="\n\n".join(part for part in (own.addon, system) if part))

    async def _task(self, asked: Asked) -> AsyncIterator[Frame]:
        """A program's own call: no persona, no memory, no mood, no event; may run beside a turn."""
        ghost = self._app.ghost
        last = asked.messages[-1].text
        scene = Scene(
            occasion=Occasion.CHAT,
            language=ghost.language_of(last),
            persona=Persona("", "", "", ""),
            now_ts=ghost.clock.domain_now(),
            now_local="",
            user_text=last,
        )
        roles = {"system": "system", "user": "user", "assistant": "assistant", "tool": "user"}
        messages = tuple(Message(roles[one.role], one.text) for one in asked.messages)  # type: ignore[arg-type]
        request = SpeakRequest(scene, messages, min(asked.max_tokens or 1000, 2000))
        guard = SpeechGuard()
        try:
            budgets = ghost.turn_parts(last).budgets
            async for piece in within(ghost.mind().speak(request), budgets, asyncio.Event()):
                if text := guard.feed(piece):
                    yield Token(text)
            if text := guard.finish():
                yield Token(text)
        except GhostError as error:
            yield Failed(error.code, str(error))
            return
        yield Done(0, guard.text.strip())


def talks_of(connection: HTTPConnection) -> Talks:
    """The way to the ghost that the caller belongs to."""
    return Talks(app_state_of(connection), connection.app.state.shapes)


def _supersede(tx: Tx, event_id: int) -> None:
    """An edited message: what the old one taught is taken back, and it is found no more."""
    forget.forget_event(tx, event_id, "the message was changed in the client")
    client_turns.stand(tx, event_id, Standing.SUPERSEDED)


def _speaker(client: Client, headers: Mapping[str, str]) -> str | None:
    """Another person at a client that may speak for others; whoever else speaks is the owner."""
    if not client.speaks_for_others or client.client_id == "owner":
        return None
    return header(headers, "x-ghost-user-name") or header(headers, "x-openwebui-user-name")


def _sent_history(messages: Sequence[ChatMessage], now: int) -> tuple[PastTurn, ...]:
    """The talk as the client sent it, without the last message: context, never learned from."""
    turns: list[PastTurn] = []
    said = ""
    for message in messages:
        if message.role == "user":
            said = own_words(message.text).own
        elif message.role == "assistant" and message.text:
            turns.append(PastTurn(said, message.text, now))
            said = ""
    return tuple(turns)


async def _said(text: str) -> AsyncIterator[Frame]:
    yield Token(text)
    yield Done(0, text)
