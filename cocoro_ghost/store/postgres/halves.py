"""Vectors on the wire: float16 little endian in the program, `halfvec` in the database."""

from __future__ import annotations

import numpy as np
import psycopg
from psycopg.adapt import Buffer, Dumper, Loader, PyFormat
from psycopg.pq import Format
from psycopg.types import TypeInfo

_HEAD = 4  # halfvec's binary form: its dimension and two spare bytes, then the numbers, big endian


class Halves:
    """A stored vector on its way into the database."""

    def __init__(self, stored: bytes) -> None:
        self.stored = stored


class _HalvesDumper(Dumper):
    format = Format.BINARY

    def dump(self, obj: Halves) -> Buffer:
        numbers = np.frombuffer(obj.stored, "<f2").astype(">f2").tobytes()
        return (len(numbers) // 2).to_bytes(2, "big") + b"\0\0" + numbers


class _HalvesLoader(Loader):
    format = Format.BINARY

    def load(self, data: Buffer) -> bytes:
        return np.frombuffer(bytes(data)[_HEAD:], ">f2").astype("<f2").tobytes()


def teach(connection: psycopg.Connection[object]) -> None:
    """Lets one connection read and write them."""
    info = TypeInfo.fetch(connection, "halfvec")
    if info is None:
        return
    dumper = type("HalvesDumper", (_HalvesDumper,), {"oid": info.oid})
    connection.adapters.register_dumper(Halves, dumper)
    connection.adapters.register_loader(info.oid, _HalvesLoader)
    assert connection.adapters.get_dumper(Halves, PyFormat.AUTO)
