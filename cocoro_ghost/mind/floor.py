"""Replies come first: while someone is being answered, learning waits for the model."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")


class Interrupted(Exception):
    """A call of a job gave way to a reply; it is asked again afterwards."""


class Floor:
    """Shared by all minds of a ghost: who answers a person holds it, who learns waits for it."""

    def __init__(self) -> None:
        self._held = 0
        self._free = asyncio.Event()
        self._free.set()
        self._taken = asyncio.Event()

    @property
    def is_held(self) -> bool:
        return self._held > 0

    @contextmanager
    def hold(self) -> Iterator[None]:
        """For the length of a turn, or of one call made for it."""
        self._held += 1
        self._free.clear()
        self._taken.set()
        try:
            yield
        finally:
            self._held -= 1
            if not self._held:
                self._taken.clear()
                self._free.set()

    async def free(self) -> None:
        await self._free.wait()

    async def giving_way(self, work: Awaitable[T]) -> T:
        """The work, unless a reply begins meanwhile; then it is dropped and Interrupted raised."""
        doing = asyncio.ensure_future(work)
        taken = asyncio.ensure_future(self._taken.wait())
        try:
            await asyncio.wait({doing, taken}, return_when=asyncio.FIRST_COMPLETED)
            # Both may have come at once: what is done is not thrown away.
            if doing.done():
                return doing.result()
            raise Interrupted
        finally:
            taken.cancel()
            if not doing.done():
                doing.cancel()
                await asyncio.gather(doing, return_exceptions=True)
