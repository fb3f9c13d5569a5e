"""Secrets at rest: sealed with a key from the system's keyring, else from a key file of mode 0600."""

from __future__ import annotations

import base64
import contextlib
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from cocoro_ghost.errors import ConfigError
from cocoro_ghost.store import settings as rows
from cocoro_ghost.store.ports import Tx

_KEYRING_SERVICE = "cocoro-ghost"
_NONCE_BYTES = 12
_IN_KEYRING = "in the system's keyring"


class Seal:
    """Encrypts and opens short texts; the name is bound in, so sealed values cannot be swapped."""

    def __init__(self, key: bytes, *older: bytes) -> None:
        """What was sealed with an older key is opened too, while keys are being changed."""
        self._cipher = AESGCM(key)
        self._all = (self._cipher, *map(AESGCM, older))

    def close(self, name: str, text: str) -> bytes:
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._cipher.encrypt(nonce, text.encode(), name.encode())

    def open(self, name: str, sealed: bytes) -> str:
        nonce, body = sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:]
        for cipher in self._all:
            # What is too short to be sealed at all is no tag that does not fit, but a wrong value.
            with contextlib.suppress(InvalidTag, ValueError):
                return cipher.decrypt(nonce, body, name.encode()).decode()
        raise ConfigError(
            f"The stored secret {name!r} cannot be opened with this key. "
            "If the key file was lost, enter the API keys again in the settings."
        )


def load_seal(data_dir: Path, *, use_keyring: bool = True) -> Seal:
    """The seal of a data directory; its key is made on first use and never leaves keyring or key file."""
    path = data_dir / "key"
    if path.exists():
        return _seal_of(path, _stored(path, data_dir))
    found = from_keyring(data_dir) if use_keyring else None
    text = found or base64.b64encode(AESGCM.generate_key(256)).decode("ascii")
    in_keyring = found is not None or (use_keyring and into_keyring(data_dir, text))
    # The file always says where the key is: a keyring that is locked one day must not mean a new key.
    write_private(path, _IN_KEYRING if in_keyring else text)
    return _seal_of(path, text)


def _stored(path: Path, data_dir: Path) -> str:
    text = path.read_text(encoding="utf-8", errors="replace").strip()
    if text != _IN_KEYRING:
        return text
    stored = from_keyring(data_dir)
    if stored is None:
        raise ConfigError(
            f"The key that opens the stored secrets is in the system's keyring, which does not give it. "
            f"Unlock it; if it is lost (another machine), remove {path} and enter the API keys again."
        )
    return stored


def _seal_of(path: Path, text: str) -> Seal:
    try:
        return Seal(base64.b64decode(text, validate=True))
    except ValueError as error:
        raise ConfigError(
            f"{path} is damaged. Bring it back from a backup; if there is none, remove it and enter the "
            "API keys again in the settings."
        ) from error


def write_private(path: Path, text: str) -> None:
    """Writes a file that only its owner can read, from its first byte on."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    # For a file that was there before: the mode above counts only for one that is made.
    path.chmod(0o600)


def mask(secret: str | None) -> str:
    """`sk-…last4`: enough to recognise a key, too little to use it."""
    if not secret:
        return ""
    head = secret[:3] if len(secret) >= 12 else ""
    tail = secret[-4:] if len(secret) >= 8 else ""
    return f"{head}…{tail}"


def is_masked(value: str) -> bool:
    return "…" in value


def from_keyring(data_dir: Path, *, service: str = _KEYRING_SERVICE) -> str | None:
    """What the system keeps for this directory, None when it keeps nothing or gives nothing."""
    # Any backend may raise its own errors; a missing keyring is normal on servers.
    with contextlib.suppress(Exception):
        import keyring

        return keyring.get_password(service, str(data_dir))
    return None


def into_keyring(data_dir: Path, text: str, *, service: str = _KEYRING_SERVICE) -> bool:
    """True when the system keeps it from now on."""
    with contextlib.suppress(Exception):
        import keyring

        # Backends below 1 keep nothing, or keep it in plain text.
        if keyring.get_keyring().priority < 1:
            return False
        keyring.set_password(service, str(data_dir), text)
        # Asked back: some accept a secret and lose it.
        return bool(keyring.get_password(service, str(data_dir)) == text)
    return False


_NAME = "bearer_token"


@dataclass(frozen=True, slots=True)
class Token:
    """The bearer token; `key_lost` when the old one could not be opened and this one takes its place."""

    text: str
    key_lost: bool = False


def bearer_token(tx: Tx, seal: Seal, *, renew: bool = False) -> Token:
    """The token of this ghost; made now if there is none or a new one is asked for."""
    sealed = None if renew else rows.secret(tx, _NAME)
    if sealed is not None:
        # One sealed with a key that was lost is as good as none.
        with contextlib.suppress(ConfigError):
            return Token(seal.open(_NAME, sealed))
    token = secrets.token_urlsafe(32)
    rows.put_secret(tx, _NAME, seal.close(_NAME, token))
    return Token(token, key_lost=sealed is not None)
