"""`cocoro-ghost recall "…"`: what would come to mind, and with `--explain` why. Nothing is written."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from datetime import tzinfo
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from cocoro_ghost.bootstrap import open_ghost
from cocoro_ghost.cli.options import DataDir
from cocoro_ghost.clock import local_iso, parse_iso
from cocoro_ghost.errors import BadAnswer, BadInput, NotConfigured, Outage
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.model.retrieval import Candidate, Mode
from cocoro_ghost.recall.recall import RecallRequest, RecallResult


def register(app: typer.Typer) -> None:
    @app.command("recall")
    def recall(
        text: Annotated[str, typer.Argument(help="A message, as it would be said.")],
        explain: Annotated[bool, typer.Option("--explain", help="Show where each memory came from.")] = False,
        mode: Annotated[Mode | None, typer.Option(help="Override the rules' choice.")] = None,
        now: Annotated[str | None, typer.Option(help="Remember as at this time (ISO 8601).")] = None,
        k: Annotated[int | None, typer.Option("--k", min=1, max=60, help="How many to select.")] = None,
        json_file: Annotated[Path | None, typer.Option("--json", help="Also write the trace here.")] = None,
        data_dir: DataDir = None,
    ) -> None:
        """Recall without a reply: what comes to mind, and why."""
        trace = asyncio.run(_recall(text, data_dir, mode, now, k, explain))
        if json_file is not None:
            json_file.write_text(json.dumps(trace, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


async def _recall(
    text: str,
    data_dir: Path | None,
    mode: Mode | None,
    now: str | None,
    k: int | None,
    explain: bool,
) -> dict[str, Any]:
    async with open_ghost(data_dir, locked=False) as ghost:
        assert ghost.recaller is not None
        await warm(ghost)
        request = RecallRequest(text, now=_moment(now, ghost), mode=mode, selected=k)
        result = await ghost.recaller.run(request)
        console = Console()
        print_memories(result, ghost.clock.zone, console)
        if explain:
            print_explanation(result, console)
        return result.trace()


async def warm(ghost: Ghost) -> None:
    """Loads the encoder first: a command may wait for it, unlike a talk. Without one, words must do."""
    with suppress(NotConfigured, Outage, BadAnswer):
        await ghost.embedder().embed(["."], query=True)


def _moment(now: str | None, ghost: Ghost) -> int | None:
    try:
        return None if now is None else parse_iso(now, ghost.clock.zone)
    except ValueError as error:
        raise BadInput(f"{now!r} is no ISO 8601 time.") from error


def print_memories(result: RecallResult, zone: tzinfo | None, console: Console) -> None:
    """The selected memories, best first."""
    if not result.recalled:
        console.print("Nothing comes to mind.")
        return
    table = Table("ref", "kind", "when", "score", "text", "why")
    for one in result.recalled:
        told = " / ".join(part for part in (one.text, one.reply_text) if part)
        when = local_iso(one.happened_at or one.said_at, zone)[:16]
        kind = f"{one.kind} (past)" if one.closed else one.kind
        table.add_row(one.ref, kind, when, f"{one.score:.2f}", escape(told[:160]), escape(one.reason))
    console.print(table)


def print_explanation(result: RecallResult, console: Console) -> None:
    """Plan, routes, seats, scores, what was left out, milliseconds."""
    hint = result.plan.time
    console.print(f"\nmode {result.plan.mode.value}" + (f", about {escape(hint.text)!r}" if hint else ""))
    console.print(_routes(result))
    console.print(_candidates(result))
    stages = ", ".join(f"{name} {spent:.1f}" for name, spent in result.stages.items())
    console.print(f"milliseconds: {stages}; in all {result.milliseconds:.1f}")
    chosen_by = f"selected by {result.selection.by}"
    console.print(
        chosen_by + (f" ({escape(result.selection.fallback)})" if result.selection.fallback else "")
    )
    sizes = ", ".join(f"{name} {tokens}" for name, tokens in result.pack.sections.items())
    console.print(f"pack: {result.pack.tokens} tokens ({sizes})")
    for name, count in result.pack.dropped.items():
        console.print(f"  left out of {name}: {count} lines, over budget")


def _routes(result: RecallResult) -> Table:
    table = Table("route", "status", "hits", "ms", "", title="routes")
    for one in result.routes:
        table.add_row(one.route, one.status, str(one.hits), f"{one.milliseconds:.1f}", escape(one.error))
    return table


def _candidates(result: RecallResult) -> Table:
    chosen = {one.ref for one in result.selection.chosen}
    columns = ("", "ref", "seat", "score", "words", "meaning", "time", "context", "relevance", "routes")
    seated, found = len(result.fused.seated), len(result.fused.ranked)
    shown = Table(*columns, title=f"candidates: {seated} of {found} seated")
    for one in result.fused.seated[:40]:
        shown.add_row("●" if one.ref in chosen else "", *_cells(one))
    shown.caption = (
        f"● selected; {found - seated} found but without a seat; seats: {dict(result.fused.seats)}"
    )
    return shown


def _cells(one: Candidate) -> list[str]:
    parts = [f"{one.parts.get(name, 0.0):.2f}" for name in ("words", "meaning", "time", "context")]
    return [str(one.ref), one.seat, f"{one.score:.2f}", *parts, f"{one.relevance:.2f}", " ".join(one.routes)]
