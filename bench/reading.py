"""`python -m bench.reading`: CPU time of `language.read` by length of the message, in both languages."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from datetime import datetime
from statistics import quantiles

from bench.measure import as_served
from cocoro_ghost.language import read
from cocoro_ghost.model.scene import Language
from eval.reader.turns import FILES, cases

LENGTHS = {20: 300, 200: 300, 2_000: 100, 32_000: 20}
"""Characters of a message, and how many messages of that length are read."""
AIMS = {200: 5.0, 32_000: 50.0}
_NOW = datetime(2026, 3, 18, 20, 0)


def main() -> None:
    """Prints one line for each length and language."""
    for language in Language:
        for text in messages(language, 200, 40, random.Random(1)):
            read(text, now=_NOW)
    as_served()
    print(f"{'characters':>10} {'':4} {'p50 ms':>8} {'p95 ms':>8}")
    for length, count in LENGTHS.items():
        for language in Language:
            taken = sorted(_cpu_ms(text) for text in messages(language, length, count, random.Random(2)))
            cuts = quantiles(taken, n=20)
            aim = AIMS.get(length)
            verdict = "" if aim is None else f"  aim {aim:.0f}{'' if cuts[18] <= aim else ' MISSED'}"
            print(f"{length:>10} {language.value:4} {cuts[9]:8.2f} {cuts[18]:8.2f}{verdict}")


def messages(language: Language, length: int, count: int, chance: random.Random) -> Iterator[str]:
    """Texts of whole sentences out of our own labelled turns, none twice, cut at the length."""
    turns = [
        str(case["user_text"]) for name in FILES if name.startswith(language.value) for case in cases(name)
    ]
    mark = "。" if language is Language.JA else ". "
    for _ in range(count):
        text = ""
        while len(text) < length:
            text += chance.choice(turns) + mark
        yield text[:length]


def _cpu_ms(text: str) -> float:
    start = time.process_time()
    read(text, now=_NOW)
    return (time.process_time() - start) * 1000


if __name__ == "__main__":
    main()
