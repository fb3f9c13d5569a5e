"""A reranker's second look: it moves what it prefers; absent, late or broken it changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from unittest.mock import patch

import pytest
from rich.console import Console
from rich.prompt import Prompt

from cocoro_ghost.cli.setup_rerank import offer_rerank
from cocoro_ghost.embed.reranker import RemoteReranker
from cocoro_ghost.errors import BadAnswer, Outage
from cocoro_ghost.recall.recall import Recall, RecallRequest
from cocoro_ghost.settings.file import load_config
from cocoro_ghost.settings.recall_section import Rerank
from tests.model_server import answers, model_server, status
from tests.recalling import Life, a_life, ranked


class Prefers:
    """Likes texts with a word in them; may hang or fail."""

    def __init__(self, word: str, *, hangs: bool = False, error: Exception | None = None) -> None:
        self.word, self.hangs, self.error = word, hangs, error

    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        if self.hangs:
            await asyncio.Event().wait()
        if self.error is not None:
            raise self.error
        return [5.0 if self.word in text else -5.0 for text in texts]


@pytest.fixture
def life() -> Iterator[Life]:
    with a_life() as one:
        yield one


def recalled(life: Life, reranker: Prefers | None, deadline: float = 5.0) -> tuple[list[str], list[str]]:
    plain = life.recaller()
    recall = Recall(
        life.db, life.clock, replace(plain.config, rerank_deadline=deadline),
        embedder=life.embedder, index=life.index,
        reranker=reranker,
    )  # fmt: skip
    result = asyncio.run(recall.run(RecallRequest("話をした")))
    return ranked(result), [one.status for one in result.routes if one.route == "rerank"]


def test_what_the_reranker_prefers_moves_up_and_the_trace_says_so(life: Life) -> None:
    cat, sea = life.say("猫の話をした"), life.say("海の話をした", days_ago=11)
    assert recalled(life, Prefers("海"))[0][0] == f"e{sea}"
    order, statuses = recalled(life, Prefers("猫"))
    assert (order[0], statuses) == (f"e{cat}", ["ok"])


def test_late_or_broken_the_order_stands(life: Life) -> None:
    life.say("猫の話をした")
    life.say("海の話をした", days_ago=11)
    plain, none = recalled(life, None)
    assert none == []
    assert recalled(life, Prefers("海", hangs=True), 0.05) == (plain, ["late"])
    assert recalled(life, Prefers("海", error=Outage("no"))) == (plain, ["failed"])


@pytest.mark.parametrize("bare", [False, True])
async def test_the_wire_of_llama_cpp_jina_and_cohere(bare: bool) -> None:
    rows = [{"index": 1, "relevance_score": 0.9}, {"index": 0, "relevance_score": 0.1}]
    async with model_server(answers(rows if bare else {"results": rows})) as server:
        reranker = RemoteReranker(f"{server.url}/rerank", model="bge", api_key="k")
        assert await reranker.scores("q", ["a", "b"]) == [0.1, 0.9]
    assert server.requests[0] == {"query": "q", "documents": ["a", "b"], "model": "bge"}
    assert server.headers[0]["authorization"] == "Bearer k"


async def test_a_bad_answer_is_an_error_of_ours() -> None:
    async with model_server(
        answers({"results": [{"index": 0, "relevance_score": 1}]}), status(500)
    ) as server:
        reranker = RemoteReranker(f"{server.url}/rerank")
        with pytest.raises(BadAnswer):
            await reranker.scores("q", ["a", "b"])
        with pytest.raises(Outage):
            await reranker.scores("q", ["a"])


def _scored(best: int, count: int = 3) -> object:
    return answers({"results": [{"index": n, "relevance_score": float(n == best)} for n in range(count)]})


async def _offered(path: Path, *answer: object, said: str = "") -> tuple[bool, str]:
    """What the person sees when they type an address; the model's name is left empty."""
    async with model_server(*answer) as server:  # type: ignore[arg-type]
        told = StringIO()
        console = Console(file=told, width=200)
        with patch.object(Prompt, "ask", side_effect=[f"{server.url}/rerank", said]):
            kept = await offer_rerank(path, Rerank(candidates=3), console)
    return kept, told.getvalue()


async def test_setup_tries_a_reranker_and_keeps_it(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[recall]\nselected = 9\n", encoding="utf-8")
    kept, told = await _offered(file, _scored(0), said="bge")
    assert kept
    assert "3 texts" in told
    config = load_config(tmp_path)
    assert config.recall.rerank.url.endswith("/rerank")
    assert (config.recall.rerank.model, config.recall.selected) == ("bge", 9)


@pytest.mark.parametrize("bad", [_scored(2), status(500), answers({"results": []})])
async def test_what_is_no_reranker_is_not_kept(tmp_path: Path, bad: object) -> None:
    kept, told = await _offered(tmp_path / "config.toml", bad)
    assert not kept
    assert "Nothing was changed." in told
    assert not (tmp_path / "config.toml").exists()


async def test_a_section_of_the_persons_own_is_left_to_them(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text("[recall.rerank]\nweight = 0.3\n", encoding="utf-8")
    kept, told = await _offered(file, _scored(0))
    assert not kept
    assert "url = " in told
    assert file.read_text(encoding="utf-8") == "[recall.rerank]\nweight = 0.3\n"
