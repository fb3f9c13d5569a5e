"""Who calls: the owner, or a client with the scopes of its token."""

from __future__ import annotations

from starlette.requests import Request

from cocoro_ghost.errors import Refused
from cocoro_ghost.model.client import OWNER, Client, Scope


def caller_of(request: Request) -> Client:
    """As the guard found it before the body was read."""
    client = getattr(request.state, "client", None)
    return client if isinstance(client, Client) else OWNER


def caller_with(request: Request, scope: Scope) -> Client:
    """Raises Refused when the token does not open this."""
    client = caller_of(request)
    if not client.may(scope):
        raise Refused(f"The token of {client.name!r} does not have the scope `{scope.value}`.")
    return client
