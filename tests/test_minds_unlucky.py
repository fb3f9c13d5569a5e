"""Minds in an unlucky world: down, half down, cut anywhere, answering junk, windows told wrong."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import AsyncIterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocoro_ghost.errors import BadAnswer, Declined, GhostError, NotConfigured, Outage
from cocoro_ghost.mind.arrange import FORMS, alternating, arranged, folded, without_oldest
from cocoro_ghost.mind.breaker import OPENS_AFTER, PROBE_SECONDS, Breaker
from cocoro_ghost.mind.client import ImageRequest, Message, PlanRequest, Progress, SpeakRequest, Spoken
from cocoro_ghost.mind.fallback import FallbackMind
from cocoro_ghost.mind.fit import cost, fitted, fitted_question, room_for
from cocoro_ghost.mind.floor import Floor, Interrupted
from cocoro_ghost.mind.learned import Learned, Lessons, parsed
from cocoro_ghost.mind.providers import PROVIDERS, Endpoint
from cocoro_ghost.mind.speech import Speech
from cocoro_ghost.mind.typed_answers import parse_answer
from cocoro_ghost.mind.windows import WINDOWS, ask_window, tabled
from cocoro_ghost.mind.wire.call import Piece
from cocoro_ghost.model.answers import Answer, ReplySummary, SearchResultPack, WritePlan
from cocoro_ghost.model.material import ReplyMaterial
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.tools import ToolCall
from cocoro_ghost.testing import ScriptedMind
from tests.asking import QUESTION, SPEECH
from tests.model_server import model_server

pytestmark = pytest.mark.anyio


# -- the breaker


class Now:
    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds


steps = st.lists(st.one_of(st.sampled_from(["fail", "succeed", "ask"]), st.floats(0.1, 45)), max_size=40)


@settings(max_examples=100, deadline=None)
@given(steps)
def test_a_breaker_lets_through_what_a_plain_reference_does(order: list[Any]) -> None:
    now = Now()
    breaker, failures, next_probe = Breaker(now), 0, 0.0
    for step in order:
        if step == "fail":
            breaker.failed()
            failures, next_probe = failures + 1, now() + PROBE_SECONDS
        elif step == "succeed":
            breaker.succeeded()
            failures = 0
        elif step == "ask":
            allowed = failures < OPENS_AFTER or now() >= next_probe
            if allowed:
                breaker.check()
                next_probe = now() + PROBE_SECONDS if failures >= OPENS_AFTER else next_probe
            else:
                with pytest.raises(Outage) as refused:
                    breaker.check()
                assert refused.value.retry_after is not None
                assert 0 < refused.value.retry_after <= PROBE_SECONDS
        else:
            now.seconds += step
        assert breaker.is_open is (failures >= OPENS_AFTER)


def test_of_many_who_ask_at_once_one_is_the_probe() -> None:
    now = Now()
    breaker = Breaker(now)
    for _ in range(OPENS_AFTER):
        breaker.failed()
    now.seconds += PROBE_SECONDS
    passed = 0
    for _ in range(20):
        try:
            breaker.check()
            passed += 1
        except Outage:
            pass
    assert passed == 1


# -- two minds


class Cut(ScriptedMind):
    """Speaks so many pieces, then breaks."""

    def __init__(self, pieces: list[Spoken], error: Exception | None) -> None:
        super().__init__(images=[error or "an image"])
        self._pieces, self._error = pieces, error
        self.closed = False
        self.close_fails = False

    async def speak(self, request: SpeakRequest) -> AsyncIterator[Spoken]:  # type: ignore[override]
        for piece in self._pieces:
            yield piece
        if self._error is not None:
            raise self._error

    async def plan(self, request: PlanRequest, answer: type[Any]) -> Any:
        if self._error is not None:
            raise self._error
        return await super().plan(request, answer)

    async def close(self) -> None:
        self.closed = True
        if self.close_fails:
            raise OSError("the socket was gone")


async def all_of(mind: FallbackMind) -> list[Spoken]:
    return [piece async for piece in mind.speak(SPEECH)]


@pytest.mark.parametrize("error", [Outage("down"), NotConfigured("no key")])
@pytest.mark.parametrize("pieces", [[], [Progress()], [Progress(), Progress(0.5)]])
async def test_before_the_first_word_the_second_mind_takes_over(
    error: GhostError, pieces: list[Spoken]
) -> None:
    mind = FallbackMind(Cut(list(pieces), error), ScriptedMind(replies=["代わりに答えるね"]))
    said = "".join(one for one in await all_of(mind) if isinstance(one, str))
    assert said.endswith("代わりに答えるね")
    assert "scripted" in said, "it says who answers"


@pytest.mark.parametrize("error", [Outage("down"), NotConfigured("no key")])
async def test_after_the_first_word_nobody_takes_over(error: GhostError) -> None:
    second = ScriptedMind(replies=["代わりに"])
    mind = FallbackMind(Cut(["やあ"], error), second)
    got: list[Spoken] = []

    async def listen() -> None:
        async for piece in mind.speak(SPEECH):
            got.append(piece)

    with pytest.raises(type(error)):
        await listen()
    assert got == ["やあ"]
    assert second.spoken == []


@pytest.mark.parametrize("error", [Declined("no"), BadAnswer("junk"), ZeroDivisionError("a bug")])
async def test_what_is_no_outage_is_not_papered_over(error: Exception) -> None:
    second = ScriptedMind()
    with pytest.raises(type(error)):
        await all_of(FallbackMind(Cut([], error), second))
    assert second.spoken == []


async def test_learning_waits_for_the_first_and_seeing_does_not() -> None:
    second = ScriptedMind(images=["猫"])
    mind = FallbackMind(Cut([], Outage("down")), second)
    with pytest.raises(Outage):
        await mind.plan(QUESTION, ReplySummary)
    assert second.requests == []
    assert await mind.see(ImageRequest("image/png", 1, 1, b"", Language.JA)) == "猫"


async def test_a_mind_that_fails_to_close_leaves_the_other_closed() -> None:
    first, second = Cut([], None), Cut([], None)
    first.close_fails = True
    with pytest.raises(OSError, match="socket"):
        await FallbackMind(first, second).close()
    assert second.closed


# -- who answers a person comes first


async def test_learning_gives_way_whenever_a_reply_begins() -> None:
    floor, started, cancelled = Floor(), asyncio.Event(), False

    async def learn() -> str:
        nonlocal cancelled
        started.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled = True
            raise
        return "never"

    learning = asyncio.create_task(floor.giving_way(learn()))
    await started.wait()
    with floor.hold():
        with pytest.raises(Interrupted):
            await learning
        assert cancelled
        assert floor.is_held
    assert not floor.is_held
    await asyncio.wait_for(floor.free(), 10)


async def test_the_floor_is_free_only_when_everybody_has_left_it() -> None:
    floor = Floor()
    one, other = floor.hold(), floor.hold()
    one.__enter__()
    other.__enter__()
    one.__exit__(None, None, None)
    assert floor.is_held
    waiting = asyncio.create_task(floor.free())
    await asyncio.sleep(0)
    assert not waiting.done()
    other.__exit__(None, None, None)
    await waiting
    with pytest.raises(ZeroDivisionError), floor.hold():
        raise ZeroDivisionError
    assert not floor.is_held, "a reply that breaks leaves it, too"


async def test_what_is_done_is_not_thrown_away() -> None:
    floor = Floor()

    async def quick() -> int:
        return 7

    assert await floor.giving_way(quick()) == 7
    with pytest.raises(ZeroDivisionError):
        await floor.giving_way(_broken())


async def _broken() -> None:
    raise ZeroDivisionError


# -- speech


CLOSER = "</think>"


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 7), st.integers(0, 40), st.integers(0, 40))
def test_the_end_of_thinking_is_seen_however_it_is_cut(cut: int, before: int, behind: int) -> None:
    """Two pieces meet within the word; either may be long."""
    pieces = ["x" * before + CLOSER[:cut], CLOSER[cut:] + "元" * behind, "気？"]

    async def spoken() -> list[str]:
        async def given_as() -> AsyncIterator[Piece]:
            for text in pieces:
                yield Piece(text)
            yield Piece("", finish="stop")

        speech = Speech(given_as(), 60, held=True)
        return [one async for one in speech.pieces() if isinstance(one, str)]

    got = asyncio.run(spoken())
    assert "".join(got) == "元" * behind + "気？"
    assert got[-1] == "気？", "what follows is streamed, not held to the end"


# -- messages


roles = st.sampled_from(["system", "user", "assistant", "tool"])
words = st.text(st.sampled_from("あいう abc\n"), max_size=40)
calls = st.just(()) | st.just((ToolCall("c1", "look", "{}"),))
messages = st.lists(
    st.builds(Message, roles, words, st.booleans())
    | st.builds(Message, st.just("assistant"), words, st.just(False), calls),
    max_size=12,
)


@settings(max_examples=80, deadline=None)
@given(messages)
def test_alternating_messages_lose_no_words_and_no_calls(given_messages: list[Message]) -> None:
    made = alternating(given_messages)
    for one in given_messages:
        if one.content and one.role != "tool":
            assert any(one.content in other.content for other in made)
        if one.calls and one.role != "system":
            assert any(other.calls for other in made)
    assert [one.role for one in made[1:]].count("system") == 0
    spoken = [one.role for one in made if one.role in ("user", "assistant")]
    plain = not any(one.calls or one.role == "tool" for one in given_messages)
    if plain:
        assert all(a != b for a, b in pairwise(spoken))
        assert not spoken or spoken[0] == "user"


@settings(max_examples=80, deadline=None)
@given(messages, st.sampled_from(FORMS))
def test_the_context_is_somewhere_in_every_form(given_messages: list[Message], form: Any) -> None:
    made = arranged(given_messages, form)
    assert not any(one.internal for one in made)
    wanted = [one for one in given_messages if one.internal and one.content.strip() and one.role != "tool"]
    if form == "system_tail":
        for one in wanted:
            assert any(one.content.strip() in other.content for other in made)


@settings(max_examples=80, deadline=None)
@given(messages)
def test_without_a_system_role_its_words_are_the_persons(given_messages: list[Message]) -> None:
    made = folded(alternating(given_messages))
    assert all(one.role != "system" for one in made)


def test_what_the_person_said_last_stays_though_it_stands_first() -> None:
    """A template without system role, and a client's tools have the last word."""
    call = ToolCall("c1", "look", "{}")
    talk = (
        Message("user", "今日の天気は？ " + "詳しく。" * 50),
        Message("assistant", "", calls=(call,)),
        Message("tool", "晴れ", call_id="c1"),
    )
    assert without_oldest(talk)[0] == talk[0]
    assert fitted(talk, 64)[0].content.startswith("今日の天気は？")


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 30), st.integers(0, 3000), st.integers(64, 3000), st.booleans())
def test_fitting_ends_and_keeps_the_ends_of_the_talk(turns: int, long: int, room: int, tools: bool) -> None:
    history = [Message(role, f"{n} 今日は晴れ") for n in range(turns) for role in ("user", "assistant")]
    last = [Message("user", "質問だよ")]
    if tools:
        last += [
            Message("assistant", "", calls=(ToolCall("c", "t", "{}"),)),
            Message("tool", "x" * long, call_id="c"),
        ]
    every = [Message("system", "規則。" * (long // 4)), *history, *last]
    made = fitted(every, room)
    assert cost(made) <= max(room, cost(made[:1]) + 600)
    assert any(one.content == "質問だよ" for one in made)
    assert made[0].role == "system"
    assert made[0].content[:3] == every[0].content[:3]


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.text(st.sampled_from("あいう 123"), min_size=1, max_size=30), max_size=40),
    st.integers(64, 2000),
)
def test_a_question_keeps_what_is_not_spare_while_spare_lines_last(lines: list[str], room: int) -> None:
    spare = tuple(f"spare {n} {line}" for n, line in enumerate(lines))
    asked = Message("user", "\n".join(["大事な一行", *spare]))
    request = PlanRequest("reply_summary", (asked,), ReplyMaterial(1, "x", Language.JA), "h", spare)
    made = fitted_question(request, request.messages, room)
    assert "大事な一行" in made[-1].content or cost((Message("user", "大事な一行"),)) > room
    if cost(request.messages) <= room:
        assert made == request.messages


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 2_000_000), st.integers(0, 100_000), st.floats(0, 5))
def test_there_is_always_some_room(window: int, reserve: int, ratio: float) -> None:
    room = room_for(window, reserve, ratio)
    assert room >= 64
    assert room <= max(64, 2 * window)


# -- what was learned of a model


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)
stored = (
    st.fixed_dictionaries({}, optional=dict.fromkeys(Learned.__dataclass_fields__, json_values)) | json_values
)


@settings(max_examples=80, deadline=None)
@given(stored)
def test_whatever_was_stored_is_read_or_learned_anew(value: Any) -> None:
    learned = parsed(json.dumps(value))
    room = room_for(learned.context_tokens or 4096, 500, learned.token_ratio or 1.0)
    assert room >= 64
    assert learned.first_token_seconds(1000) >= 30 or math.isnan(learned.prompt_speed)


@pytest.mark.parametrize(
    "text", ["", "null", "{", "[]", "7", '{"context_tokens": 1e999}', '{"token_ratio": NaN}']
)
def test_stored_junk_is_forgotten(text: str) -> None:
    learned = parsed(text)
    assert math.isfinite(learned.token_ratio)
    assert room_for(8192, 500, learned.token_ratio or 1.0) >= 64


def test_measurements_of_nothing_teach_nothing() -> None:
    lessons = Lessons()
    for value in (0.0, -3.0, math.nan):
        lessons.measured("m", token_ratio=value)
    assert lessons.of("m") == Learned()
    lessons.measured("m", token_ratio=1.2)
    assert lessons.of("m").token_ratio == 1.2
    lessons.measured("m", token_ratio=math.nan)
    assert lessons.of("m").token_ratio == 1.2


# -- windows


@pytest.mark.parametrize(
    "page",
    [
        None, [], 7, "text", {"data": 5}, {"data": [None, 3, "x"]}, {"data": [{"id": "m"}]},
        {"data": [{"id": "m", "max_model_len": "many"}]}, {"data": [{"id": "m", "max_model_len": -5}]},
        {"data": [{"id": "m", "max_model_len": float("inf")}]},
        {"data": [{"id": "m", "max_model_len": float("nan")}]},
        {"data": [{"id": "m", "context_length": None, "context_window": {}}]},
    ],
)  # fmt: skip
async def test_an_endpoint_that_talks_nonsense_tells_no_window(page: Any) -> None:
    async with model_server() as server:
        server.pages["/v1/models"] = page
        assert await ask_window(Endpoint(PROVIDERS["openai"], server.url, "m"), None) == 0


async def test_an_endpoint_that_knows_its_window_tells_it() -> None:
    async with model_server() as server:
        server.pages["/v1/models"] = {
            "data": [{"id": "other", "context_length": 9}, {"id": "m", "context_length": 4096.0}]
        }
        assert await ask_window(Endpoint(PROVIDERS["openai"], server.url, "m"), "key") == 4096
        assert await ask_window(Endpoint(PROVIDERS["openai"], server.url, "nobody"), None) == 0


async def test_nobody_at_the_address_tells_no_window() -> None:
    async with model_server() as server:
        url = server.url
    assert await ask_window(Endpoint(PROVIDERS["openai"], url, "m"), None) == 0


def test_the_longest_name_in_the_table_counts() -> None:
    for name, window in WINDOWS.items():
        assert tabled(name.upper()) == window
    assert tabled("mistral-small-latest-2506") == WINDOWS["mistral-small-latest"]
    assert tabled("nobody-knows") == 0


# -- typed answers in what models write


payloads = st.lists(st.from_regex(r"[esa][1-9]{1,3}", fullmatch=True), min_size=1, max_size=5)
wrappers = st.sampled_from(
    [
        "{}", "```json\n{}\n```", "Sure! Here it is:\n```\n{}\n```\nAnything else?", "<think>hm {{</think>{}",
        "はい。\n{}\n以上です。", "\n\n  {}  \n", "<thinking>a</thinking>\n```json\n{}```",
    ]
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(payloads, wrappers, st.booleans())
def test_an_answer_is_found_in_whatever_it_is_wrapped(refs: list[str], wrapper: str, comma: bool) -> None:
    body = json.dumps({"selected": refs})
    body = body[:-1] + ",}" if comma else body
    text = wrapper.replace("{{", "\x01").replace("{}", body).replace("\x01", "{")
    assert [one.ref for one in parse_answer(text, SearchResultPack).selected] == refs


@settings(max_examples=80, deadline=None)
@given(payloads, st.integers(0, 200))
def test_an_answer_cut_anywhere_gives_a_beginning_of_it_or_none(refs: list[str], at: int) -> None:
    body = json.dumps({"selected": [{"ref": one, "reason": "r"} for one in refs]})
    found = read_or_raw(body[:at], SearchResultPack)
    if isinstance(found, SearchResultPack):
        named = [one.ref for one in found.selected]
        assert named == refs[: len(named)]
    else:
        assert found == body[:at]


def read_or_raw(text: str, kind: type[Answer]) -> Answer | str | None:
    """The answer, or what a bad answer keeps of it."""
    try:
        return parse_answer(text, kind)
    except BadAnswer as error:
        return error.raw


@settings(max_examples=80, deadline=None)
@given(
    st.text(st.sampled_from('{}[]",:abc<think>/`\\ 0'), max_size=60),
    st.sampled_from([WritePlan, SearchResultPack, ReplySummary]),
)
def test_any_text_is_an_answer_or_a_bad_answer(text: str, kind: type[Answer]) -> None:
    found = read_or_raw(text, kind)
    assert found == text or isinstance(found, kind)


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"selected":' * 5000, "{" * 50_000 + "}" * 50_000, "```" * 30_000]
)
def test_an_answer_that_nests_without_end_is_bad_and_quick(text: str) -> None:
    with pytest.raises(BadAnswer):
        parse_answer(text, SearchResultPack)
