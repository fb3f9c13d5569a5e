"""Small named values of one database file."""

from __future__ import annotations

from cocoro_ghost.store.ports import Reader, Tx


def get(reader: Reader, key: str) -> str | None:
    value = reader.value("meta.get", key=key)
    return None if value is None else str(value)


def beginning_with(reader: Reader, prefix: str) -> dict[str, str]:
    """All values whose name begins so, by the rest of their name."""
    rows = reader.all("meta.beginning_with", prefix=prefix)
    return {str(row["key"]).removeprefix(prefix): str(row["value"]) for row in rows}


def put(tx: Tx, key: str, value: str) -> None:
    tx.run("meta.put", key=key, value=value)


def count_up(tx: Tx, key: str, by: int = 1) -> int:
    """Raises a counter and returns its new value."""
    value = int(get(tx, key) or 0) + by
    put(tx, key, str(value))
    return value
