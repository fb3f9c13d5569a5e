"""`cocoro-ghost house`: many ghosts in one PostgreSQL database, served by one or several servers."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from cocoro_ghost.api.server.auth import digest, new_token
from cocoro_ghost.bootstrap import Stand
from cocoro_ghost.care.export import Databases, export_lines, import_lines
from cocoro_ghost.clock import SystemClock
from cocoro_ghost.errors import ConfigError
from cocoro_ghost.house.admin import ADMIN_TOKEN
from cocoro_ghost.house.awake import Budget
from cocoro_ghost.house.homes import MASTER_KEY, OLD_MASTER_KEY, SharedDatabase, master_key, old_master_key
from cocoro_ghost.house.rekey import sealed_anew
from cocoro_ghost.house.serve_house import HouseOptions, serve_house
from cocoro_ghost.settings.file import known_zone, load_config
from cocoro_ghost.store import words
from cocoro_ghost.store.postgres.engine import PostgresEngine
from cocoro_ghost.store.postgres.engine import migrate as bring
from cocoro_ghost.store.postgres.ghosts import GhostEntry, GhostRegister, url_as

DATABASE = "COCORO_HOUSE_DATABASE"
Database = Annotated[
    str | None, typer.Option("--database", help=f"postgresql://…; else {DATABASE} in the environment.")
]
Name = Annotated[str, typer.Argument(help="The ghost's name in this house.")]


def register(app: typer.Typer) -> None:
    group = typer.Typer(no_args_is_help=True, help="Many ghosts in one PostgreSQL database.")
    group.command("serve")(serve)
    ghosts = typer.Typer(no_args_is_help=True, help="Who lives in the house.")
    commands = (
        ("create", create), ("list", list_), ("show", show), ("token", token), ("suspend", suspend),
        ("quotas", quotas), ("export", export), ("import", import_), ("erase", erase), ("migrate", migrate),
        ("rekey", rekey),
    )  # fmt: skip
    for name, command in commands:
        ghosts.command(name)(command)
    group.add_typer(ghosts, name="ghosts")
    app.add_typer(group, name="house")


def serve(
    database: Database = None,
    host: Annotated[str, typer.Option(help="Listens plainly: a balancer stands before it.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535)] = 55600,
    name: Annotated[list[str] | None, typer.Option(help="What the house is called; several times.")] = None,
    behind_https: Annotated[bool, typer.Option(help="The balancer speaks HTTPS to the world.")] = False,
    awake: Annotated[int, typer.Option(min=1, help="Ghosts held in memory at most.")] = 1000,
) -> None:
    """Serve the ghosts of a database; every server of the house runs this."""
    config = load_config(None)
    logging.basicConfig(level=config.log_level.upper(), stream=sys.stderr)
    options = HouseOptions(
        _url(database),
        master_key(),
        os.environ.get(ADMIN_TOKEN, ""),
        config,
        host,
        port,
        tuple(name or ()),
        behind_https,
        Budget(awake=awake),
        old_key=old_master_key(),
    )

    async def run() -> None:
        stopping, loop = asyncio.Event(), asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(stopping.set))
        await serve_house(options, on_ready=lambda at: print(f"ready {at}", flush=True), stopping=stopping)

    asyncio.run(run())


def create(
    name: Name,
    database: Database = None,
    time_zone: Annotated[str | None, typer.Option(help="Like Asia/Tokyo; else the server's.")] = None,
    language: Annotated[str, typer.Option(help="ja, en or auto.")] = "auto",
) -> None:
    """Make room for a new ghost; its token is printed once and kept nowhere."""
    known_zone(time_zone)
    if language not in ("auto", "ja", "en"):
        raise ConfigError("--language is ja, en or auto.")
    register_of(database).create(name, time_zone=time_zone, language=language)
    token(name, database)


def list_(database: Database = None) -> None:
    """Everybody who lives here."""
    table = Table("number", "name", "zone", "turns a day", "")
    for one in register_of(database).all():
        turns = "" if one.turns_a_day is None else str(one.turns_a_day)
        suspended = "suspended" if one.suspended_at else ""
        table.add_row(str(one.ghost_id), one.name, one.time_zone or "", turns, suspended)
    Console().print(table)


def show(name: Name, database: Database = None) -> None:
    """One ghost: its quotas, and how many rows it has; no word of it."""
    found = register_of(database)
    _print_entry(found.show(name))
    for table, count in found.counts(name).items():
        print(f"{table:30} {count:,}")


def token(name: Name, database: Database = None) -> None:
    """A new owner's token; the one before opens nothing any more."""
    made = new_token()
    register_of(database).renew_token(name, digest(made))
    print(made)


def suspend(name: Name, database: Database = None, resume: bool = False) -> None:
    """Nobody speaks with it, and it does nothing, until `--resume`; nothing is lost."""
    register_of(database).suspend(name, suspended=not resume)


def quotas(
    name: Name,
    database: Database = None,
    turns: Annotated[int | None, typer.Option(min=-1, help="A day; -1 lifts it.")] = None,
    tokens: Annotated[int | None, typer.Option(min=-1, help="A day; -1 lifts it.")] = None,
    size: Annotated[int | None, typer.Option("--bytes", min=-1, help="A day; -1 lifts it.")] = None,
) -> None:
    """What a ghost may use of a day."""
    given = {"turns_a_day": turns, "tokens_a_day": tokens, "bytes_a_day": size}
    wanted = {one: None if number == -1 else number for one, number in given.items() if number is not None}
    _print_entry(register_of(database).set_quotas(name, wanted))


def export(name: Name, file: Path, database: Database = None) -> None:
    """Everything of a ghost as JSON lines, as `cocoro-ghost export` writes them; keys and tokens stay."""
    with _laid(name, database) as databases, file.open("x", encoding="utf-8") as out:
        out.writelines(f"{line}\n" for line in export_lines(databases))


def import_(name: Name, file: Path, database: Database = None) -> None:
    """Put an export of either engine into a ghost that has not lived yet."""
    with _laid(name, database) as databases:
        with file.open(encoding="utf-8") as lines:
            counts = import_lines(databases, lines)
        while databases.memory.write_now(words.catch_up):
            pass
    print(" ".join(f"{part} {count}" for part, count in counts.items()))


def erase(
    name: Name, database: Database = None, yes: Annotated[bool, typer.Option(help="Do not ask.")] = False
) -> None:
    """Delete everything of a ghost, for good, and show that nothing is left."""
    if not yes:
        typer.confirm(f"Erase {name!r} and everything it remembers? This cannot be undone.", abort=True)
    done = register_of(database).erase(name)
    print(f"{done.deleted:,} rows of {done.name!r} deleted; {done.left} left in {done.tables} tables.")
    print("Backups and the write-ahead log of the database keep them until they expire.")


def migrate(database: Database = None) -> None:
    """Bring the database to this program's schema, as its owner; servers may go on meanwhile."""
    applied = bring(_url(database))
    print(f"applied {applied}" if applied else "up to date")


def rekey(database: Database = None) -> None:
    """Seal every ghost's stored API keys with the new master key; may be stopped and run again."""
    new, old = master_key(), old_master_key()
    if old is None:
        raise ConfigError(f"Set {OLD_MASTER_KEY} to the key before, and {MASTER_KEY} to the new one.")
    engine = PostgresEngine(url_as(_url(database), "ghost_app"), connections=2)
    try:
        done = [sealed_anew(engine, one.ghost_id, new, old) for one in register_of(database).all()]
    finally:
        engine.close()
    renewed, lost = sum(one.renewed for one in done), sum(one.lost for one in done)
    print(f"{renewed} secrets of {len(done)} ghosts sealed with the new key; {lost} open with neither key.")


def _print_entry(one: GhostEntry) -> None:
    for field, value in asdict(one).items():
        print(f"{field:30} {'' if value is None else value}")


def register_of(database: str | None) -> GhostRegister:
    return GhostRegister(url_as(_url(database), "ghost_admin"), SystemClock())


def _url(database: str | None) -> str:
    url = database or os.environ.get(DATABASE)
    if not url:
        raise ConfigError(f"Which database? Give --database or set {DATABASE}.")
    return url


@contextmanager
def _laid(name: str, database: str | None) -> Iterator[Databases]:
    ghost = register_of(database).show(name)
    engine = PostgresEngine(url_as(_url(database), "ghost_app"), connections=4)
    try:
        homes = SharedDatabase(engine, load_config(None), master_key(), old_master_key())
        base = homes.lay(str(ghost.ghost_id), Stand())
        try:
            yield base.databases
        finally:
            base.close()
    finally:
        engine.close()
