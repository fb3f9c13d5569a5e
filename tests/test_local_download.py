"""A model on this machine: downloaded with progress, resume and checksum, run by a child."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from cocoro_ghost.errors import BadInput, ConfigError, Outage
from cocoro_ghost.mind.local.catalogue import OPEN_MODELS, fits
from cocoro_ghost.mind.local.child import LocalServer
from cocoro_ghost.mind.local.download import download
from cocoro_ghost.mind.local.server import physical_cores
from tests.model_hub import GGUF, hub

pytestmark = pytest.mark.anyio


async def test_a_model_is_downloaded_with_progress_and_its_checksum(tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    async with hub() as server:
        path = await download(server.url, tmp_path / "m.gguf", lambda *one: seen.append(one))
    assert path.read_bytes() == GGUF
    assert seen[-1] == (len(GGUF), len(GGUF))
    assert os.listdir(tmp_path) == ["m.gguf"]


async def test_a_broken_download_goes_on_where_it_was(tmp_path: Path) -> None:
    target = tmp_path / "m.gguf"
    async with hub() as server:
        server.breaks_at = 100_000
        with pytest.raises(Outage) as caught:
            await download(server.url, target)
        assert "続き" in caught.value.told(japanese=True)
        assert not target.exists()
        assert (await download(server.url, target)).read_bytes() == GGUF
    assert server.ranges[0] == ""
    assert server.ranges[1].lower().startswith("range: bytes=")


@pytest.mark.parametrize("body", [b"<html>no</html>" * 10, GGUF[:-1] + b"x"])
async def test_a_wrong_file_is_thrown_away_with_a_sentence(tmp_path: Path, body: bytes) -> None:
    async with hub() as server:
        server.body = body
        with pytest.raises(BadInput) as caught:
            await download(server.url, tmp_path / "m.gguf")
    assert "捨てました" in caught.value.told(japanese=True)
    assert os.listdir(tmp_path) == []


_CHILD = (
    "import sys, time; print('ready http://127.0.0.1:9/v1', flush=True); sys.stdin.read() or time.sleep(60)"
)


async def test_a_child_that_dies_is_started_again_and_given_up_in_the_end(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    path.write_bytes(GGUF)
    server = LocalServer(path, command=[sys.executable, "-c", _CHILD])
    assert await server.url() == await server.url() == "http://127.0.0.1:9/v1"
    for _ in range(4):
        process = server._process
        assert process is not None
        process.kill()
        await process.wait()
        assert await server.url()
    process = server._process
    assert process is not None
    process.kill()
    await process.wait()
    with pytest.raises(Outage, match="again and again"):
        await server.url()
    await server.close()


async def test_a_child_that_cannot_start_says_so(tmp_path: Path) -> None:
    path = tmp_path / "m.gguf"
    with pytest.raises(ConfigError, match="no model file"):
        await LocalServer(path, command=["x"]).url()
    path.write_bytes(b"not a model")
    with pytest.raises(ConfigError, match="no GGUF"):
        await LocalServer(path, command=["x"]).url()
    path.write_bytes(GGUF)
    with pytest.raises(Outage, match="could not be started"):
        await LocalServer(path, command=[sys.executable, "-c", "raise SystemExit(3)"]).url()


def test_the_list_tells_what_a_person_has_to_know() -> None:
    for model in OPEN_MODELS.values():
        assert model.licence
        assert model.url.startswith("https://")
        assert "ja" in model.languages
    assert not fits(OPEN_MODELS["qwen3-8b"], 4_000_000_000)
    assert physical_cores() >= 1
