"""How soon a client gets its first byte while the model hangs: `python -m bench.first_byte`.

For each face a new process of the whole ghost, with a model on loopback that takes every question and never
says a word. The very first request of the process, sent as soon as it says that it is ready, and then one
that waits in line behind it. Wall time from sending to the first byte of the answer's body.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2

from bench.measure import line, verdict

AIM = 1.0
ROOT = Path(__file__).resolve().parents[1]
COMMAND = (sys.executable, "-m", "cocoro_ghost")
FACES = {"/v1/chat/completions": "the OpenAI face", "/api/chat": "the Ollama face"}


def main() -> None:
    with _hung_model() as model, tempfile.TemporaryDirectory() as folder:
        key = _prepared(folder, model)
        for path, name in FACES.items():
            first, waiting = _measured(folder, path, key)
            line(f"{name}, first request of a process, s", verdict(first, AIM))
            line("  the next one, waiting in line, s", verdict(waiting, AIM))


def _prepared(folder: str, model: str) -> str:
    """A ghost with that model, and a client's token."""
    with _ghost(folder) as base, _client(base, _said(folder, "token")) as client:
        settings: dict[str, Any] = client.get("/api/settings").json()
        for preset in settings["llm_preset"]:
            preset.update(llm_model="openai/hung", llm_base_url=model, llm_api_key="x")
        answer = client.put("/api/settings", json=settings)
        assert answer.status_code == 200, answer.text
        return _said(folder, "clients", "add", "bench").split()[-1]


def _measured(folder: str, path: str, key: str) -> tuple[float, float]:
    with (
        _ghost(folder) as base,
        _client(base, key) as client,
        _first_byte(client, path, "ただいま") as first,
        _first_byte(client, path, "ねえ") as waiting,
    ):
        return first, waiting


def _client(base: str, token: str) -> httpx2.Client:
    return httpx2.Client(
        base_url=base, timeout=60, trust_env=False, headers={"authorization": f"Bearer {token}"}
    )


@contextmanager
def _first_byte(client: httpx2.Client, path: str, text: str) -> Iterator[float]:
    """Seconds until it came; the request stays open meanwhile."""
    model = "ghost:latest" if path == "/api/chat" else "ghost"
    body = {"model": model, "messages": [{"role": "user", "content": text}], "stream": True}
    began = time.perf_counter()
    with client.stream("POST", path, json=body) as answer:
        next(answer.iter_bytes())
        yield time.perf_counter() - began


@contextmanager
def _ghost(folder: str) -> Iterator[str]:
    process = subprocess.Popen(
        [*COMMAND, "serve", "--data-dir", folder, "--http-port", "0", "--https-port", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=ROOT,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        for told in process.stdout:
            found = [word for word in told.split() if word.startswith("http://127.0.0.1:")]
            if found:
                yield found[0].rstrip("/")
                return
    finally:
        process.terminate()
        process.wait()


def _said(folder: str, *words: str) -> str:
    done = subprocess.run(
        [*COMMAND, *words, "--data-dir", folder], capture_output=True, text=True, cwd=ROOT, check=True
    )
    return done.stdout.strip()


@contextmanager
def _hung_model() -> Iterator[str]:
    """Takes connections and answers nothing; they end with the process."""
    taken: list[socket.socket] = []
    listener = socket.create_server(("127.0.0.1", 0))

    def take() -> None:
        while True:
            try:
                taken.append(listener.accept()[0])
            except OSError:
                return

    threading.Thread(target=take, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
    finally:
        listener.close()


if __name__ == "__main__":
    main()
