"""The path of a chat turn is short and leads one way: down."""

from __future__ import annotations

import asyncio
import sys
import threading
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

import cocoro_ghost
from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.model.heard import Heard
from cocoro_ghost.settings.file import Config
from cocoro_ghost.testing import HashEmbedder, ScriptedMind
from cocoro_ghost.turn import TurnParts, take_turn

PACKAGE = Path(cocoro_ghost.__file__).parent
ABOVE = ("ghost.py", "bootstrap.py", "senses", "api", "connect", "cli")
# What the turn stands on, each behind one door: the store (and the marker that listens to its commits), the
# reader of texts, types and clock, doubles.
BELOW = ("store", "care", "language", "model", "clock.py", "errors.py", "testing")
MOST_FILES = 28


@dataclass
class Walk:
    """Notes every file of the package that is entered while it is `on`, on any thread started after it."""

    on: bool = False
    files: set[str] = field(default_factory=set)

    def note(self, frame: FrameType, event: str, _: object) -> None:
        path = frame.f_code.co_filename
        if self.on and event == "call" and path.startswith(str(PACKAGE)):
            self.files.add(str(Path(path).relative_to(PACKAGE)))

    def __enter__(self) -> Walk:
        threading.setprofile(self.note)
        sys.setprofile(self.note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)


async def test_a_turn_passes_few_files_and_never_goes_back_up(tmp_path: Path) -> None:
    config = Config(use_keyring=False, language="ja", time_zone="Asia/Tokyo")
    stand = Stand(mind=ScriptedMind(), embedder=HashEmbedder(), config=config)

    async def say(parts: TurnParts, text: str) -> None:
        async for _ in take_turn(parts, Heard(text), asyncio.Event()):
            pass

    with Walk() as walk:
        # The memory's own threads start inside, so that what runs on them is seen too.
        async with open_ghost(tmp_path, stand=stand) as ghost:
            await say(ghost.turn_parts(""), "猫のミケが好き。去年の夏は京都にいた")
            parts = ghost.turn_parts("")
            walk.on = True
            await say(parts, "去年の夏、ミケはどうしてた？")
            walk.on = False
    assert "store/events.py" in walk.files
    assert not {name.split("/")[0] for name in walk.files} & set(ABOVE), sorted(walk.files)
    path = sorted(name for name in walk.files if name.split("/")[0] not in BELOW)
    assert "turn.py" in path
    assert len(path) <= MOST_FILES, " ".join(path)
