"""Options that several commands share, and how commands show progress."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from cocoro_ghost.cli.spoken import ASKED_FOR
from cocoro_ghost.errors import ConfigError
from cocoro_ghost.settings.file import data_directory


def _asked_for(folder: Path | None) -> Path | None:
    ASKED_FOR.set(folder)
    return folder


DataDir = Annotated[
    Path | None,
    typer.Option(
        "--data-dir", help="Where the ghost keeps everything (else COCORO_GHOST_HOME).", callback=_asked_for
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done; change nothing.")]


@contextmanager
def progress_bar(console: Console) -> Iterator[Progress]:
    """A bar on standard error that leaves the output clean; none where nobody looks on."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        yield bar


def existing(data_dir: Path | None) -> Path:
    """The data directory of a ghost that is there; raises ConfigError where there is none."""
    folder = data_directory(data_dir)
    if not (folder / "settings.db").exists():
        raise ConfigError(f"There is no ghost in {folder} yet; start one with `cocoro-ghost serve`.")
    return folder


def stderr() -> Console:
    return Console(stderr=True)
