"""Likes and dislikes, kept apart from other facts so that none is asserted that was never said."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Domain(StrEnum):
    FOOD = "food"
    TOPIC = "topic"
    STYLE = "style"


class Polarity(StrEnum):
    LIKE = "like"
    DISLIKE = "dislike"

    @property
    def opposite(self) -> Polarity:
        return Polarity.DISLIKE if self is Polarity.LIKE else Polarity.LIKE


class PreferenceStatus(StrEnum):
    CANDIDATE = "candidate"
    CONFIRMED = "confirmed"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True)
class Preference:
    preference_id: int
    domain: Domain
    polarity: Polarity
    subject: str
    subject_key: str
    status: PreferenceStatus
    note: str | None
    confidence: float
    evidence_event_ids: tuple[int, ...]
    first_seen_at: int
    last_seen_at: int
    confirmed_at: int | None
    revoked_at: int | None
