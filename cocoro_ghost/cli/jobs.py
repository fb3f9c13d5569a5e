"""`cocoro-ghost jobs`: what the worker has before it, and what failed for good."""

from __future__ import annotations

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from cocoro_ghost.bootstrap import open_foundations
from cocoro_ghost.cli.options import DataDir, existing
from cocoro_ghost.cli.spoken import spoken, tell
from cocoro_ghost.clock import local_iso
from cocoro_ghost.model.job import JobStatus
from cocoro_ghost.store import jobs as rows


def register(app: typer.Typer) -> None:
    @app.command()
    def jobs(
        data_dir: DataDir = None,
        status: JobStatus | None = typer.Option(None, help="Only jobs of this status."),
        retry: bool = typer.Option(False, "--retry", help="Send quarantined and dead jobs to work again."),
        limit: int = typer.Option(30, min=1, max=1000),
    ) -> None:
        """Show jobs, newest first, or send the failed ones again."""
        with open_foundations(existing(data_dir), locked=False) as base:
            memory, zone = base.databases.memory, base.clock.zone
            if retry:
                tell("{count} jobs were sent to work again.", count=memory.write_now(rows.requeue_all))
                return
            stats = memory.read_now(lambda r: rows.stats(r, base.clock.system_now()))
            found = memory.read_now(lambda r: rows.listed(r, limit, status=status))
        table = Table(*(spoken(one) for one in ("id", "kind", "status", "tries", "due", "error")))
        for job in found:
            # What was hastened is due before time began.
            due = local_iso(job.run_after, zone) if job.run_after > 0 else ""
            tries = str(job.attempts + job.snoozes)
            table.add_row(
                str(job.job_id), job.kind, spoken(job.status), tries, due, escape((job.last_error or "")[:60])
            )
        console = Console()
        console.print(table)
        console.print(
            " · ".join(f"{spoken(name.removesuffix('_count'))} {value}" for name, value in stats.items())
        )
