"""`backup`, `restore`, `export`, `import`, `reindex`, `reembed`: care of the data."""

from __future__ import annotations

import asyncio
import io
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from cocoro_ghost.bootstrap import open_foundations, open_ghost
from cocoro_ghost.care import backup as backups
from cocoro_ghost.care.export import export_lines, import_lines, is_export
from cocoro_ghost.care.imports import Imported, import_turns
from cocoro_ghost.cli.encryption import keys_for_restoring, new_passphrase
from cocoro_ghost.cli.options import DataDir, DryRun, existing, progress_bar, stderr
from cocoro_ghost.cli.spoken import spoken, tell
from cocoro_ghost.clock import SystemClock
from cocoro_ghost.errors import BadInput, ConfigError
from cocoro_ghost.ghost import Foundations, Ghost
from cocoro_ghost.model.job import JobKind
from cocoro_ghost.settings.file import data_directory, load_config
from cocoro_ghost.settings.file_key import new_key, open_key, read_encryption, under_passphrase
from cocoro_ghost.store import events, jobs, vectors, words
from cocoro_ghost.store.ports import Tx
from cocoro_ghost.store.sqlite.lock import DirectoryLock
from cocoro_ghost.work.retry import rescue_at_start

EMBEDDING = (JobKind.EMBED_EVENT, JobKind.EMBED_STATE, JobKind.EMBED_AFFECT)
VECTORS_AT_ONCE = 2000


def register(app: typer.Typer) -> None:
    for command in (backup, restore, export, reindex, reembed):
        app.command()(command)
    app.command("import")(import_)


def backup(
    data_dir: DataDir = None,
    to: Annotated[Path | None, typer.Option(help="A new folder for it (else backups/ in the data).")] = None,
    encrypt: Annotated[bool, typer.Option("--encrypt", help="Under a passphrase of its own.")] = False,
) -> None:
    """Copy everything, whole and consistent; the ghost may go on talking."""
    folder = existing(data_dir)
    key = open_key(read_encryption(folder), folder)
    sealed = _sealed() if encrypt else None
    with progress_bar(stderr()) as bar:
        task = bar.add_task(spoken("backing up"), total=None)
        made = backups.back_up(
            folder,
            SystemClock().system_now(),
            target=to,
            folder=backups.backup_folder(folder, load_config(folder).backups.folder),
            key=key,
            sealed=sealed,
            progress=lambda name, n, total: bar.update(task, description=name, completed=n, total=total),
        )
    name = made.name if to is None else made.path
    size = f"{made.bytes / 1e6:.1f} MB"
    tell(
        "{path} ({size}). Bring it back with: cocoro-ghost restore {name}",
        path=made.path,
        size=size,
        name=name,
    )


def _sealed() -> backups.Sealed:
    key = new_key()
    return backups.Sealed(key, under_passphrase(key, new_passphrase()))


def restore(
    name: Annotated[str | None, typer.Argument(help="A backup's name or folder; none lists them.")] = None,
    data_dir: DataDir = None,
    dry_run: DryRun = False,
    as_it_is: Annotated[
        bool, typer.Option("--as-it-is", help="After a loss: go on with the files that are there.")
    ] = False,
) -> None:
    """Put a backup in place; what is there now is kept in `replaced/`."""
    folder = data_directory(data_dir)
    place = backups.backup_folder(folder, load_config(folder).backups.folder)
    if as_it_is:
        _go_on(folder)
        return
    if name is None:
        for found in (listed := backups.list_backups(folder, place)):
            print(f"{found.name}  {found.bytes / 1e6:8.1f} MB  {', '.join(found.files)}")
        if not listed:
            tell("There is no backup yet; `cocoro-ghost backup` makes one.")
        return
    chosen = backups.find_backup(folder, name, place)
    if dry_run:
        tell("Would restore {files} from {path}.", files=", ".join(chosen.files), path=chosen.path)
        return
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    key, backup_key = keys_for_restoring(folder, chosen.path)
    with DirectoryLock(folder), progress_bar(stderr()) as bar:
        task = bar.add_task(spoken("restoring"), total=None)
        kept = backups.restore(
            folder,
            chosen,
            SystemClock().system_now(),
            key=key,
            backup_key=backup_key,
            progress=lambda name, n, total: bar.update(task, description=name, completed=n, total=total),
        )
    tell("Restored {files}. What was there is kept in {kept}.", files=", ".join(chosen.files), kept=kept)


def _go_on(folder: Path) -> None:
    """The owner's word that what is missing is to be missed."""
    with open_foundations(folder, accept_loss=True) as base:
        kept = base.databases.memory.read_now(events.count)
    tell("Going on with what is there: {count} events.", count=kept)


def export(
    data_dir: DataDir = None,
    to: Annotated[Path | None, typer.Option(help="A file; standard output if not given.")] = None,
) -> None:
    """Write everything but keys and tokens as JSON lines."""
    with open_foundations(existing(data_dir), locked=False) as base, progress_bar(stderr()) as bar:
        task = bar.add_task(spoken("exporting"), total=None)
        lines = export_lines(
            base.databases, lambda done, total: bar.update(task, completed=done, total=total)
        )
        if to is None:
            if isinstance(sys.stdout, io.TextIOWrapper):
                # On Windows a redirected output would be written in the local code page.
                sys.stdout.reconfigure(encoding="utf-8")
            sys.stdout.writelines(line + "\n" for line in lines)
            return
        _write_private(to, lines)
    tell("Written to {path}.", path=to)


def _write_private(to: Path, lines: Iterable[str]) -> None:
    """A life is nobody else's business; and half of one never stands under the name asked for."""
    partial = to.with_name(to.name + ".partial")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
        partial.replace(to)
    finally:
        partial.unlink(missing_ok=True)


def import_(
    file: Annotated[
        Path, typer.Argument(help="An export, or JSON lines of turns.", exists=True, dir_okay=False)
    ],
    data_dir: DataDir = None,
    label: Annotated[str, typer.Option(help="A name for this history.")] = "import",
    learn: Annotated[bool, typer.Option(help="Also learn from the turns (slower).")] = True,
    dry_run: DryRun = False,
) -> None:
    """Take in an export (into an empty ghost), or a history of turns from elsewhere."""
    try:
        # Some editors put a mark at the beginning of a file.
        with open_foundations(data_dir) as base, file.open(encoding="utf-8-sig") as lines:
            exported, total = is_export(lines.readline()), 1 + sum(1 for _ in lines)
            lines.seek(0)
            with progress_bar(stderr()) as bar:
                if exported:
                    _import_export(base, lines, dry_run, bar)
                else:
                    _report(_import_turns(base, lines, label, learn, dry_run, bar, total), dry_run)
    except UnicodeDecodeError as error:
        raise BadInput(f"{file} is not a text in UTF-8; nothing was imported.") from error


def _import_export(base: Foundations, lines: Iterable[str], dry_run: bool, bar: Progress) -> None:
    if dry_run:
        tell("This is an export; it would be taken in whole, into an empty ghost.")
        return
    task = bar.add_task(spoken("importing"), total=None)
    counts = import_lines(
        base.databases, lines, lambda done, total: bar.update(task, completed=done, total=total)
    )
    tell("Taken in: {counts}", counts=", ".join(f"{name} {count}" for name, count in counts.items()))


def _import_turns(
    base: Foundations, lines: Iterable[str], label: str, learn: bool, dry_run: bool, bar: Progress, total: int
) -> Imported:
    task = bar.add_task(spoken("importing"), total=total)

    def after_event(tx: Tx, event_id: int) -> None:
        if learn:
            base.queue.enqueue(tx, events.get(tx, event_id))

    memory = base.databases.memory
    found = import_turns(
        memory,
        lines,
        base.clock.zone,
        label=label,
        after_event=after_event,
        dry_run=dry_run,
        progress=lambda line: bar.update(task, completed=line),
    )
    indexing = bar.add_task(spoken("indexing"), total=0 if dry_run else found.added)
    while not dry_run and (taken := memory.write_now(words.catch_up)):
        bar.advance(indexing, taken)
    return found


def _report(found: Imported, dry_run: bool) -> None:
    told = "{added} turns added, {known} were known already."
    foretold = "{added} turns would be added, {known} were known already."
    tell(foretold if dry_run else told, added=found.added, known=found.known)
    for sentence in found.bad[:20]:
        print(sentence, file=sys.stderr)
    if len(found.bad) > 20:
        tell("… and {count} more lines were left out.", count=len(found.bad) - 20, file=sys.stderr)
    if not found.added and not found.known:
        # A script must notice that its file held nothing that could be taken in.
        raise typer.Exit(1)


def reindex(data_dir: DataDir = None, dry_run: DryRun = False) -> None:
    """Build the word index anew and fill in missing vectors."""
    asyncio.run(_reindex(data_dir, dry_run))


async def _reindex(data_dir: Path | None, dry_run: bool) -> None:
    async with open_ghost(existing(data_dir)) as ghost:
        if dry_run:
            covered = await ghost.memory.read(words.check)
            tell(
                "Words: {events} events and {states} states missing.",
                events=covered.missing_events,
                states=covered.missing_states,
            )
            tell("Vectors: {count} missing.", count=await _missing(ghost))
            return
        total = await ghost.memory.read(events.count)
        with progress_bar(stderr()) as bar:
            task = bar.add_task(spoken("words"), total=total)
            await ghost.memory.write(
                lambda tx: words.rebuild(tx, lambda done: bar.update(task, completed=done))
            )
            await _fill_vectors(ghost, bar)
        _say_done(ghost, spoken("The indexes are complete."))


def _say_done(ghost: Ghost, sentence: str) -> None:
    print(sentence)
    if ghost.index() is None:
        tell("There are no vectors: {why}", why=ghost.faculties.choice.note, file=sys.stderr)


def reembed(
    preset: Annotated[str, typer.Argument(help="The embedding preset to move the memory to.")],
    data_dir: DataDir = None,
    dry_run: DryRun = False,
) -> None:
    """Move the memory to another embedding preset, with every vector made anew and nothing lost."""
    asyncio.run(_reembed(preset, data_dir, dry_run))


async def _reembed(preset: str, data_dir: Path | None, dry_run: bool) -> None:
    async with open_ghost(existing(data_dir)) as ghost:
        book = ghost.faculties.book
        if preset not in {one.preset_id for one in book.embedding}:
            known = ", ".join(one.preset_id for one in book.embedding)
            raise BadInput(f"There is no embedding preset {preset!r}; known: {known}.")
        if dry_run:
            now = ghost.faculties.embedding_preset_id
            tell("Would copy memory_{now}.db and embed it anew for {preset}.", now=now, preset=preset)
            return
        await ghost.activate("embedding", preset)
        with progress_bar(stderr()) as bar:
            await _fill_vectors(ghost, bar)
        _say_done(ghost, spoken("The memory now lives with {preset}.", preset=preset))


async def _fill_vectors(ghost: Ghost, bar: Progress) -> None:
    """Makes what has no vector yet, now, and nothing else that may be waiting."""
    assert ghost.worker is not None
    left = total = await _missing(ghost)
    task = bar.add_task(spoken("vectors"), total=total)
    await rescue_at_start(ghost.memory)
    while left:
        await ghost.enqueue_missing_vectors(VECTORS_AT_ONCE)
        await ghost.memory.write(lambda tx: jobs.hasten(tx, EMBEDDING))
        await ghost.worker.run_until_idle(only=EMBEDDING)
        before, left = left, await _missing(ghost)
        if left >= before:
            raise ConfigError("The vectors cannot be made now; `cocoro-ghost doctor` says why.")
        bar.update(task, completed=total - left)


async def _missing(ghost: Ghost) -> int:
    index = ghost.index()
    if index is None:
        return 0
    return (await ghost.memory.read(lambda reader: vectors.check(reader, index.space))).missing
