"""Trains every head of the reader from the sentences beside this file: `python -m eval.reader.train`.

The same sentences and the same steps give the same weights. A fifth of the sentences is sealed: it is never
trained on, and `--sealed` prints how the heads do on it.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.language.feelings.feel import CLASSES
from cocoro_ghost.language.feelings.feel import features as feeling_features
from cocoro_ghost.language.feelings.words import find_hits, sentences
from cocoro_ghost.language.heads import row
from cocoro_ghost.model.scene import Language

HERE = Path(__file__).parent
HEADS = HERE.parents[1] / "cocoro_ghost" / "language" / "data" / "heads"
_STEPS = 400
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Case:
    text: str
    label: str
    sealed: bool


@dataclass(frozen=True, slots=True)
class Head:
    """A head: its sentences (`<file>.jsonl`), its classes in order, what it reads off a text."""

    name: str
    file: str
    classes: Sequence[str]
    features: Callable[[str], list[float]]
    decay: float = 0.002


def _feelings(language: Language) -> Callable[[str], list[float]]:
    def read(text: str) -> list[float]:
        hits = [hit for sentence in sentences(text) for hit in find_hits(sentence, language)]
        return feeling_features(text, language, hits)

    return read


def heads() -> list[Head]:
    return [
        Head("valence_ja", "feelings_ja", CLASSES, _feelings(Language.JA)),
        Head("valence_en", "feelings_en", CLASSES, _feelings(Language.EN)),
    ]


def cases(file: str) -> list[Case]:
    lines = (HERE / f"{file}.jsonl").read_text(encoding="utf-8").splitlines()
    found = (json.loads(line) for line in lines if line)
    return [Case(case["text"], case["label"], case["sealed"]) for case in found]


def fit(rows: Numbers, classes: NDArray[np.int64], count: int, decay: float) -> Numbers:
    """Softmax regression by full steps with momentum from zero; classes weigh the same."""
    weights, speed = np.zeros((rows.shape[1], count)), np.zeros((rows.shape[1], count))
    wanted = np.eye(count)[classes]
    share = (len(classes) / count / np.bincount(classes, minlength=count))[classes][:, None]
    for _ in range(_STEPS):
        scores = rows @ weights
        raised = np.exp(scores - scores.max(axis=1, keepdims=True))
        errors = (raised / raised.sum(axis=1, keepdims=True) - wanted) * share
        speed = 0.9 * speed - 0.5 * (rows.T @ errors / len(classes) + decay * weights)
        weights = weights + speed
    return weights


def trained(head: Head) -> tuple[NDArray[np.float16], float]:
    """The weights of a head, and the share of the sealed sentences it reads right."""
    known = cases(head.file)
    classes = np.array([head.classes.index(case.label) for case in known])
    sealed = np.array([case.sealed for case in known])
    rows = np.stack([row(head.features(case.text)) for case in known]).astype(np.float64)
    weights = fit(rows[~sealed], classes[~sealed], len(head.classes), head.decay).astype(np.float16)
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
