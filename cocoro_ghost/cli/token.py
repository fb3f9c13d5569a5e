"""`cocoro-ghost token`: the bearer token for clients and the page."""

from __future__ import annotations

import sys

import typer

from cocoro_ghost.bootstrap import open_foundations
from cocoro_ghost.cli.options import DataDir
from cocoro_ghost.cli.spoken import tell


def register(app: typer.Typer) -> None:
    @app.command()
    def token(
        data_dir: DataDir = None,
        renew: bool = typer.Option(False, "--renew", help="Make a new token; clients need the new one."),
    ) -> None:
        """Print the token that clients send as `Authorization: Bearer …`."""
        with open_foundations(data_dir, locked=False, renew_token=renew) as base:
            print(base.token)
        if renew:
            tell("A ghost that is running takes it at its next start.", file=sys.stderr)
