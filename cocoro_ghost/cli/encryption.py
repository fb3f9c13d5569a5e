"""`encrypt` and `decrypt`: the memory files under a passphrase or the system's keyring, and back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from cocoro_ghost.care import at_rest as encryption
from cocoro_ghost.care.life import read_life
from cocoro_ghost.care.replace_files import finish_replacing
from cocoro_ghost.cli.options import DataDir, existing, progress_bar, stderr
from cocoro_ghost.cli.spoken import spoken, tell
from cocoro_ghost.errors import Conflict
from cocoro_ghost.settings.file_key import (
    NOTE,
    PASSPHRASE_VARIABLE,
    in_keyring,
    new_key,
    open_key,
    read_encryption,
    under_passphrase,
)
from cocoro_ghost.store.sqlite.lock import DirectoryLock


def register(app: typer.Typer) -> None:
    for command in (encrypt, decrypt):
        app.command()(command)


def encrypt(
    data_dir: DataDir = None,
    keyring: Annotated[
        bool, typer.Option("--keyring", help="Keep the key in the system's keyring; else a passphrase.")
    ] = False,
) -> None:
    """Encrypt the memory files; run again to change passphrase or keeping place. Stop the ghost first."""
    folder = existing(data_dir)
    with DirectoryLock(folder):
        finish_replacing(folder)
        before = open_key(read_encryption(folder), folder)
        key = new_key()
        note = in_keyring(key, folder) if keyring else under_passphrase(key, new_passphrase())
        with progress_bar(stderr()) as bar:
            task = bar.add_task(spoken("encrypting"), total=None)
            encryption.encrypt(
                folder,
                note,
                key,
                before=before,
                progress=lambda name, n, total: bar.update(task, description=name, completed=n, total=total),
            )
    tell("The memory files are encrypted. Without the passphrase or the keyring nobody opens them again.")
    if left := encryption.readable_copies(folder):
        tell(
            "{count} older copies are still readable; remove them when you no longer need them:",
            count=len(left),
        )
        for path in left:
            print(f"  {path.relative_to(folder)}")


def decrypt(data_dir: DataDir = None) -> None:
    """Make the memory files readable again. Stop the ghost first."""
    folder = existing(data_dir)
    with DirectoryLock(folder):
        finish_replacing(folder)
        key = open_key(read_encryption(folder), folder)
        if key is None:
            raise Conflict("The memory files are not encrypted.")
        with progress_bar(stderr()) as bar:
            task = bar.add_task(spoken("decrypting"), total=None)
            encryption.decrypt(
                folder,
                key,
                progress=lambda name, n, total: bar.update(task, description=name, completed=n, total=total),
            )
    tell("The memory files are readable again.")


def new_passphrase() -> str:
    """From the environment, else typed twice."""
    given = os.environ.get(PASSPHRASE_VARIABLE)
    if given:
        return given
    typed: str = typer.prompt("Passphrase / パスフレーズ", hide_input=True, confirmation_prompt=True)
    return typed


def keys_for_restoring(folder: Path, backup: Path) -> tuple[str | None, str | None]:
    """(key of the files in place, key of the backup); a note that was lost comes back with the backup."""
    ours, theirs = read_encryption(folder), read_encryption(backup)
    backup_key = open_key(theirs, folder)
    life = read_life(folder)
    if ours == theirs or (ours is None and life is not None and NOTE in life.files):
        return backup_key, backup_key
    return open_key(ours, folder), backup_key
