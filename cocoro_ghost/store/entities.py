"""Names by normalised key: which events and states speak of whom or what."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cocoro_ghost.language.fold import fold_name
from cocoro_ghost.model.event import Entity, EntityType
from cocoro_ghost.model.record import Named
from cocoro_ghost.store.ports import Reader, Tx


@dataclass(frozen=True, slots=True)
class EntityKey:
    type: EntityType
    norm: str


def to_json(found: Sequence[Entity]) -> str:
    """The snapshot kept beside an event or a state, for showing and for undo."""
    items = [{"type": e.type.value, "name": e.name, "confidence": e.confidence} for e in found]
    return json.dumps(items, ensure_ascii=False)


def reindex_event(tx: Tx, event_id: int, found: Sequence[Entity]) -> None:
    _reindex(tx, "event", event_id, found)


def reindex_state(tx: Tx, state_id: int, found: Sequence[Entity]) -> None:
    _reindex(tx, "state", state_id, found)


def key_of(reader: Reader, entity: Entity) -> EntityKey:
    """The canonical key of a name, aliases followed."""
    norm = fold_name(entity.name)
    canonical = reader.value("entities.canonical", type=entity.type.value, alias=norm)
    return EntityKey(entity.type, norm if canonical is None else str(canonical))


def put_alias(tx: Tx, entity_type: EntityType, alias: str, name: str) -> None:
    """From now on `alias` means `name`; rows already indexed under the alias are found by both."""
    alias, name = fold_name(alias), fold_name(name)
    tx.run("entities.put_alias", type=entity_type.value, alias=alias, name=name, now=tx.now)


def remove_alias(tx: Tx, entity_type: EntityType, alias: str, name: str) -> None:
    alias, name = fold_name(alias), fold_name(name)
    tx.run("entities.remove_alias", type=entity_type.value, alias=alias, name=name)


def aliases(reader: Reader) -> list[tuple[EntityType, str, str]]:
    """(type, alias, name) in order."""
    found = reader.all("entities.aliases")
    return [(EntityType(row["entity_type_norm"]), row["alias_norm"], row["name_norm"]) for row in found]


def matching(reader: Reader, names: Iterable[str]) -> list[EntityKey]:
    """Known keys for folded names that may be names or aliases."""
    rows = reader.all("entities.matching", names=[fold_name(name) for name in names])
    return [EntityKey(EntityType(row["type"]), row["norm"]) for row in rows]


def known_names(reader: Reader, limit: int = 500) -> list[Named]:
    """Most often named first."""
    rows = reader.all("entities.known_names", limit=limit)
    return [Named(EntityType(row["type"]), row["norm"], row["raw"], n=row["n"]) for row in rows]


def persons_since(reader: Reader, after: int, at_least: int, limit: int) -> list[Named]:
    """People named in chats after an event, most often first."""
    rows = reader.all("entities.persons_since", after=after, at_least=at_least, limit=limit)
    return [Named(EntityType.PERSON, row["norm"], row["raw"], n=row["n"]) for row in rows]


def newest_states_of(reader: Reader, key: EntityKey, limit: int) -> list[int]:
    """The newest states that name someone or something."""
    rows = reader.all("entities.newest_states_of", norm=key.norm, type=key.type.value, limit=limit)
    return [row["state_id"] for row in rows]


def events_of(reader: Reader, key: EntityKey, limit: int, floor: float = 0.0) -> list[tuple[int, float]]:
    """Searchable events that speak of a name, newest first."""
    return events_of_all(reader, [key], limit, floor)[key]


def events_of_all(
    reader: Reader, keys: Sequence[EntityKey], limit: int, floor: float = 0.0
) -> dict[EntityKey, list[tuple[int, float]]]:
    """As `events_of`, for many names in one query; the limit is each name's own."""
    return by_key(reader, "entities.events_of", keys, limit=limit, floor=floor)


def by_key(
    reader: Reader, query: str, keys: Sequence[EntityKey], **params: object
) -> dict[EntityKey, list[tuple[int, float]]]:
    """Runs a query that is asked for many names at once; (id, confidence) of what each found."""
    found: dict[EntityKey, list[tuple[int, float]]] = {key: [] for key in keys}
    if found:
        types, norms = [key.type.value for key in found], [key.norm for key in found]
        # By what the rows say: to make a key of each of a hundred rows costs more than reading them.
        places = dict(zip(zip(types, norms, strict=True), found.values(), strict=True))
        for kind, norm, one, confidence in reader.tuples(query, types=types, norms=norms, **params):
            places[kind, norm].append((one, confidence))
    return found


def states_of(reader: Reader, key: EntityKey, limit: int, floor: float = 0.0) -> list[tuple[int, float]]:
    rows = reader.all("entities.states_of", type=key.type.value, norm=key.norm, limit=limit, floor=floor)
    return [(row["state_id"], row["confidence"]) for row in rows]


def of_events(reader: Reader, ids: Iterable[int], limit: int, floor: float = 0.0) -> list[EntityKey]:
    rows = reader.all("entities.of_events", ids=list(ids), limit=limit, floor=floor)
    return [EntityKey(EntityType(row["type"]), row["norm"]) for row in rows]


def of_states(reader: Reader, ids: Iterable[int], limit: int, floor: float = 0.0) -> list[EntityKey]:
    rows = reader.all("entities.of_states", ids=list(ids), limit=limit, floor=floor)
    return [EntityKey(EntityType(row["type"]), row["norm"]) for row in rows]


def _reindex(tx: Tx, owner: str, owner_id: int, found: Sequence[Entity]) -> None:
    tx.run(f"entities.clear_{owner}", owner_id=owner_id)
    for entity in found:
        tx.run(
            f"entities.add_{owner}",
            owner_id=owner_id,
            type=entity.type.value,
            raw=entity.name,
            norm=key_of(tx, entity).norm,
            confidence=entity.confidence,
            now=tx.now,
        )
