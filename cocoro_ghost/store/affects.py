"""The moment's feeling of each event: one row an event, updated in place."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from cocoro_ghost.errors import NotFound
from cocoro_ghost.model.affect import Affect, Vad
from cocoro_ghost.store.ports import Reader, Row, Tx
from cocoro_ghost.store.queries import as_asked


def put(
    tx: Tx,
    event_id: int,
    *,
    at: int,
    text: str,
    labels: Sequence[str],
    vad: Vad,
    confidence: float,
    inner_thought: str | None = None,
) -> Affect:
    """Sets the affect of an event and returns it."""
    tx.run(
        "affects.put",
        event_id=event_id,
        created_at=at,
        text=text,
        labels_json=json.dumps(list(labels), ensure_ascii=False),
        inner_thought=inner_thought,
        v=vad.v,
        a=vad.a,
        d=vad.d,
        confidence=confidence,
    )
    row = tx.one("affects.of_event", event_id=event_id)
    assert row is not None
    return from_row(row)


def of_event(reader: Reader, event_id: int) -> Affect | None:
    row = reader.one("affects.of_event", event_id=event_id)
    return None if row is None else from_row(row)


def get(reader: Reader, affect_id: int) -> Affect:
    row = reader.one("affects.get", id=affect_id)
    if row is None:
        raise NotFound(f"There is no affect {affect_id}.")
    return from_row(row)


def by_ids(reader: Reader, ids: Iterable[int]) -> dict[int, Affect]:
    wanted = list(ids)
    rows = reader.all("affects.by_ids", ids=wanted)
    return as_asked(wanted, {row["id"]: from_row(row) for row in rows})


def newest(reader: Reader, limit: int, before: int | None = None) -> list[Affect]:
    return [from_row(row) for row in reader.all("affects.newest", limit=limit, before=before)]


def between(reader: Reader, start_ts: int, end_ts: int) -> list[Affect]:
    """Oldest first."""
    return [from_row(row) for row in reader.all("affects.between", start_ts=start_ts, end_ts=end_ts)]


def valences(reader: Reader, event_ids: Iterable[int]) -> tuple[float, ...]:
    """How pleasant each of the events felt, in their order."""
    return tuple(row[0] for row in reader.tuples("affects.valences", ids=list(event_ids)))


def set_searchable(tx: Tx, affect_id: int, searchable: bool) -> None:
    tx.run("affects.set_searchable", id=affect_id, searchable=int(searchable))


def from_row(row: Row) -> Affect:
    return Affect(
        affect_id=row["id"],
        event_id=row["event_id"],
        created_at=row["created_at"],
        text=row["moment_affect_text"],
        labels=tuple(json.loads(row["moment_affect_labels_json"])),
        inner_thought=row["inner_thought_text"],
        vad=Vad(row["vad_v"], row["vad_a"], row["vad_d"]),
        confidence=row["confidence"],
        searchable=bool(row["searchable"]),
    )
