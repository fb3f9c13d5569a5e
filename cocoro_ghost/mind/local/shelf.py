"""The open models of this machine: which lie here, which are on their way, which are being run."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from cocoro_ghost.errors import Conflict, GhostError, NotFound, Outage
from cocoro_ghost.mind.local.catalogue import OPEN_MODELS, Kind, OpenModel
from cocoro_ghost.mind.local.child import ChildState, LocalServer
from cocoro_ghost.mind.local.download import download, half_of

ModelState = Literal["absent", "partial", "downloading", "checking", "ready"]
Command = Callable[[Path, Kind], Sequence[str]]
"""What runs a model file; given by tests."""


@dataclass(frozen=True, slots=True)
class OnShelf:
    """One model of the list, as it stands now."""

    model: OpenModel
    state: ModelState
    have_bytes: int
    whole_bytes: int
    """0 while nobody has told."""
    child: ChildState
    problem: GhostError | None
    """Why the last download ended, or why its child does not live."""


@dataclass(slots=True)
class _Download:
    task: asyncio.Task[None] | None = None
    have: int = 0
    whole: int = 0


class ModelShelf:
    """Downloads go on while nobody looks; a model that several use is run once."""

    def __init__(
        self, folder: Path, models: Mapping[str, OpenModel] = OPEN_MODELS, command: Command | None = None
    ) -> None:
        self.folder = folder
        self.models = models
        self._command = command
        self._under_way: dict[str, _Download] = {}
        self._problems: dict[str, GhostError] = {}
        self._servers: dict[str, LocalServer] = {}

    @property
    def runnable(self) -> bool:
        """Whether what runs a model is installed."""
        return self._command is not None or find_spec("xllamacpp") is not None

    def known(self, model_id: str) -> OpenModel:
        found = self.models.get(model_id)
        if found is None:
            raise NotFound(f"There is no open model {model_id!r} in the list.")
        return found

    def file_of(self, model_id: str) -> Path:
        """Where a downloaded model lies."""
        return self.folder / f"{model_id}.gguf"

    def look(self, model_id: str) -> OnShelf:
        model, file = self.known(model_id), self.file_of(model_id)
        server = self._servers.get(model_id)
        child: ChildState = "stopped" if server is None else server.state
        problem = self._problems.get(model_id) or (None if server is None else server.problem)
        if (running := self._under_way.get(model_id)) is not None:
            state: ModelState = "checking" if 0 < running.whole <= running.have else "downloading"
            return OnShelf(model, state, running.have, running.whole, child, None)
        if file.is_file():
            size = file.stat().st_size
            return OnShelf(model, "ready", size, size, child, problem)
        half = half_of(file)
        have = half.stat().st_size if half.is_file() else 0
        return OnShelf(model, "partial" if have else "absent", have, 0, child, problem)

    def begin(self, model_id: str) -> None:
        """Downloads in the background, going on where an earlier attempt broke off."""
        model = self.known(model_id)
        if model_id in self._under_way or self.file_of(model_id).is_file():
            return
        self._problems.pop(model_id, None)
        self._under_way[model_id] = running = _Download(have=self.look(model_id).have_bytes)
        running.task = asyncio.create_task(self._fetch(model, running))

    async def cancel(self, model_id: str) -> None:
        """What came so far is kept."""
        self.known(model_id)
        running = self._under_way.get(model_id)
        if running is not None and running.task is not None:
            running.task.cancel()
            await asyncio.gather(running.task, return_exceptions=True)

    async def remove(self, model_id: str) -> None:
        """The file and what there is of half a file."""
        await self.cancel(model_id)
        server = self._servers.get(model_id)
        if server is not None and server.is_used:
            raise Conflict(
                f"{model_id} is being used; choose another mind first.",
                ja=f"{model_id} は使用中です。先に別の頭脳を選んでください。",
            )
        self._servers.pop(model_id, None)
        self._problems.pop(model_id, None)
        for path in (self.file_of(model_id), half_of(self.file_of(model_id))):
            path.unlink(missing_ok=True)

    def borrow(self, model_id: str, kind: Kind = "chat") -> LocalServer:
        """What runs the model, one for all who use it; whoever borrows it closes it."""
        if model_id not in self._servers:
            path = self.file_of(model_id)
            command = () if self._command is None else self._command(path, kind)
            self._servers[model_id] = LocalServer(path, kind=kind, command=command)
        return self._servers[model_id].borrowed()

    async def close(self) -> None:
        for model_id in list(self._under_way):
            await self.cancel(model_id)

    async def _fetch(self, model: OpenModel, running: _Download) -> None:
        def told(have: int, whole: int) -> None:
            running.have, running.whole = have, whole

        try:
            while True:
                before = running.have
                try:
                    await download(model.url, self.file_of(model.id), told)
                    return
                except Outage:
                    # A line that breaks off now and then is taken up again as long as something comes.
                    if running.have <= before:
                        raise
        except GhostError as error:
            self._problems[model.id] = error
        finally:
            del self._under_way[model.id]
