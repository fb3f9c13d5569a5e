"""A reply cut anywhere, by anyone: what was heard is kept, what was spoken is kept, nothing internal leaks,
the next turn goes on; pictures and embeddings that are junk cost nobody their reply."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocoro_ghost.embed.early import EarlyEmbedding
from cocoro_ghost.embed.embedder import Space, Vectors, shortened, unit_rows
from cocoro_ghost.errors import BadAnswer, BadInput, CutOff, Declined, NotConfigured, Outage, TooLarge
from cocoro_ghost.hear.capture import Captures
from cocoro_ghost.hear.images import MAX_DESCRIPTION, MAX_IMAGES, check_images, describe
from cocoro_ghost.mind.client import ImageRequest, Progress, SpeakRequest, Spoken
from cocoro_ghost.model.event import EventStatus
from cocoro_ghost.model.heard import CheckedImage, Heard
from cocoro_ghost.model.internal import NAMES
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.model.scene import Language
from cocoro_ghost.reply.guard import MAX_REPLY_BYTES, SpeechGuard
from cocoro_ghost.reply.stream import Done, Failed, clip
from cocoro_ghost.store import jobs
from cocoro_ghost.store.ports import Database
from cocoro_ghost.testing import FrozenClock, HashEmbedder, ScriptedMind, temp_memory
from cocoro_ghost.turn import take_turn
from tests.embedding import embed
from tests.test_embedders import Endpoint, endpoint
from tests.test_images import data_uri, picture
from tests.turning import StubRecall, end_of, parts_of, stored, turn, words_of

__all__ = ["endpoint"]
pytestmark = pytest.mark.anyio


# -- the guard


innocent = st.text(
    st.sampled_from("おはよう。今日は猫 abc XYZ,.!?:;-*#>・「」（）()=+/'\"\n\t 123%&@~^|_"), max_size=120
)


def fed(text: str, cuts: Sequence[int], private: Sequence[str] = ()) -> tuple[str, SpeechGuard]:
    """What is heard piece by piece."""
    guard = SpeechGuard(private)
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    heard = [guard.feed(text[start:end]) for start, end in pairwise(places)]
    return "".join([*heard, guard.finish()]), guard


@settings(max_examples=150, deadline=None)
@given(innocent, st.lists(st.integers(0, 200), max_size=8))
def test_innocent_words_pass_unchanged_however_they_are_cut(text: str, cuts: list[int]) -> None:
    if any(name.lower() in text.lower() for name in NAMES):
        return
    heard, guard = fed(text, cuts)
    assert heard == text.lstrip()
    assert not guard.held_back
    assert not guard.imitated


SECRETS = [
    "<think>ひみつ</think>", "<<INTERNAL_CONTEXT>>\nひみつ\n\n", "STABLE_FACTS: ひみつ\n\n",
    '{"state_id": "ひみつ"}',
    "<<<COCORO_GHOST_SECTION:OPEN_LOOPS>>>\n- ひみつ\n\n", "[THINK]ひみつ[/THINK]",
    "<|channel|>analysis<|message|>ひみつ<|end|>", '```json\n{"state_updates": ["ひみつ"]}\n```',
    "now_local: ひみつ\n\n",
]  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(
    st.lists(st.sampled_from(SECRETS), min_size=1, max_size=3),
    st.lists(st.sampled_from(["おはよう。\n", "そうだね。\n", "うん。\n"]), min_size=1, max_size=3),
    st.lists(st.integers(0, 300), max_size=12),
    st.randoms(use_true_random=False),
)
def test_no_secret_leaks_between_innocent_lines(
    secrets: list[str], lines: list[str], cuts: list[int], rng: Random
) -> None:
    parts = [*secrets, *lines]
    rng.shuffle(parts)
    heard, guard = fed("".join(parts), cuts)
    assert "ひみつ" not in heard
    assert "ひみつ" not in guard.text
    assert guard.held_back


@settings(max_examples=60, deadline=None)
@given(
    st.text(st.sampled_from("あいうえおかき、。abc "), min_size=12, max_size=40),
    st.lists(st.integers(0, 200), max_size=8),
)
def test_a_sentence_about_itself_is_not_said_back(private: str, cuts: list[int]) -> None:
    heard, _ = fed(f"うん。{private}ね。", cuts, [private])
    assert private not in heard


@pytest.mark.parametrize("letter", ["a", "あ", "𩸽", "é"])
def test_a_reply_without_end_is_cut_at_its_bytes_and_stays_text(letter: str) -> None:
    guard = SpeechGuard()
    spoken = "".join(guard.feed(letter * 5000) for _ in range(20)) + guard.finish()
    assert len(spoken.encode()) <= MAX_REPLY_BYTES
    assert len(spoken.encode()) > MAX_REPLY_BYTES - 5
    assert set(spoken) == {letter}
    assert guard.is_full
    assert guard.feed("もっと") == ""


@settings(max_examples=80, deadline=None)
@given(innocent, st.integers(1, 80))
def test_a_clipped_line_is_a_beginning_of_it(text: str, limit: int) -> None:
    short = clip(text, limit)
    assert len(short) <= limit
    assert text.startswith(short.removesuffix("…")) or short == text


# -- a turn that breaks after any number of pieces


PIECES = ["やあ。", "今日は", "いい天気", "だね。", "散歩に", "行こう。"]


class Breaking(ScriptedMind):
    """Says so many pieces, then breaks, or sets the bell that stops the turn."""

    def __init__(self, after: int, error: Exception | None, bell: asyncio.Event | None = None) -> None:
        super().__init__()
        self.after, self.error, self.bell = after, error, bell

    async def speak(self, request: SpeakRequest) -> AsyncIterator[Spoken]:  # type: ignore[override]
        self.spoken.append(request)
        yield Progress()
        for piece in PIECES[: self.after]:
            yield piece
        if self.bell is not None:
            self.bell.set()
            await asyncio.Event().wait()
        if self.error is not None:
            raise self.error


ERRORS = [
    Outage("down"),
    BadAnswer("junk"),
    Declined("no"),
    NotConfigured("no key"),
    ZeroDivisionError("a bug"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
async def test_a_mind_that_breaks_after_any_piece_leaves_a_whole_event(
    memory: Database, error: Exception
) -> None:
    for after in range(len(PIECES) + 1):
        frames = await turn(parts_of(memory, Breaking(after, error)), f"{after}回目")
        assert words_of(frames) == "".join(PIECES[:after])
        end = end_of(frames)
        assert isinstance(end, Failed)
        event = await stored(memory, after + 1)
        assert event.user_text == f"{after}回目"
        assert (event.assistant_text or "") == "".join(PIECES[:after]), "what was heard is what is kept"
        assert event.status is EventStatus.INTERRUPTED
    rows = await memory.read(
        lambda r: r.rows("SELECT count(*) AS n FROM jobs WHERE kind = :k", {"k": JobKind.GENERATE_WRITE_PLAN})
    )
    assert rows[0]["n"] == len(PIECES) + 1, "every one of them is learned from"


async def test_a_limit_of_length_is_an_end_and_no_failure(memory: Database) -> None:
    for after in range(1, len(PIECES)):
        end = end_of(await turn(parts_of(memory, Breaking(after, CutOff("length"))), "話して"))
        assert isinstance(end, Done)
        assert (end.finish_reason, end.reply_text) == ("length", "".join(PIECES[:after]))


async def test_stop_after_any_piece_keeps_just_that(memory: Database) -> None:
    for after in range(len(PIECES) + 1):
        bell = asyncio.Event()
        frames = await turn(parts_of(memory, Breaking(after, None, bell)), "話して", bell)
        end = end_of(frames)
        assert isinstance(end, Done)
        assert (end.finish_reason, end.reply_text) == ("interrupted", "".join(PIECES[:after]))
        assert (await stored(memory, after + 1)).status is EventStatus.INTERRUPTED


async def test_after_every_kind_of_end_the_next_turn_answers_the_one_before(memory: Database) -> None:
    for number, error in enumerate([None, *ERRORS]):
        await turn(parts_of(memory, Breaking(2, error)), f"{number}")
    end = end_of(await turn(parts_of(memory, ScriptedMind(replies=["うん"])), "最後"))
    assert isinstance(end, Done)
    links = await memory.read(
        lambda r: r.rows("SELECT from_event_id, to_event_id FROM event_links ORDER BY 1")
    )
    assert [(row["from_event_id"], row["to_event_id"]) for row in links] == [(n + 1, n) for n in range(1, 7)]


async def test_two_turns_at_once_are_two_whole_events(memory: Database) -> None:
    parts = parts_of(memory, ScriptedMind(replies=["うん"]))
    ends = await asyncio.gather(*(turn(parts, f"{n}") for n in range(6)))
    ids = {end.event_id for end in map(end_of, ends) if isinstance(end, Done)}
    assert ids == set(range(1, 7))
    kept = [await stored(memory, i) for i in sorted(ids)]
    assert {one.user_text for one in kept} == {f"{n}" for n in range(6)}
    assert {one.status for one in kept} == {EventStatus.DONE}
    assert await memory.read(jobs.unfinished) >= 6


async def test_whoever_leaves_in_the_middle_leaves_nothing_spoken_but_unsaved(memory: Database) -> None:
    """The listener goes: the generator is closed, and the words already on disk stay there."""
    frames = take_turn(parts_of(memory, Breaking(3, None)), Heard("話して"), asyncio.Event())
    async for _ in frames:
        break
    await frames.aclose()  # type: ignore[attr-defined]
    event = await stored(memory, 1)
    assert event.user_text == "話して"
    assert event.status is EventStatus.OPEN, "the next start ends it"


# -- pictures


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from([b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF\x00\x00\x00\x00WEBP", b"GIF89a", b""]),
    st.binary(max_size=60),
    st.sampled_from([b"IEND", b"\xff\xd9", b"VP8 ", b"VP8X", b"VP8L", b""]),
    st.binary(max_size=30),
)
def test_whatever_pretends_to_be_a_picture_is_one_or_none(
    head: bytes, body: bytes, mark: bytes, tail: bytes
) -> None:
    try:
        (found,) = check_images([data_uri(head + body + mark + tail)])
    except TooLarge:
        return
    assert found is None or (
        found.width > 0 and found.height > 0 and found.width * found.height <= 20_000_000
    )


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=60) | st.text(st.sampled_from("data:image/png;base64,=A \n"), max_size=60))
def test_any_text_is_a_picture_or_none(text: str) -> None:
    assert check_images([text]) == (None,)


@pytest.mark.parametrize("cut", [10, 30, 50, -1, -12])
def test_a_picture_cut_off_is_none(cut: int) -> None:
    whole = picture("PNG", (40, 40))
    (found,) = check_images([data_uri(whole[:cut])])
    assert found is None or cut == -1


class Eyes(ScriptedMind):
    def __init__(self, *answers: str | Exception) -> None:
        super().__init__()
        self.left = list(answers)

    async def see(self, request: ImageRequest) -> str:
        answer = self.left.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


async def test_each_picture_that_cannot_be_described_leaves_an_empty_place() -> None:
    image = CheckedImage("image/png", 1, 1, b"x")
    eyes = Eyes(Outage("down"), "猫\n\n が  いる", Declined("no"), BadAnswer("junk"), "x" * 1000)
    seen = await describe(eyes, [image, None, image, image, image, image], Language.JA, 60)
    assert seen == ("", "", "猫 が いる", "", "", "x" * MAX_DESCRIPTION)


class Shows:
    """A client that answers a look with whatever it likes."""

    def __init__(self, images: tuple[str, ...], error: str | None = None) -> None:
        self.images, self.error = images, error
        self.captures = Captures(self, timeout_ms=1000)

    def with_cap(self, cap: str) -> list[str]:
        return ["desk"]

    def send_to(self, client_id: str, kind: str, data: Mapping[str, Any], event_id: int = 0) -> bool:
        return self.captures.answer(data["request_id"], self.images, None, self.error)


@pytest.mark.parametrize(
    "images",
    [
        (),
        ("junk",),
        ("",),
        tuple(data_uri(picture()) for _ in range(MAX_IMAGES + 3)),
        ("data:image/png;base64,AAAA",),
    ],
    ids=["none", "junk", "empty", "many", "no picture"],
)
async def test_a_client_that_shows_junk_costs_nobody_the_reply(
    memory: Database, images: tuple[str, ...]
) -> None:
    shows = Shows(images)
    parts = parts_of(memory, ScriptedMind(replies=["見たよ"], images=["猫"]), captures=shows.captures)
    end = end_of(await turn(parts, Heard("画面を見て", client_id="desk")))
    assert isinstance(end, Done), end
    assert end.reply_text == "見たよ"
    assert (await stored(memory, 1)).status is EventStatus.DONE


def test_too_many_pictures_of_a_message_are_refused() -> None:
    with pytest.raises(BadInput):
        check_images(["x"] * (MAX_IMAGES + 1))
    assert check_images(["x"] * MAX_IMAGES) == (None,) * MAX_IMAGES


# -- embeddings


@pytest.mark.parametrize("header", ["inf", "1e999", "nan", "-5", "99999999999", "tomorrow"])
def test_a_wait_that_an_endpoint_asks_for_is_a_wait_that_ends(endpoint: Endpoint, header: str) -> None:
    endpoint.answer = lambda body: (429, {"retry-after": header}, {})
    with pytest.raises(Outage) as refused:
        embed(endpoint.embedder(), ["a"])
    wait = refused.value.retry_after
    assert wait is None or (math.isfinite(wait) and 0 <= wait <= 3600)


def test_an_endpoint_that_fails_midway_gives_no_half_of_the_rows(endpoint: Endpoint) -> None:
    whole = endpoint.answer

    def answer(body: dict[str, Any]) -> Any:
        return whole(body) if len(endpoint.asked) < 2 else (503, {}, {})

    endpoint.answer = answer
    with pytest.raises(Outage):
        embed(endpoint.embedder(), [f"text {n}" for n in range(130)])
    assert len(endpoint.asked) == 2, "and nobody is asked on for nothing"


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300), st.integers(8, 120))
def test_a_shortened_text_keeps_its_beginning_and_end(text: str, longest: int) -> None:
    short = shortened(text, longest)
    assert len(short) <= longest + 3
    assert short == text or (short[:2] == text[:2] and short[-1] == text[-1])


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.floats(-1e6, 1e6, width=32), min_size=3, max_size=3), min_size=1, max_size=5))
def test_rows_have_length_one_or_are_refused(rows: list[list[float]]) -> None:
    given_rows = np.asarray(rows, np.float32)
    if (np.linalg.norm(given_rows.astype(np.float64), axis=1) < 1e-9).any():
        with pytest.raises(BadAnswer):
            unit_rows(given_rows)
    else:
        assert np.linalg.norm(unit_rows(given_rows), axis=1) == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_row_without_direction_is_refused(bad: float) -> None:
    with pytest.raises(BadAnswer):
        unit_rows(np.asarray([[1, 2, 3], [1, bad, 3]], np.float32))


class Slow(HashEmbedder):
    def __init__(self) -> None:
        super().__init__()
        self.started, self.let, self.dropped = asyncio.Event(), asyncio.Event(), False

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        self.started.set()
        try:
            await self.let.wait()
        except asyncio.CancelledError:
            self.dropped = True
            raise
        return await super().embed(texts, query=query)


async def test_an_embedding_begun_early_is_dropped_by_who_leaves_and_kept_by_who_waits() -> None:
    slow = Slow()
    with EarlyEmbedding(slow, "やあ") as question:
        await slow.started.wait()
        assert question.is_under_way
    for _ in range(5):
        await asyncio.sleep(0)
    assert slow.dropped
    other = Slow()
    with EarlyEmbedding(other, "やあ") as question:
        other.let.set()
        row = await question.row()
        assert row is not None
        assert await question.row() is row, "asked twice, embedded once"
    assert other.calls == 1


async def test_an_embedder_that_breaks_or_gives_nothing_is_told_to_who_waits() -> None:
    broken = HashEmbedder()
    broken.failure = Outage("down")
    with EarlyEmbedding(broken, "やあ") as question, pytest.raises(Outage):
        await question.row()
    with EarlyEmbedding(None, "やあ") as question:
        assert await question.row() is None
        assert not question.is_under_way


async def test_a_turn_goes_on_without_an_embedder_that_breaks() -> None:
    broken = HashEmbedder()
    broken.failure = ZeroDivisionError("a bug")
    with temp_memory(FrozenClock()) as db:
        recall = StubRecall(embedder=broken)
        end = end_of(await turn(parts_of(db, ScriptedMind(replies=["うん"]), recall), "やあ"))
        assert isinstance(end, Done)


def test_spaces_of_another_model_or_length_are_others() -> None:
    keys = {Space(model, size).key for model in ("a", "b") for size in (4, 8)}
    assert len(keys) == 4
