"""Trains every head of the reader from the sentences beside this file: `python -m eval.reader.train`.

The same sentences and the same steps give the same weights. A fifth of the sentences is sealed: it is never
trained on, and `--sealed` prints how the heads do on it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.language.distress import CLASSES as DISTRESS
from cocoro_ghost.language.encoder import shared
from cocoro_ghost.language.feelings.feel import CLASSES as VALENCES
from cocoro_ghost.language.feelings.feel import features_of
from cocoro_ghost.language.heads import ASKED, LASTING, Numbers, by_meaning, words_as_numbers
from cocoro_ghost.language.read.settle import CLASSES as ACTS
from cocoro_ghost.language.tones import CLASSES as TONES
from cocoro_ghost.model.scene import Language
from eval.reader import sentences
from eval.reader.sentences import Case

HEADS = Path(__file__).parents[2] / "cocoro_ghost" / "language" / "data" / "heads"


@dataclass(frozen=True, slots=True)
class Head:
    """A head: its sentences, its classes in order, how it is fitted."""

    name: str
    language: Language
    cases: Callable[[], list[Case]]
    classes: Sequence[str]
    decay: float
    speed: float
    steps: int
    typical: Sequence[int] = ()
    """Of each class so many typical sentences, where nearness to them is what counts."""


@dataclass(frozen=True, slots=True)
class Trained:
    """What is shipped of a head, and the share of the sealed sentences it reads right."""

    files: Mapping[str, NDArray[np.float16]]
    score: float


def heads() -> list[Head]:
    """Every head that is shipped."""
    found = []
    for language in (Language.JA, Language.EN):
        code, decay = language.value, 0.001 if language is Language.JA else 0.002
        felt, done = partial(sentences.feelings, code), partial(sentences.acts, code)
        lasts, grave = partial(sentences.lasting, code), partial(sentences.distress, code)
        met = partial(sentences.tones, code)
        found += [
            Head(f"valence_{code}", language, felt, VALENCES, decay, 0.5, 400),
            Head(f"acts_{code}", language, done, ACTS, 2e-5, 8.0, 400),
            Head(f"asked_{code}", language, partial(sentences.asked, code), ASKED, 2e-5, 8.0, 300),
            Head(f"lasting_{code}", language, lasts, LASTING, 1e-4, 4.0, 300),
            Head(f"distress_{code}", language, grave, DISTRESS, 1e-4, 3.0, 400, (150, 250)),
            Head(f"tones_{code}", language, met, TONES, 5e-5, 6.0, 300),
        ]
    return found


def fit(
    rows: Numbers, classes: NDArray[np.int64], count: int, decay: float, speed: float = 0.5, steps: int = 400
) -> Numbers:
    """Softmax regression by full steps with momentum from zero; rare classes weigh more.

    Weights are sums of rows, so each step moves one number a sentence, however many features there are.
    """
    alike = rows @ rows.T
    shares, moved = np.zeros((len(rows), count), np.float32), np.zeros((len(rows), count), np.float32)
    wanted = np.eye(count, dtype=np.float32)[classes]
    rare = len(classes) / count / np.maximum(np.bincount(classes, minlength=count), 1)
    weight = rare[classes][:, None].astype(np.float32) / len(classes)
    for _ in range(steps):
        scores = alike @ shares
        raised = np.exp(scores - scores.max(axis=1, keepdims=True))
        errors = (raised / raised.sum(axis=1, keepdims=True) - wanted) * weight
        moved = 0.9 * moved - speed * (errors + decay * shares)
        shares = shares + moved
    return rows.T @ shares


def trained(head: Head) -> Trained:
    """The weights of a head, fitted to the sentences that are not sealed."""
    known = head.cases()
    classes = np.array([head.classes.index(case.label) for case in known])
    sealed = np.array([case.sealed for case in known])
    texts, files = [case.text for case in known], {}
    if head.classes is VALENCES:
        numbers = features_of(texts, head.language)
    else:
        vectors, near = shared().encode(texts), None
        if head.typical:
            parts = (vectors[~sealed & (classes == at)] for at in range(len(head.classes)))
            near = np.vstack([typical(part, most) for part, most in zip(parts, head.typical, strict=True)])
            files[f"{head.name}_near"] = near
        words = np.stack([words_as_numbers(text, head.language) for text in texts])
        numbers = np.hstack([words, by_meaning(vectors, None if near is None else near.astype(np.float32))])
    rows = np.hstack([np.ones((len(known), 1), np.float32), numbers])
    fitted = fit(rows[~sealed], classes[~sealed], len(head.classes), head.decay, head.speed, head.steps)
    files[head.name] = fitted.astype(np.float16)
    right = (rows[sealed] @ files[head.name]).argmax(axis=1) == classes[sealed]
    return Trained(files, float(right.mean()))


def typical(vectors: Numbers, most: int) -> NDArray[np.float16]:
    """Evenly chosen sentences, each moved to the middle of those that lie nearest to it."""
    chosen = vectors[:: max(1, len(vectors) // most)][:most]
    nearest = (vectors @ chosen.T).argmax(axis=1)
    middles = np.stack([vectors[nearest == at].sum(axis=0) for at in range(len(chosen))])
    return np.asarray(middles / np.linalg.norm(middles, axis=1, keepdims=True), np.float16)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sealed", action="store_true", help="print the scores on the sealed fifth")
    parser.add_argument("--only", help="train the heads whose name begins so")
    options = parser.parse_args()
    HEADS.mkdir(parents=True, exist_ok=True)
    for head in heads():
        if options.only and not head.name.startswith(options.only):
            continue
        made = trained(head)
        for name, numbers in made.files.items():
            np.save(HEADS / f"{name}.npy", numbers)
        print(head.name, f"sealed {made.score:.3f}" if options.sealed else "")


if __name__ == "__main__":
    main()
