"""Trains every head of the reader from the sentences beside this file: `python -m eval.reader.train`.

The same sentences and the same steps give the same weights. A fifth of the sentences is sealed: it is never
trained on, and `--sealed` prints how the heads do on it.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.language.distress import CLASSES as DISTRESS
from cocoro_ghost.language.feelings.feel import CLASSES as VALENCES
from cocoro_ghost.language.feelings.feel import features_of
from cocoro_ghost.language.heads import LASTING, Numbers, row, words_as_numbers
from cocoro_ghost.language.read.settle import CLASSES as ACTS
from cocoro_ghost.model.scene import Language
from eval.reader import sentences
from eval.reader.sentences import Case

HEADS = Path(__file__).parents[2] / "cocoro_ghost" / "language" / "data" / "heads"


@dataclass(frozen=True, slots=True)
class Head:
    """A head: its sentences, its classes in order, what it reads off a text."""

    name: str
    cases: Callable[[], list[Case]]
    classes: Sequence[str]
    features: Callable[[str], Sequence[float] | Numbers]
    decay: float = 0.002
    speed: float = 0.5
    steps: int = 400


def heads() -> list[Head]:
    """Every head that is shipped."""
    found = []
    for language in (Language.JA, Language.EN):
        code, words = language.value, partial(words_as_numbers, language=language)
        felt, decay = partial(features_of, language=language), 0.001 if language is Language.JA else 0.002
        found += [
            Head(f"valence_{code}", partial(sentences.feelings, code), VALENCES, felt, decay),
            Head(f"acts_{code}", partial(sentences.acts, code), ACTS, words, 2e-5, 8.0, 400),
            Head(f"lasting_{code}", partial(sentences.lasting, code), LASTING, words, 1e-4, 4.0, 300),
            Head(f"distress_{code}", partial(sentences.distress, code), DISTRESS, words, 1e-4, 4.0, 300),
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


def trained(head: Head) -> tuple[NDArray[np.float16], float]:
    """The weights of a head, and the share of the sealed sentences it reads right."""
    known = head.cases()
    classes = np.array([head.classes.index(case.label) for case in known])
    sealed = np.array([case.sealed for case in known])
    rows = np.stack([row(head.features(case.text)) for case in known])
    weights = fit(
        rows[~sealed], classes[~sealed], len(head.classes), head.decay, head.speed, head.steps
    ).astype(np.float16)
    right = (rows[sealed] @ weights).argmax(axis=1) == classes[sealed]
    return weights, float(right.mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sealed", action="store_true", help="print the scores on the sealed fifth")
    parser.add_argument("--only", help="train the heads whose name begins so")
    options = parser.parse_args()
    HEADS.mkdir(parents=True, exist_ok=True)
    for head in heads():
        if options.only and not head.name.startswith(options.only):
            continue
        weights, score = trained(head)
        np.save(HEADS / f"{head.name}.npy", weights)
        print(head.name, weights.shape, f"sealed {score:.3f}" if options.sealed else "")


if __name__ == "__main__":
    main()
