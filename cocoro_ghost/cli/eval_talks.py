"""`cocoro-ghost eval talks`: plays talks with checks against a fresh ghost and counts what held."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from cocoro_ghost.cli.options import progress_bar, stderr
from cocoro_ghost.evaluate.talks_run import Played, load_talks, play


def register(app: typer.Typer) -> None:
    @app.command("talks")
    def talks(
        talks: Annotated[
            Path,
            typer.Option(
                "--talks", exists=True, dir_okay=False, help="Talks with checks, JSON or JSON lines."
            ),
        ],
        json_file: Annotated[
            Path | None, typer.Option("--json", help="Also write the whole result here.")
        ] = None,
        failures: Annotated[int, typer.Option(min=0, help="How many failures to show.")] = 10,
        show: Annotated[bool, typer.Option("--show", help="Also print what was said and answered.")] = False,
    ) -> None:
        """Play talks with checks, a fresh ghost for each, and show how many checks of each kind hold."""
        played = asyncio.run(_played(talks))
        _print(played, Console(), failures, show=show)
        if json_file is not None:
            whole = {
                "by_kind": played.table(),
                "checks": [asdict(c) for c in played.checks],
                "lines": played.lines,
            }
            json_file.write_text(json.dumps(whole, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


async def _played(path: Path) -> Played:
    found = load_talks(path)
    with progress_bar(stderr()) as bar:
        line = bar.add_task("turns", total=None)
        return await play(found, lambda done, total: bar.update(line, completed=done, total=total))


def _print(played: Played, console: Console, failures: int, *, show: bool) -> None:
    if show:
        for _, said, reply in played.lines:
            console.print(f"▸ {said}\n  {reply}", markup=False, highlight=False)
    table = Table("kind", "right", "checks", "share")
    for kind, (right, whole) in played.table().items():
        table.add_row(kind or "(none)", str(right), str(whole), f"{right / whole:.2f}")
    console.print(table)
    for check in [c for c in played.checks if not c.ok][:failures]:
        text = f"{check.kind} · {check.what} {check.wanted!r} · {check.said} → {check.found[:200]!r}"
        console.print(text, markup=False, highlight=False)
