"""What a client's users' tokens are signed with: sealed, for it must be known to check them."""

from __future__ import annotations

from cocoro_ghost.settings.secrets import Seal
from cocoro_ghost.store import settings as rows
from cocoro_ghost.store.ports import Reader, Tx


def keep_user_jwt(tx: Tx, seal: Seal, client_id: str, secret: str | None) -> None:
    """None leaves it as it is; an empty one is dropped."""
    if secret is None:
        return
    name = _name(client_id)
    if secret:
        rows.put_secret(tx, name, seal.close(name, secret))
    else:
        rows.drop_secret(tx, name)


def has_user_jwt(reader: Reader, client_id: str) -> bool:
    return rows.secret(reader, _name(client_id)) is not None


def user_jwt(reader: Reader, seal: Seal, client_id: str) -> str | None:
    """Raises ConfigError when the key that sealed it is lost."""
    sealed = rows.secret(reader, _name(client_id))
    return None if sealed is None else seal.open(_name(client_id), sealed)


def _name(client_id: str) -> str:
    return f"client/{client_id}/user_jwt"
