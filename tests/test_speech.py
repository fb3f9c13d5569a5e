"""A reply as a wire gives it: thoughts held back, tools put together, and what its end means."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cocoro_ghost.errors import BadAnswer, CutOff, Declined, Outage
from cocoro_ghost.mind.client import Progress, Spoken
from cocoro_ghost.mind.speech import Speech, is_object, words_of
from cocoro_ghost.mind.wire.call import CallPiece, Piece, Usage
from cocoro_ghost.model.tools import ToolCall

END = Piece(finish="stop", usage=Usage(10, 5))


async def given_as(pieces: Sequence[Piece]) -> AsyncIterator[Piece]:
    for piece in pieces:
        yield piece


def heard(
    *pieces: Piece, held: bool = False, tools: bool = False, patience: float = 60.0
) -> tuple[Speech, list[Spoken]]:
    async def listen() -> tuple[Speech, list[Spoken]]:
        speech = Speech(given_as(pieces), patience, held=held, tools=tools)
        return speech, [spoken async for spoken in speech.pieces()]

    return asyncio.run(listen())


def words(spoken: list[Spoken]) -> str:
    return "".join(one for one in spoken if isinstance(one, str))


def cut(text: str, at: list[int]) -> list[Piece]:
    """The text in pieces, wherever a server happens to cut it."""
    places = sorted({0, len(text), *(one % (len(text) + 1) for one in at)})
    return [Piece(text[a:b]) for a, b in itertools.pairwise(places)]


@given(st.lists(st.integers(0, 200), max_size=30))
def test_thoughts_without_a_beginning_are_held_back_however_they_are_cut(at: list[int]) -> None:
    thought = "The user says hello, so I should greet them warmly."
    speech, spoken = heard(*cut(f"{thought}</think>\nこんにちは、元気？", at), END, held=True)
    assert words(spoken).strip() == "こんにちは、元気？"
    speech.check_end()


def test_what_was_held_is_the_reply_when_no_thought_ended() -> None:
    speech, spoken = heard(*cut("考えずに答えたよ。", [2, 5]), END, held=True)
    assert words(spoken) == "考えずに答えたよ。"
    assert not speech.thought_unopened


@pytest.mark.parametrize(
    ("text", "unopened"),
    [
        ("hm</think>やあ", True),
        ("<think>hm</think>やあ", False),
        ("やあ", False),
        ("<thinking>a</thinking>b", False),
    ],
)
def test_a_thought_that_was_never_opened_is_noticed(text: str, unopened: bool) -> None:
    speech, _ = heard(Piece(text), END)
    assert speech.thought_unopened is unopened


def test_signs_of_life_come_through_before_the_words() -> None:
    speech, spoken = heard(Piece(progress=0.5), Piece(thought=True), Piece("やあ"), END)
    assert spoken == [Progress(0.5), Progress(None, thinking=True), "やあ"]
    assert speech.usage == Usage(10, 5)
    speech.check_end()


def test_a_model_that_says_nothing_in_time_is_given_up() -> None:
    async def silent() -> AsyncIterator[Piece]:
        await asyncio.Event().wait()
        yield Piece("too late")

    async def listen() -> list[Spoken]:
        return [spoken async for spoken in Speech(silent(), 0.02).pieces()]

    with pytest.raises(TimeoutError):
        asyncio.run(listen())


def test_a_call_for_a_tool_is_put_together_from_its_bits() -> None:
    bits = (
        CallPiece(1, "b", "weather", '{"city":'),
        CallPiece(0, "a", "light"),
        CallPiece(1, arguments='"Kyoto"}'),
    )
    _, spoken = heard(*(Piece(calls=(bit,)) for bit in bits), Piece(finish="tool_calls"), tools=True)
    assert spoken == [ToolCall("a", "light", "{}"), ToolCall("b", "weather", '{"city":"Kyoto"}')]


def test_half_a_call_and_a_call_nobody_offered_are_not_passed_on() -> None:
    half = Piece(calls=(CallPiece(0, "a", "weather", '{"city":"Ky'),), finish="length")
    whole = Piece(calls=(CallPiece(0, "a", "weather", "{}"),), finish="tool_calls")
    assert heard(half, tools=True)[1] == []
    speech, spoken = heard(whole, tools=False)
    assert spoken == []
    with pytest.raises(Declined, match="tools instead of speaking"):
        speech.check_end()


@pytest.mark.parametrize(
    ("last", "error"),
    [
        (Piece(finish="length"), CutOff),
        (Piece(finish="content_filter"), Declined),
        (Piece(finish="stop", refusal="I can't help with that."), Declined),
        (Piece(), Outage),
    ],
)
def test_an_end_means_something_and_says_it_in_both_languages(last: Piece, error: type[Exception]) -> None:
    speech, _ = heard(Piece("半分まで"), last)
    with pytest.raises(error) as caught:
        speech.check_end()
    assert caught.value.told(japanese=True) != caught.value.told(japanese=False)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "usable"),
    [("", True), ("{}", True), ('{"a": [1]}', True), ("[1]", False), ('{"a":', False), ("[" * 5000, False)],
)
def test_arguments_are_an_object_or_nothing(text: str, usable: bool) -> None:
    assert is_object(text) is usable


def test_a_whole_answer_is_its_words_or_says_why_there_are_none() -> None:
    assert words_of(Piece('{"a": 1}', finish="stop")) == '{"a": 1}'
    assert words_of(Piece("as asked", refusal="a note", finish="stop")) == "as asked"
    for refused in (Piece("", refusal="no"), Piece("some", finish="refusal")):
        with pytest.raises(Declined):
            words_of(refused)
    with pytest.raises(BadAnswer, match="nothing"):
        words_of(Piece(finish="stop"))
