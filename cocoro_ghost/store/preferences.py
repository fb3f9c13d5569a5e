"""Rows of likes and dislikes; their life cycle lives in grow/apply/apply_preferences.py."""

from __future__ import annotations

import json

from cocoro_ghost.errors import NotFound
from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.model.preference import Domain, Polarity, Preference, PreferenceStatus
from cocoro_ghost.store.ports import Reader, Row, Tx


def create(tx: Tx, preference: Preference) -> int:
    """Adds a preference (its `preference_id` is ignored); returns the new id."""
    return tx.insert(
        "preferences.create",
        domain=preference.domain.value,
        polarity=preference.polarity.value,
        subject_key=preference.subject_key,
        first_seen_at=preference.first_seen_at,
        **_changeable(preference),
    )


def save(tx: Tx, preference: Preference) -> None:
    tx.run("preferences.replace", id=preference.preference_id, **_changeable(preference))


def get(reader: Reader, preference_id: int) -> Preference:
    row = reader.one("preferences.get", id=preference_id)
    if row is None:
        raise NotFound(f"There is no preference {preference_id}.")
    return from_row(row)


def find(reader: Reader, domain: Domain, polarity: Polarity, subject: str) -> Preference | None:
    row = reader.one(
        "preferences.find", domain=domain.value, polarity=polarity.value, subject_key=fold_key(subject)
    )
    return None if row is None else from_row(row)


def about_subject(reader: Reader, subject: str) -> list[Preference]:
    return [from_row(row) for row in reader.all("preferences.about_subject", subject_key=fold_key(subject))]


def with_status(
    reader: Reader,
    status: PreferenceStatus | None = None,
    domain: Domain | None = None,
    polarity: Polarity | None = None,
    limit: int = 500,
    skip: int = 0,
) -> list[Preference]:
    rows = reader.all(
        "preferences.with_status", status=status, domain=domain, polarity=polarity, limit=limit, skip=skip
    )
    return [from_row(row) for row in rows]


def from_row(row: Row) -> Preference:
    return Preference(
        preference_id=row["id"],
        domain=Domain(row["domain"]),
        polarity=Polarity(row["polarity"]),
        subject=row["subject"],
        subject_key=row["subject_key"],
        status=PreferenceStatus(row["status"]),
        note=row["note"],
        confidence=row["confidence"],
        evidence_event_ids=tuple(json.loads(row["evidence_json"])),
        first_seen_at=row["first_seen_at"],
        last_seen_at=row["last_seen_at"],
        confirmed_at=row["confirmed_at"],
        revoked_at=row["revoked_at"],
    )


def _changeable(preference: Preference) -> dict[str, object]:
    return {
        "status": preference.status.value,
        "subject": preference.subject,
        "note": preference.note,
        "confidence": preference.confidence,
        "evidence_json": json.dumps(list(preference.evidence_event_ids)),
        "last_seen_at": preference.last_seen_at,
        "confirmed_at": preference.confirmed_at,
        "revoked_at": preference.revoked_at,
    }
