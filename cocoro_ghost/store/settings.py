"""Rows of settings.db: presets, sealed secrets, sessions of the page, usage."""

from __future__ import annotations

import json
from collections.abc import Mapping

from cocoro_ghost.model.record import StoredPreset, Usage
from cocoro_ghost.store.ports import Reader, Tx


def presets(reader: Reader, kind: str, *, archived: bool = False) -> list[StoredPreset]:
    rows = reader.all("settings.presets", kind=kind, archived=int(archived))
    return [
        StoredPreset(row["preset_id"], row["name"], json.loads(row["body_json"]), row["archived_at"])
        for row in rows
    ]


def put_preset(
    tx: Tx, kind: str, preset_id: str, name: str, body: Mapping[str, object], position: int = 0
) -> None:
    tx.run(
        "settings.put_preset",
        kind=kind,
        preset_id=preset_id,
        name=name,
        body_json=json.dumps(dict(body), ensure_ascii=False),
        position=position,
        now=tx.clock.system_now(),
    )


def archive_preset(tx: Tx, kind: str, preset_id: str) -> None:
    """Archived, not deleted: sending the same id again brings it back."""
    tx.run("settings.archive_preset", kind=kind, preset_id=preset_id, now=tx.clock.system_now())


def secret(reader: Reader, name: str) -> bytes | None:
    value = reader.value("settings.secret", name=name)
    return None if value is None else bytes(value)


def secrets(reader: Reader) -> list[tuple[str, bytes]]:
    """All of them, sealed, by name."""
    return [(name, bytes(sealed)) for name, sealed in reader.tuples("settings.secrets")]


def put_secret(tx: Tx, name: str, sealed: bytes) -> None:
    tx.run("settings.put_secret", name=name, sealed=sealed, now=tx.clock.system_now())


def drop_secret(tx: Tx, name: str) -> None:
    tx.run("settings.drop_secret", name=name)


def put_session(tx: Tx, session_hash: str, expires_at: int) -> None:
    now = tx.clock.system_now()
    tx.run("settings.drop_old_sessions", now=now)
    tx.run("settings.put_session", session_hash=session_hash, expires_at=expires_at, now=now)


def session_expiry(reader: Reader, session_hash: str, now: int) -> int | None:
    value = reader.value("settings.session", session_hash=session_hash, now=now)
    return None if value is None else int(value)


def drop_session(tx: Tx, session_hash: str) -> bool:
    return bool(tx.run("settings.drop_session", session_hash=session_hash))


def count_usage(
    tx: Tx,
    day: str,
    purpose: str,
    model: str,
    input_tokens: int = 0,
    output_tokens: int = 0,
    cached_tokens: int = 0,
) -> None:
    tx.run(
        "settings.count_usage",
        day=day,
        purpose=purpose,
        model=model,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cached_tokens=cached_tokens,
    )


def usage_since(reader: Reader, day: str) -> list[Usage]:
    return [Usage(**row) for row in reader.all("settings.usage_since", day=day)]
