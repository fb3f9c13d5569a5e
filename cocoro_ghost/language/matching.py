"""Which of many things told a message is about: what answers it, what it puts right, what it wants forgotten.

A small network over the pieces of both texts, as the shipped encoder sees them: each piece of one looks for
its like in the other. Trained by `python -m eval.reader.train_matching` from told lives.
"""

from __future__ import annotations

import logging
import unicodedata
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from importlib.resources import files
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.errors import Outage
from cocoro_ghost.language.encoder import shared
from cocoro_ghost.language.network import one_thread

log = logging.getLogger(__name__)
Numbers = NDArray[np.float32]
LONGEST = 300
"""Characters of a text that are looked at."""
_KEPT = 512
"""Texts whose pieces are kept for the next question: some 5 MB."""
_NEVER = -1e4
_GELU = 0.7978846


class Task(IntEnum):
    """What a message wants with what was told."""

    ANSWERS = 0
    PUTS_RIGHT = 1
    FORGETS = 2


class Does(IntEnum):
    """What a message does, as far as its words tell."""

    ASKS = 0
    PUTS_RIGHT = 1
    FORGETS = 2
    MOVES_ON = 3
    ASKS_OTHER = 4
    NOTHING = 5


@dataclass(frozen=True, slots=True)
class Seen:
    """A text as the network sees it."""

    tokens: Numbers
    vector: Numbers
    pieces: frozenset[int]


def match(task: Task, message: str, texts: Sequence[str]) -> list[float] | None:
    """How much rather each text is meant than none of them; None where the encoder cannot be had."""
    if not texts:
        return []
    try:
        return _matcher().worth(task, message, texts)
    except (ImportError, OSError, Outage) as error:
        log.debug("texts are told apart without the network: %s", error)
        return None


def does(message: str) -> Mapping[Does, float]:
    """How likely a message does each of these; empty where the encoder cannot be had."""
    try:
        return _matcher().does(message)
    except (ImportError, OSError, Outage) as error:
        log.debug("a message is read without the network: %s", error)
        return {}


def values_put_right(message: str) -> tuple[str, str]:
    """The old and the new value as they stand in a message that corrects something."""
    try:
        return _matcher().values(message)
    except (ImportError, OSError, Outage) as error:
        log.debug("a message is read without the network: %s", error)
        return "", ""


@cache
def _matcher() -> Matcher:
    place = files("cocoro_ghost.language").joinpath("data", "matching.npz")
    with place.open("rb") as file, np.load(file) as kept:
        return Matcher({name: kept[name].astype(np.float32) for name in kept.files if kept[name].ndim})


class Matcher:
    """The network with its weights; for threads at once."""

    def __init__(self, weights: Mapping[str, Numbers]) -> None:
        self._known = weights
        self._recent = OrderedDict[str, Seen]()
        self._keeping = Lock()

    def worth(self, task: Task, message: str, texts: Sequence[str]) -> list[float]:
        """The score of each text less that of none."""
        with one_thread():
            asked, *told = self.seen([message, *texts])
            none = self._linear("null", self._pooled("w", asked.tokens[None], None))[0, task]
            scores = self._pairs(asked, told)[:, task]
        found: list[float] = (scores - none).tolist()
        return found

    def does(self, message: str) -> dict[Does, float]:
        (seen,) = self.seen([message])
        scores = self._linear("kind", self._pooled("w", seen.tokens[None], None))[0]
        raised = np.exp(scores - scores.max())
        return {one: float(raised[one] / raised.sum()) for one in Does}

    def values(self, message: str) -> tuple[str, str]:
        """The words between the first and the last piece that is marked as old, and as new."""
        text = message[:LONGEST]
        (seen,) = self.seen([text])
        around = _gelu(self._convolved("c2", seen.tokens, 5))
        marks = self._linear("tag", np.hstack([seen.tokens, around])).argmax(axis=1)[1:-1]
        spans = places(text, shared().surfaces(text))
        return tuple(_words_between(text, spans, marks, mark) for mark in (1, 2))  # type: ignore[return-value]

    def seen(self, texts: Sequence[str]) -> list[Seen]:
        with self._keeping:
            known = {text: self._recent[text] for text in texts if text in self._recent}
        new = [text for text in dict.fromkeys(texts) if text not in known]
        for text, (pieces, rows, vector) in zip(
            new, shared().looked_at([t[:LONGEST] for t in new]), strict=True
        ):
            # A copy: a row of a batch would keep the whole batch.
            known[text] = Seen(self._tokens(rows), vector.copy(), frozenset(pieces[1:-1]))
        with self._keeping:
            self._recent.update(known)
            for text in known:
                self._recent.move_to_end(text)
            while len(self._recent) > _KEPT:
                self._recent.popitem(last=False)
        return [known[text] for text in texts]

    def _tokens(self, rows: Numbers) -> Numbers:
        own = _gelu(self._linear("inp", rows))
        return self._evened(own + _gelu(self._convolved("conv", own, 3)))

    def _pairs(self, asked: Seen, told: Sequence[Seen]) -> Numbers:
        tokens, is_piece = _side_by_side([one.tokens for one in told])
        about = np.broadcast_to(asked.tokens, (len(told), *asked.tokens.shape))
        like = self._linear("q", asked.tokens) @ self._linear("k", tokens).transpose(0, 2, 1)
        like /= np.float32(np.sqrt(asked.tokens.shape[1]))
        found = _softmax(np.where(is_piece[:, None, :], like, _NEVER)) @ self._linear("v", tokens)
        asks = _softmax(like.transpose(0, 2, 1)) @ self._linear("v", asked.tokens)
        of_asked = self._pooled("w", self._compared("cmp", about, found), None)
        of_told = self._pooled("w2", self._compared("cmp2", tokens, asks), is_piece)
        vectors = np.stack([one.vector for one in told]) * asked.vector
        shared_pieces = [len(asked.pieces & one.pieces) / max(1, len(asked.pieces)) for one in told]
        whole = [
            of_asked,
            of_told,
            _gelu(self._linear("sv", vectors * 20)),
            vectors.sum(axis=1, keepdims=True) * 3,
            np.array(shared_pieces, np.float32)[:, None],
        ]
        return self._linear("o", _gelu(self._linear("h", np.concatenate(whole, axis=1))))

    def _compared(self, name: str, own: Numbers, other: Numbers) -> Numbers:
        both = np.concatenate([own, other, own * other, np.abs(own - other)], axis=2)
        return _gelu(self._linear(name, both))

    def _pooled(self, name: str, rows: Numbers, is_piece: NDArray[np.bool_] | None) -> Numbers:
        weights = self._linear(name, rows)[..., 0]
        shares = _softmax(weights if is_piece is None else np.where(is_piece, weights, _NEVER))
        return np.asarray(np.einsum("nt,ntd->nd", shares, rows), np.float32)

    def _linear(self, name: str, rows: Numbers) -> Numbers:
        return np.asarray(rows @ self._known[f"{name}.weight"].T + self._known[f"{name}.bias"])

    def _convolved(self, name: str, rows: Numbers, width: int) -> Numbers:
        weights, reach = self._known[f"{name}.weight"], width // 2
        padded = np.pad(rows, ((reach, reach), (0, 0)))
        found = sum(padded[at : at + len(rows)] @ weights[:, :, at].T for at in range(width))
        return np.asarray(found + self._known[f"{name}.bias"], np.float32)

    def _evened(self, rows: Numbers) -> Numbers:
        rows = rows - rows.mean(axis=-1, keepdims=True)
        spread = (rows * rows).mean(axis=-1, keepdims=True)
        return np.asarray(rows / np.sqrt(spread + 1e-5) * self._known["n1.weight"] + self._known["n1.bias"])


def _gelu(rows: Numbers) -> Numbers:
    return np.asarray(0.5 * rows * (1 + np.tanh(_GELU * (rows + 0.044715 * rows**3))), np.float32)


def _softmax(rows: Numbers) -> Numbers:
    raised = np.exp(rows - rows.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True), np.float32)


def _side_by_side(texts: Sequence[Numbers]) -> tuple[Numbers, NDArray[np.bool_]]:
    """Texts of different lengths in one block, and which of its rows are pieces."""
    longest, width = max(map(len, texts)), texts[0].shape[1]
    found = np.zeros((len(texts), longest, width), np.float32)
    for row, text in zip(found, texts, strict=True):
        row[: len(text)] = text
    lengths = np.array([len(text) for text in texts])
    return found, np.arange(longest) < lengths[:, None]


def places(text: str, surfaces: Sequence[str]) -> list[tuple[int, int]]:
    """Where each piece stands in the text, which the tokenizer has brought into one form."""
    letters = [
        at for at, char in enumerate(text) for one in unicodedata.normalize("NFKC", char) if not one.isspace()
    ]
    found, begin = [], 0
    for surface in surfaces:
        own = letters[begin : begin + len(surface.replace("▁", ""))]
        begin += len(own)
        found.append((own[0], own[-1] + 1) if own else (len(text), len(text)))
    return found


def _words_between(text: str, spans: Sequence[tuple[int, int]], marks: NDArray[np.int64], mark: int) -> str:
    """The longest run of pieces with a mark, as it stands in the text."""
    best, at = (0, 0), 0
    while at < min(len(spans), len(marks)):
        end = at
        while end < min(len(spans), len(marks)) and marks[end] == mark:
            end += 1
        if end - at > best[1] - best[0]:
            best = (at, end)
        at = max(end, at + 1)
    if best == (0, 0):
        return ""
    return text[spans[best[0]][0] : spans[best[1] - 1][1]].strip(" 、,。.!！?？")
