"""A GGUF model on this machine behind OpenAI's wire: `python -m cocoro_ghost.mind.local MODEL.gguf`.

Needs the optional extra `cocoro-ghost[local]` (xllamacpp: llama.cpp in prebuilt wheels). The ghost talks to
it as to any other endpoint; nothing else in the program knows of it.
"""

from __future__ import annotations

import argparse
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Event
from typing import Any

from cocoro_ghost.errors import ConfigError

# Room for the longest prompt with its recalled memory, and for the answer.
_CONTEXT = 8192


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A running model: put `base_url` into an LLM preset whose model is `llamacpp/<any name>`."""

    path: Path
    base_url: str


@contextmanager
def serving(path: Path, *, port: int = 0, context: int = _CONTEXT, threads: int = 0) -> Iterator[LocalModel]:
    """Loads a model and serves it on loopback until the block ends; port 0 picks a free one."""
    server = _start(path, port, context, threads or os.cpu_count() or 1)
    try:
        yield LocalModel(path, f"{server.listening_address}/v1")
    finally:
        # The server stops when nothing refers to it any more.
        del server


def _start(path: Path, port: int, context: int, threads: int) -> Any:
    if find_spec("xllamacpp") is None:
        raise ConfigError("Local models need the extra: pip install 'cocoro-ghost[local]'.")
    if not path.is_file():
        raise ConfigError(f"There is no model file {path}.")
    llama = import_module("xllamacpp")
    options = llama.CommonParams()
    options.model.path = str(path)
    options.port = port
    options.n_ctx = context
    options.n_parallel = 1
    options.cpuparams.n_threads = threads
    options.verbosity = 0
    try:
        return llama.Server(options)
    except (RuntimeError, ValueError) as error:
        raise ConfigError(f"{path.name} could not be loaded as a GGUF model: {error}") from error


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m cocoro_ghost.mind.local", description=__doc__)
    parser.add_argument("model", type=Path, help="a .gguf file")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--context", type=int, default=_CONTEXT, help="tokens of prompt and answer together")
    parser.add_argument("--threads", type=int, default=0, help="0: all cores")
    options = parser.parse_args()
    stopped = Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        signal.signal(name, lambda *_: stopped.set())
    with serving(options.model, port=options.port, context=options.context, threads=options.threads) as model:
        print(f"ready {model.base_url}", flush=True)
        print("LLM preset: model llamacpp/local, base_url as above, no key. Ctrl+C stops it.", flush=True)
        # In steps, because Windows delivers Ctrl+C only between waits.
        while not stopped.wait(0.5):
            pass


if __name__ == "__main__":
    main()
