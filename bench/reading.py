"""`python -m bench.reading`: CPU time of `language.read` by length of the message, in both languages.

What a turn waits for is one figure, the other has what is made when growing or the keeper ask for it.
"""

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
            _cpu_ms(text)
    as_served()
    print(f"{'characters':>10} {'':4} {'p50 ms':>8} {'p95 ms':>8} {'p50 whole':>10} {'p95 whole':>10}")
    for length, count in LENGTHS.items():
        for language in Language:
            taken = [_cpu_ms(text) for text in messages(language, length, count, random.Random(2))]
            first, whole = (quantiles(every, n=20) for every in zip(*taken, strict=True))
            aim = AIMS.get(length)
            verdict = "" if aim is None else f"  aim {aim:.0f}{'' if first[18] <= aim else ' MISSED'}"
            line = f"{first[9]:8.2f} {first[18]:8.2f} {whole[9]:10.2f} {whole[18]:10.2f}"
            print(f"{length:>10} {language.value:4} {line}{verdict}")


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


def _cpu_ms(text: str) -> tuple[float, float]:
    """Until it is read, and until every member has been looked at."""
    start = time.process_time()
    reading = read(text, now=_NOW)
    first = time.process_time()
    _ = (reading.claims, reading.names, reading.tone)
    return (first - start) * 1000, (time.process_time() - start) * 1000


if __name__ == "__main__":
    main()
