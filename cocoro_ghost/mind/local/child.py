"""A model server as a child of the ghost: started with it, started again when it dies, ended with it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
import time
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, Self

from cocoro_ghost.errors import GhostError, NotConfigured, Outage
from cocoro_ghost.mind.local.server import check_gguf

log = logging.getLogger(__name__)
ChildState = Literal["stopped", "starting", "running", "failed"]
READY_SECONDS = 300.0
MOST_STARTS = 5
"""Within ten minutes: a model that dies more often than that does not fit this machine."""
_WINDOW = 600.0


class LocalServer:
    """One model file, served. `url()` starts it where it does not run."""

    def __init__(
        self, path: Path, *, kind: str = "chat", context: int = 8192, command: Sequence[str] = ()
    ) -> None:
        self._path = path
        self._command = list(command) or [
            sys.executable, "-m", "cocoro_ghost.mind.local", str(path), "--port", "0", "--kind", kind,
            "--context", str(context), "--slots", "2" if kind == "chat" else "1", "--child",
        ]  # fmt: skip
        self._given = bool(command)
        self._process: asyncio.subprocess.Process | None = None
        self._url = ""
        self._starts: list[float] = []
        self._lock = asyncio.Lock()
        self._users = 0
        self.problem: GhostError | None = None
        """Why it did not start the last time."""

    @property
    def state(self) -> ChildState:
        if self._process is not None and self._process.returncode is None:
            return "running" if self._url else "starting"
        return "failed" if self.problem is not None else "stopped"

    @property
    def is_used(self) -> bool:
        return self._users > 0

    def borrowed(self) -> Self:
        """One more that uses it; `close` gives it back, and the last to do so ends it."""
        self._users += 1
        return self

    async def url(self) -> str:
        """Where it answers now; raises what a person can mend, or Outage while it cannot live."""
        async with self._lock:
            if self._process is None or self._process.returncode is not None:
                self._url, self.problem = "", None
                try:
                    await self._start()
                except GhostError as error:
                    self.problem = error
                    raise
            return self._url

    async def close(self) -> None:
        self._users = max(0, self._users - 1)
        if self._users:
            return
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        process.terminate()
        try:
            await asyncio.wait_for(process.wait(), 10.0)
        except TimeoutError:
            process.kill()
            await process.wait()

    async def _start(self) -> None:
        if not self._given and find_spec("xllamacpp") is None:
            raise NotConfigured(
                "A model on this machine needs the extra: pip install 'cocoro-ghost[local]'.",
                ja="このマシンでモデルを動かすには pip install 'cocoro-ghost[local]' が要ります。",
            )
        check_gguf(self._path)
        now = time.monotonic()
        self._starts = [one for one in self._starts if now - one < _WINDOW]
        if len(self._starts) >= MOST_STARTS:
            raise Outage(
                "The local model died again and again; choose a smaller one. Learning waits.",
                retry_after=_WINDOW,
                ja="手元のモデルが何度も止まります。小さいモデルを選んでください。学習は待っています。",
            )
        if self._starts:
            log.warning("the local model died and is started again")
        self._starts.append(now)
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            # Held open while the ghost lives: a child whose ghost was killed hears it end, and ends too.
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        self._url = await self._ready(self._process)

    async def _ready(self, process: asyncio.subprocess.Process) -> str:
        assert process.stdout is not None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(READY_SECONDS):
                async for line in process.stdout:
                    words = line.decode("utf-8", "replace").split()
                    if len(words) == 2 and words[0] == "ready":
                        return words[1]
        if process.returncode is None:
            process.kill()
        await process.wait()
        raise Outage(
            f"{self._path.name} could not be started; it may be damaged or too large for this machine.",
            ja=f"{self._path.name} を起動できません。壊れているか、このマシンには大きすぎます。",
        )
