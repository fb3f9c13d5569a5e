"""Retrieval runs: why something was remembered. Ids, counts, scores and reasons; never the bodies."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from cocoro_ghost.errors import NotFound
from cocoro_ghost.model.record import Run
from cocoro_ghost.store.ports import Reader, Row, Tx

KEPT_WHOLE = 1000
"""Newest runs that keep every candidate with its score: ten times the size of all the rest of a run."""


def add(
    tx: Tx,
    event_id: int | None,
    *,
    plan: Mapping[str, object],
    candidates: Mapping[str, object],
    selected: Sequence[Mapping[str, object]],
    pack: Mapping[str, object],
) -> int:
    """Keeps one run; returns its id. Of an old one the long list of those passed over is let go."""
    run_id = tx.insert(
        "runs.add",
        event_id=event_id,
        created_at=tx.now,
        plan_json=_json(plan),
        candidates_json=_json(candidates),
        selected_json=_json(selected),
        pack_json=_json(pack),
    )
    tx.run("runs.thin", run_id=run_id - KEPT_WHOLE)
    return run_id


def get(reader: Reader, run_id: int) -> Run:
    row = reader.one("runs.get", run_id=run_id)
    if row is None:
        raise NotFound(f"There is no retrieval run {run_id}.")
    return _from_row(row)


def listed(reader: Reader, limit: int, before: int | None = None) -> list[Run]:
    """All runs, newest first."""
    return [_from_row(row) for row in reader.all("runs.listed", limit=limit, before=before)]


def of_event(reader: Reader, event_id: int) -> int | None:
    """The run that was made for an event last."""
    value = reader.value("runs.of_event", event_id=event_id)
    return None if value is None else int(value)


def last_selection(reader: Reader, event_id: int) -> object:
    """What was chosen for an event last, as it was kept; None without a run."""
    text = reader.value("runs.last_selection", event_id=event_id)
    return None if text is None else json.loads(text)


def mark(tx: Tx, run_id: int, judgement: str | None) -> None:
    """A person's judgement of what was remembered."""
    if not tx.run("runs.mark", run_id=run_id, mark=judgement):
        raise NotFound(f"There is no retrieval run {run_id}.")


def newest(reader: Reader, limit: int, before: int | None = None) -> list[Run]:
    """Runs whose message is still known, newest first."""
    return [_from_row(row) for row in reader.all("runs.newest", limit=limit, before=before)]


def _from_row(row: Row) -> Run:
    return Run(
        run_id=row["run_id"],
        event_id=row["event_id"],
        created_at=row["created_at"],
        plan=json.loads(row["plan_json"]),
        candidates=json.loads(row["candidates_json"]),
        selected=json.loads(row["selected_json"]),
        pack=json.loads(row["pack_json"]),
        mark=row["mark"],
        user_text=row.get("user_text") or "",
    )


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
