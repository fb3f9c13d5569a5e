"""The command `cocoro-ghost`: one file a group of commands, each with a `register`."""

from __future__ import annotations

import os
import sys

import typer

from cocoro_ghost import __version__
from cocoro_ghost.cli import (
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
from cocoro_ghost.cli import data_care as care
from cocoro_ghost.cli.help_text import in_japanese
from cocoro_ghost.cli.spoken import ASKED_FOR, in_japanese_here
from cocoro_ghost.errors import ConfigError, GhostError

CHECKOUT = "python3 run.py"

try:
    from cocoro_ghost.cli import house
except ImportError:  # the extra `postgres` is not installed: one ghost a directory, as for nearly everybody
    house = None  # type: ignore[assignment]


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
    if house is not None:
        house.register(app)
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


def _checkout_commands(app: typer.Typer) -> None:
    """What only run.py can do; it takes these words itself, here they are named in the help."""

    def elsewhere() -> None:
        raise ConfigError(f"{CHECKOUT} does this itself: call it without COCORO_CALLED_AS.")

    app.command(name="test", help="Run everything CI checks: style, types, the page, all tests.")(elsewhere)
    app.command(name="check", help="Run style, types, layers and sizes only.")(elsewhere)


def main() -> None:
    """Runs a command; an error is one sentence on standard error and exit code 2."""
    called_as = os.environ.get("COCORO_CALLED_AS", "cocoro-ghost")
    ASKED_FOR.set(None)
    try:
        app = build()
        if called_as == CHECKOUT:
            _checkout_commands(app)
        command = typer.main.get_group(app)
        if in_japanese_here():
            in_japanese(command)
        command(prog_name=called_as)
    except (GhostError, OSError) as error:
        # Files that cannot be read or written say so themselves, with their names.
        print(f"cocoro-ghost: {error}", file=sys.stderr)
        sys.exit(2)
