"""`cocoro-ghost recall "…"`: what would come to mind, and with `--explain` why. Nothing is written."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import tzinfo
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from cocoro_ghost.bootstrap import open_ghost
from cocoro_ghost.cli.options import DataDir
from cocoro_ghost.cli.spoken import spoken
from cocoro_ghost.clock import local_iso, parse_iso
from cocoro_ghost.errors import BadAnswer, BadInput, NotConfigured, Outage
from cocoro_ghost.ghost import Ghost
from cocoro_ghost.model.event import Origin
from cocoro_ghost.model.retrieval import Candidate, Mode, Ref, RetrievalPlan
from cocoro_ghost.recall.recall import RecallRequest, RecallResult

Texts = Mapping[Ref, tuple[str, str]]
WIDEST = 100
EXPLAINED = 40


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
        console.width = min(console.width, WIDEST)
        print_memories(result, ghost.clock.zone, console)
        if explain:
            shown = [one.ref for one in result.fused.seated[:EXPLAINED]]
            texts = await ghost.recaller.texts([*shown, *(one.ref for one in result.selection.chosen)])
            print_explanation(result, texts, console)
        return result.trace()


async def warm(ghost: Ghost) -> None:
    """Loads the encoder first: a command may wait for it, unlike a talk. Without one, words must do."""
    with suppress(NotConfigured, Outage, BadAnswer):
        await ghost.embedder().embed(["."], query=True)


def _moment(now: str | None, ghost: Ghost) -> int | None:
    try:
        return None if now is None else parse_iso(now, ghost.clock.zone)
    except ValueError as error:
        raise BadInput(spoken("{now!r} is no ISO 8601 time.", now=now)) from error


def print_memories(result: RecallResult, zone: tzinfo | None, console: Console) -> None:
    """The selected memories, best first."""
    if not result.recalled:
        console.print(spoken("Nothing comes to mind."))
        return
    table = Table(*map(spoken, ("ref", "kind", "when", "score")), box=box.SIMPLE_HEAD, expand=True)
    table.add_column(spoken("text"), ratio=3)
    table.add_column(spoken("why"), ratio=1)
    for one in result.recalled:
        told = " / ".join(part for part in (one.text, one.reply_text) if part)
        when = local_iso(one.happened_at or one.said_at, zone)[:10]
        kind = spoken("{kind} (past)", kind=spoken(one.kind)) if one.closed else spoken(one.kind)
        source = "" if one.origin == Origin.USER.value else f" [{one.origin}]"
        table.add_row(
            one.ref, kind + escape(source), when, f"{one.score:.2f}", escape(told[:160]), escape(one.reason)
        )
    console.print(table)


def print_explanation(result: RecallResult, texts: Texts, console: Console) -> None:
    """Plan, routes, seats, scores with the texts they are of, what was left out, milliseconds."""
    console.print(escape("\n" + _plan(result.plan)))
    console.print(_routes(result))
    console.print(_candidates(result, texts))
    stages = _counted((name, f"{spent:.1f}") for name, spent in result.stages.items())
    console.print(spoken("milliseconds: {stages}; in all {all:.1f}", stages=stages, all=result.milliseconds))
    chosen_by = spoken("selected by {who}", who=spoken(result.selection.by))
    console.print(
        chosen_by + (f" ({escape(result.selection.fallback)})" if result.selection.fallback else "")
    )
    sizes = _counted(result.pack.sections.items())
    console.print(spoken("pack: {tokens} tokens ({sizes})", tokens=result.pack.tokens, sizes=sizes))
    for name, gone in result.pack.dropped.items():
        console.print(spoken("left out of {name}:", name=spoken(name)))
        for one in gone:
            ref = Ref.parse(one)
            said = texts[ref][0] if ref is not None and ref in texts else ""
            console.print(Text(f"  {one} {said}", overflow="ellipsis", no_wrap=True))


def _plan(plan: RetrievalPlan) -> str:
    told = [spoken("mode {mode}", mode=spoken(plan.mode.value))]
    told += [spoken("about “{time}”", time=plan.time.text)] if plan.time else []
    told += [
        spoken(name) for name, on in (("only asks", plan.only_asks), ("asks for before", plan.past)) if on
    ]
    told += [spoken("searched as “{search}”", search=plan.search)] if plan.search else []
    return ", ".join(told)


def _counted(every: Iterable[tuple[str, object]]) -> str:
    return ", ".join(f"{spoken(name)} {count}" for name, count in every)


def _routes(result: RecallResult) -> Table:
    heads = map(spoken, ("route", "status", "hits", "ms"))
    table = Table(*heads, "", title=spoken("routes"), box=box.SIMPLE_HEAD)
    for one in result.routes:
        spent = f"{one.milliseconds:.1f}"
        table.add_row(spoken(one.route), spoken(one.status), str(one.hits), spent, escape(one.error))
    return table


def _candidates(result: RecallResult, texts: Texts) -> Table:
    chosen = {one.ref for one in result.selection.chosen}
    seated, weighed = len(result.fused.seated), len(result.fused.ranked)
    heads = map(spoken, ("ref", "seat", "score", "words", "mean", "time", "rel"))
    title = spoken("candidates: {seated} of {weighed} seated", seated=seated, weighed=weighed)
    shown = Table("", *heads, title=title, box=box.SIMPLE_HEAD, expand=True)
    shown.add_column(spoken("text"), ratio=1, no_wrap=True, overflow="ellipsis")
    for one in result.fused.seated[:EXPLAINED]:
        text = texts.get(one.ref, ("", ""))[0]
        shown.add_row("●" if one.ref in chosen else "", *_cells(one), escape(text))
    shown.caption = spoken(
        "● selected; {left} weighed but without a seat; seats: {seats}",
        left=weighed - seated,
        seats=_counted(result.fused.seats.items()),
    )
    return shown


def _cells(one: Candidate) -> list[str]:
    parts = [f"{one.parts.get(name, 0.0):.2f}" for name in ("words", "meaning", "time")]
    return [str(one.ref), spoken(one.seat), f"{one.score:.2f}", *parts, f"{one.relevance:.2f}"]
