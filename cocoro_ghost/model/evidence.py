"""How evidence and names of two memories come together; bounded, so that what is said daily stays small."""

from __future__ import annotations

from collections.abc import Iterable

from cocoro_ghost.model.event import Entity

MAX_EVIDENCE = 32


def merged_evidence(older: Iterable[int], newer: Iterable[int]) -> tuple[int, ...]:
    """Both, in order; of very many the first and the latest are kept."""
    ids = sorted(set(older) | set(newer))
    return tuple(ids if len(ids) <= MAX_EVIDENCE else [ids[0], *ids[-(MAX_EVIDENCE - 1) :]])


def merged_entities(older: Iterable[Entity], newer: Iterable[Entity]) -> tuple[Entity, ...]:
    """The older spelling of a name stays."""
    found = {(entity.type, entity.name.casefold()): entity for entity in older}
    for entity in newer:
        found.setdefault((entity.type, entity.name.casefold()), entity)
    return tuple(found.values())
