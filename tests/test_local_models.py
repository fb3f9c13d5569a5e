"""Models of this machine through the API: downloads that go on, break and are refused, children that die."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path
from typing import Any

import httpx2
import numpy as np
import pytest
from rich.console import Console

from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.cli.setup_local import offer_local
from cocoro_ghost.embed.local import LocalEmbedder, LocalReranker
from cocoro_ghost.errors import Outage
from cocoro_ghost.mind.local.catalogue import GB, Kind, OpenModel
from cocoro_ghost.mind.local.shelf import ModelShelf
from cocoro_ghost.model.presets import EmbeddingPreset
from cocoro_ghost.settings.file import Config
from cocoro_ghost.testing import HashEmbedder
from tests.model_hub import GGUF, Hub, hub
from tests.model_server import answers, model_server, streams
from tests.serving import house, say

pytestmark = pytest.mark.anyio
_DIES = [sys.executable, "-c", "raise SystemExit(3)"]


def shelf_of(folder: Path, server: Hub | None = None, run: Sequence[str] = ()) -> ModelShelf:
    """Three small models, one a kind, kept on loopback; run by a command that stands for llama.cpp."""
    where = "http://127.0.0.1:9" if server is None else server.root
    kinds: tuple[tuple[str, Kind], ...] = (("talker", "chat"), ("finder", "embedding"), ("judge", "rerank"))
    models = {
        name: OpenModel(
            name, name.title(), kind, len(GGUF), "MIT", "ja en", "r", f"{name}.gguf", GB, 3, where
        )
        for name, kind in kinds
    }
    return ModelShelf(folder / "models", models, (lambda path, kind: run) if run else None)


def answering(url: str) -> list[str]:
    """A child that says where it answers and stays."""
    return [sys.executable, "-c", f"print('ready {url}', flush=True); import sys; sys.stdin.read()"]


async def settled(client: httpx2.AsyncClient, model_id: str, done: Callable[[Any], bool]) -> dict[str, Any]:
    """The entry of the list once it is as wanted."""
    async with asyncio.timeout(60):
        while True:
            items = (await client.get("/api/minds/local")).json()["items"]
            found: dict[str, Any] = next(one for one in items if one["id"] == model_id)
            if done(found):
                return found


def ready(one: Any) -> bool:
    return bool(one["state"] == "ready")


def wrong(one: Any) -> bool:
    return bool(one["problem_en"])


async def test_a_model_is_downloaded_put_to_use_and_removed(tmp_path: Path) -> None:
    async with hub() as server, model_server(streams("いるよ")) as model:
        shelf = shelf_of(tmp_path, server, answering(model.url))
        async with house(tmp_path, shelf=shelf) as home, home.client() as client:
            refused = await client.post("/api/minds/local/talker/use")
            assert refused.status_code == 409
            assert "ダウンロード" in refused.json()["detail"]["message_ja"]
            server.held.clear()
            begun = await client.post("/api/minds/local/talker/download")
            assert (begun.status_code, begun.json()["state"]) == (202, "downloading")
            await client.post("/api/minds/local/talker/download")
            half = await settled(client, "talker", lambda one: one["have_bytes"] >= len(GGUF) // 2)
            assert (half["state"], half["whole_bytes"]) == ("downloading", len(GGUF))
            server.held.set()
            assert (await settled(client, "talker", ready))["have_bytes"] == len(GGUF)
            assert len(server.ranges) == 1, "begun once"
            used = (await client.post("/api/minds/local/talker/use")).json()
            assert (used["in_use"], used["model"], used["child"]) == (True, "local/talker", "stopped")
            assert (await say(client, "いる?"))[-1][1]["reply_text"] == "いるよ"
            assert (await settled(client, "talker", lambda one: one["child"] == "running"))["in_use"]
            assert (await client.delete("/api/minds/local/talker")).status_code == 409
            await home.ghost.activate("llm", "embedded")
            gone = (await client.delete("/api/minds/local/talker")).json()
            assert (gone["state"], gone["child"], list(shelf.folder.iterdir())) == ("absent", "stopped", [])
            assert (await client.post("/api/minds/local/nobody/download")).status_code == 404


async def test_a_download_is_cancelled_kept_and_gone_on_with(tmp_path: Path) -> None:
    async with (
        hub() as server,
        house(tmp_path, shelf=shelf_of(tmp_path, server)) as home,
        home.client() as client,
    ):
        server.held.clear()
        await client.post("/api/minds/local/talker/download")
        await settled(client, "talker", lambda one: one["have_bytes"] > 0)
        stopped = (await client.post("/api/minds/local/talker/cancel")).json()
        assert (stopped["state"], stopped["problem_en"]) == ("partial", "")
        assert 0 < stopped["have_bytes"] < len(GGUF)
        server.held.set()
        await client.post("/api/minds/local/talker/download")
        assert (await settled(client, "talker", ready))["have_bytes"] == len(GGUF)
        assert "bytes=" in server.ranges[-1], "from where it was"


async def test_a_line_that_breaks_is_taken_up_again(tmp_path: Path) -> None:
    async with (
        hub() as server,
        house(tmp_path, shelf=shelf_of(tmp_path, server)) as home,
        home.client() as client,
    ):
        server.breaks_at = 100_000
        await client.post("/api/minds/local/talker/download")
        assert (await settled(client, "talker", ready))["problem_en"] == ""
        assert len(server.ranges) == 2


@pytest.mark.parametrize(
    ("body", "told"), [(b"<html>no</html>" * 10, "GGUF"), (GGUF[:-1] + b"x", "チェックサム")]
)
async def test_a_wrong_file_is_a_sentence_and_leaves_nothing(tmp_path: Path, body: bytes, told: str) -> None:
    async with (
        hub() as server,
        house(tmp_path, shelf=shelf_of(tmp_path, server)) as home,
        home.client() as client,
    ):
        server.body = body
        await client.post("/api/minds/local/talker/download")
        found = await settled(client, "talker", wrong)
        assert (found["state"], found["have_bytes"]) == ("absent", 0)
        assert told in found["problem_ja"]
        assert "thrown away" in found["problem_en"]


async def test_a_hub_that_is_away_or_refuses_is_a_sentence(tmp_path: Path) -> None:
    async with (
        model_server() as server,
        house(tmp_path, shelf=shelf_of(tmp_path)) as home,
        home.client() as client,
    ):
        await client.post("/api/minds/local/talker/download")
        assert "もう一度" in (await settled(client, "talker", wrong))["problem_ja"]
        moved = home.ghost.shelf.models["finder"]
        object.__setattr__(moved, "hub", server.url)
        await client.post("/api/minds/local/finder/download")
        assert "404" in (await settled(client, "finder", wrong))["problem_en"]


async def test_a_disk_without_room_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from shutil import _ntuple_diskusage

    async with (
        hub() as server,
        house(tmp_path, shelf=shelf_of(tmp_path, server)) as home,
        home.client() as client,
    ):
        monkeypatch.setattr("shutil.disk_usage", lambda path: _ntuple_diskusage(10, 10, 1000))
        await client.post("/api/minds/local/talker/download")
        assert "空き" in (await settled(client, "talker", wrong))["problem_ja"]


@pytest.mark.parametrize(
    ("content", "told"),
    [(GGUF, "could not be started"), (b"not a model", "no GGUF"), (b"", "setup local")],
)
async def test_a_child_that_cannot_live_is_told_in_the_reply_and_the_list(
    tmp_path: Path, content: bytes, told: str
) -> None:
    shelf = shelf_of(tmp_path, run=_DIES)
    async with house(tmp_path, shelf=shelf) as home, home.client() as client:
        shelf.folder.mkdir()
        shelf.file_of("talker").write_bytes(content or GGUF)
        await client.post("/api/minds/local/talker/use")
        if not content:
            shelf.file_of("talker").unlink()
        kind, data = (await say(client, "おはよう"))[-1]
        assert kind == "error"
        assert len(data["message"]) > 15
        found = await settled(client, "talker", wrong)
        assert found["child"] == "failed"
        assert told in found["problem_en"] or told in data["message"]
        assert "おはよう" in str((await client.get("/api/memory/events/1")).json()), "nothing is lost"


async def test_embedding_and_second_looks_come_from_models_of_this_machine(tmp_path: Path) -> None:
    rows = {"data": [{"index": 0, "embedding": [3.0, 0.0, 4.0]}], "model": "m", "object": "list"}
    ranked = {"results": [{"index": 0, "relevance_score": 0.7}]}
    async with model_server(answers(rows), answers(ranked)) as model:
        shelf = shelf_of(tmp_path, run=answering(model.url))
        shelf.folder.mkdir()
        for name in ("finder", "judge"):
            shelf.file_of(name).write_bytes(GGUF)
        async with house(tmp_path, shelf=shelf) as home, home.client() as client:
            # The house stands in an embedder of its own; what the preset names is asked for here.
            await client.post("/api/minds/local/finder/use")
            chosen = home.ghost.chosen().embedding
            assert (chosen.model, chosen.dimension) == ("local/finder", 3)
            embedder = LocalEmbedder("finder", 3, shelf.borrow("finder", "embedding"))
            assert embedder.space.key == "local/finder@3"
            assert np.allclose(await embedder.embed(["猫"]), [[0.6, 0.0, 0.8]])
            on = (await client.post("/api/minds/local/judge/use")).json()
            assert on["in_use"]
            judge = home.ghost.faculties.local_reranker
            assert isinstance(judge, LocalReranker)
            assert await judge.scores("猫", ["モモ"]) == [0.7]
            assert model.paths == ["/v1/embeddings", "/v1/rerank"]
            await embedder.close()
            assert not (await client.post("/api/minds/local/judge/leave")).json()["in_use"]
            assert home.ghost.faculties.local_reranker is None
            assert (await client.post("/api/minds/local/finder/leave")).status_code == 400


async def test_a_missing_embedding_model_is_an_outage_so_that_vectors_wait(tmp_path: Path) -> None:
    shelf = shelf_of(tmp_path, run=_DIES)
    with pytest.raises(Outage, match="no model file"):
        await LocalEmbedder("finder", 3, shelf.borrow("finder", "embedding")).embed(["猫"])


async def test_a_preset_of_this_machine_is_wired_to_its_child(tmp_path: Path) -> None:
    rows = {"data": [{"index": 0, "embedding": [0.0, 1.0, 0.0]}], "model": "m", "object": "list"}
    async with model_server(answers(rows)) as model:
        shelf = shelf_of(tmp_path, run=answering(model.url))
        shelf.folder.mkdir()
        shelf.file_of("finder").write_bytes(GGUF)
        stand = Stand(config=Config(use_keyring=False, language="ja"), shelf=shelf)
        async with open_ghost(tmp_path / "home", stand=stand) as ghost:
            book = ghost.book()
            await ghost.adopt("embedding", EmbeddingPreset("f", "F", "local/finder", dimension=3))
            assert len(ghost.book().embedding) == len(book.embedding) + 1
            assert np.allclose(await ghost.embedder().embed(["猫"]), [[0.0, 1.0, 0.0]])
            assert shelf.look("finder").child == "running"
        assert shelf.look("finder").child == "stopped", "ended with the ghost"


async def test_what_several_use_is_run_once_and_ended_by_the_last(tmp_path: Path) -> None:
    shelf = shelf_of(tmp_path, run=answering("http://127.0.0.1:9/v1"))
    shelf.folder.mkdir()
    shelf.file_of("talker").write_bytes(GGUF)
    one, two = shelf.borrow("talker"), shelf.borrow("talker")
    assert one is two
    await one.url()
    await one.close()
    assert shelf.look("talker").child == "running"
    await two.close()
    assert shelf.look("talker").child == "stopped"


@pytest.mark.parametrize("wrong_file", [False, True])
async def test_the_terminal_downloads_or_says_why_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong_file: bool
) -> None:
    shown = StringIO()
    monkeypatch.setattr("builtins.input", lambda: "1")
    async with hub() as server:
        server.body = b"<html>" if wrong_file else GGUF
        shelf = shelf_of(tmp_path, server)
        stand = Stand(config=Config(use_keyring=False), embedder=HashEmbedder(), shelf=shelf)
        async with open_ghost(tmp_path / "home", stand=stand) as ghost:
            await offer_local(ghost, Console(file=shown, width=200))
            told = shown.getvalue()
            assert "意味で思い出す" in told
            assert ("捨てました" in told) is wrong_file
            assert (ghost.chosen().llm.model == "local/talker") is not wrong_file
