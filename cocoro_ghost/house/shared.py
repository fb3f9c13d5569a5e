"""What all ghosts of a house use together: encoders, connections to models, threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from cocoro_ghost.bootstrap import Stand
from cocoro_ghost.embed.choose_embedder import Choice, choose_embedder
from cocoro_ghost.embed.embedder import Embedder, Space, Vectors
from cocoro_ghost.model.presets import EmbeddingPreset
from cocoro_ghost.outgoing.http_client import SharedTransport

FILE_THREADS = 24


@dataclass(frozen=True, slots=True)
class Lent:
    """An embedder that belongs to the house: a ghost that goes to sleep leaves it to the others."""

    own: Embedder

    @property
    def space(self) -> Space:
        return self.own.space

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        return await self.own.embed(texts, query=query)

    async def close(self) -> None:
        """The house closes it."""


class SharedFaculties:
    """Made once a process; `stand` is what a ghost is built with."""

    def __init__(self, choose: Callable[[EmbeddingPreset], Choice] | None = None) -> None:
        self._choose = choose or (lambda preset: choose_embedder(preset, os.environ))
        self._chosen: dict[EmbeddingPreset, Choice] = {}
        self._transport = SharedTransport()
        self._threads = ThreadPoolExecutor(FILE_THREADS, thread_name_prefix="ghost-files")

    def stand(self, like: Stand | None = None) -> Stand:
        return replace(
            like or Stand(),
            choose_embedder=self.choose_embedder,
            transport=self._transport,
            threads=self._threads,
        )

    def choose_embedder(self, preset: EmbeddingPreset) -> Choice:
        """One for all presets that mean the same, whatever they are called."""
        same = replace(preset, preset_id="", name="")
        if same not in self._chosen:
            choice = self._choose(preset)
            lent = None if choice.embedder is None else Lent(choice.embedder)
            self._chosen[same] = replace(choice, embedder=lent)
        return self._chosen[same]

    async def close(self) -> None:
        for choice in self._chosen.values():
            if isinstance(choice.embedder, Lent):
                await choice.embedder.own.close()
        await self._transport.close()
        self._threads.shutdown(wait=True)
