"""Encrypted files: ChaCha20-Poly1305 of SQLite3 Multiple Ciphers, which the `apsw` module here is built with.

A key is 64 hexadecimal digits and used as it is: stretching a passphrase happens once, outside.
"""

from __future__ import annotations

import os
from pathlib import Path

import apsw

from cocoro_ghost.store.sqlite.faults import translated

CIPHER = "chacha20"


def unlock(connection: apsw.Connection, key: str | None) -> None:
    """Must come first on a new connection; without a key the file is a plain one."""
    if key is not None:
        connection.execute(f"PRAGMA cipher = '{CIPHER}'").fetchall()
        connection.execute(f"PRAGMA key = 'raw:{int(key, 16):064x}'").fetchall()


def rewrite(source: Path, source_key: str | None, target: Path, target_key: str | None) -> None:
    """A whole copy under another key, or under none; what was written last is in it."""
    partial = target.with_name(target.name + ".partial")
    partial.unlink(missing_ok=True)
    os.close(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with translated():
        flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        connection = apsw.Connection(source.absolute().as_uri(), flags=flags)
        try:
            unlock(connection, source_key)
            connection.set_busy_timeout(10_000)
            # An empty `key` says "plain" aloud: VACUUM INTO would inherit the source's key.
            key = "" if target_key is None else f"raw:{int(target_key, 16):064x}"
            connection.execute(f"VACUUM INTO '{partial.absolute().as_uri()}?cipher={CIPHER}&key={key}'")
        finally:
            connection.close()
    os.replace(partial, target)
