"""What the program asks of a database, whichever engine answers. Nothing here knows SQLite or PostgreSQL.

A `Reader` sees one unchanging state, a `Tx` changes it whole or not at all, a `Database` hands out both.
Only the modules of this folder name queries and columns; what leaves them are types of `model`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cocoro_ghost.clock import Clock
from cocoro_ghost.model.revision import Cause

T = TypeVar("T")
Row = dict[str, Any]
Params = Mapping[str, object]


class Tables(Protocol):
    """Whole tables, row by row: what export and import stand on."""

    def columns(self, table: str) -> list[str]: ...

    def count(self, table: str) -> int: ...

    def each(self, table: str) -> Iterator[Row]:
        """Every row in key order."""

    def put(self, table: str, row: Row) -> None:
        """Adds a row exactly as it is, or puts it in the place of the one with its key."""

    def loading(self) -> AbstractContextManager[None]:
        """No revision is written for the rows put inside; they may come in any order."""


class Asked(NamedTuple):
    """One term to be looked for: in a text itself or beside it, whole or as the beginning of others."""

    term: str
    beside: bool = False
    is_head: bool = False


class Words(Protocol):
    """Which texts hold which terms. `what` is "event" or "state"; texts come in already cut into terms."""

    def put(self, what: str, item_id: int, own: str, near: str = "") -> None:
        """Takes one text in, new or changed: its own terms and those beside it, between spaces."""

    def drop(self) -> None:
        """Empties the index."""

    def counts(self, what: str, terms: Sequence[str]) -> dict[str, int]:
        """In how many texts each term stands; an unknown one is left out."""

    def head_counts(self, what: str, heads: Sequence[str]) -> dict[str, int]:
        """For each character the counts of all terms that begin with it, added up."""

    def holding(self, what: str, asked: Sequence[Asked]) -> list[NDArray[np.int64]]:
        """For each of the asked the ids of the texts that hold it: arrays, for they are thousands."""

    def settle(self, *, begin: bool) -> bool:
        """Brings together a little of what many writes left in pieces; True while there is more of it."""

    def unwritten(self, what: str) -> int:
        """How many things are neither in the index nor waiting to be taken in."""

    def strays(self) -> int:
        """How many things are in the index that are no more."""


class Reader(Protocol):
    """Runs named queries on one consistent state; rows are dicts."""

    def all(self, query: str, /, **params: object) -> list[Row]: ...

    def one(self, query: str, /, **params: object) -> Row | None: ...

    def value(self, query: str, /, **params: Any) -> Any:
        """The first column of the first row, or None."""

    def tuples(self, query: str, /, **params: Any) -> list[tuple[Any, ...]]:
        """Bare rows, for queries that answer with hundreds of them."""

    def each(self, query: str, /, **params: Any) -> Iterator[tuple[Any, ...]]:
        """Bare rows one by one: whoever has seen enough stops."""

    def rows(self, sql: str, params: Params | None = None) -> list[Row]:
        """Rows of a statement that had to be composed (a table by name); everything else is a named query."""

    @property
    def tables(self) -> Tables: ...

    @property
    def words(self) -> Words: ...


class Tx(Reader, Protocol):
    """A transaction under way; one at a time for each database."""

    @property
    def clock(self) -> Clock: ...

    @property
    def now(self) -> int:
        """Domain time: memory lives in it."""

    @property
    def holder(self) -> str:
        """Who writes: the name under which this process holds leases."""

    def run(self, query: str, /, **params: object) -> int:
        """Executes a named statement; returns how many rows it changed."""

    def insert(self, query: str, /, **params: object) -> int:
        """Executes a named INSERT; returns the new row's id."""

    def execute(self, sql: str, params: Params | None = None) -> int:
        """As `run`, for a statement that had to be composed."""

    def because(self, cause: Cause) -> AbstractContextManager[None]:
        """Names the cause that is recorded for every change inside."""

    def savepoint(self) -> AbstractContextManager[None]:
        """What happens inside is undone when it raises; the transaction itself goes on."""

    def announce(self, topic: str) -> None:
        """Listeners of the topic are called once the transaction is safe."""


class Nearest(Protocol):
    """What is nearest in meaning, in one space."""

    @property
    def space(self) -> str: ...

    @property
    def items(self) -> int: ...

    @property
    def loaded(self) -> bool: ...

    def search(
        self,
        reader: Reader,
        query: ArrayLike,
        *,
        kinds: Collection[int] = ...,
        limit: int = ...,
        since: int | None = ...,
        until: int | None = ...,
        rescore: int | None = ...,
    ) -> list[tuple[int, float]]:
        """The nearest searchable items, best first, as (item_id, cosine); since <= ts < until."""


class Database(Protocol):
    """One part of a ghost (its memory, its settings, its reminders): one writer, many readers."""

    @property
    def path(self) -> Path: ...

    @property
    def clock(self) -> Clock: ...

    async def write(self, fn: Callable[[Tx], T]) -> T:
        """Runs `fn` in one transaction; all of it is safe when this returns, or none of it ever."""

    async def read(self, fn: Callable[[Reader], T]) -> T:
        """Runs `fn` on a consistent state."""

    def write_now(self, fn: Callable[[Tx], T]) -> T:
        """As `write`, for code outside an event loop (commands, set-up)."""

    def read_now(self, fn: Callable[[Reader], T]) -> T:
        """As `read`, for code outside an event loop, and for threads of its own."""

    def write_soon(self, fn: Callable[[Tx], object]) -> None:
        """Queues a write nobody waits for: counters, never anything that must not be lost."""

    def read_soon(self, fn: Callable[[Reader], object]) -> None:
        """Queues a read nobody waits for: a look that ends in a log line."""

    def check(self) -> None:
        """Reads everything once; where something is found wrong nothing is written from then on."""

    def stop_writing(self, why: str) -> None:
        """From now on every write is refused with what is wrong; reading goes on."""

    @property
    def damage(self) -> str:
        """Why nothing is written any more; empty while all is sound."""

    def at_one_moment(self) -> AbstractContextManager[Reader]:
        """A reader on one unchanging state, for a long walk; one thread at a time."""

    def listen(self, topic: str, callback: Callable[[], object]) -> None:
        """Calls back after each commit that announced the topic; must be quick."""

    async def move_to(self, path: Path, before_use: Callable[[], None]) -> None:
        """Goes on living in a copy of itself: everything committed is in it, everything later goes there."""

    def close(self) -> None:
        """Waits for what is under way; whatever comes later is refused with a StoreError."""


class Engine(Protocol):
    """Where one ghost lives: its memory, its settings, its reminders, each a database of its own."""

    def memory(self, embedding_preset_id: str) -> Database:
        """The memory that is lived in with an embedding preset."""

    def settings(self) -> Database: ...

    def reminders(self) -> Database: ...
