"""Options that several commands share, and how commands show progress."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", help="Where the ghost keeps everything (else COCORO_GHOST_HOME)."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done; change nothing.")]


@contextmanager
def progress_bar(console: Console) -> Iterator[Progress]:
    """A bar on standard error that leaves the output clean."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        yield bar


def stderr() -> Console:
    return Console(stderr=True)
