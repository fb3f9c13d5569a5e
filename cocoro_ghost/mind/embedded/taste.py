"""One taste as it was said: what the readers of both languages hand over."""

from __future__ import annotations

from dataclasses import dataclass

from cocoro_ghost.model.preference import Domain, Polarity


@dataclass(frozen=True, slots=True)
class Taste:
    """`op` is confirm, upsert_candidate or revoke."""

    op: str
    domain: Domain
    polarity: Polarity
    subject: str
