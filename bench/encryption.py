"""What encryption at rest costs: the same turns written and searched, readable and encrypted, in one run."""

from __future__ import annotations

from pathlib import Path
from statistics import median
from time import process_time

from bench.measure import line, wall_ms
from bench.turns import Talk, fill, write_turn
from cocoro_ghost.clock import SystemClock
from cocoro_ghost.settings.file_key import new_key
from cocoro_ghost.store import words
from cocoro_ghost.store.sqlite.files import open_memory

TURNS, QUESTIONS = 10_000, 100


def report(folder: Path) -> None:
    print(f"\nencryption at rest, {TURNS:,} turns, encrypted / readable")
    plain, sealed = (_measure(folder / name, key) for name, key in (("plain", None), ("sealed", new_key())))
    for name in plain:
        line(name, f"{sealed[name]:8.2f} / {plain[name]:.2f}", f"= {sealed[name] / plain[name]:.2f} ×")


def _measure(folder: Path, key: str | None) -> dict[str, float]:
    folder.mkdir()
    talk = Talk(7)
    turns = [talk.turn() for _ in range(TURNS)]
    database = open_memory(folder, "m", SystemClock(), key=key)
    try:
        start = process_time()
        for at in range(0, TURNS, 500):
            database.write_now(lambda tx, batch=turns[at : at + 500]: fill(tx, batch))  # type: ignore[misc]
        filling = process_time() - start
        one = wall_ms(lambda turn: database.write_now(lambda tx: write_turn(tx, turn)), turns[:200])
    finally:
        database.close()
    start = process_time()
    database = open_memory(folder, "m", SystemClock(), key=key)
    opening = process_time() - start
    try:
        asked = [talk.question(turn, 80) for turn in turns[:QUESTIONS]]
        start = process_time()
        for text in asked:
            database.read_now(lambda reader, text=text: words.find_events(reader, text, 20))  # type: ignore[misc]
        searching = process_time() - start
    finally:
        database.close()
    return {
        "import, CPU s": filling,
        "one turn, one commit, ms": median(one),
        "opening, checked, CPU s": opening,
        f"{QUESTIONS} word queries, CPU s": searching,
    }
