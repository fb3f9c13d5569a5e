"""`cocoro-ghost doctor`: looks at everything and says how to mend what is wrong."""

from __future__ import annotations

import asyncio
from pathlib import Path

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from cocoro_ghost.bootstrap import open_ghost
from cocoro_ghost.care import checkup as rounds
from cocoro_ghost.care.checkup import Finding, Verdict
from cocoro_ghost.cli.options import DataDir
from cocoro_ghost.cli.spoken import spoken
from cocoro_ghost.errors import ConfigError, StoreError
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.mind.client import Message, PlanRequest
from cocoro_ghost.model.answers import ReplySummary
from cocoro_ghost.model.material import ReplyMaterial
from cocoro_ghost.model.scene import Language
from cocoro_ghost.settings.file import data_directory, load_config
from cocoro_ghost.settings.file_key import open_key, read_encryption
from cocoro_ghost.store import events, vectors, words
from cocoro_ghost.store.ports import Reader

_COLOURS = {Verdict.GOOD: "green", Verdict.WARNING: "yellow", Verdict.BAD: "red"}


def register(app: typer.Typer) -> None:
    @app.command()
    def doctor(data_dir: DataDir = None) -> None:
        """Check files, permissions, indexes, jobs and models; exit 1 when something is bad."""
        findings = asyncio.run(_look_around(data_directory(data_dir)))
        table = Table("", spoken("what"), spoken("finding"), spoken("what to do"))
        for found in findings:
            mark = f"[{_COLOURS[found.verdict]}]●[/]"
            said = (spoken(found.subject, **found.fills), spoken(found.sentence, **found.fills))
            table.add_row(mark, *(escape(one) for one in (*said, spoken(found.mend))))
        Console().print(table)
        if any(found.verdict is Verdict.BAD for found in findings):
            raise typer.Exit(1)


def _look_at_settings(folder: Path) -> list[Finding]:
    """A key nobody knows stops the ghost; here it is named beside everything else."""
    try:
        load_config(folder)
    except ConfigError as error:
        return [
            Finding("settings", Verdict.BAD, str(error), "Mend config.toml or the variable, then ask again.")
        ]
    return []


async def _look_around(folder: Path) -> list[Finding]:
    if unknown := _look_at_settings(folder):
        return [*rounds.look_at_directory(folder), *unknown]
    key = open_key(read_encryption(folder), folder)
    findings = [*rounds.look_at_directory(folder), *rounds.look_at_files(folder, key)]
    damaged = any(found.verdict is Verdict.BAD and found.subject.endswith(".db") for found in findings)
    if damaged or not (folder / "settings.db").exists():
        return findings
    try:
        async with open_ghost(folder, locked=False) as ghost:
            findings.append(await asyncio.to_thread(rounds.look_at_jobs, ghost.memory))
            findings += await _look_at_indexes(ghost)
            findings.append(await _look_at_mind(ghost))
            findings += await _look_at_encoder(ghost)
    except StoreError as error:
        findings.append(Finding("memory", Verdict.BAD, str(error), "Do as it says, then ask again."))
    return findings


async def _look_at_indexes(ghost: Ghost) -> list[Finding]:
    def read(reader: Reader) -> tuple[int, int]:
        return events.count(reader), words.check(reader).missing_events

    total, missing = await ghost.memory.read(read)
    found = [rounds.look_at_index("words", total - missing, total)]
    index, note = ghost.index(), ghost.faculties.choice.note
    if index is None:
        return [*found, Finding("meaning index", Verdict.WARNING, note, "Words answer until then.")]
    covered = await ghost.memory.read(lambda reader: vectors.check(reader, index.space))
    return [*found, rounds.look_at_index("meaning", covered.items, covered.items + covered.missing)]


async def _look_at_mind(ghost: Ghost) -> Finding:
    preset = ghost.chosen().llm

    async def ask() -> str:
        question = (Message("user", "Answer with a short summary of: the ghost can hear you."),)
        material = ReplyMaterial(0, "The ghost can hear you.", Language.EN)
        await ghost.mind().plan(PlanRequest("reply_summary", question, material), ReplySummary)
        return "{model} answers."

    mend = "Check the key and the address in the settings, or choose the embedded mind there."
    return await rounds.look_at_model("mind", preset.model, ask, mend)


async def _look_at_encoder(ghost: Ghost) -> list[Finding]:
    embedder = ghost.faculties.choice.embedder
    if embedder is None:
        return []

    async def ask() -> str:
        await embedder.embed(["the ghost can hear you"])
        return "{model}: answers."

    mend = "Check the embedding preset in the settings; words answer meanwhile."
    return [await rounds.look_at_model("embedding", ghost.faculties.choice.note, ask, mend)]
