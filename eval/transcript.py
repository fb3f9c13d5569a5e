"""Talks to a fresh ghost with the embedded mind and writes the talk down as it really ran.

`python -m eval.transcript` writes docs/transcripts/*.md from eval/talks/*.txt (`+5`: five days pass) and from
the talks with checks beside them (*.json).
"""

from __future__ import annotations

import asyncio
import tempfile
from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.clock import FrozenClock, local
from cocoro_ghost.evaluate.talks_run import load_talks
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.hear.message import hear_chat
from cocoro_ghost.reply.stream import Done
from cocoro_ghost.settings.file import Config
from cocoro_ghost.store import events, revisions, runs
from cocoro_ghost.store.ports import Reader
from cocoro_ghost.turn import take_turn

ROOT = Path(__file__).resolve().parent.parent
ZONE = "Asia/Tokyo"
START = int(datetime(2026, 4, 6, 19, 0, tzinfo=ZoneInfo(ZONE)).timestamp())


async def write_down(name: str, talk: list[str]) -> str:
    """The talk as Markdown, with what each reply recalled and what each turn taught."""
    clock = FrozenClock(START, ZONE)
    config = Config(language="ja" if name.startswith("ja") else "en", time_zone=ZONE, use_keyring=False)
    lines = [f"# {name}", "", f"Embedded mind, no model and no network; zone {ZONE}; as it really ran.", ""]
    with tempfile.TemporaryDirectory() as folder:
        async with open_ghost(Path(folder), stand=Stand(clock=clock, config=config)) as ghost:
            for said in talk:
                if said.startswith("+"):
                    clock.tick(float(said[1:]) * 86_400)
                    lines += [f"*{said[1:]} days later*", ""]
                elif said.strip():
                    lines += await _turn(ghost, clock, said.strip())
                    clock.tick(90)
    return "\n".join(lines).rstrip() + "\n"


async def _turn(ghost: Ghost, clock: FrozenClock, said: str) -> list[str]:
    parts = ghost.turn_parts(said)
    heard = await hear_chat(said, [], parts.language)
    done: Done | None = None
    async for frame in take_turn(parts, heard, asyncio.Event()):
        if isinstance(frame, Done):
            done = frame
    assert done is not None, "the turn failed"
    assert ghost.worker is not None
    await ghost.worker.run_until_idle()
    event_id = done.event_id
    notes = await ghost.memory.read(lambda reader: _notes(reader, event_id))
    when = local(clock.domain_now(), clock.zone).strftime("%Y-%m-%d %H:%M")
    return [f"**{when} ▸** {said}  ", f"**ghost ▸** {done.reply_text}", *notes, ""]


def _notes(reader: Reader, event_id: int) -> list[str]:
    """What came to mind, and what was learned, in small print."""
    run_id = runs.of_event(reader, event_id)
    refs = [] if run_id is None else [one["ref"] for one in runs.get(reader, run_id).selected]
    learned = []
    for revision in revisions.resting_on(reader, event_id):
        after = revision.after or {}
        if revision.entity_type == "state" and after.get("kind") != "long_mood_state":
            ended = " (ended)" if after.get("valid_to_ts") else ""
            learned.append(f"{after['kind']}: {after['body_text']}{ended}")
        elif revision.entity_type == "user_preferences":
            learned.append(f"{after['status']} {after['polarity']}: {after['subject']}")
    notes = []
    if refs:
        quoted = [_quote(reader, ref) for ref in refs[:3]]
        notes.append(f"  <br><sub>recalled {len(refs)}: {' · '.join(quoted)}</sub>")
    if learned:
        notes.append(f"  <br><sub>learned: {' · '.join(dict.fromkeys(learned))}</sub>")
    return notes


def _quote(reader: Reader, ref: str) -> str:
    if ref.startswith("e"):
        return f"{ref} “{(events.get(reader, int(ref[1:])).user_text or '')[:30]}”"
    return ref


def _checked(path: Path) -> list[str]:
    """What is said in a talk with checks, and the days between."""
    turns = load_talks(path)[0]["turns"]
    return [str(turn["say"]) if "say" in turn else f"+{turn['advance_days']}" for turn in turns]


def main() -> None:
    target = ROOT / "docs" / "transcripts"
    target.mkdir(parents=True, exist_ok=True)
    for talk in sorted((ROOT / "eval" / "talks").glob("*.*")):
        lines = _checked(talk) if talk.suffix == ".json" else talk.read_text(encoding="utf-8").splitlines()
        (target / f"{talk.stem}.md").write_text(asyncio.run(write_down(talk.stem, lines)), encoding="utf-8")
        print(f"docs/transcripts/{talk.stem}.md")


if __name__ == "__main__":
    main()
