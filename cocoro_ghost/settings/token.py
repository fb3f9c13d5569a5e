"""The bearer token: random, made at first start, kept sealed."""

from __future__ import annotations

import contextlib
import secrets

from cocoro_ghost.errors import ConfigError
from cocoro_ghost.settings.secrets import Seal
from cocoro_ghost.store import settings as rows
from cocoro_ghost.store.database import Tx

_NAME = "bearer_token"


def bearer_token(tx: Tx, seal: Seal, *, renew: bool = False) -> str:
    """The token of this ghost; made now if there is none or a new one is asked for."""
    sealed = None if renew else rows.secret(tx, _NAME)
    if sealed is not None:
        # One sealed with a key that was lost is as good as none.
        with contextlib.suppress(ConfigError):
            return seal.open(_NAME, sealed)
    token = secrets.token_urlsafe(32)
    rows.put_secret(tx, _NAME, seal.close(_NAME, token))
    return token
