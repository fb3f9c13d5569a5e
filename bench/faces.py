"""A turn by a face beside the same turn by the native call, in one run: what reading a resent history adds.

python -m bench.faces [turns]: a served ghost with the embedded mind; one after the other, so that a busy
moment falls on both. CPU time of the whole process, client and server together; the bound is on the medians.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import httpx2

from bench.measure import line, verdict
from cocoro_ghost.api.server.auth import digest, new_token
from cocoro_ghost.api.server.serving import Addresses, serve
from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.connect.install import install
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.model.client import Client, Scope
from cocoro_ghost.settings.file import Config
from cocoro_ghost.store import clients
from cocoro_ghost.testing import HashEmbedder

TIMES_THE_NATIVE_CALL = 1.2
SAID = "今日は{n}回目の散歩で、港のそばの{n}番目のベンチに座って海を見ていたよ。"


async def _measure(ghost: Ghost, base: str, key: str, turns: int) -> tuple[list[float], list[float]]:
    native, face = [], []
    history: list[dict[str, str]] = []
    async with httpx2.AsyncClient(base_url=base, timeout=60, trust_env=False) as client:
        for number in range(turns):
            text = SAID.format(n=number)
            began = process_time()
            await client.post("/api/chat", json={"input_text": text}, headers=_bearer(ghost.base.token))
            native.append((process_time() - began) * 1000)
            asked: dict[str, Any] = {
                "model": "ghost",
                "messages": [*history, {"role": "user", "content": text}],
            }
            began = process_time()
            answer = await client.post("/v1/chat/completions", json=asked, headers=_bearer(key))
            face.append((process_time() - began) * 1000)
            reply = answer.json()["choices"][0]["message"]["content"]
            history += [{"role": "user", "content": text}, {"role": "assistant", "content": reply}]
    return native, face


def _bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


async def main(turns: int) -> None:
    config = Config(use_keyring=False, language="ja", time_zone="Asia/Tokyo")
    with tempfile.TemporaryDirectory() as folder:
        async with open_ghost(Path(folder), stand=Stand(embedder=HashEmbedder(), config=config)) as ghost:
            # Nothing is learned meanwhile: both turns pay for themselves alone.
            ghost.worker = None
            key, one = new_token(), Client("bench", "bench", frozenset({Scope.TALK}))
            await ghost.settings_db.write(lambda tx: clients.add(tx, one, digest(key)))
            ready: asyncio.Future[Addresses] = asyncio.get_running_loop().create_future()
            stop = asyncio.Event()
            serving = asyncio.create_task(
                serve(
                    ghost, http_port=0, https_port=0, on_ready=ready.set_result, stopping=stop,
                    catch_signals=False, faces=install,
                )
            )  # fmt: skip
            native, face = await _measure(ghost, (await ready).http, key, turns)
            stop.set()
            await serving
    half = turns // 2
    line("a turn by the native call, median ms of CPU", f"{median(native[half:]):8.2f}")
    line(f"the same by /v1 with {half}–{turns} turns sent again", f"{median(face[half:]):8.2f}")
    line(
        "  times the native call", verdict(median(face[half:]) / median(native[half:]), TIMES_THE_NATIVE_CALL)
    )


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 60))
