"""The life of a liking: candidate → confirmed → revoked, and back. Only confirmed ones may be asserted.

Confirming revokes the opposite; a later candidate never lowers a confirmed one; nothing is forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cocoro_ghost.grow.check.checked import CheckedPreference
from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.preference import Domain, Polarity, Preference, PreferenceStatus
from cocoro_ghost.model.revision import Actor, Cause, Why
from cocoro_ghost.model.state import merged_evidence
from cocoro_ghost.store import plans, preferences
from cocoro_ghost.store.ports import Tx


def apply_preference(tx: Tx, update: CheckedPreference, event: Event) -> None:
    """Applies one update under the cause in force."""
    if update.op == "revoke":
        _revoke_known(tx, update, event)
    elif not _is_forgotten(tx, update, event):
        if update.op == "confirm":
            _confirm(tx, update, event)
        else:
            _note(tx, update, event.created_at)


def confirm_preference(tx: Tx, preference_id: int, reason: str = Why.BY_HAND) -> Preference:
    """The user confirms a preference directly; the opposite is revoked."""
    known = preferences.get(tx, preference_id)
    with tx.because(Cause(Actor.USER, reason, known.evidence_event_ids)):
        saved = replace(
            known,
            status=PreferenceStatus.CONFIRMED,
            confidence=1.0,
            confirmed_at=tx.now,
            revoked_at=None,
            last_seen_at=max(known.last_seen_at, tx.now),
        )
        preferences.save(tx, saved)
        _revoke_opposite(tx, known.polarity, known.subject, tx.now)
    return preferences.get(tx, preference_id)


def revoke_preference(tx: Tx, preference_id: int, reason: str = Why.BY_HAND) -> Preference:
    """The user takes a preference back; its history stays."""
    known = preferences.get(tx, preference_id)
    if known.status is PreferenceStatus.REVOKED:
        return known
    with tx.because(Cause(Actor.USER, reason, known.evidence_event_ids)):
        preferences.save(tx, replace(known, status=PreferenceStatus.REVOKED, revoked_at=tx.now))
    return preferences.get(tx, preference_id)


def settle_opposite(tx: Tx, known: Preference) -> None:
    """Of a liking and its opposite that are both confirmed, the one said last stands."""
    if known.status is not PreferenceStatus.CONFIRMED:
        return
    others = (preferences.find(tx, domain, known.polarity.opposite, known.subject) for domain in Domain)
    for other in others:
        if other is not None and other.status is PreferenceStatus.CONFIRMED:
            earlier, later = sorted((known, other), key=_said)
            preferences.save(
                tx, replace(earlier, status=PreferenceStatus.REVOKED, revoked_at=later.last_seen_at)
            )


def claim_text(domain: Domain, polarity: Polarity, subject: str) -> str:
    """How a forgotten preference is remembered as forgotten."""
    return f"{domain.value}:{polarity.value}:{subject}"


def _is_forgotten(tx: Tx, update: CheckedPreference, event: Event) -> bool:
    claim = claim_text(update.domain, update.polarity, update.subject)
    return plans.is_forgotten(tx, "preference", claim, event.event_id)


def _confirm(tx: Tx, update: CheckedPreference, event: Event) -> None:
    known = preferences.find(tx, update.domain, update.polarity, update.subject)
    at, ended = event.created_at, _ended_since(tx, update, event)
    status = PreferenceStatus.CONFIRMED if ended is None else PreferenceStatus.REVOKED
    if known is None:
        preferences.create(tx, replace(_new(update, at, status), confirmed_at=at, revoked_at=ended))
    else:
        # Said again, it is liked since it was first confirmed, not since today.
        since = known.confirmed_at if known.status is PreferenceStatus.CONFIRMED else at
        seen = _seen_again(known, update, at)
        preferences.save(tx, replace(seen, status=status, confirmed_at=since, revoked_at=ended))
    if ended is None:
        _revoke_opposite(tx, update.polarity, update.subject, at)


def _ended_since(tx: Tx, update: CheckedPreference, event: Event) -> int | None:
    """When the opposite was said after this event, which is learned late (an outage, a plan tried again)."""
    others = (preferences.find(tx, domain, update.polarity.opposite, update.subject) for domain in Domain)
    later = [one for one in others if one is not None and one.status is PreferenceStatus.CONFIRMED]
    return min((one.last_seen_at for one in later if _said_later(one, event)), default=None)


def _said_later(known: Preference, event: Event) -> bool:
    return _said(known) > (event.created_at, event.event_id)


def _said(known: Preference) -> tuple[int, int]:
    """When it was last said, and in which event."""
    return known.last_seen_at, max(known.evidence_event_ids, default=0)


def _note(tx: Tx, update: CheckedPreference, at: int) -> None:
    """A candidate: a guess neither lowers what is confirmed nor brings back what was revoked."""
    known = preferences.find(tx, update.domain, update.polarity, update.subject)
    if known is None:
        preferences.create(tx, _new(update, at, PreferenceStatus.CANDIDATE))
    elif known.status is PreferenceStatus.CANDIDATE:
        preferences.save(tx, _seen_again(known, update, at))
    elif known.status is PreferenceStatus.REVOKED and _opposite_is_gone(tx, update):
        again = replace(_seen_again(known, update, at), status=PreferenceStatus.CANDIDATE, revoked_at=None)
        preferences.save(tx, replace(again, confidence=update.confidence))


def _revoke_known(tx: Tx, update: CheckedPreference, event: Event) -> None:
    known = preferences.find(tx, update.domain, update.polarity, update.subject)
    # What was said after this event is not what it takes back.
    if known is None or known.status is PreferenceStatus.REVOKED or _said_later(known, event):
        return
    evidence = merged_evidence(known.evidence_event_ids, update.evidence)
    revoked = replace(known, status=PreferenceStatus.REVOKED, revoked_at=event.created_at)
    preferences.save(tx, replace(revoked, evidence_event_ids=evidence))


def _revoke_opposite(tx: Tx, polarity: Polarity, subject: str, at: int) -> None:
    """In every domain: a mind may file the same subject here today and there tomorrow."""
    for domain in Domain:
        other = preferences.find(tx, domain, polarity.opposite, subject)
        if other is not None and other.status is not PreferenceStatus.REVOKED:
            preferences.save(tx, replace(other, status=PreferenceStatus.REVOKED, revoked_at=at))


def _opposite_is_gone(tx: Tx, update: CheckedPreference) -> bool:
    others = (preferences.find(tx, domain, update.polarity.opposite, update.subject) for domain in Domain)
    return all(other is None or other.status is not PreferenceStatus.CONFIRMED for other in others)


def _seen_again(known: Preference, update: CheckedPreference, at: int) -> Preference:
    return replace(
        known,
        subject=update.subject,
        note=update.note or known.note,
        confidence=max(known.confidence, update.confidence),
        evidence_event_ids=merged_evidence(known.evidence_event_ids, update.evidence),
        last_seen_at=max(known.last_seen_at, at),
    )


def _new(update: CheckedPreference, at: int, status: PreferenceStatus) -> Preference:
    confirmed = status is PreferenceStatus.CONFIRMED
    evidence: Sequence[int] = update.evidence
    return Preference(
        preference_id=0,
        domain=update.domain,
        polarity=update.polarity,
        subject=update.subject,
        subject_key=fold_key(update.subject),
        status=status,
        note=update.note,
        confidence=update.confidence,
        evidence_event_ids=tuple(evidence),
        first_seen_at=at,
        last_seen_at=at,
        confirmed_at=at if confirmed else None,
        revoked_at=None,
    )
