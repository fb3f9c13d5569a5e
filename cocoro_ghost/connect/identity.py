"""Who speaks at a client that many use: believed only where the owner said that it may speak for others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from cocoro_ghost.connect.background import header
from cocoro_ghost.errors import Refused
from cocoro_ghost.model.client import Client

JWT_HEADER = "x-openwebui-user-jwt"
_ISSUER = "open-webui"
_LEEWAY_SECONDS = 30
_LONGEST = 80


@dataclass(frozen=True, slots=True)
class User:
    """As the client names one; any of the three may be missing."""

    user_id: str = ""
    name: str = ""
    email: str = ""

    @property
    def called(self) -> str:
        """One printable line, never longer than a name."""
        given = self.name or self.email or self.user_id
        return "".join(one for one in given if one.isprintable()).strip()[:_LONGEST]


def speaker(client: Client, headers: Mapping[str, str], jwt_secret: str | None = None) -> str | None:
    """Another person's name; None for the owner, who speaks wherever nobody else is named.

    Where a secret is kept, only a signed token counts: headers can be written by anybody who has the key.
    """
    if not client.speaks_for_others or client.client_id == "owner":
        return None
    user = _told(headers) if jwt_secret is None else _signed(headers.get(JWT_HEADER, ""), jwt_secret)
    owner = (client.owner_user or "").casefold()
    if owner and owner in (user.user_id.casefold(), user.name.casefold(), user.email.casefold()):
        return None
    return user.called or None


def _told(headers: Mapping[str, str]) -> User:
    def first(*names: str) -> str:
        return unquote(next((one for name in names if (one := header(headers, name))), ""))

    return User(
        first("x-ghost-user", "x-openwebui-user-id"),
        first("x-ghost-user-name", "x-openwebui-user-name"),
        first("x-ghost-user-email", "x-openwebui-user-email"),
    )


def _signed(token: str, secret: str) -> User:
    import jwt

    try:
        told = jwt.decode(
            token,
            secret,
            algorithms=["HS256"],
            issuer=_ISSUER,
            leeway=_LEEWAY_SECONDS,
            options={"require": ["exp", "sub"], "verify_aud": False},
        )
    except jwt.InvalidTokenError as error:
        raise Refused(
            f"`{JWT_HEADER}` is missing, too old or not signed with the secret kept for this client.",
            code="unauthorized",
        ) from error
    return User(*(str(told.get(member) or "") for member in ("sub", "name", "email")))
