"""An embedding begun before it is needed: who wants it waits for what is left, who does not drops it."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.embed.embedder import Embedder


class EarlyEmbedding:
    """The row of one question, under way from the moment this is made; without an embedder there is none."""

    def __init__(self, embedder: Embedder | None = None, text: str = "") -> None:
        self.text = text
        self._task: asyncio.Task[NDArray[np.float32] | None] | None = None
        if embedder is not None:
            self._task = asyncio.create_task(_row(embedder, text))
            self._task.add_done_callback(_heard)

    @property
    def is_under_way(self) -> bool:
        return self._task is not None

    async def row(self) -> NDArray[np.float32] | None:
        """Raises what the embedder raised."""
        return None if self._task is None else await self._task

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Whoever leaves needs it no more: the work stops unless it is done."""
        if self._task is not None:
            self._task.cancel()


async def _row(embedder: Embedder, text: str) -> NDArray[np.float32] | None:
    rows = await embedder.embed([text], query=True)
    return rows[0] if len(rows) else None


def _heard(task: asyncio.Task[NDArray[np.float32] | None]) -> None:
    """A failure that nobody waits for any more is no news."""
    if not task.cancelled():
        task.exception()
