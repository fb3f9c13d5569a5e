"""Connections: clients with tokens of their own, and what was heard through them and not remembered."""

from __future__ import annotations

import secrets
from typing import Annotated

from fastapi import APIRouter, Path, Request

from cocoro_ghost.api.app_state import AppStateDep
from cocoro_ghost.api.schemas.clients import (
    AccessesOut,
    AccessOut,
    ClientBody,
    ClientChange,
    ClientOut,
    ClientsOut,
    DoubtfulOut,
    DoubtfulsOut,
    HeardBody,
    HeardOut,
    NewClientOut,
)
from cocoro_ghost.api.server.auth import digest, new_token
from cocoro_ghost.api.server.refusals import documented
from cocoro_ghost.grow.after_turn import hear_from_app, learn_after_all, leave_to_the_program
from cocoro_ghost.model.client import OWNER, Client
from cocoro_ghost.settings.client_secrets import has_user_jwt, keep_user_jwt
from cocoro_ghost.store import client_turns, clients
from cocoro_ghost.store.ports import Reader, Tx

router = APIRouter(tags=["connections"], responses=documented(404))
ClientId = Annotated[str, Path(max_length=40, pattern=r"^[a-z0-9]+$")]
EventId = Annotated[int, Path(ge=1, le=2**31 - 1)]


@router.get("/api/clients")
async def list_clients(app: AppStateDep) -> ClientsOut:
    """Every client that was ever let in; tokens are never shown again."""

    def read(reader: Reader) -> list[ClientOut]:
        return [_shown(reader, one) for one in clients.listed(reader)]

    return ClientsOut(items=await app.ghost.settings_db.read(read))


@router.post("/api/clients", status_code=201)
async def make_client(app: AppStateDep, body: ClientChange) -> NewClientOut:
    """A new client; its token is in this answer and nowhere else."""
    client, token = _client(secrets.token_hex(6), body), new_token()

    def write(tx: Tx) -> ClientOut:
        clients.add(tx, client, digest(token))
        keep_user_jwt(tx, app.ghost.seal, client.client_id, body.user_jwt_secret)
        return _shown(tx, clients.get(tx, client.client_id))

    return NewClientOut(client=await app.ghost.settings_db.write(write), token=token)


@router.put("/api/clients/{client_id}")
async def change_client(app: AppStateDep, client_id: ClientId, body: ClientChange) -> ClientOut:
    """What it may do from now on; its token stays."""

    def write(tx: Tx) -> ClientOut:
        clients.change(tx, _client(client_id, body))
        keep_user_jwt(tx, app.ghost.seal, client_id, body.user_jwt_secret)
        return _shown(tx, clients.get(tx, client_id))

    return await app.ghost.settings_db.write(write)


@router.get("/api/clients/{client_id}/accesses")
async def client_accesses(app: AppStateDep, client_id: ClientId) -> AccessesOut:
    """What it read and changed in memory, newest first."""

    def read(reader: Reader) -> list[AccessOut]:
        clients.get(reader, client_id)
        return [AccessOut.of(one) for one in clients.accesses(reader, client_id)]

    return AccessesOut(items=await app.ghost.settings_db.read(read))


@router.post("/api/clients/{client_id}/rotate")
async def rotate_client(app: AppStateDep, client_id: ClientId) -> NewClientOut:
    """A new token; the old one opens nothing any more."""
    token = new_token()

    def write(tx: Tx) -> ClientOut:
        clients.rotate(tx, client_id, digest(token))
        return _shown(tx, clients.get(tx, client_id))

    return NewClientOut(client=await app.ghost.settings_db.write(write), token=token)


@router.delete("/api/clients/{client_id}", status_code=204)
async def revoke_client(app: AppStateDep, client_id: ClientId) -> None:
    """Lets it in no more; what it said stays."""
    await app.ghost.settings_db.write(lambda tx: clients.revoke(tx, client_id))


@router.post("/api/memory/heard", status_code=201)
async def heard(app: AppStateDep, request: Request, body: HeardBody) -> HeardOut:
    """Something a program has to tell: kept at once, learned later as hearsay, never as the person's word."""
    client = getattr(request.state, "client", OWNER)
    event_id = await app.ghost.memory.write(
        lambda tx: hear_from_app(tx, client.client_id, client.name, body.text, body.key, app.ghost.base.queue)
    )
    return HeardOut(event_id=event_id)


@router.get("/api/clients-doubtful")
async def heard_not_remembered(app: AppStateDep) -> DoubtfulsOut:
    """What may have been a program's own call: answered, not remembered."""
    found = await app.ghost.memory.read(client_turns.doubtful)
    listed = await app.ghost.settings_db.read(clients.listed)
    names = {one.client_id: one.name for one in listed}
    return DoubtfulsOut(
        items=[
            DoubtfulOut(
                event_id=one.event_id,
                created_at=one.created_at,
                client_id=one.client_id,
                client_name=names.get(one.client_id or "", ""),
                text=one.user_text or "",
            )
            for one in found
        ]
    )


@router.post("/api/clients-doubtful/{event_id}/real", status_code=204)
async def was_real(app: AppStateDep, event_id: EventId) -> None:
    """A person said it: it is remembered and learned from now."""
    await app.ghost.memory.write(lambda tx: learn_after_all(tx, event_id, app.ghost.base.queue))


@router.post("/api/clients-doubtful/{event_id}/program", status_code=204)
async def was_a_program(app: AppStateDep, event_id: EventId) -> None:
    """A program asked it: it leaves the list and is never learned from."""
    await app.ghost.memory.write(lambda tx: leave_to_the_program(tx, event_id))


def _shown(reader: Reader, client: Client) -> ClientOut:
    return ClientOut.of(client, knows_user_jwt=has_user_jwt(reader, client.client_id))


def _client(client_id: str, body: ClientBody) -> Client:
    return Client(
        client_id=client_id,
        name=body.name,
        scopes=frozenset(body.scopes),
        speaks_for_others=body.speaks_for_others,
        emotion_tags=body.emotion_tags,
        system_rule=body.system_rule,
        history_rule=body.history_rule,
        tools=body.tools,
        owner_user=body.owner_user or None,
    )
