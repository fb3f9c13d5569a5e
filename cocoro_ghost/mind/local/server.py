"""A GGUF model on this machine behind OpenAI's wire: `python -m cocoro_ghost.mind.local MODEL.gguf`.

Needs the optional extra `cocoro-ghost[local]` (xllamacpp: llama.cpp in prebuilt wheels). The ghost talks to
it as to any other endpoint; nothing else in the program knows of it.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Event, Thread
from typing import Any

from cocoro_ghost.errors import ConfigError

# Room for the longest prompt with its recalled memory, and for the answer.
_CONTEXT = 8192


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A running model: put `base_url` into an LLM preset whose model is `llamacpp/<any name>`."""

    path: Path
    base_url: str


@dataclass(frozen=True, slots=True)
class Serving:
    port: int = 0
    context: int = _CONTEXT
    threads: int = 0
    """0 for as many as there are physical cores: twins of a core only wait for it."""
    slots: int = 1
    kind: str = "chat"


def physical_cores() -> int:
    """Cores, not hyperthreads, where the system tells; else what Python counts."""
    try:
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return os.cpu_count() or 1
    cores = {
        (block.partition("physical id")[2].split("\n")[0], block.partition("core id")[2].split("\n")[0])
        for block in told.split("\n\n")
        if "core id" in block
    }
    return len(cores) or os.cpu_count() or 1


@contextmanager
def serving(path: Path, options: Serving | None = None) -> Iterator[LocalModel]:
    """Loads a model and serves it on loopback until the block ends; port 0 picks a free one."""
    server = _start(path, options or Serving())
    try:
        yield LocalModel(path, f"{server.listening_address}/v1")
    finally:
        # The server stops when nothing refers to it any more.
        del server


def _start(path: Path, wanted: Serving) -> Any:
    if find_spec("xllamacpp") is None:
        raise ConfigError("Local models need the extra: pip install 'cocoro-ghost[local]'.")
    check_gguf(path)
    llama = import_module("xllamacpp")
    options = llama.CommonParams()
    options.model.path = str(path)
    options.port = wanted.port
    # Each slot has a window of its own: one for replies, one for jobs.
    options.n_ctx = wanted.context * wanted.slots
    options.n_parallel = wanted.slots
    options.cpuparams.n_threads = wanted.threads or physical_cores()
    options.verbosity = 0
    if wanted.kind != "chat":
        options.embedding = True
        # The longest text in one go: what is embedded or ranked cannot be read in pieces.
        options.n_batch = options.n_ubatch = wanted.context
    if wanted.kind == "rerank":
        options.pooling_type = llama.llama_pooling_type.LLAMA_POOLING_TYPE_RANK
    try:
        return llama.Server(options)
    except (RuntimeError, ValueError) as error:
        raise ConfigError(f"{path.name} could not be loaded as a GGUF model: {error}") from error


def check_gguf(path: Path) -> None:
    """Refuses what is no model before llama.cpp does, with a sentence that says what to do."""
    if not path.is_file():
        raise ConfigError(f"There is no model file {path}.")
    with path.open("rb") as file:
        if file.read(4) != b"GGUF":
            raise ConfigError(f"{path.name} is no GGUF model; delete it and download it again.")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m cocoro_ghost.mind.local", description=__doc__)
    parser.add_argument("model", type=Path, help="a .gguf file")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--context", type=int, default=_CONTEXT, help="tokens of prompt and answer together")
    parser.add_argument("--threads", type=int, default=0, help="0: all physical cores")
    parser.add_argument("--slots", type=int, default=1, help="how many are answered at once")
    parser.add_argument("--kind", choices=["chat", "embedding", "rerank"], default="chat")
    parser.add_argument("--child", action="store_true", help="end when standard input ends")
    options = parser.parse_args()
    stopped = Event()
    if options.child:
        Thread(target=_when_input_ends, args=(stopped,), daemon=True).start()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stopped.set())
    wanted = Serving(options.port, options.context, options.threads, options.slots, options.kind)
    with serving(options.model, wanted) as model:
        print(f"ready {model.base_url}", flush=True)
        print("LLM preset: model llamacpp/local, base_url as above, no key. Ctrl+C stops it.", flush=True)
        # In steps, because Windows delivers Ctrl+C only between waits.
        while not stopped.wait(0.5):
            pass


def _when_input_ends(stopped: Event) -> None:
    sys.stdin.read()
    stopped.set()
