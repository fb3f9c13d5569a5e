"""The word index of a SQLite file: FTS5 tables without content; texts come in already cut into terms."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.store.ports import Asked, Tx

if TYPE_CHECKING:
    from cocoro_ghost.store.sqlite.connection import SqliteReader


_PIECES = 3
"""So many pieces are as good as one; a life of small writes has ten, and every term is looked up in each."""
_PAGES = 300
"""Pages written in one go: a few hundredths of a second in which nobody else can write."""


class SqliteWords:
    def __init__(self, reader: SqliteReader) -> None:
        self._reader = reader

    def put(self, what: str, item_id: int, own: str, near: str = "") -> None:
        beside = {"near": near} if what == "event" else {}
        cast(Tx, self._reader).run(f"fts.put_{what}", item_id=item_id, own=own, **beside)

    def drop(self) -> None:
        for what in ("event", "state"):
            cast(Tx, self._reader).run(f"fts.drop_{what}")

    def counts(self, what: str, terms: Sequence[str]) -> dict[str, int]:
        return dict(self._reader.tuples(f"fts.{what}_counts", terms=list(terms)))

    def head_counts(self, what: str, heads: Sequence[str]) -> dict[str, int]:
        count = partial(self._reader.value, f"fts.{what}_prefix_count")
        return {head: int(count(first=head, last=chr(ord(head) + 1))) for head in heads}

    def holding(self, what: str, asked: Sequence[Asked]) -> list[NDArray[np.int64]]:
        matches = [_match(one, what) for one in asked]
        # One text a term, not one row a posting: to make a row costs more than to find it.
        rows = self._reader.tuples(f"fts.{what}_holding", matches=matches)
        return [np.fromstring(ids or "", np.int64, sep=",") for (ids,) in rows]

    def settle(self, *, begin: bool) -> bool:
        return any([self._settled(what, begin) for what in ("event", "state")])

    def _settled(self, what: str, begin: bool) -> bool:
        if begin and int(self._reader.value(f"fts.{what}_pieces")) <= _PIECES:
            return False
        before = self._reader.connection.total_changes()
        cast(Tx, self._reader).run(f"fts.settle_{what}", pages=-_PAGES if begin else _PAGES)
        # As SQLite's manual has it: a merge that changes fewer than two rows found nothing to do.
        return self._reader.connection.total_changes() - before >= 2

    def unwritten(self, what: str) -> int:
        return int(self._reader.value(f"fts.{what}_unwritten"))

    def strays(self) -> int:
        return int(self._reader.value("fts.strays"))


def _match(asked: Asked, what: str) -> str:
    term = f'"{asked.term}"*' if asked.is_head else f'"{asked.term}"'
    if what == "state":
        return term
    return f"near : {term}" if asked.beside else f"own : {term}"
