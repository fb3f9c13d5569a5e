"""`python bench/store.py [--large]`: turns/s, commits, word and vector queries, as ratios within one run.

Each figure stands beside its target. They are medians of CPU time; only ratios of one run may be compared.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
from pathlib import Path

# One core each: what is compared is work, not how many cores happen to be free.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench import encryption, turns, vectors


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--large", action="store_true", help="also 1,000,000 vectors (4 GB memory, minutes)")
    parser.add_argument("--only", choices=("writing", "words", "vectors", "encryption"), help="one part")
    parser.add_argument("--sizes", default="10000,100000", help="rows, separated by commas")
    options = parser.parse_args()
    sizes = [int(size) for size in options.sizes.split(",")]
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if options.only in (None, "writing"):
            turns.report_writing(folder)
        if options.only in (None, "words"):
            for size in sizes:
                turns.report_words(folder, size)
        if options.only in (None, "vectors"):
            for size in [*sizes, *([1_000_000] if options.large else [])]:
                vectors.report(folder, size)
        if options.only in (None, "encryption"):
            encryption.report(folder)


if __name__ == "__main__":
    main()
