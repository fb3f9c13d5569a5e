"""Clients with tokens of their own, on the wire."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from cocoro_ghost.api.schemas.parts import Wire
from cocoro_ghost.model.client import Client, EmotionTags, HistoryRule, Scope, SystemRule

Name = Annotated[str, Field(min_length=1, max_length=80, examples=["Open WebUI"])]


class ClientBody(Wire):
    """What a client may do and how it is spoken to."""

    name: Name
    scopes: Annotated[list[Scope], Field(min_length=1, max_length=5)] = [Scope.TALK]
    speaks_for_others: bool = Field(False, description="Its headers may name another speaker than the owner.")
    emotion_tags: EmotionTags = EmotionTags.NONE
    system_rule: SystemRule = Field(
        SystemRule.IGNORE, description="What its system messages do: nothing, add to the persona, replace it."
    )
    history_rule: HistoryRule = Field(
        HistoryRule.STORED, description="The talk so far: as stored here, or as the client sends it."
    )


class ClientOut(ClientBody):
    client_id: str
    created_at: int
    last_used_at: int | None = None
    revoked_at: int | None = None

    @classmethod
    def of(cls, client: Client) -> ClientOut:
        return cls(
            client_id=client.client_id,
            name=client.name,
            scopes=sorted(client.scopes),
            speaks_for_others=client.speaks_for_others,
            emotion_tags=client.emotion_tags,
            system_rule=client.system_rule,
            history_rule=client.history_rule,
            created_at=client.created_at,
            last_used_at=client.last_used_at,
            revoked_at=client.revoked_at,
        )


class ClientsOut(Wire):
    items: list[ClientOut]


class NewClientOut(Wire):
    client: ClientOut
    token: str = Field(description="Shown once; only its hash is kept.")


class DoubtfulOut(Wire):
    event_id: int
    created_at: int
    client_id: str | None
    text: str


class DoubtfulsOut(Wire):
    items: list[DoubtfulOut]


class HeardBody(Wire):
    """What a program tells; `key` makes telling it twice the same as once."""

    text: Annotated[str, Field(min_length=1, max_length=2000, pattern=r"\S")]
    key: Annotated[str, Field(max_length=100)] | None = None


class HeardOut(Wire):
    event_id: int
