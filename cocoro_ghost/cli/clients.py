"""`cocoro-ghost clients`: tokens of their own for the programs that talk to the ghost."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from cocoro_ghost.api.server.auth import digest, new_token
from cocoro_ghost.bootstrap import open_foundations
from cocoro_ghost.cli.options import DataDir, existing
from cocoro_ghost.cli.spoken import spoken, tell
from cocoro_ghost.model.client import Client, EmotionTags, HistoryRule, Scope, SystemRule
from cocoro_ghost.settings.client_secrets import keep_user_jwt
from cocoro_ghost.store import clients
from cocoro_ghost.store.ports import Tx


def register(app: typer.Typer) -> None:
    group = typer.Typer(no_args_is_help=True, help="Tokens of their own for other programs.")
    for name, command in (("list", list_), ("add", add), ("rotate", rotate), ("revoke", revoke)):
        group.command(name)(command)
    app.add_typer(group, name="clients")


def list_(data_dir: DataDir = None) -> None:
    """Every client that was ever let in."""
    with open_foundations(existing(data_dir), locked=False) as base:
        found = base.databases.settings.read_now(clients.listed)
    table = Table(*(spoken(one) for one in ("id", "name", "scopes", "last used")), "")
    for one in found:
        scopes = ", ".join(sorted(scope.value for scope in one.scopes))
        table.add_row(
            one.client_id,
            escape(one.name),
            scopes,
            _day(one.last_used_at),
            spoken("revoked") if one.revoked_at else "",
        )
    Console().print(table)


def add(
    name: Annotated[str, typer.Argument(help="What it is called, like Open WebUI.")],
    data_dir: DataDir = None,
    scope: Annotated[list[Scope] | None, typer.Option(help="May be given several times; else talk.")] = None,
    speaks_for_others: Annotated[bool, typer.Option(help="Its headers may name other speakers.")] = False,
    emotion_tags: Annotated[EmotionTags, typer.Option(help="Feelings in the reply.")] = EmotionTags.NONE,
    system: Annotated[SystemRule, typer.Option(help="Its system messages.")] = SystemRule.IGNORE,
    history: Annotated[HistoryRule, typer.Option(help="The talk so far.")] = HistoryRule.STORED,
    tools: Annotated[bool, typer.Option(help="Its tools reach the model.")] = False,
    owner_user: Annotated[str | None, typer.Option(help="Its user who is you: id, address or name.")] = None,
    user_jwt_secret: Annotated[
        str | None, typer.Option(help="What its users' tokens are signed with.")
    ] = None,
) -> None:
    """Let a client in; its token is printed once and kept nowhere."""
    client = Client(
        secrets.token_hex(6),
        name,
        frozenset(scope or [Scope.TALK]),
        speaks_for_others,
        emotion_tags,
        system,
        history,
        tools,
        owner_user,
    )
    token = new_token()
    with open_foundations(existing(data_dir), locked=False) as base:

        def write(tx: Tx) -> None:
            clients.add(tx, client, digest(token))
            keep_user_jwt(tx, base.seal, client.client_id, user_jwt_secret)

        base.databases.settings.write_now(write)
    print(f"{client.client_id}  {name}\n{token}")


def rotate(client_id: str, data_dir: DataDir = None) -> None:
    """A new token; the old one opens nothing any more."""
    token = new_token()
    with open_foundations(existing(data_dir), locked=False) as base:
        base.databases.settings.write_now(lambda tx: clients.rotate(tx, client_id, digest(token)))
    print(token)


def revoke(client_id: str, data_dir: DataDir = None) -> None:
    """Let it in no more; what it said stays."""
    with open_foundations(existing(data_dir), locked=False) as base:
        base.databases.settings.write_now(lambda tx: clients.revoke(tx, client_id))
    tell("{client} opens nothing any more.", client=client_id)


def _day(at: int | None) -> str:
    return spoken("never") if at is None else f"{datetime.fromtimestamp(at):%Y-%m-%d %H:%M}"
