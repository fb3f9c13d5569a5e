"""PostgreSQL's errors as ours, each with a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors

from cocoro_ghost.errors import Conflict, DiskFull, StoreError

WITHOUT_CAUSE = "GH001"


class StalePlans(StoreError):
    """The schema changed under a prepared statement; nothing was done, and done anew it works."""


@contextmanager
def translated() -> Iterator[None]:
    try:
        yield
    except errors.IntegrityError as error:
        raise Conflict(f"The store refused this change: {error.diag.message_primary}") from error
    except errors.DiskFull as error:
        raise DiskFull("The database's disk is full: nothing was written.") from error
    except errors.FeatureNotSupported as error:
        raise StalePlans(f"The store could not be used: {error.diag.message_primary}") from error
    except psycopg.Error as error:
        said = error.diag.message_primary or str(error)
        if error.sqlstate == WITHOUT_CAUSE:
            raise StoreError(said) from error
        raise StoreError(f"The store could not be used: {said}") from error
