"""Plays talks with checks: a fresh ghost a talk, jobs settled after each turn, a table per kind.

A talk is `{"id", "language"?, "start"?, "turns": [...]}` or a plain list of turns; a turn is
`{"say", "kind"?, "reply"?, "not_reply"?, "memory"?, "not_memory"?}` or `{"advance_days": 3}`. A check is a
word, a list of which one must stand, or a list of such lists of which each must be met.
"""

from __future__ import annotations

import asyncio
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import BadInput
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.hear.message import hear_chat
from cocoro_ghost.language.fold import fold, guess_language
from cocoro_ghost.model.preference import PreferenceStatus
from cocoro_ghost.reply.stream import Done
from cocoro_ghost.settings.file import Config
from cocoro_ghost.store import preferences, reminders, states
from cocoro_ghost.store.ports import Reader
from cocoro_ghost.turn import take_turn

ZONE = "Asia/Tokyo"
START = "2026-04-06T19:00:00"
BETWEEN = 90
"""Seconds between two turns of a talk."""
_LOOKED_AT = 1000


@dataclass(frozen=True, slots=True)
class Checked:
    talk: str
    said: str
    kind: str
    what: str
    """reply, not_reply, memory or not_memory."""
    ok: bool
    wanted: object
    found: str


@dataclass(slots=True)
class Played:
    checks: list[Checked] = field(default_factory=list)
    lines: list[tuple[str, str, str]] = field(default_factory=list)
    """Talk, what was said, what was answered."""

    def table(self) -> dict[str, tuple[int, int]]:
        """Right and all, by kind."""
        counts: dict[str, tuple[int, int]] = {}
        for check in self.checks:
            right, whole = counts.get(check.kind, (0, 0))
            counts[check.kind] = (right + check.ok, whole + 1)
        return dict(sorted(counts.items()))


def load_talks(path: Path) -> list[Mapping[str, Any]]:
    """The talks of a JSON or JSON-lines file."""
    text = path.read_text(encoding="utf-8")
    try:
        found = json.loads(text)
        talks = found if isinstance(found, list) and found and not _is_turn(found[0]) else [found]
    except json.JSONDecodeError:
        try:
            talks = [json.loads(line) for line in text.splitlines() if line.strip()]
        except json.JSONDecodeError as error:
            raise BadInput(f"{path} is neither JSON nor JSON lines: {error}") from error
        talks = [talks] if talks and _is_turn(talks[0]) else talks
    return [
        talk if isinstance(talk, dict) else {"id": str(number), "turns": talk}
        for number, talk in enumerate(talks, 1)
    ]


def _is_turn(value: Any) -> bool:
    return isinstance(value, dict) and ("say" in value or "advance_days" in value)


async def play(
    talks: Sequence[Mapping[str, Any]], progress: Callable[[int, int], None] | None = None
) -> Played:
    """Plays every talk through the ordinary turn, with the embedded mind."""
    played, total = Played(), sum(len(talk["turns"]) for talk in talks)
    done = 0
    for talk in talks:
        async for _ in _one(talk, played):
            done += 1
            if progress is not None:
                progress(done, total)
    return played


async def _one(talk: Mapping[str, Any], played: Played) -> Any:
    spoken = " ".join(str(turn.get("say", "")) for turn in talk["turns"])
    language = str(talk.get("language") or talk.get("lang") or guess_language(spoken).value)
    zone = str(talk.get("zone") or talk.get("time_zone") or ZONE)
    start = datetime.fromisoformat(str(talk.get("start") or START)).replace(tzinfo=ZoneInfo(zone))
    clock = FrozenClock(int(start.timestamp()), zone)
    config = Config(language=language, time_zone=zone, use_keyring=False)
    with tempfile.TemporaryDirectory() as folder:
        async with open_ghost(Path(folder), stand=Stand(clock=clock, config=config)) as ghost:
            for turn in talk["turns"]:
                if "advance_days" in turn:
                    clock.tick(float(turn["advance_days"]) * 86_400)
                if turn.get("say"):
                    await _turn(ghost, str(talk.get("id", "")), turn, played)
                    clock.tick(BETWEEN)
                yield turn


async def _turn(ghost: Ghost, talk: str, turn: Mapping[str, object], played: Played) -> None:
    said = str(turn["say"])
    parts = ghost.turn_parts(said)
    heard = await hear_chat(said, [], parts.language)
    reply = ""
    async for frame in take_turn(parts, heard, asyncio.Event()):
        if isinstance(frame, Done):
            reply = frame.reply_text
    assert ghost.worker is not None
    await ghost.worker.run_until_idle()
    kept = await ghost.memory.read(_kept)
    kept += await ghost.base.databases.reminders.read(_reminders)
    played.lines.append((talk, said, reply))
    for what, text in (("reply", reply), ("not_reply", reply), ("memory", kept), ("not_memory", kept)):
        wanted = turn.get(what)
        if wanted:
            ok = _met(wanted, text) if not what.startswith("not_") else not _any_of(wanted, text)
            played.checks.append(Checked(talk, said, str(turn.get("kind", "")), what, ok, wanted, text))


def _kept(reader: Reader) -> str:
    """Everything that holds now, one line each."""
    lines = [
        f"{s.kind.value}: {s.body_text}" for s in states.told(reader, _LOOKED_AT) if s.valid_to_ts is None
    ]
    for one in preferences.with_status(reader, PreferenceStatus.CONFIRMED, limit=_LOOKED_AT):
        lines.append(f"{one.polarity.value}: {one.subject}")
    return "\n".join(lines) + "\n"


def _reminders(reader: Reader) -> str:
    return "\n".join(
        f"reminder: {one.content} {one.scheduled_at or one.time_of_day or ''}"
        for one in reminders.all_of(reader)
    )


def _met(wanted: Any, text: str) -> bool:
    """Each group has a word that stands in the text."""
    if isinstance(wanted, str):
        return fold(wanted) in fold(text)
    if all(isinstance(word, str) for word in wanted):
        return any(fold(word) in fold(text) for word in wanted)
    return all(_met(group, text) for group in wanted)


def _any_of(wanted: Any, text: str) -> bool:
    if isinstance(wanted, str):
        return fold(wanted) in fold(text)
    return any(_any_of(word, text) for word in wanted)
