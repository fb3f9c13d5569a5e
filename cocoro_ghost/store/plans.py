"""What minds proposed and what became of it: write plans, forgotten claims, tidy runs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from cocoro_ghost.errors import NotFound
from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.model.record import KeptPlan, TidyRun
from cocoro_ghost.store.ports import Reader, Row, Tx


def put(
    tx: Tx,
    event_id: int,
    *,
    model: str,
    prompt_hash: str,
    plan_json: str,
    shown: Mapping[str, Sequence[object]],
) -> int:
    """Keeps a plan as it came, with the ids its author was shown."""
    return tx.insert(
        "plans.put",
        event_id=event_id,
        model=model,
        prompt_hash=prompt_hash,
        plan_json=plan_json,
        dropped_json="[]",
        shown_json=json.dumps({name: list(ids) for name, ids in shown.items()}),
        now=tx.now,
    )


def get(reader: Reader, plan_id: int) -> KeptPlan:
    row = reader.one("plans.get", plan_id=plan_id)
    if row is None:
        raise NotFound(f"There is no write plan {plan_id}.")
    return _kept(row)


def of_event(reader: Reader, event_id: int) -> list[KeptPlan]:
    return [_kept(row) for row in reader.all("plans.of_event", event_id=event_id)]


def mark_applied(tx: Tx, plan_id: int, dropped: Sequence[str]) -> bool:
    """True the first time; a plan delivered twice is applied once."""
    text = json.dumps(list(dropped), ensure_ascii=False)
    return bool(tx.run("plans.mark_applied", plan_id=plan_id, dropped_json=text, now=tx.now))


def forget_claim(tx: Tx, kind: str, text: str, up_to_event_id: int) -> None:
    """The claim does not come back from events up to this one."""
    tx.run("plans.forget_claim", kind=kind, claim_key=fold_key(text), up_to=up_to_event_id, now=tx.now)


def unforget_claim(tx: Tx, kind: str, text: str) -> None:
    tx.run("plans.unforget_claim", kind=kind, claim_key=fold_key(text))


def is_forgotten(reader: Reader, kind: str, text: str, event_id: int) -> bool:
    found = reader.value("plans.is_forgotten", kind=kind, claim_key=fold_key(text), event_id=event_id)
    return found is not None


def add_tidy_run(
    tx: Tx, *, started_at: int, milliseconds: int, trigger: str, counts: Mapping[str, object]
) -> int:
    return tx.insert(
        "plans.add_tidy_run",
        started_at=started_at,
        finished_at=tx.now,
        milliseconds=milliseconds,
        trigger=trigger,
        counts_json=json.dumps(dict(counts), ensure_ascii=False),
    )


def has_tidied(reader: Reader, trigger: str) -> bool:
    """Whether a run for this trigger was written already."""
    return reader.one("plans.tidy_run_of", trigger=trigger) is not None


def tidy_runs(reader: Reader, limit: int, before: int | None = None) -> list[TidyRun]:
    """Newest first."""
    rows = reader.all("plans.tidy_runs", limit=limit, before=before)
    return [TidyRun(counts=json.loads(row.pop("counts_json")), **row) for row in rows]


def _kept(row: Row) -> KeptPlan:
    parts = {name: json.loads(row.pop(f"{name}_json")) for name in ("plan", "dropped", "shown")}
    return KeptPlan(**parts, **row)
