"""The command `cocoro-ghost`: one file a group of commands, each with a `register`."""

from __future__ import annotations

import sys

import typer

from cocoro_ghost import __version__
from cocoro_ghost.cli import (
    care,
    chat,
    clients,
    doctor,
    encryption,
    evaluate,
    jobs,
    mcp_command,
    read,
    recall_command,
    serve,
    setup,
    token,
)
from cocoro_ghost.errors import GhostError


def build() -> typer.Typer:
    """The whole command tree; can be built twice in one process."""
    app = typer.Typer(
        name="cocoro-ghost",
        help="The memory and voice of a persistent AI companion.",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
    )
    app.callback()(_root)
    groups = (
        serve,
        chat,
        setup,
        recall_command,
        care,
        encryption,
        doctor,
        jobs,
        clients,
        mcp_command,
        token,
        read,
        evaluate,
    )
    for group in groups:
        group.register(app)
    return app


def _say_version(wanted: bool) -> None:
    if wanted:
        print(f"CocoroGhost {__version__}")
        raise typer.Exit


def _root(
    version: bool = typer.Option(
        False, "--version", help="Say which version this is.", is_eager=True, callback=_say_version
    ),
) -> None:
    """The memory and voice of a persistent AI companion."""


def main() -> None:
    """Runs a command; an error is one sentence on standard error and exit code 2."""
    try:
        build()()
    except (GhostError, OSError) as error:
        # Files that cannot be read or written say so themselves, with their names.
        print(f"cocoro-ghost: {error}", file=sys.stderr)
        sys.exit(2)
