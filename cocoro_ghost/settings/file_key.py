"""The key of encrypted memory files: random, kept in the system's keyring or under a passphrase.

`encryption.json` beside the files says how it is kept. The passphrase itself is stored nowhere.
"""

from __future__ import annotations

import base64
import getpass
import os
import secrets
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from pydantic import BaseModel, ConfigDict, ValidationError

from cocoro_ghost.errors import ConfigError, Refused
from cocoro_ghost.settings.secrets import from_keyring, into_keyring

NOTE = "encryption.json"
PASSPHRASE_VARIABLE = "COCORO_PASSPHRASE"  # noqa: S105 - its name, not its value
SHORTEST_PASSPHRASE = 8
_KEYRING_SERVICE = "cocoro-ghost files"
_NONCE_BYTES = 12
# About a tenth of a second and 64 MB a guess; unlocking happens once a start.
_SCRYPT = {"n": 2**16, "r": 8, "p": 1}

_DAMAGED = "{} is damaged: without it the memory cannot be opened. Bring it back from a backup."

Ask = Callable[[], str]


class Encryption(BaseModel):
    """What `encryption.json` says."""

    model_config = ConfigDict(frozen=True)

    kept: Literal["keyring", "passphrase"]
    salt: str = ""
    sealed: str = ""


def new_key() -> str:
    """64 hexadecimal digits: 256 random bits."""
    return secrets.token_hex(32)


def under_passphrase(key: str, passphrase: str) -> Encryption:
    """The note that gives the key to whoever knows the passphrase."""
    if len(passphrase) < SHORTEST_PASSPHRASE:
        raise ConfigError(f"A passphrase has at least {SHORTEST_PASSPHRASE} characters.")
    salt, nonce = secrets.token_bytes(16), secrets.token_bytes(_NONCE_BYTES)
    sealed = nonce + AESGCM(_stretched(passphrase, salt)).encrypt(nonce, key.encode("ascii"), None)
    return Encryption(kept="passphrase", salt=_text(salt), sealed=_text(sealed))


def in_keyring(key: str, data_dir: Path) -> Encryption:
    """Puts the key into the system's keyring; raises ConfigError where there is none."""
    if not into_keyring(data_dir, key, service=_KEYRING_SERVICE):
        raise ConfigError("This system has no keyring that keeps the key; use a passphrase instead.")
    return Encryption(kept="keyring")


def read_encryption(folder: Path) -> Encryption | None:
    """How the files in a folder are encrypted; None when they are not."""
    path = folder / NOTE
    if not path.exists():
        return None
    try:
        return Encryption.model_validate_json(path.read_bytes())
    except ValidationError as error:
        raise ConfigError(_DAMAGED.format(path)) from error


def open_key(found: Encryption | None, data_dir: Path, ask: Ask | None = None) -> str | None:
    """The key itself; asks for the passphrase where one is needed. Raises Refused for a wrong one."""
    if found is None:
        return None
    if found.kept == "keyring":
        key = from_keyring(data_dir, service=_KEYRING_SERVICE)
        if key is None:
            raise ConfigError(
                "The memory is encrypted, and the system's keyring does not give its key. Unlock it; "
                "if the key is lost, only a backup under a passphrase can be opened."
            )
        return key
    try:
        sealed, salt = base64.b64decode(found.sealed), base64.b64decode(found.salt)
        cipher = AESGCM(_stretched((ask or ask_passphrase)(), salt))
        return cipher.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], None).decode("ascii")
    except InvalidTag as error:
        raise Refused("That passphrase does not open the memory. Nothing was changed.") from error
    except ValueError as error:
        raise ConfigError(_DAMAGED.format(data_dir / NOTE)) from error


def ask_passphrase(environment: Mapping[str, str] | None = None) -> str:
    """From the environment, else from whoever sits at the terminal."""
    given = (os.environ if environment is None else environment).get(PASSPHRASE_VARIABLE)
    if given:
        return given
    if not sys.stdin.isatty():
        raise ConfigError(
            f"The memory is encrypted with a passphrase: set {PASSPHRASE_VARIABLE}, or start at a terminal."
        )
    return getpass.getpass("Passphrase / パスフレーズ: ")


def _stretched(passphrase: str, salt: bytes) -> bytes:
    return Scrypt(salt=salt, length=32, **_SCRYPT).derive(passphrase.encode("utf-8"))


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")
