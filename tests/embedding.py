"""Shared by the tests of embedders: texts to rows by one embedder, which is then closed."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np

from cocoro_ghost.embed.embedder import Embedder


def embed(
    embedder: Embedder, texts: list[str], *, query: bool = False
) -> np.ndarray[Any, np.dtype[np.float32]]:
    async def run() -> np.ndarray[Any, np.dtype[np.float32]]:
        try:
            return await embedder.embed(texts, query=query)
        finally:
            await embedder.close()

    return asyncio.run(run())
