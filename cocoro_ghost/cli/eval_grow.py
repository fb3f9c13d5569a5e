"""`cocoro-ghost eval grow`: how well a mind turns talk into memory, measured on labelled turns."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from cocoro_ghost.bootstrap import open_foundations
from cocoro_ghost.cli.options import DataDir, progress_bar, stderr
from cocoro_ghost.errors import BadInput
from cocoro_ghost.evaluate.grow_run import ZONE, evaluate_grow
from cocoro_ghost.evaluate.grow_table import print_result
from cocoro_ghost.grow.generate import ask
from cocoro_ghost.mind.choose_mind import ClientOptions, choose_mind
from cocoro_ghost.mind.client import Mind, PlanRequest
from cocoro_ghost.mind.embedded.embedded_mind import EmbeddedMind
from cocoro_ghost.model.material import WriteMaterial
from cocoro_ghost.settings.preset_book import read_book


def register(app: typer.Typer) -> None:
    @app.command("grow")
    def grow(
        cases: Annotated[
            Path, typer.Option("--cases", exists=True, dir_okay=False, help="Labelled turns, JSON lines.")
        ],
        mind: Annotated[
            str, typer.Option("--mind", help="`embedded`, or the id or name of an LLM preset.")
        ] = "embedded",
        json_file: Annotated[
            Path | None, typer.Option("--json", help="Also write the whole result here.")
        ] = None,
        failures: Annotated[int, typer.Option(min=0, help="How many failures to show.")] = 10,
        data_dir: DataDir = None,
    ) -> None:
        """Measure what write plans teach: preferences, times, names, states, feelings."""
        try:
            result = asyncio.run(_measured(cases, mind_called(mind, data_dir)))
        except ValueError as problem:
            raise BadInput(str(problem)) from problem
        print_result(result, Console(), failures)
        if json_file is not None:
            json_file.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


async def _measured(cases: Path, mind: Mind) -> dict[str, Any]:
    with progress_bar(stderr()) as bar:
        line = bar.add_task("turns", total=None)
        try:
            return await evaluate_grow(
                cases,
                mind,
                requests=_request,
                progress=lambda done, total: bar.update(line, completed=done, total=total),
            )
        finally:
            await mind.close()


def _request(material: WriteMaterial) -> PlanRequest:
    asked = ask(material, ZONE)
    return asked.request


def mind_called(name: str, data_dir: Path | None) -> Mind:
    """The embedded mind needs no data directory; a preset is read from one."""
    if name == "embedded":
        return EmbeddedMind(ZONE)
    with open_foundations(data_dir, locked=False) as base:
        book = base.databases.settings.read_now(lambda reader: read_book(reader, base.seal))
    for preset in book.llm:
        if name in {preset.preset_id, preset.name}:
            return choose_mind(preset, ClientOptions(zone=ZONE))
    raise BadInput(f"there is no LLM preset called {name!r}")
