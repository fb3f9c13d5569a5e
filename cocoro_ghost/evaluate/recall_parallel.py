"""The same measurement in several processes: recall keeps one core busy, conversations are independent."""

from __future__ import annotations

import asyncio
import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace

from cocoro_ghost.embed.embedded import ENCODERS, EmbeddedEmbedder
from cocoro_ghost.evaluate.measure import Ranked
from cocoro_ghost.evaluate.recall_growth import grown
from cocoro_ghost.evaluate.recall_run import Conversation, RecallEval, answers_to, answers_without, report

Progress = Callable[[int], None]


def evaluate_in_parallel(
    conversations: Mapping[str, Conversation],
    setup: RecallEval,
    *,
    embedded: bool,
    progress: Progress | None = None,
) -> dict[str, object]:
    """The result as evaluation.md defines it."""
    found = without_each(conversations, setup, [setup.config.off], embedded=embedded, progress=progress)
    return found[setup.config.off]


def without_each(
    conversations: Mapping[str, Conversation],
    setup: RecallEval,
    offs: Sequence[frozenset[str]],
    *,
    embedded: bool,
    progress: Progress | None = None,
) -> dict[frozenset[str], dict[str, object]]:
    """A result for everything that is left out.

    One conversation a task, in a memory made once; the embedded encoder is loaded once in each process.
    """
    answers: dict[frozenset[str], list[Ranked]] = {off: [] for off in offs}
    for answered in _answered(conversations, setup, tuple(offs), embedded):
        for off, found in answered.items():
            answers[off] += found
            if progress is not None:
                progress(len(found))
    space = EmbeddedEmbedder(ENCODERS["use"]).space.key if embedded else "none"
    return {
        off: report(found, conversations, replace(setup, config=replace(setup.config, off=off)), space)
        for off, found in answers.items()
    }


def _answered(
    conversations: Mapping[str, Conversation],
    setup: RecallEval,
    offs: tuple[frozenset[str], ...],
    embedded: bool,
) -> Iterator[dict[frozenset[str], list[Ranked]]]:
    """Conversation by conversation, as they are done; in this process where one at a time is wanted."""
    if setup.jobs == 1:
        yield from (_answer(one, offs, setup.grow is not None, embedded) for one in conversations.values())
        return
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(setup.jobs, mp_context=spawned) as pool:
        tasks = [
            pool.submit(_answer, conversation, offs, setup.grow is not None, embedded)
            for conversation in conversations.values()
        ]
        yield from (task.result() for task in as_completed(tasks))


def _answer(
    conversation: Conversation, offs: tuple[frozenset[str], ...], grow: bool, embedded: bool
) -> dict[frozenset[str], list[Ranked]]:
    setup = RecallEval(grow=grown if grow else None)
    embedder = EmbeddedEmbedder(ENCODERS["use"]) if embedded else None
    if len(offs) == 1:
        # One way only: asked along the whole path, so that its time is known too.
        whole = replace(setup, config=replace(setup.config, off=offs[0]))
        return {offs[0]: asyncio.run(answers_to({"": conversation}, whole, embedder))}
    return asyncio.run(answers_without(conversation, setup, offs, embedder))
