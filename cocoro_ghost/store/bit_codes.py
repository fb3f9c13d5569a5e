"""Vectors as one bit a dimension: how many bits differ, and how well a query fits the bits. Pure."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]
Halves = NDArray[np.int16]
Codes = NDArray[np.uint64]

_BLOCK = 1 << 14  # codes looked at in one go: small enough for the processor's cache


def code_of(halves: Halves, mean: Halves | None) -> Codes:
    """One bit a dimension: above the mean or not, packed into 64-bit words."""
    dimension = halves.shape[1]
    middle = np.zeros(dimension, np.int16) if mean is None else mean
    bits = np.packbits(_sortable(halves) > _sortable(middle), axis=1)
    padded = np.zeros((len(halves), words_of(dimension) * 8), np.uint8)
    padded[:, : bits.shape[1]] = bits
    return padded.view(np.uint64)


def words_of(dimension: int) -> int:
    return -(-dimension // 64)


def differing_bits(codes: Codes, code: Codes) -> NDArray[np.uint16]:
    words, n = codes.shape
    distance = np.empty(n, np.uint16)
    different = np.empty((words, _BLOCK), np.uint64)
    counts = np.empty((words, _BLOCK), np.uint8)
    for start in range(0, n, _BLOCK):
        width = min(_BLOCK, n - start)
        part, count = different[:, :width], counts[:, :width]
        np.bitwise_xor(codes[:, start : start + width], code[:, None], out=part)
        np.bitwise_count(part, out=count)
        np.add.reduce(count, axis=0, dtype=np.uint16, out=distance[start : start + width])
    return distance


def smallest(distance: NDArray[np.uint16], count: int) -> Ints:
    """Positions of the smallest; of those that tie for the last place the latest."""
    edge = np.partition(distance, count - 1)[count - 1]
    nearer = np.flatnonzero(distance < edge)
    at_edge = np.flatnonzero(distance == edge)
    return np.concatenate([nearer, at_edge[len(at_edge) - (count - len(nearer)) :]])


def as_halves(rows: Floats) -> Halves:
    """The bits of float16 numbers."""
    return rows.astype("<f2").view(np.int16)


def _sortable(halves: Halves) -> Halves:
    """Maps float16 bits to integers of the same order: comparing those needs no conversion to floats."""
    return halves ^ ((halves >> 15) & np.int16(0x7FFF))


def fits(codes: Codes, query: Floats) -> Floats:
    """How well a query fits each code: a bit counts as much as the query's own number says there."""
    columns = np.ascontiguousarray(codes.T).view(np.uint8)
    scores: Floats = np.unpackbits(columns, axis=1, count=len(query)).astype(np.float32) @ query
    return scores
