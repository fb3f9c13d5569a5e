"""Embeddings from any endpoint that speaks OpenAI's wire: checked row by row before anything is stored."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

import numpy as np

from cocoro_ghost.embed.embedder import Space, Vectors, shortened, unit_rows
from cocoro_ghost.embed.families import family_of, fitted
from cocoro_ghost.errors import BadAnswer, Outage
from cocoro_ghost.outgoing.sdk import sdk_loaded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from openai import APIStatusError, AsyncOpenAI

_BATCH = 64
# A refused key or an unknown model is mended by a person: the work waits, and is not lost.
_MENDED_BY_A_PERSON = {401, 402, 403, 404}
_RETRY_AFTER_MENDING = 300.0

# What an endpoint says of a text that is too long for it; llama.cpp does so with a 500.
_TOO_LONG = ("too large to process", "too long", "maximum context", "context length", "exceed")
_LONGEST_WAIT = 3600.0
_SHORTER = (2000, 500, 120)
"""Characters a text that was refused is tried with, one after the other."""


class _TextRefused(BadAnswer):
    """The endpoint minds what it was given to embed."""


class OtherLength(BadAnswer):
    """The vectors are good, but not as long as the preset says."""

    def __init__(self, message: str, *, found: int, ja: str) -> None:
        super().__init__(message, ja=ja)
        self.found = found


class OpenAICompatibleEmbedder:
    """Keeps the `Embedder` protocol over HTTP. `model_id` names the space, `model` is what the wire gets."""

    def __init__(
        self,
        model: str,
        dimension: int,
        *,
        api_key: str,
        base_url: str,
        model_id: str | None = None,
        timeout: float = 30.0,
    ) -> None:
        self._model = model
        self._family = family_of(model)
        self._space = Space(model_id or model, dimension)
        self._timeout = timeout
        self._api_key = api_key
        self._base_url = base_url
        self._client: AsyncOpenAI | None = None

    @property
    def space(self) -> Space:
        return self._space

    async def embed(self, texts: Sequence[str], *, query: bool = False) -> Vectors:
        rows = [np.empty((0, self._space.dimension), np.float32)]
        for start in range(0, len(texts), _BATCH):
            rows.append(await self._batch(texts[start : start + _BATCH], query))
        return np.concatenate(rows)

    async def close(self) -> None:
        if self._client is not None:
            await self._client.close()

    async def _batch(self, texts: Sequence[str], query: bool) -> Vectors:
        """All in one call; where one of them is refused, each for itself, so that it keeps none back."""
        asked = [fitted(text, self._family) for text in texts]
        try:
            return await self._ask(asked, query)
        except _TextRefused:
            if len(asked) > 1:
                return np.concatenate([await self._batch([text], query) for text in asked])
            return await self._shorter(asked[0], query)

    async def _shorter(self, text: str, query: bool) -> Vectors:
        """A text that is refused alone: its beginning and end say more than nothing."""
        tried = [length for length in _SHORTER if length < len(text)]
        for length in tried[:-1]:
            with suppress(_TextRefused):
                return await self._ask([shortened(text, length)], query)
        return await self._ask([shortened(text, tried[-1] if tried else len(text))], query)

    async def _ask(self, texts: Sequence[str], query: bool) -> Vectors:
        family = self._family
        options: dict[str, Any] = {}
        if family.dimensions:
            options["dimensions"] = self._space.dimension
        prefix = family.query if query else family.passage
        if family.task is not None and family.task_host in self._base_url:
            prefix, options["extra_body"] = "", {"task": family.task[not query]}
        asked = [prefix + text for text in texts]
        await sdk_loaded()
        with _failures_named(self._base_url):
            answer = await self._connected().embeddings.create(
                model=self._model, input=asked, encoding_format="float", **options
            )
        return self._checked(answer, len(texts))

    def _connected(self) -> AsyncOpenAI:
        if self._client is None:
            # Imported here: a ghost on embedded embeddings never pays for the SDK.
            from openai import AsyncOpenAI, Timeout

            from cocoro_ghost.outgoing.http_client import pinned_client

            timeout = Timeout(self._timeout, connect=5.0)
            self._client = AsyncOpenAI(
                api_key=self._api_key,
                base_url=self._base_url,
                timeout=timeout,
                max_retries=0,
                http_client=pinned_client(timeout),
            )
        return self._client

    def _checked(self, answer: Any, count: int) -> Vectors:
        """Rows in the order asked for, all of the right length, or a refusal of the whole batch."""
        try:
            ordered = sorted(answer.data, key=lambda item: item.index)
            vectors = [np.asarray(item.embedding, dtype=np.float32) for item in ordered]
        except (AttributeError, TypeError, ValueError) as error:
            raise BadAnswer(f"{self._model} answered no vectors: {error}", raw=repr(answer)[:2000]) from error
        if len(vectors) != count:
            raise BadAnswer(f"{self._model} answered {len(vectors)} vectors for {count} texts.")
        for vector in vectors:
            if vector.shape != (self._space.dimension,):
                raise OtherLength(
                    f"{self._model} answered vectors of {vector.size} numbers; the preset says "
                    f"{self._space.dimension}. Correct the preset's dimension or its model.",
                    found=vector.size,
                    ja=f"{self._model} の次元数は {vector.size}、設定は {self._space.dimension} です。",
                )
        return unit_rows(np.stack(vectors))


@contextmanager
def _failures_named(base_url: str) -> Iterator[None]:
    """The SDK's exceptions as ours."""
    import openai

    try:
        yield
    except openai.APITimeoutError as error:
        raise Outage(
            f"The embedding endpoint {base_url} did not answer in time.",
            ja=f"埋め込みの接続先 {base_url} から時間内に応答がありません。",
        ) from error
    except openai.APIConnectionError as error:
        raise Outage(
            f"The embedding endpoint {base_url} cannot be reached: {error.__cause__}",
            ja=f"埋め込みの接続先 {base_url} につながりません。",
        ) from error
    except openai.APIStatusError as error:
        raise _of_status(error, base_url) from error
    except (openai.OpenAIError, ValueError) as error:
        raise BadAnswer(f"The embedding endpoint {base_url} answered what cannot be read: {error}") from error


def _of_status(error: APIStatusError, base_url: str) -> Outage | BadAnswer:
    status = error.status_code
    if status in _MENDED_BY_A_PERSON:
        return Outage(
            f"The embedding endpoint {base_url} refused (HTTP {status}): check the preset's key and model.",
            retry_after=_RETRY_AFTER_MENDING,
            ja=f"埋め込みの接続先 {base_url} に断られました（{status}）。キーとモデルを確かめてください。",
        )
    words = str(error.body).lower()
    if status in (400, 413, 422) or (status == 500 and any(word in words for word in _TOO_LONG)):
        return _TextRefused(
            f"The embedding endpoint refused the texts (HTTP {status}).", raw=str(error.body)[:2000]
        )
    if status in (408, 409, 425, 429) or status >= 500:
        wait = _retry_after(error.response.headers.get("retry-after"))
        return Outage(f"The embedding endpoint {base_url} is not ready (HTTP {status}).", retry_after=wait)
    return BadAnswer(f"The embedding endpoint refused the texts (HTTP {status}).", raw=str(error.body)[:2000])


def _retry_after(header: str | None) -> float | None:
    """Seconds, or an HTTP date; an endpoint that asks for a year, or for ever, is asked again in an hour."""
    if not header:
        return None
    with suppress(ValueError):
        return min(_LONGEST_WAIT, max(0.0, float(header)))
    with suppress(ValueError, TypeError):
        asked = (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds()
        return min(_LONGEST_WAIT, max(0.0, asked))
    return None
