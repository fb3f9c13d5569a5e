"""The encoder within: feels meaning, refuses wrong rows, is built once and never blocks the loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from cocoro_ghost.embed.embedded import ENCODERS, EmbeddedEmbedder
from cocoro_ghost.errors import BadAnswer, Outage
from tests.embedding import embed


@pytest.fixture(scope="module")
def meaning() -> dict[str, np.ndarray[Any, np.dtype[np.float32]]]:
    texts = [
        "うちの柴犬が今日で五歳になった",
        "飼っている犬の誕生日だった",
        "来週の金曜までにレポートを出す",
        "My dog turned five today",
        "The quarterly tax report is late",
    ]
    rows = embed(EmbeddedEmbedder(ENCODERS["use"]), texts)
    return dict(zip(("犬", "誕生日", "締切", "dog", "tax"), rows, strict=True))


def test_the_embedded_encoder_feels_meaning_in_and_across_languages(
    meaning: dict[str, np.ndarray[Any, np.dtype[np.float32]]],
) -> None:
    assert meaning["犬"] @ meaning["誕生日"] > meaning["犬"] @ meaning["締切"]
    assert meaning["犬"] @ meaning["dog"] > meaning["犬"] @ meaning["tax"]
    assert all(np.linalg.norm(row) == pytest.approx(1, abs=1e-4) for row in meaning.values())


def test_the_embedded_encoder_is_deterministic_and_takes_any_text() -> None:
    texts = ["", "   ", "\x00\ud83d".encode("utf-8", "replace").decode(), "あ" * 9000, "🙂", "猫"]
    first = embed(EmbeddedEmbedder(ENCODERS["use"]), texts)
    again = embed(EmbeddedEmbedder(ENCODERS["use"]), texts[::-1])[::-1]
    assert first.shape == (6, 512)
    assert np.allclose(first, again, atol=1e-4)


def test_the_loop_goes_on_while_the_encoder_works() -> None:
    started, finish = threading.Event(), threading.Event()

    def start() -> Callable[[Any, bool], Any]:
        started.set()
        assert finish.wait(10)
        return lambda texts, query: np.ones((len(texts), 512), np.float32)

    async def run() -> int:
        embedder = EmbeddedEmbedder(replace(ENCODERS["use"], start=start))
        work = asyncio.ensure_future(embedder.embed(["text"]))
        ticks = 0
        while not started.is_set() or ticks < 5:
            ticks += 1
            await asyncio.sleep(0)
        assert not work.done()
        finish.set()
        assert (await work).shape == (1, 512)
        await embedder.close()
        return ticks

    assert asyncio.run(run()) >= 5


def test_the_encoder_is_built_once() -> None:
    built: list[int] = []

    def start() -> Callable[[Any, bool], Any]:
        built.append(1)
        return lambda texts, query: np.ones((len(texts), 512), np.float32)

    async def run() -> None:
        embedder = EmbeddedEmbedder(replace(ENCODERS["use"], start=start))
        assert built == []
        await embedder.warm()
        await asyncio.gather(*(embedder.embed(["a"]) for _ in range(5)))
        assert (await embedder.embed([])).shape == (0, 512)
        await embedder.close()

    asyncio.run(run())
    assert built == [1]


@pytest.mark.parametrize("rows", [np.ones((1, 3)), np.ones((2, 512)), np.full((1, 512), np.nan)])
def test_an_encoder_that_answers_wrongly_is_refused(rows: Any) -> None:
    encoder = replace(ENCODERS["use"], start=lambda: lambda texts, query: rows.astype(np.float32))
    with pytest.raises(BadAnswer):
        embed(EmbeddedEmbedder(encoder), ["text"])


def test_an_encoder_that_cannot_be_loaded_says_words_only() -> None:
    def start() -> Callable[[Any, bool], Any]:
        raise ImportError("no such library")

    with pytest.raises(Outage, match="words only"):
        embed(EmbeddedEmbedder(replace(ENCODERS["use"], start=start)), ["text"])


async def test_what_is_queued_when_it_closes_is_an_outage_and_no_cancellation() -> None:
    """A CancelledError passes every `except Exception`: a lane of the worker once ended of it."""
    busy, finish = threading.Event(), threading.Event()

    def start() -> Callable[[Any, bool], Any]:
        busy.set()
        assert finish.wait(10)
        return lambda texts, query: np.ones((len(texts), 512), np.float32)

    embedder = EmbeddedEmbedder(replace(ENCODERS["use"], start=start))
    first = asyncio.create_task(embedder.embed(["under way"]))
    await asyncio.to_thread(busy.wait, 10)
    queued = asyncio.create_task(embedder.embed(["queued"]))
    dropped = asyncio.create_task(embedder.embed(["dropped by who asked"]))
    await asyncio.sleep(0)
    dropped.cancel()
    await asyncio.sleep(0)
    await embedder.close()
    finish.set()
    assert (await first).shape == (1, 512)
    with pytest.raises(Outage, match="closed"):
        await queued
    with pytest.raises(asyncio.CancelledError):
        await dropped
    with pytest.raises(Outage, match="closed"):
        await embedder.embed(["too late"])
