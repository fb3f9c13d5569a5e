"""The word index on PostgreSQL: postings in blocks of 512 texts, and a tail of what came since the merge.

One row a term and block instead of one a posting; a query reads only the blocks of its own terms. What is in
the tail stands in for what the blocks still say of it: an edited text is never found by its old words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from cocoro_ghost.store.ports import Asked, Tx

if TYPE_CHECKING:
    from cocoro_ghost.store.postgres.connection import PostgresReader

BLOCK = 512
TAIL = 512
"""So many texts may wait to be merged: reading them one by one costs no more than reading blocks."""
_PLACE, _OWN, _NEAR = BLOCK - 1, 1 << 9, 1 << 10
Ints = NDArray[np.int64]
Postings = dict[str, list[tuple[Ints, Ints]]]
"""For each term ids of texts and how they hold it: 0 for one that does not any more."""


class PostgresWords:
    def __init__(self, reader: PostgresReader) -> None:
        self._reader = reader

    def put(self, what: str, item_id: int, own: str, near: str = "") -> None:
        flags = dict.fromkeys(near.split(), _NEAR)
        for term in own.split():
            flags[term] = flags.get(term, 0) | _OWN
        tx = cast(Tx, self._reader)
        tx.run("blocks.clear_tail_of", what=what, id=item_id)
        if flags:
            tx.run(
                "blocks.add_tail", what=what, id=item_id, terms=list(flags), all_flags=list(flags.values())
            )
        tx.run("blocks.mark_tailed", what=what, id=item_id)
        tx.run("blocks.mark_doc", what=what, id=item_id)
        if int(tx.value("blocks.tail_size", what=what)) > TAIL:
            self.merge(what)

    def drop(self) -> None:
        for table in ("blocks", "tail", "tailed", "docs"):
            cast(Tx, self._reader).run(f"blocks.drop_{table}")

    def settle(self, *, begin: bool) -> bool:
        if begin:
            for what in ("event", "state"):
                self.merge(what)
        return False

    def merge(self, what: str) -> None:
        """Takes the tail into the blocks; only blocks with something in the tail are written."""
        tx, tailed = cast(Tx, self._reader), self._tailed(what)
        new: dict[int, list[tuple[str, int, int]]] = {one // BLOCK: [] for one in tailed}
        for term, item_id, flags in tx.tuples("blocks.tail", what=what):
            new[item_id // BLOCK].append((term, item_id, flags))
        for block, postings in new.items():
            gone = [one % BLOCK for one in tailed if one // BLOCK == block]
            self._merge_block(what, block, np.array(gone, np.int64), postings)
        tx.run("blocks.clear_tail", what=what)
        tx.run("blocks.clear_tailed", what=what)

    def counts(self, what: str, terms: Sequence[str]) -> dict[str, int]:
        found = self._postings(what, terms)
        counts = {term: sum(np.count_nonzero(codes) for _, codes in parts) for term, parts in found.items()}
        return {term: int(count) for term, count in counts.items() if count}

    def head_counts(self, what: str, heads: Sequence[str]) -> dict[str, int]:
        beginning = self._beginning_with(what, heads)
        counts = self.counts(what, [term for terms in beginning.values() for term in terms])
        return {head: sum(counts.get(term, 0) for term in terms) for head, terms in beginning.items()}

    def holding(self, what: str, asked: Sequence[Asked]) -> list[Ints]:
        beginning = self._beginning_with(what, [one.term for one in asked if one.is_head])
        wanted = [beginning[one.term] if one.is_head else [one.term] for one in asked]
        postings = self._postings(what, {term for terms in wanted for term in terms})
        found: list[Ints] = []
        for one, terms in zip(asked, wanted, strict=True):
            flag = _NEAR if one.beside else _OWN
            parts = [ids[flags & flag > 0] for term in terms for ids, flags in postings.get(term, ())]
            found.append(np.unique(np.concatenate([np.empty(0, np.int64), *parts])))
        return found

    def unwritten(self, what: str) -> int:
        return int(self._reader.value(f"blocks.{what}_unwritten"))

    def strays(self) -> int:
        return int(self._reader.value("blocks.strays"))

    def _postings(self, what: str, terms: Iterable[str]) -> Postings:
        """Of the blocks, as far as the tail does not say otherwise, and of the tail."""
        asked = list(terms)
        rows = self._reader.tuples("blocks.of_terms", what=what, terms=asked) if asked else []
        hidden = [item_id for term, item_id, _, _ in rows if term is None]
        found = _of_blocks([row[:3] for row in rows if row[2] is not None], hidden)
        for term, item_id, _, flags in rows:
            if flags is not None:
                found.setdefault(term, []).append((np.array([item_id]), np.array([flags])))
        return found

    def _beginning_with(self, what: str, heads: Sequence[str]) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {head: [] for head in heads}
        if found:
            behinds = [chr(ord(head) + 1) for head in found]
            asked = {"what": what, "heads": list(found), "behinds": behinds}
            for head, term in self._reader.tuples("blocks.terms_from", **asked):
                found[head].append(term)
        return found

    def _tailed(self, what: str) -> set[int]:
        return {item_id for (item_id,) in self._reader.tuples("blocks.tailed", what=what)}

    def _merge_block(
        self, what: str, block: int, gone: Ints, postings: Sequence[tuple[str, int, int]]
    ) -> None:
        tx = cast(Tx, self._reader)
        kept: dict[str, list[Ints]] = {}
        for term, places in tx.tuples("blocks.of_block", what=what, block=block):
            codes = np.frombuffer(places, "<u2").astype(np.int64)
            kept[term] = [codes[~np.isin(codes & _PLACE, gone)]]
        for term, item_id, flags in postings:
            kept.setdefault(term, []).append(np.array([item_id % BLOCK | flags], np.int64))
        whole = {term: np.sort(np.concatenate(parts)) for term, parts in kept.items()}
        whole = {term: codes for term, codes in whole.items() if len(codes)}
        tx.run("blocks.clear_block", what=what, block=block)
        if whole:
            sizes = [len(codes) for codes in whole.values()]
            blobs = [codes.astype("<u2").tobytes() for codes in whole.values()]
            names = list(whole)
            tx.run("blocks.put_block", what=what, block=block, terms=names, counts=sizes, places_list=blobs)


def _of_blocks(blocks: Sequence[tuple[str, int, bytes]], hidden: Sequence[int]) -> Postings:
    """All blocks are taken apart in one go: they are many and small."""
    sizes = [len(places) // 2 for _, _, places in blocks]
    codes = np.frombuffer(b"".join(places for _, _, places in blocks), "<u2").astype(np.int64)
    ids = np.repeat(np.array([block for _, block, _ in blocks], np.int64), sizes) * BLOCK + (codes & _PLACE)
    codes[np.isin(ids, np.array(hidden, np.int64))] = 0
    found: Postings = {}
    end = 0
    for (term, _, _), size in zip(blocks, sizes, strict=True):
        begin, end = end, end + size
        found.setdefault(term, []).append((ids[begin:end], codes[begin:end]))
    return found
