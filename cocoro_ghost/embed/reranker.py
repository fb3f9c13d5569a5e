"""A second look at candidates: a cross-encoder behind a `rerank` endpoint (llama.cpp, Jina, Cohere shape)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from cocoro_ghost.errors import BadAnswer, Outage

_LONGEST = 2000


class Reranker(Protocol):
    """Says how well each text answers the query; higher is better, on a scale of its own."""

    async def scores(self, query: str, texts: Sequence[str]) -> list[float]: ...


class RemoteReranker:
    """`POST url {model, query, documents}` → `{"results": [{"index", "relevance_score"}]}`."""

    def __init__(self, url: str, *, model: str = "", api_key: str = "", timeout: float = 2.0) -> None:
        self._url, self._model, self._api_key, self._timeout = url, model, api_key, timeout

    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        # Imported here: who has no reranker pays nothing for it.
        import httpx2

        from cocoro_ghost.outgoing.http_client import pinned_client

        body: dict[str, object] = {
            "query": query[:_LONGEST],
            "documents": [text[:_LONGEST] for text in texts],
        }
        if self._model:
            body["model"] = self._model
        try:
            async with pinned_client(self._timeout) as client:
                answer = await client.post(self._url, json=body, headers=self._headers())
            if answer.status_code >= 400:
                raise Outage(f"The reranker answered {answer.status_code}.")
            found = answer.json()
        except (httpx2.HTTPError, ValueError) as error:
            raise Outage(f"The reranker cannot be reached ({type(error).__name__}).") from error
        return _checked(found, len(texts))

    def _headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self._api_key}"} if self._api_key else {}


def _checked(answer: object, count: int) -> list[float]:
    """One number for each text; a list without `results` is the shape of text-embeddings-inference."""
    results = answer.get("results") if isinstance(answer, dict) else answer
    scores: dict[int, float] = {}
    for one in results if isinstance(results, list) else []:
        value = one.get("relevance_score", one.get("score")) if isinstance(one, dict) else None
        if isinstance(value, int | float) and isinstance(one.get("index"), int):
            scores[one["index"]] = float(value)
    if set(scores) != set(range(count)):
        raise BadAnswer(f"The reranker named {len(scores)} of {count} texts.")
    return [scores[at] for at in range(count)]
