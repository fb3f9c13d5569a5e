"""Clients with tokens of their own, on the wire."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from cocoro_ghost.api.schemas.parts import Wire
from cocoro_ghost.model.client import Access, Client, EmotionTags, HistoryRule, Scope, SystemRule

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
    tools: bool = Field(
        False, description="The tools it sends reach the model, where the model can use them."
    )
    owner_user: Annotated[str, Field(max_length=200)] | None = Field(
        None, description="Which of its users is the owner: an id, an e-mail address or a name."
    )


class ClientChange(ClientBody):
    user_jwt_secret: Annotated[str, Field(max_length=500)] | None = Field(
        None, description="What its users' tokens are signed with (HS256); null leaves it, empty drops it."
    )


class ClientOut(ClientBody):
    client_id: str
    offered_tags: EmotionTags | None = Field(None, description="The dialect that its own prompt asks for.")
    knows_user_jwt: bool = Field(False, description="A secret for its users' tokens is kept.")
    created_at: int
    last_used_at: int | None = None
    revoked_at: int | None = None

    @classmethod
    def of(cls, client: Client, *, knows_user_jwt: bool = False) -> ClientOut:
        return cls(
            client_id=client.client_id,
            name=client.name,
            scopes=sorted(client.scopes),
            speaks_for_others=client.speaks_for_others,
            emotion_tags=client.emotion_tags,
            system_rule=client.system_rule,
            history_rule=client.history_rule,
            tools=client.tools,
            owner_user=client.owner_user,
            offered_tags=client.offered_tags,
            knows_user_jwt=knows_user_jwt,
            created_at=client.created_at,
            last_used_at=client.last_used_at,
            revoked_at=client.revoked_at,
        )


class ClientsOut(Wire):
    items: list[ClientOut]


class NewClientOut(Wire):
    client: ClientOut
    token: str = Field(description="Shown once; only its hash is kept.")


class AccessOut(Wire):
    at: int
    scope: Scope
    call: str = Field(examples=["POST /api/memory/recall"])

    @classmethod
    def of(cls, access: Access) -> AccessOut:
        return cls(at=access.at, scope=access.scope, call=access.call)


class AccessesOut(Wire):
    items: list[AccessOut]


class DoubtfulOut(Wire):
    event_id: int
    created_at: int
    client_id: str | None
    client_name: str = ""
    text: str


class DoubtfulsOut(Wire):
    items: list[DoubtfulOut]


class HeardBody(Wire):
    """What a program tells; `key` makes telling it twice the same as once."""

    text: Annotated[str, Field(min_length=1, max_length=2000, pattern=r"\S")]
    key: Annotated[str, Field(max_length=100)] | None = None


class HeardOut(Wire):
    event_id: int
