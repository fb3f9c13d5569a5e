"""`python bench/embedding.py`: what the embedded encoder costs a turn, to install, and to keep in memory."""

from __future__ import annotations

import asyncio
import os
import platform
import sys
import time
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.measure import line, resident_mb, verdict
from cocoro_ghost.embed.embedded import ENCODERS, EmbeddedEmbedder, Encoder

_JA = "うちの柴犬のモモが今日で五歳になったので、近所の公園で小さなお祝いをした。ケーキも焼いたよ。"
_EN = (
    "My dog turned five today, so we had a little party in the park nearby, and I even baked a cake for her. "
)
_LENGTHS = (40, 120, 240, 800, 2400)


async def report(encoder: Encoder) -> None:
    print(f"\nembedded/{encoder.name} ({encoder.distribution}), {encoder.dimension} dimensions")
    before, start = resident_mb(), time.perf_counter()
    embedder = EmbeddedEmbedder(encoder)
    await embedder.warm()
    line("loading", f"{time.perf_counter() - start:8.2f} s")
    for name, sentence in (("Japanese", _JA), ("English", _EN)):
        for length in _LENGTHS:
            text = (sentence * (length // len(sentence) + 1))[:length]
            spent = await _median_ms(embedder, text)
            said = verdict(spent, 25) if length <= 240 else f"{spent:8.3f}"
            line(f"{name}, a turn of {length} characters, CPU ms", said)
    after = resident_mb()
    if after:
        line("resident memory added", f"{after['VmRSS'] - before['VmRSS']:8.0f} MB")
    line("installed size", f"{_installed_mb(encoder.distribution):8.0f} MB")
    await embedder.close()


async def _median_ms(embedder: EmbeddedEmbedder, text: str, times: int = 15) -> float:
    spent = []
    for _ in range(times):
        start = time.process_time()
        await embedder.embed([text])
        spent.append((time.process_time() - start) * 1000)
    return sorted(spent)[times // 2]


def _installed_mb(distribution: str) -> float:
    try:
        paths = [Path(str(entry.locate())) for entry in files(distribution) or []]
    except PackageNotFoundError:
        return 0.0
    return sum(path.stat().st_size for path in paths if path.exists()) / 1e6


def main() -> None:
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, one thread")
    for encoder in ENCODERS.values():
        if encoder.installed:
            asyncio.run(report(encoder))
        else:
            print(f"\nembedded/{encoder.name}: {encoder.distribution} is not installed")


if __name__ == "__main__":
    main()
