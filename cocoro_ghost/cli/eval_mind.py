"""`cocoro-ghost eval mind`: sixty short scenarios against any mind, and a table."""

from __future__ import annotations

import asyncio
from typing import Annotated

import typer
from rich.console import Console

from cocoro_ghost.cli.eval_grow import mind_called
from cocoro_ghost.cli.options import DataDir, progress_bar, stderr
from cocoro_ghost.evaluate.mind_run import Outcome, evaluate_mind, table
from cocoro_ghost.mind.client import Mind


def register(app: typer.Typer) -> None:
    @app.command("mind")
    def mind_command(
        mind: Annotated[
            str, typer.Option("--mind", help="`embedded`, or the id or name of an LLM preset.")
        ] = "embedded",
        limit: Annotated[int, typer.Option(min=1, max=60, help="How many of the sixty scenarios.")] = 60,
        failures: Annotated[int, typer.Option(min=0, help="How many failures to show.")] = 10,
        data_dir: DataDir = None,
    ) -> None:
        """Measure replies and learning: memory used, nothing made up, nothing leaked, language kept."""
        chosen = mind_called(mind, data_dir)
        outcomes = asyncio.run(_measured(chosen, limit))
        console = Console(highlight=False)
        console.print(table(outcomes, chosen.model_id), soft_wrap=True)
        for one in [one for one in outcomes if not one.right][:failures]:
            said = one.failed or one.text
            console.print(f"- {one.scenario.task} {one.scenario.said} → {said}", soft_wrap=True, markup=False)


async def _measured(mind: Mind, limit: int) -> list[Outcome]:
    with progress_bar(stderr()) as bar:
        line = bar.add_task("scenarios", total=None)
        try:
            return await evaluate_mind(
                mind,
                limit=limit,
                progress=lambda done, total: bar.update(line, completed=done, total=total),
            )
        finally:
            await mind.close()
