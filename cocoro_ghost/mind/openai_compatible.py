"""A mind behind any endpoint: calls fit its window, replies come before jobs, failures have a meaning."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import replace

from cocoro_ghost.errors import BadAnswer, GhostError, NoTools, Outage
from cocoro_ghost.mind.arrange import FORMS, ContextForm, arranged, folded
from cocoro_ghost.mind.breaker import Breaker
from cocoro_ghost.mind.call_log import ModelCall, as_text, without_secrets
from cocoro_ghost.mind.client import (
    A,
    AnswerForm,
    ImageRequest,
    Message,
    PlanRequest,
    SpeakRequest,
    Spoken,
)
from cocoro_ghost.mind.failures import (
    Overflow,
    as_ours,
    overflow,
    refuses_format,
    refuses_roles,
    refuses_tools,
)
from cocoro_ghost.mind.fit import (
    SMALL_WINDOW,
    answer_limit,
    cost,
    fitted,
    fitted_question,
    reply_reserve,
    room_for,
)
from cocoro_ghost.mind.floor import Interrupted
from cocoro_ghost.mind.learned import Learned
from cocoro_ghost.mind.line import Line, Shared
from cocoro_ghost.mind.speech import Speech, words_of
from cocoro_ghost.mind.typed_answers import FORMATS, Format, asked_in_words, parse_answer, wire_schema
from cocoro_ghost.mind.windows import ask_window, tabled
from cocoro_ghost.mind.wire.call import Call, Reach, Usage, Wire
from cocoro_ghost.mind.wire.ollama import OllamaWire
from cocoro_ghost.mind.wire.openai import OpenAIWire

MAX_DESCRIPTION = 400
_SELECT_FORGIVES = 0.9
"""A model once too slow to choose is given another chance after a few turns."""


class OpenAICompatibleMind:
    """Keeps the `Mind` protocol over a wire."""

    def __init__(self, line: Line, shared: Shared | None = None, *, breaker: Breaker | None = None) -> None:
        self._line = line
        self._shared = shared or Shared()
        self._breaker = breaker or Breaker()
        # Five slow plans in a row must not keep the next reply back, nor the other way round.
        self._job_breaker = breaker or Breaker()
        self._job_slot = asyncio.Lock()
        self._wire = _wire(line)
        self._window: int | None = None
        self._calls = 0
        self._closing = False

    @property
    def model_id(self) -> str:
        return f"{self._line.endpoint.provider.name}/{self._line.endpoint.model}"

    @property
    def uses_tools(self) -> bool:
        """Until it has refused some."""
        return not self.learned.no_tools

    @property
    def is_open(self) -> bool:
        """Whether the breaker keeps replies back."""
        return self._breaker.is_open

    @property
    def learned(self) -> Learned:
        return self._shared.lessons.of(self._key)

    @property
    def window_tokens(self) -> int:
        """As known so far; 0 for wide enough not to matter."""
        place = self._line.endpoint
        return self._window or self.learned.context_tokens or tabled(place.model) or place.provider.window

    async def speak(self, request: SpeakRequest) -> AsyncIterator[Spoken]:
        """The words as they come; the caller keeps the time between them."""
        with self._shared.floor.hold():
            await self._find_window()
            tried: set[str] = set()
            while True:
                try:
                    async for spoken in self._reply(request):
                        yield spoken
                    return
                except _AskDifferently as wanted:
                    if wanted.why in tried:
                        raise wanted.error from wanted
                    tried.add(wanted.why)
                except _FormatRefused:
                    request = replace(request, form=request.form and request.form.simpler)

    async def plan(self, request: PlanRequest, answer: type[A]) -> A:
        """A typed answer. A choice for a reply is made at once; what is learned waits while one is spoken."""
        if request.purpose == "search_result_pack":
            with self._shared.floor.hold():
                return await self._chosen(request, answer)
        # A server elsewhere has slots of its own: only who speaks goes first, nobody is interrupted.
        if not self._line.endpoint.provider.local:
            await self._shared.floor.free()
            return await self._answered(request, answer)
        # A server at home has one slot for jobs: what waits, waits here, where it keeps no reply back.
        async with self._job_slot:
            while True:
                await self._shared.floor.free()
                with contextlib.suppress(Interrupted):
                    return await self._shared.floor.giving_way(self._answered(request, answer))

    async def see(self, request: ImageRequest) -> str:
        shown = (
            Message("user", f"{request.prompt}\n[{request.media_type} {request.width}x{request.height}]"),
        )
        said: list[str] = []
        with self._shared.floor.hold():
            async with self._noted("see", shown, said):
                call = Call((), self._line.max_tokens, image=request, context_tokens=self.window_tokens)
                answer = await asyncio.wait_for(self._wire.ask(call), request.timeout_seconds)
                said.append(words_of(answer))
                self._count("see", answer.usage)
        return said[0].strip()[:MAX_DESCRIPTION]

    async def close(self) -> None:
        """A call under way is let finish: settings may change while the ghost speaks."""
        self._closing = True
        if self._calls == 0:
            await self._wire.close()

    # -- replies ------------------------------------------------------------------------------------------

    async def _reply(self, request: SpeakRequest) -> AsyncIterator[Spoken]:
        """One attempt; _AskDifferently when it was refused in a way that asking differently may mend."""
        window = self.window_tokens
        limit = reply_reserve(min(request.max_tokens, self._line.max_tokens), window)
        messages, form = self._arranged(request.messages, limit, window), request.form
        call = Call(
            messages, limit, name="reply", web_search=self._line.web_search, context_tokens=window,
            tools=request.tools, schema=form.schema if form else None, json_object=form == AnswerForm(),
        )  # fmt: skip
        patience = max(self._line.timeouts.first_token, self.learned.first_token_seconds(cost(messages)))
        said: list[str] = []
        async with self._noted("reply", messages, said, "schema" if form else "text"):
            held, tools = self.learned.thinks_first, request.tools is not None
            speech = Speech(self._wire.stream(call), patience, held=held, tools=tools)
            async for spoken in speech.pieces():
                if isinstance(spoken, str):
                    said.append(spoken)
                yield spoken
            self._reply_ended(speech, messages)
            speech.check_end()

    def _arranged(self, messages: tuple[Message, ...], reserve: int, window: int) -> tuple[Message, ...]:
        if window:
            messages = fitted(messages, room_for(window, reserve, self.learned.token_ratio or 1.0))
        made = arranged(messages, self._form())
        return folded(made) if self.learned.no_system else made

    def _form(self) -> ContextForm:
        wanted = self.learned.context_in
        return next((form for form in FORMS if form == wanted), self._line.endpoint.provider.context_in)

    def _reply_ended(self, speech: Speech, messages: tuple[Message, ...]) -> None:
        self._count("reply", speech.usage)
        read = speech.usage.input_tokens if speech.usage else 0
        ours = cost(messages)
        figures = {"prompt_speed": (read or ours) / max(0.05, speech.first_seconds)}
        # Of a short prompt the template is the larger part, and would pass for longer words.
        if read and ours > 200:
            figures["token_ratio"] = read / ours
        self._shared.lessons.measured(self._key, **figures)
        if speech.imitated:
            self._change_form("it wrote like the notes it was given")
        if speech.thought_unopened:
            self._shared.lessons.learn(
                self._key, "its thoughts begin in the template: held back from now on", thinks_first=True
            )

    def _change_form(self, why: str) -> bool:
        """The next form of context; False when all were tried."""
        place = FORMS.index(self._form()) + 1
        if place >= len(FORMS):
            return False
        told = f"{why}; the context goes into {FORMS[place]!r} from now on"
        self._shared.lessons.learn(self._key, told, context_in=FORMS[place])
        return True

    # -- typed answers ------------------------------------------------------------------------------------

    async def _chosen(self, request: PlanRequest, answer: type[A]) -> A:
        """A choice among memories, unless this model is known to be too slow for one."""
        await self._find_window()
        if 0 < self.window_tokens <= SMALL_WINDOW:
            raise Outage("A small window leaves no room to choose in; the order of the memories stands.")
        lessons, took = self._shared.lessons, self.learned.select_seconds
        if took > self._line.timeouts.select:
            lessons.learn(self._key, select_seconds=round(took * _SELECT_FORGIVES, 2))
            raise Outage("This model chooses too slowly; the order of the memories stands.")
        began = time.monotonic()
        try:
            return await self._answered(request, answer)
        finally:
            # A wait that was cut short counts with what it had taken.
            lessons.measured(self._key, select_seconds=time.monotonic() - began)

    async def _answered(self, request: PlanRequest, answer: type[A]) -> A:
        """By schema, else as a JSON object, else out of plain text; what works is remembered."""
        await self._find_window()
        level, tried = self._first_format(), set[str]()
        while True:
            try:
                found = await self._ask(request, answer, FORMATS[level])
            except _FormatRefused:
                level += 1
                continue
            except _AskDifferently as wanted:
                if wanted.why in tried:
                    raise wanted.error from wanted
                tried.add(wanted.why)
                continue
            # Remembered only once it works: a refusal may have been about something else.
            self._shared.lessons.learn(self._key, answer_format=level)
            return found

    def _first_format(self) -> int:
        known = self.learned.answer_format
        return known if 0 <= known < len(FORMATS) else FORMATS.index(self._line.endpoint.provider.typed_by)

    async def _ask(self, request: PlanRequest, answer: type[A], kind: Format) -> A:
        window = self.window_tokens
        limit = answer_limit(request.purpose, self._line.max_tokens, window)
        call = Call(
            self._question(request, answer, kind, limit),
            limit,
            schema=wire_schema(answer) if kind == "schema" else None,
            name=request.purpose,
            json_object=kind == "object",
            context_tokens=window,
        )
        patience = max(self._line.timeouts.whole, 2 * self.learned.first_token_seconds(cost(call.messages)))
        said: list[str] = []
        async with self._noted(request.purpose, call.messages, said, kind):
            made = await asyncio.wait_for(self._wire.ask(call), patience)
            self._count(request.purpose, made.usage)
            said.append(words_of(made))
            return parse_answer(said[0], answer)

    def _question(
        self, request: PlanRequest, answer: type[A], kind: Format, limit: int
    ) -> tuple[Message, ...]:
        messages = request.messages if kind == "schema" else asked_in_words(request.messages, answer)
        if window := self.window_tokens:
            room = room_for(window, limit, self.learned.token_ratio or 1.0)
            messages = fitted_question(request, messages, room)
        return folded(messages) if self.learned.no_system else messages

    # -- every call ---------------------------------------------------------------------------------------

    @property
    def _key(self) -> str:
        return f"{self.model_id}@{self._line.endpoint.base_url}"

    async def _find_window(self) -> None:
        """Once a run: a server at home may have been started with another window since."""
        place = self._line.endpoint
        if self._window is not None or not (place.provider.local or place.provider.name == "openrouter"):
            return
        self._window = await ask_window(place, self._line.api_key)
        if self._window:
            self._shared.lessons.learn(
                self._key, f"its window is {self._window}", context_tokens=self._window
            )

    @contextlib.asynccontextmanager
    async def _noted(
        self, purpose: str, messages: tuple[Message, ...], said: list[str], kind: Format = "text"
    ) -> AsyncIterator[None]:
        """Breaker before, call log after, foreign errors as ours."""
        breaker = self._breaker if purpose in {"reply", "see"} else self._job_breaker
        breaker.check()
        began, outcome = time.monotonic(), "ok"
        self._calls += 1
        try:
            yield
            breaker.succeeded()
        except GeneratorExit:
            outcome = "stopped"
            raise
        except BaseException as error:
            if refuses_format(error, kind) and not refuses_roles(error) and overflow(error) is None:
                outcome = "format refused"
                raise _FormatRefused from error
            ours = as_ours(error, self._line.api_key, asked=purpose not in {"reply", "see"})
            outcome = type(ours or error).__name__
            self._ask_differently(error, ours, said)
            _settle(breaker, ours)
            if ours is None or ours is error:
                raise
            raise ours from error
        finally:
            self._calls -= 1
            if self._closing:
                await self.close()
            self._shared.call_log.note(self._call_made(purpose, messages, said, began, outcome))

    def _ask_differently(self, error: BaseException, ours: GhostError | None, said: list[str]) -> None:
        """Raises _AskDifferently when roles or length were minded and nothing was spoken yet."""
        if ours is None or said:
            return
        if refuses_tools(error):
            self._shared.lessons.learn(self._key, "it takes no tools", no_tools=True)
            raise NoTools from error
        if refuses_roles(error):
            if "system role" in str(error).lower():
                self._shared.lessons.learn(self._key, "its template knows no system role", no_system=True)
                raise _AskDifferently("system", ours) from error
            if self._change_form("its template refused the roles"):
                raise _AskDifferently("roles", ours) from error
        if (told := overflow(error)) is not None:
            self._shrink(told)
            raise _AskDifferently("length", ours) from error

    def _shrink(self, told: Overflow) -> None:
        """A window that proved smaller than thought, or a text that is longer in its own tokens."""
        window, ratio = told.window or self.window_tokens or 8192, self.learned.token_ratio or 1.0
        if told.asked and told.window:
            ratio = max(ratio * 1.1, ratio * told.asked / max(1, told.window))
        else:
            ratio *= 1.5
        self._window = window
        self._shared.lessons.learn(
            self._key, f"a prompt was too long for its window of {window}", context_tokens=window,
            token_ratio=round(min(ratio, 6.0), 3),
        )  # fmt: skip

    def _call_made(
        self, purpose: str, messages: tuple[Message, ...], said: list[str], began: float, outcome: str
    ) -> ModelCall:
        key = self._line.api_key
        return ModelCall(
            at=int(self._shared.now()),
            purpose=purpose,
            model=self.model_id,
            milliseconds=int((time.monotonic() - began) * 1000),
            outcome=outcome,
            request=as_text(messages, key),
            answer=without_secrets("".join(said), key),
        )

    def _count(self, purpose: str, usage: Usage | None) -> None:
        if usage is not None and self._shared.count is not None:
            self._shared.count(purpose, self.model_id, usage)


class _FormatRefused(Exception):
    """The endpoint does not take this kind of `response_format`."""


class _AskDifferently(Exception):
    """What was learned from a refusal makes another attempt worth while."""

    def __init__(self, why: str, error: GhostError) -> None:
        super().__init__(why)
        self.why = why
        self.error = error


def _settle(breaker: Breaker, error: GhostError | None) -> None:
    if isinstance(error, Outage):
        breaker.failed()
    elif isinstance(error, BadAnswer):
        breaker.succeeded()


def _wire(line: Line) -> Wire:
    reach = Reach(line.timeouts.connect, line.timeouts.whole, line.transport)
    if line.endpoint.provider.wire == "ollama":
        return OllamaWire(line.endpoint, line.api_key, reach)
    return OpenAIWire(line.endpoint, line.api_key, reach, effort=line.reasoning_effort)
