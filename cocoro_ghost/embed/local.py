"""Embeddings and second looks by a model of this machine, whose address changes when it is started again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from cocoro_ghost.embed.embedder import Space, Vectors
from cocoro_ghost.embed.remote import OpenAICompatibleEmbedder
from cocoro_ghost.embed.reranker import RemoteReranker
from cocoro_ghost.errors import ConfigError, NotConfigured, Outage

_LOOK_AGAIN_SECONDS = 300.0


class Served(Protocol):
    """What runs a model: `url` starts it where it does not run."""

    async def url(self) -> str: ...

    async def close(self) -> None: ...


class LocalEmbedder:
    """Keeps the `Embedder` protocol; while its model cannot run, recall goes by words and vectors wait."""

    def __init__(self, name: str, dimension: int, served: Served) -> None:
        self._name = name
        self._served = served
        self._space = Space(f"local/{name}", dimension)
        self._reached: OpenAICompatibleEmbedder | None = None
        self._url = ""

    @property
    def space(self) -> Space:
        return self._space

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        url = await _url_of(self._served)
        if self._reached is None or url != self._url:
            await self._let_go()
            self._url = url
            self._reached = OpenAICompatibleEmbedder(
                self._name,
                self._space.dimension,
                api_key="none",
                base_url=url,
                model_id=self._space.model_id,
            )
        return await self._reached.embed(texts, query=query)

    async def close(self) -> None:
        await self._let_go()
        await self._served.close()

    async def _let_go(self) -> None:
        if self._reached is not None:
            await self._reached.close()


class LocalReranker:
    """Keeps the `Reranker` protocol; while its model cannot run, the order stands as it was."""

    def __init__(self, served: Served, timeout: float) -> None:
        self._served = served
        self._timeout = timeout

    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        url = await _url_of(self._served)
        return await RemoteReranker(f"{url}/rerank", timeout=self._timeout).scores(query, texts)

    async def close(self) -> None:
        await self._served.close()


async def _url_of(served: Served) -> str:
    """A model that is not there is mended by a person: the work waits, and is not lost."""
    try:
        return await served.url()
    except (ConfigError, NotConfigured) as error:
        raise Outage(str(error), retry_after=_LOOK_AGAIN_SECONDS, ja=error.ja) from error
