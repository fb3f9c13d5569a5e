"""R23: planted keys are searched for in every response, log, frame and file of a run."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import ssl
import stat
from pathlib import Path

import pytest
import websockets

from tests.conftest import Figures
from tests.serving import house, say

KEYS = {
    "llm_api_key": "sk-canary-llm-1111222233334444",
    "image_model_api_key": "sk-canary-image-5555666677778888",
    "embedding_model_api_key": "sk-canary-embed-9999000011112222",
}
PATHS = [
    "/api/settings", "/api/status", "/api/usage", "/api/debug/model-calls", "/api/memory/events",
    "/api/memory/state", "/api/memory/jobs", "/api/memory/revisions", "/api/memory/retrieval-runs",
    "/api/mood/debug", "/api/reminders", "/api/control/worker-stats", "/api/control/stream-stats",
    "/openapi.json", "/api/export",
]  # fmt: skip


async def test_r23_no_key_leaves_the_house(
    tmp_path: Path, figures: Figures, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    seen: list[str] = []
    async with house(tmp_path, worker=True) as home, home.client() as client:
        settings = (await client.get("/api/settings")).json()
        llm, embedding = settings["llm_preset"][0], settings["embedding_preset"][0]
        # An address nobody listens on: every call with the key fails and is reported.
        llm |= {
            "llm_model": "openai/canary",
            "llm_base_url": "http://127.0.0.1:9/v1",
            "image_model": "openai/canary",
        }
        llm |= {name: key for name, key in KEYS.items() if name in llm}
        embedding["embedding_model_api_key"] = KEYS["embedding_model_api_key"]
        seen.append((await client.put("/api/settings", json=settings)).text)
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        url = home.addresses.https.replace("https", "wss") + "/api/logs/stream"
        async with websockets.connect(url, ssl=context, additional_headers=home.bearer, proxy=None) as logs:
            seen.append(json.dumps(await say(client, "こんにちは")))
            tested = await client.post("/api/settings/test", json={"llm_preset_id": llm["llm_preset_id"]})
            seen.append(tested.text)
            assert not tested.json()["ok"]
            for path in PATHS:
                answer = await client.get(path)
                assert answer.status_code == 200, path
                seen.append(answer.text)
            seen.append(str(await asyncio.wait_for(logs.recv(), 60)))
        masked = (await client.get("/api/settings")).json()["llm_preset"][0]["llm_api_key"]
        assert masked == "sk-…4444"
    seen += [caplog.text, *(path.read_bytes().decode("latin-1") for path in _files(tmp_path))]
    hits = [key for key in KEYS.values() for text in seen if key in text]
    assert hits == []
    if os.name == "posix":
        assert _readable_by_others(tmp_path) == []
    figures("R23", f"3 keys planted, {len(seen)} responses, logs, frames and files searched: 0 hits")


def _readable_by_others(folder: Path) -> list[str]:
    return [path.name for path in [folder, *_files(folder)] if stat.S_IMODE(path.stat().st_mode) & 0o077]


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]
