"""Rows of clients with tokens of their own (settings.db)."""

from __future__ import annotations

import json

from cocoro_ghost.errors import NotFound
from cocoro_ghost.model.client import Access, Client, EmotionTags, HistoryRule, Scope, SystemRule
from cocoro_ghost.store.ports import Reader, Row, Tx

KEPT_ACCESSES = 5_000


def listed(reader: Reader) -> list[Client]:
    """Living ones first, newest first; revoked ones stay in the list."""
    return [_client(row) for row in reader.all("clients.all")]


def get(reader: Reader, client_id: str) -> Client:
    row = reader.one("clients.get", client_id=client_id)
    if row is None:
        raise NotFound(f"There is no client {client_id!r}.")
    return _client(row)


def by_token(reader: Reader, token_hash: str) -> Client | None:
    row = reader.one("clients.by_token", token_hash=token_hash)
    return None if row is None else _client(row)


def add(tx: Tx, client: Client, token_hash: str) -> None:
    tx.run("clients.add", **_columns(client), token_hash=token_hash, now=tx.clock.system_now())


def change(tx: Tx, client: Client) -> None:
    get(tx, client.client_id)
    tx.run("clients.change", **_columns(client))


def rotate(tx: Tx, client_id: str, token_hash: str) -> None:
    """The old token opens nothing from now on."""
    if not tx.run("clients.rotate", client_id=client_id, token_hash=token_hash):
        raise NotFound(f"There is no living client {client_id!r}.")


def revoke(tx: Tx, client_id: str) -> None:
    """For good; what it said stays, as it was said."""
    get(tx, client_id)
    tx.run("clients.revoke", client_id=client_id, now=tx.clock.system_now())


def used(tx: Tx, client_id: str) -> None:
    tx.run("clients.used", client_id=client_id, now=tx.clock.system_now())


def offer_tags(tx: Tx, client_id: str, tags: EmotionTags) -> None:
    """The dialect a client's prompt asks for; the owner says whether it is used."""
    tx.run("clients.offer_tags", client_id=client_id, tags=tags.value)


def note_access(tx: Tx, client_id: str, scope: Scope, call: str) -> None:
    """What a client looked at or changed; the oldest of all go."""
    made = tx.insert(
        "clients.note_access", client_id=client_id, scope=scope.value, call=call, now=tx.clock.system_now()
    )
    tx.run("clients.drop_old_accesses", up_to=made - KEPT_ACCESSES)


def accesses(reader: Reader, client_id: str, limit: int = 200) -> list[Access]:
    """Newest first."""
    rows = reader.all("clients.accesses", client_id=client_id, limit=limit)
    return [Access(row["at"], Scope(row["scope"]), row["call"]) for row in rows]


def _columns(client: Client) -> dict[str, str | int | None]:
    return {
        "client_id": client.client_id,
        "name": client.name,
        "scopes_json": json.dumps(sorted(scope.value for scope in client.scopes)),
        "speaks_for_others": int(client.speaks_for_others),
        "emotion_tags": client.emotion_tags.value,
        "system_rule": client.system_rule.value,
        "history_rule": client.history_rule.value,
        "tools": int(client.tools),
        "owner_user": client.owner_user,
    }


def _client(row: Row) -> Client:
    return Client(
        client_id=row["client_id"],
        name=row["name"],
        scopes=frozenset(Scope(one) for one in json.loads(row["scopes_json"])),
        speaks_for_others=bool(row["speaks_for_others"]),
        emotion_tags=EmotionTags(row["emotion_tags"]),
        system_rule=SystemRule(row["system_rule"]),
        history_rule=HistoryRule(row["history_rule"]),
        tools=bool(row["tools"]),
        owner_user=row["owner_user"],
        offered_tags=None if row["offered_tags"] is None else EmotionTags(row["offered_tags"]),
        created_at=row["created_at"],
        last_used_at=row["last_used_at"],
        revoked_at=row["revoked_at"],
    )
