"""The same measurement in several processes: recall keeps one core busy, conversations are independent."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from typing import Any

from cocoro_ghost.embed.embedded import ENCODERS, EmbeddedEmbedder
from cocoro_ghost.evaluate.measure import Ranked
from cocoro_ghost.evaluate.recall_growth import grown
from cocoro_ghost.evaluate.recall_run import Conversation, RecallEval, answers_to, report
from cocoro_ghost.recall.config import RecallConfig

Progress = Callable[[int], None]


def evaluate_in_parallel(
    conversations: Mapping[str, Conversation],
    setup: RecallEval,
    *,
    embedded: bool,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """One conversation a task; the embedded encoder is loaded once in each process."""
    answers: list[Ranked] = []
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(setup.jobs, mp_context=spawned) as pool:
        tasks = [
            pool.submit(_answer, conversation, setup.config.off, setup.grow is not None, embedded)
            for conversation in conversations.values()
        ]
        for task in as_completed(tasks):
            found = task.result()
            answers += found
            if progress is not None:
                progress(len(found))
    space = EmbeddedEmbedder(ENCODERS["use"]).space.key if embedded else "none"
    return report(answers, conversations, setup, space)


def _answer(conversation: Conversation, off: frozenset[str], grow: bool, embedded: bool) -> list[Ranked]:
    setup = RecallEval(config=replace(RecallConfig(), off=off), grow=grown if grow else None)
    embedder = EmbeddedEmbedder(ENCODERS["use"]) if embedded else None
    return asyncio.run(answers_to({"": conversation}, setup, embedder))
