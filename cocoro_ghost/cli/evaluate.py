"""`cocoro-ghost eval …`: how well it remembers and learns, offline and without a judge."""

from __future__ import annotations

import typer

from cocoro_ghost.cli import eval_grow, eval_mind, eval_recall, eval_talks


def register(app: typer.Typer) -> None:
    group = typer.Typer(help="Measure recall and learning on data of your own.", no_args_is_help=True)
    for part in (eval_recall, eval_grow, eval_talks, eval_mind):
        part.register(group)
    app.add_typer(group, name="eval")
