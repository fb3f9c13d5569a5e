"""Small linear heads trained by `python -m eval.reader.train`: features in, probabilities out.

A head reads either a short list of numbers (`probabilities`) or a text (`shares`): its hashed n-grams
(runs of characters in Japanese; words, their pairs and pieces of words in English) and what it means as the
encoder's vector.
"""

from __future__ import annotations

import io
import re
import unicodedata
import zlib
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.language.encoder import meanings
from cocoro_ghost.language.network import one_thread
from cocoro_ghost.model.scene import Language

Numbers = NDArray[np.float32]
Buckets = NDArray[np.intp]
BUCKETS = 1 << 13
LASTING = ("passing", "lasting")
"""What the head of that name tells apart: talk of the moment, and what will still be so."""
ASKED = ("other", "memory")
"""What the head of that name tells apart: a question about what was told before, and all else."""
LONGEST = 400
"""Characters of a sentence that a head looks at."""
MOST = 8
"""Sentences of a message that a head looks at, half of them from the end: each takes a millisecond."""
_BY_TEXT = ("acts", "asked", "distress", "lasting", "tones")
"""Heads that are asked about the same sentences, one after the other."""
MEANT = 1.5
"""How much the vector weighs beside the n-grams; both have length one."""
_NARROW = 4.0
_DIGITS = re.compile(r"[0-9]+")
_PIECE = re.compile(r"[a-z0']+|[^\sa-z0']")
_RUN = 4
"""Characters of a Japanese run at most."""


def _stored(name: str) -> NDArray[np.float16]:
    stored = resources.files("cocoro_ghost.language").joinpath("data", "heads", f"{name}.npy").read_bytes()
    return np.asarray(np.load(io.BytesIO(stored), allow_pickle=False), dtype=np.float16)


@cache
def _of_meaning(name: str) -> tuple[Numbers, Numbers]:
    """The constant, and the weights that belong to the vector: few, and wanted whole each time."""
    known = _stored(name).astype(np.float32)
    return known[0], known[BUCKETS + 1 :].copy()


@cache
def _of_words(language: Language) -> tuple[NDArray[np.float16], dict[str, slice]]:
    """The weights that belong to n-grams, of all heads side by side, and where each has its own.

    As they are shipped: half as wide, so twice as many stay near the processor.
    """
    every = {f"{name}_{language.value}": _stored(f"{name}_{language.value}") for name in _BY_TEXT}
    ends = np.cumsum([known.shape[1] for known in every.values()]).tolist()
    columns = (slice(end - known.shape[1], end) for end, known in zip(ends, every.values(), strict=True))
    together = np.hstack([known[1 : BUCKETS + 1] for known in every.values()])
    return together, dict(zip(every, columns, strict=True))


@cache
def places(name: str) -> Numbers | None:
    """The vectors of typical sentences that a head measures nearness to, where it has them."""
    path = resources.files("cocoro_ghost.language").joinpath("data", "heads", f"{name}_near.npy")
    return _stored(f"{name}_near").astype(np.float32) if path.is_file() else None


@cache
def weights(name: str) -> Numbers:
    """The weights of a head: one row a feature, the first for the constant, one column a class."""
    return _stored(name).astype(np.float32)


def row(features: Sequence[float] | Numbers) -> Numbers:
    """The features of one text as a head takes them."""
    return np.concatenate([np.ones(1, np.float32), np.asarray(features, np.float32)])


def probabilities(name: str, features: Sequence[float] | Numbers) -> list[float]:
    """The probability of each class."""
    scores = row(features) @ weights(name)
    raised = np.exp(scores - scores.max())
    shares: list[float] = (raised / raised.sum()).tolist()
    return shares


def shares(name: str, texts: Sequence[str], language: Language) -> list[list[float]]:
    """The probability of each class by words and meaning; all alike for a text that is not looked at.

    That is the middle of many texts, and every text where the encoder cannot be had.
    """
    constant, of_meaning = _of_meaning(name)
    found = np.full((len(texts), len(constant)), 1 / len(constant), np.float32)
    looked = list(range(len(texts)))
    if len(looked) > MOST:
        looked = [*looked[: MOST // 2], *looked[-MOST // 2 :]]
    seen = [texts[at] for at in looked]
    meant = meanings(seen) if seen else None
    if meant is not None:
        own = _of_words(language)[1][name]
        words = np.array([_by_words(text, language)[own] for text in seen])
        scores = constant + words + by_meaning(meant, places(name)) @ of_meaning
        raised = np.exp(scores - scores.max(axis=1, keepdims=True))
        found[looked] = raised / raised.sum(axis=1, keepdims=True)
    shares: list[list[float]] = found.tolist()
    return shares


@lru_cache(maxsize=64)
def _by_words(text: str, language: Language) -> Numbers:
    """What the n-grams of a text add to each class of each head: several heads ask about one sentence."""
    buckets, counts = _marks(text, language)
    # A sentence has a hundred n-grams and a head eight thousand rows: only theirs are added up.
    return np.asarray(counts @ _of_words(language)[0].take(buckets, axis=0).astype(np.float32))


def by_meaning(vectors: Numbers, near: Numbers | None = None) -> Numbers:
    """The vectors as numbers for a head; or how near they lie to places.

    A line through space takes half of what was never seen for one side; what is near no place is neither.
    """
    if near is None:
        return MEANT * vectors
    with one_thread():
        alike = vectors @ near.T
    return np.asarray(MEANT * np.exp(_NARROW * (alike - 1)), np.float32)


def words_as_numbers(text: str, language: Language) -> Numbers:
    """The n-grams of a text in a fixed number of buckets, of length one; the hash is the same everywhere."""
    return np.bincount(*_marks(text, language), BUCKETS).astype(np.float32)


def _marks(text: str, language: Language) -> tuple[Buckets, Numbers]:
    """The bucket of each n-gram, and what it counts there."""
    grams = _grams(text, language)
    found = np.fromiter(grams, np.uint32, len(grams))
    buckets, counts = (found % BUCKETS).astype(np.intp), np.where(found >> 31, np.float32(1), np.float32(-1))
    # N-grams in one bucket may cancel out.
    length = float(np.linalg.norm(np.bincount(buckets, counts)))
    return buckets, (counts / (length or 1)).astype(np.float32)


def _grams(text: str, language: Language) -> set[int]:
    """The hash of each n-gram of a text."""
    even = _DIGITS.sub("0", unicodedata.normalize("NFKC", text[:LONGEST]).lower().replace("’", "'"))
    even = even.rstrip(" 。.\n")
    return _runs(even.strip()) if language is Language.JA else _words(even)


def _runs(text: str) -> set[int]:
    """The hash of every run of up to four characters."""
    letters = [letter.encode() for letter in f"^{text}$"]
    return _chained(letters, letters, _RUN)


def _chained(first: list[bytes], then: list[bytes], most: int) -> set[int]:
    """The hash of every run of parts: that of a run goes on from that of the run without its last part."""
    marks = list(map(zlib.crc32, first))
    found = set(marks)
    for length in range(1, most):
        marks = list(map(zlib.crc32, then[length:], marks))
        found.update(marks)
    return found


def _words(text: str) -> set[int]:
    """The hash of the words, their pairs and threes, and of pieces of three and four letters of each word."""
    words = _PIECE.findall(text)
    bounded = [word.encode() for word in ("^", *words, "$")]
    found = _chained(bounded, [b" " + word for word in bounded], 3)
    return found.union(*map(_pieces, words))


@lru_cache(maxsize=4096)
def _pieces(word: str) -> frozenset[int]:
    whole = f"<{word}>"
    starts = ((at, length) for length in (3, 4) for at in range(len(whole) - length + 1))
    return frozenset(zlib.crc32(f"#{whole[at : at + length]}".encode()) for at, length in starts)
