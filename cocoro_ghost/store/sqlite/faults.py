"""SQLite's errors as ours, each with a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import apsw

from cocoro_ghost.errors import Conflict, DatabaseCorrupt, DiskFull, StoreError


@contextmanager
def translated() -> Iterator[None]:
    """SQLite's errors as ours, with a sentence."""
    try:
        yield
    except apsw.FullError as error:
        raise DiskFull("The disk is full; free some space and try again.") from error
    except (apsw.CorruptError, apsw.NotADBError) as error:
        raise DatabaseCorrupt(f"The database file is damaged: {error}") from error
    except apsw.ConstraintError as error:
        raise Conflict(f"The store refused this change: {error}") from error
    except (apsw.IOError, apsw.CantOpenError, apsw.BusyError, apsw.ReadOnlyError) as error:
        raise StoreError(f"The store could not be used: {error}") from error
