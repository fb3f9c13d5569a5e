"""Small linear heads trained by `python -m eval.reader.train`: features in, probabilities out.

A head reads either a short list of numbers (`probabilities`) or the words of a text as hashed n-grams
(`word_shares`): runs of characters in Japanese; words, their pairs and pieces of words in English.
"""

from __future__ import annotations

import io
import re
import unicodedata
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.model.scene import Language

Numbers = NDArray[np.float32]
BUCKETS = 1 << 13
LONGEST = 400
"""Characters of a sentence that a head looks at."""
_DIGITS = re.compile(r"[0-9]+")
_PIECE = re.compile(r"[a-z0']+|[^\sa-z0']")
_RUN = 4
"""Characters of a Japanese run at most."""


@cache
def weights(name: str) -> Numbers:
    """The weights of a head: one row a feature, the first for the constant, one column a class."""
    stored = resources.files("cocoro_ghost.language").joinpath("data", "heads", f"{name}.npy").read_bytes()
    return np.asarray(np.load(io.BytesIO(stored), allow_pickle=False), dtype=np.float32)


def row(features: Sequence[float] | Numbers) -> Numbers:
    """The features of one text as a head takes them."""
    return np.concatenate([np.ones(1, np.float32), np.asarray(features, np.float32)])


def probabilities(name: str, features: Sequence[float] | Numbers) -> list[float]:
    """The probability of each class."""
    scores = row(features) @ weights(name)
    raised = np.exp(scores - scores.max())
    return [float(share) for share in raised / raised.sum()]


def word_shares(name: str, text: str, language: Language) -> list[float]:
    """The probability of each class by the words alone."""
    return probabilities(name, words_as_numbers(text, language))


def words_as_numbers(text: str, language: Language) -> Numbers:
    """The n-grams of a text in a fixed number of buckets, of length one; the hash is the same everywhere."""
    even = _DIGITS.sub("0", unicodedata.normalize("NFKC", text[:LONGEST]).lower().replace("’", "'"))
    found = np.zeros(BUCKETS, np.float32)
    for gram in set(_runs(even.strip()) if language is Language.JA else _words(even)):
        mark = zlib.crc32(gram.encode())
        found[mark % BUCKETS] += 1.0 if mark >> 31 else -1.0
    length = float(np.linalg.norm(found))
    return found / length if length else found


def _runs(text: str) -> Iterator[str]:
    bounded = f"^{text}$"
    for length in range(1, _RUN + 1):
        for at in range(len(bounded) - length + 1):
            yield bounded[at : at + length]


def _words(text: str) -> Iterator[str]:
    words = _PIECE.findall(text)
    bounded = ["^", *words, "$"]
    for length in (1, 2, 3):
        for at in range(len(bounded) - length + 1):
            yield " ".join(bounded[at : at + length])
    for word in words:
        whole = f"<{word}>"
        for length in (3, 4):
            for at in range(len(whole) - length + 1):
                yield f"#{whole[at : at + length]}"
