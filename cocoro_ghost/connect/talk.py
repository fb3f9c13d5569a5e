"""A request of any face, carried out: a turn of the one ghost, a program's own call, or a probe.

The ghost keeps the state; what clients send again is compared with it (conversation.py). Turns wait in line.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from starlette.requests import HTTPConnection

from cocoro_ghost.api.app_state import AppState, app_state_of
from cocoro_ghost.api.current_turn import Turn
from cocoro_ghost.clock import local_iso
from cocoro_ghost.connect.background import INCOGNITO_MODEL, Call, Shapes, header
from cocoro_ghost.connect.client_tools import steps_in
from cocoro_ghost.connect.conversation import Kind, Meaning, MessageIds, conversation_of, meaning_of
from cocoro_ghost.connect.identity import speaker
from cocoro_ghost.connect.messages import ChatMessage, own_words, system_text
from cocoro_ghost.connect.resent import Resent
from cocoro_ghost.errors import GhostError, NotFound, NoTools
from cocoro_ghost.grow import forget
from cocoro_ghost.grow.grow_jobs import EMBEDDED
from cocoro_ghost.hear.message import again, hear_chat
from cocoro_ghost.mind.client import AnswerForm, Message, SpeakRequest
from cocoro_ghost.model.client import Client, EmotionTags, HistoryRule, SystemRule
from cocoro_ghost.model.client_turn import ClientTurn, Standing
from cocoro_ghost.model.heard import Heard, SentMessage
from cocoro_ghost.model.scene import Occasion, PastTurn, Persona, Scene
from cocoro_ghost.model.tools import ToolUse
from cocoro_ghost.reply.expression import dialect_asked_for
from cocoro_ghost.reply.guard import SpeechGuard
from cocoro_ghost.reply.stream import Done, Failed, Frame, Token, within
from cocoro_ghost.settings.client_secrets import user_jwt
from cocoro_ghost.store import client_turns, clients, events
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.turn import TurnParts, take_turn

LINE_SECONDS = 30.0
FEWEST_TOKENS = 16
SYSTEM_CHARACTERS = 6_000
"""About 1,500 tokens of a client's own system text are taken along."""
CHAT_HEADERS = ("x-ghost-chat", "x-openwebui-chat-id", "x-librechat-conversation-id")
PARENT_HEADER = "x-ghost-parent"
LIBRECHAT_PARENT = "x-librechat-parent-id"
TEMPORARY = ("local:", "temporary:")
"""How Open WebUI's ids of temporary chats begin, in older and newer versions."""
NO_CHAT = {"new", "null", "undefined", "none"}
"""What clients send for a talk that has no name yet."""
NO_MODEL = "A program's own call (a title, a summary) needs a language model; choose one in the settings."
log = logging.getLogger(__name__)
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
    tools: ToolUse | None = None
    form: AnswerForm | None = None
    """JSON demanded by a program's own call."""
    digest: str = ""
    """Of the body as it came: the same again within seconds may be the same request."""

    @property
    def named_chat(self) -> str | None:
        found = (header(self.headers, name) for name in CHAT_HEADERS)
        return next((one for one in found if one and one.lower() not in NO_CHAT), None) or self.chat

    @property
    def resends(self) -> bool:
        """Whether the client sends its whole history: the programs whose own chat id this is do."""
        return self.named_chat is None or any(header(self.headers, name) for name in CHAT_HEADERS[1:])

    @property
    def incognito(self) -> bool:
        """Recalls, keeps nothing: asked for by name, or a temporary chat of Open WebUI."""
        return self.model == INCOGNITO_MODEL or (self.named_chat or "").startswith(TEMPORARY)

    @property
    def ids(self) -> MessageIds:
        parent = header(self.headers, PARENT_HEADER) or header(self.headers, LIBRECHAT_PARENT)
        # Empty says "the first message", which is not the same as saying nothing.
        if parent is None and self.headers.get(PARENT_HEADER) == "":
            parent = ""
        return MessageIds(header(self.headers, "x-ghost-message"), parent)


@dataclass(frozen=True, slots=True)
class Answered:
    """What a request turned out to be, and its frames."""

    call: Call
    kind: Kind | None
    frames: AsyncIterator[Frame]


class Talks:
    """The faces' way to the ghost."""

    def __init__(self, app: AppState, shapes: Shapes, resent: Resent) -> None:
        self._app = app
        self._shapes = shapes
        self._resent = resent

    def models(self) -> list[str]:
        """`ghost` first: some clients probe the first one listed."""
        personas = [f"{GHOST}/{one.name}" for one in self._app.ghost.book().persona]
        return [GHOST, INCOGNITO_MODEL, "ghost:task", *personas]

    def check(self, client: Client, asked: Asked) -> Asked:
        """Raises NotFound or NoTools before a word is said; the model's name as it is listed.

        Tools of a client that may not use any are left out, as for a model that never heard of them.
        """
        model = asked.model.removesuffix(":latest")
        if model not in self.models():
            raise NotFound(f"There is no model {asked.model!r} here; use `{GHOST}`.", code="model_not_found")
        if not client.tools or asked.tools is None:
            return replace(asked, model=model, tools=None)
        if not self._app.ghost.mind().uses_tools:
            raise NoTools
        return replace(asked, model=model, tools=replace(asked.tools, steps=steps_in(asked.messages)))

    async def answer(self, client: Client, asked: Asked) -> Answered:
        """Raises BadInput, NotFound, Refused or Conflict before a word is said."""
        asked = self.check(client, asked)
        self._offer_tags(client, asked)
        who = await self._speaker(client, asked)
        call = self._shapes.call_of(
            asked.messages,
            asked.headers,
            model=asked.model,
            stream=asked.stream,
            max_tokens=asked.max_tokens,
        )
        if call is Call.DOUBTFUL:
            _, stored = await self._app.ghost.memory.read(lambda r: self._stored(r, client, asked, who))
            # Who talks here already is a person, whatever they ask for.
            call = Call.TURN if stored else call
        if call is Call.PROBE:
            return Answered(call, None, _said("pong"))
        if call is Call.TASK:
            return Answered(call, None, self._task(asked))
        digest = self._digest(client, asked)
        if (known := self._resent.find(digest)) is not None:
            return Answered(call, None, known.listen())
        kinds: list[Kind] = []

        async def prepare() -> Turn:
            # Read when its time has come: the turn before it may just have been stored.
            conversation, stored = await self._app.ghost.memory.read(
                lambda r: self._stored(r, client, asked, who)
            )
            going_on = call is Call.CONTINUE
            meaning = meaning_of(stored, asked.messages, asked.ids, continues=going_on, resends=asked.resends)
            kinds.append(meaning.kind)
            heard = await self._heard(client, asked, conversation, meaning, call, who)
            heard = replace(heard, tools=asked.tools)
            parts = self._parts(client, asked, heard)
            return lambda stop: take_turn(parts, heard, stop)

        frames = await self._app.current_turn.begin_when_free(prepare, LINE_SECONDS)
        # Where leaving stops the turn, a second listener would come to an answer that was cut off.
        if asked.digest and self._app.current_turn.finishes:
            frames = self._resent.begun(digest, frames).listen()
        return Answered(call, kinds[0], frames)

    def _digest(self, client: Client, asked: Asked) -> str:
        """Names a request among all ghosts of the house: each has a memory of its own."""
        parts = (
            str(self._app.ghost.memory.path),
            client.client_id,
            asked.named_chat,
            asked.ids,
            asked.digest,
        )
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    # -- who speaks, and which talk it belongs to --

    async def _speaker(self, client: Client, asked: Asked) -> str | None:
        if not client.speaks_for_others:
            return None
        ghost = self._app.ghost
        secret = await ghost.settings_db.read(lambda r: user_jwt(r, ghost.seal, client.client_id))
        return speaker(client, asked.headers, secret)

    def _stored(
        self, reader: Reader, client: Client, asked: Asked, who: str | None
    ) -> tuple[str, list[ClientTurn]]:
        """The conversation's name, new where it is a new one, and its turns: no other client's."""
        if asked.named_chat is not None:
            conversation = f"{client.client_id}/{asked.named_chat[:200]}"
            return conversation, client_turns.of_conversation(reader, conversation)
        # Several people at one client, and no name for their talks: nobody goes on with another's.
        turns = [one for one in client_turns.of_client(reader, client.client_id) if one.speaker == who]
        now = self._app.ghost.clock.domain_now()
        found = conversation_of(turns, asked.messages, now)
        if found is None:
            return f"{client.client_id}/~{uuid.uuid4().hex}", []
        return found, [turn for turn in turns if turn.conversation == found]

    def _offer_tags(self, client: Client, asked: Asked) -> None:
        """A prompt that asks for a dialect of feelings is told of in Connections; it changes nothing."""
        if client.emotion_tags is not EmotionTags.NONE or client.client_id == "owner":
            return
        found = dialect_asked_for(system_text(asked.messages))
        if found is not None and found is not client.offered_tags:
            self._app.ghost.settings_db.write_soon(lambda tx: clients.offer_tags(tx, client.client_id, found))

    # -- what was heard --

    async def _heard(
        self,
        client: Client,
        asked: Asked,
        conversation: str,
        meaning: Meaning,
        call: Call,
        who: str | None,
    ) -> Heard:
        # Incognito looks at the talk as it stands and leaves it so.
        if not asked.incognito:
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
            speaker=who,
            via=sent,
            history=history if uses_sent else None,
            attached=_attached(words.context, meaning.rewritten),
        )

    async def _again(self, asked: Asked, conversation: str, meaning: Meaning) -> Heard:
        event_id = meaning.event_id or 0
        event = await self._app.ghost.memory.read(lambda reader: events.get(reader, event_id))
        heard = replace(again(event), conversation=conversation, incognito=asked.incognito)
        if (reply_id := header(asked.headers, "x-ghost-reply")) and not asked.incognito:
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
        if ghost.mind().model_id == EMBEDDED:
            # The keeper only tells what it keeps: a title or a summary from it would be neither.
            yield Failed("llm_unavailable", NO_MODEL)
            return
        last = asked.messages[-1].text
        scene = Scene(
            occasion=Occasion.CHAT,
            language=ghost.language_of(last),
            persona=Persona("", "", "", ""),
            now_ts=ghost.clock.domain_now(),
            now_local=local_iso(ghost.clock.domain_now(), ghost.clock.zone),
            user_text=last,
        )
        roles = {"system": "system", "user": "user", "assistant": "assistant", "tool": "user"}
        messages = tuple(Message(roles[one.role], one.text) for one in asked.messages)  # type: ignore[arg-type]
        request = SpeakRequest(scene, messages, min(asked.max_tokens or 1000, 2000), form=asked.form)
        guard = SpeechGuard()
        try:
            budgets = ghost.turn_parts(last).budgets
            async for piece in within(ghost.mind().speak(request), budgets, asyncio.Event()):
                if isinstance(piece, str) and (text := guard.feed(piece)):
                    yield Token(text)
            if text := guard.finish():
                yield Token(text)
        except GhostError as error:
            yield Failed(error.code, str(error))
        except Exception:
            # Whoever listens must hear an end; the log says what broke.
            log.exception("a program's own call broke")
            yield Failed("internal_error", "Something went wrong inside; the log says what.")
        else:
            yield Done(0, guard.text.strip())


def talks_of(connection: HTTPConnection) -> Talks:
    """The way to the ghost that the caller belongs to."""
    state = connection.app.state
    return Talks(app_state_of(connection), state.shapes, state.resent)


def _supersede(tx: Tx, event_id: int) -> None:
    """An edited message: what the old one taught is taken back, and it is found no more."""
    forget.forget_event(tx, event_id, "the message was changed in the client")
    client_turns.stand(tx, event_id, Standing.SUPERSEDED)


def _attached(found: str, rewritten: str) -> str:
    """Documents the client's program found, and how the person would have had the last reply."""
    if rewritten:
        found = f"{found}\n\nYour last reply, as the person rewrote it: {rewritten}".strip()
    return found[-SYSTEM_CHARACTERS:]


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
