"""Whose a claim is: what one tells of oneself, and what is told of each other person or pet."""

from __future__ import annotations

from collections.abc import Sequence

from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.model.reading import Certainty, Claim, Slot

SINGLE = frozenset(
    {
        Slot.NAME,
        Slot.CALLED,
        Slot.HOME,
        Slot.HOMETOWN,
        Slot.WORK,
        Slot.EMPLOYER,
        Slot.SCHOOL,
        Slot.AGE,
        Slot.BIRTHDAY,
        Slot.PARTNER,
    }
)
"""What one has one of: told anew, it takes the place of what was told before."""
_BEINGS = frozenset({Slot.FAMILY, Slot.PET, Slot.PARTNER})


def of_oneself(claims: Sequence[Claim]) -> list[Claim]:
    """What one tells of oneself; that one has a sister or a cat is told by what is told of them."""
    named = any(c.slot is Slot.PET and c.who.name for c in claims)
    told_elsewhere = {Slot.DONE, Slot.OTHER, Slot.PLAN, *((Slot.PET,) if named else ())}
    roles = {c.who.role for c in claims if c.who.kind in {"person", "pet"}} - {""}
    own = [c for c in claims if c.who.kind == "me" and c.slot not in told_elsewhere]
    own = [c for c in own if not _is_of_one(roles, c)]
    return [c for c in _distinct(own) if c.certainty is not Certainty.HEDGED or c.slot in SINGLE]


def _is_of_one(roles: set[str], claim: Claim) -> bool:
    return claim.slot in _BEINGS and any(role in claim.value for role in roles)


def _distinct(claims: Sequence[Claim]) -> list[Claim]:
    kept: dict[tuple[str, str], Claim] = {}
    born = {claim.span for claim in claims if claim.slot is Slot.BIRTHDAY}
    for claim in claims:
        if claim.slot is Slot.HOMETOWN and claim.span in born:
            continue
        told = claim.detail if claim.slot is Slot.NOTE else claim.value
        # One has one home, and may have had many.
        single = claim.slot in SINGLE and claim.certainty is not Certainty.PAST
        key = (claim.slot.value, "" if single else fold_key(told))
        kept.setdefault(key, claim)
    return list(kept.values())


def of_others(claims: Sequence[Claim]) -> list[list[Claim]]:
    """All that a message says of others, one list a person or pet."""
    groups: dict[tuple[str, str], list[Claim]] = {}
    for claim in claims:
        if claim.who.kind in {"person", "pet"} and claim.slot not in {Slot.DONE, Slot.OTHER, Slot.PLAN}:
            groups.setdefault((claim.who.role, claim.who.name), []).append(claim)
    merged: dict[tuple[str, str], list[Claim]] = {}
    for (role, name), found in groups.items():
        home = next((known for known in merged if _same_being(known, role, name)), None)
        if home is None:
            merged[(role, name)] = list(found)
        else:
            merged[home].extend(found)
    return list(merged.values())


def _same_being(known: tuple[str, str], role: str, name: str) -> bool:
    """By name; or by role, while one of the two has no name."""
    return bool((role and known[0] == role and (not known[1] or not name)) or (name and known[1] == name))
