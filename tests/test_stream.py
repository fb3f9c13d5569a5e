"""A reply within its time budgets: late words, long replies, signs of life, and somebody who says stop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cocoro_ghost.errors import (
    CutOff,
    Declined,
    DiskFull,
    GhostError,
    NotConfigured,
    Outage,
    StoreError,
)
from cocoro_ghost.mind.client import Progress, Spoken
from cocoro_ghost.model.event import Origin, Source
from cocoro_ghost.model.heard import Unasked
from cocoro_ghost.model.scene import Language, Occasion
from cocoro_ghost.reply.stream import Budgets, clip, code_of, line_told, told_of, within

pytestmark = pytest.mark.anyio
PATIENT = Budgets(60, 60, 60)


class Spoke:
    """A model whose words are given; whether its line was closed."""

    def __init__(self, *pieces: Spoken, then_hangs: bool = False) -> None:
        self._pieces, self._hangs = pieces, then_hangs
        self.closed = False

    async def words(self) -> AsyncIterator[Spoken]:
        try:
            for piece in self._pieces:
                yield piece
            if self._hangs:
                await asyncio.Event().wait()
        finally:
            self.closed = True


async def heard(
    model: Spoke, budgets: Budgets, stop: asyncio.Event | None = None, into: list[Spoken] | None = None
) -> list[Spoken]:
    got = [] if into is None else into
    async for piece in within(model.words(), budgets, stop or asyncio.Event()):
        got.append(piece)
    return got


async def test_words_come_through_and_the_line_is_closed() -> None:
    model = Spoke("やあ", "、元気？")
    assert await heard(model, PATIENT) == ["やあ", "、元気？"]
    assert model.closed


async def test_a_first_word_that_does_not_come_is_an_outage() -> None:
    model = Spoke(then_hangs=True)
    with pytest.raises(Outage, match="first word"):
        await heard(model, Budgets(0.02, 60, 60))
    assert model.closed


async def test_a_next_word_that_does_not_come_is_an_outage_and_what_was_said_was_heard() -> None:
    model, got = Spoke("やあ", then_hangs=True), list[Spoken]()
    with pytest.raises(Outage, match="next word"):
        await heard(model, Budgets(60, 0.02, 60), into=got)
    assert got == ["やあ"]
    assert model.closed


async def test_a_model_that_never_pauses_does_not_outrun_the_clock() -> None:
    async def endless() -> AsyncIterator[Spoken]:
        while True:
            yield "あ"

    with pytest.raises(Outage, match="reply"):
        async for _ in within(endless(), Budgets(60, 60, 0.02), asyncio.Event()):
            pass


async def test_a_model_that_tells_how_far_it_has_read_is_slow_not_silent() -> None:
    signs = [Progress(share / 10) for share in range(5)]
    model = Spoke(*signs, then_hangs=True)
    got: list[Spoken] = []
    with pytest.raises(Outage, match="first word"):
        await heard(model, Budgets(0.05, 0.0, 60), into=got)
    assert got == signs, "after a sign the first word is still the first word"


async def test_stop_ends_a_reply_without_an_error() -> None:
    stop, model, got = asyncio.Event(), Spoke("やあ", then_hangs=True), list[Spoken]()
    async for piece in within(model.words(), PATIENT, stop):
        got.append(piece)
        stop.set()
    assert got == ["やあ"]
    assert model.closed
    assert await heard(Spoke("never"), PATIENT, stop) == [], "stopped before it began"


async def test_a_model_that_breaks_is_told_as_it_broke() -> None:
    async def broken() -> AsyncIterator[Spoken]:
        yield "や"
        raise Declined("no")

    with pytest.raises(Declined):
        async for _ in within(broken(), PATIENT, asyncio.Event()):
            pass


@given(st.text("あいう。！? …", max_size=80), st.integers(2, 40))
def test_a_line_is_cut_to_its_length_at_a_sentence_where_one_fits(text: str, limit: int) -> None:
    cut = clip(text, limit)
    assert len(cut) <= limit
    if len(text) <= limit:
        assert cut == text
    else:
        assert cut[:-1] == text[: len(cut) - 1], "nothing but its end is another"
        assert cut[-1] in "。！？!?.…"


def unasked(**more: object) -> Unasked:
    members = {"kept": "薬を飲む", "max_characters": 20, "plain": "09:30 薬を飲む", **more}
    return Unasked(Occasion.REMINDER, Source.REMINDER, Origin.GHOST, **members)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("said", "verbatim", "told"),
    [
        ("薬を飲む時間だよ", "薬を飲む", "薬を飲む時間だよ"),
        ("お薬の時間だよ", "薬を飲む", "09:30 薬を飲む"),
        ("", "薬を飲む", "09:30 薬を飲む"),
        ("薬を飲む時間だよ。とても大切なことだから忘れないでね", "薬を飲む", "09:30 薬を飲む"),
        ("何でも言ってよい", "", "何でも言ってよい"),
    ],
)
def test_a_line_that_lost_its_words_is_told_plainly(said: str, verbatim: str, told: str) -> None:
    assert line_told(said, unasked(verbatim=verbatim)) == told


@pytest.mark.parametrize("language", [Language.JA, Language.EN])
def test_a_store_that_failed_says_what_became_of_the_message(language: Language) -> None:
    full = DiskFull("The disk is full.")
    kept, lost = (told_of(full, language, kept=one) for one in (True, False))
    assert kept != lost
    assert kept.startswith("The disk is full.")
    assert told_of(full, language, kept=None) == "The disk is full.", "where nothing was to be kept"
    assert told_of(Outage("down", ja="止まっています"), Language.JA, kept=True) == "止まっています"


@pytest.mark.parametrize(
    ("error", "event_id", "spoken", "code"),
    [
        (StoreError("x"), None, "", StoreError.code),
        (NotConfigured("x", code="llm_wrong_key"), 7, "", "llm_wrong_key"),
        (CutOff("x"), 7, "half", CutOff.code),
        (Outage("x"), 7, "half", "llm_stream_failed"),
        (Outage("x"), 7, "", "llm_unavailable"),
        (StoreError("x"), 7, "", "llm_unavailable"),
    ],
)
def test_an_error_is_named_by_what_to_do_else_by_how_far_it_came(
    error: GhostError, event_id: int | None, spoken: str, code: str
) -> None:
    assert code_of(error, event_id, spoken) == code
