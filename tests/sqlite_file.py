"""What only tests of the SQLite engine may touch: the connection behind a reader."""

from __future__ import annotations

import apsw

from cocoro_ghost.store.ports import Reader
from cocoro_ghost.store.sqlite.connection import SqliteReader


def connection_of(reader: Reader) -> apsw.Connection:
    assert isinstance(reader, SqliteReader)
    return reader.connection
