"""`cocoro-ghost eval recall` and `eval replay`: how well it remembers, offline and without a judge."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from cocoro_ghost.bootstrap import open_foundations, open_ghost
from cocoro_ghost.cli.options import DataDir, progress_bar, stderr
from cocoro_ghost.cli.recall_command import warm
from cocoro_ghost.embed.choose_embedder import choose_embedder
from cocoro_ghost.embed.embedded import ENCODERS, EmbeddedEmbedder
from cocoro_ghost.embed.embedder import Embedder
from cocoro_ghost.errors import BadInput
from cocoro_ghost.evaluate.recall_growth import grown
from cocoro_ghost.evaluate.recall_parallel import evaluate_in_parallel
from cocoro_ghost.evaluate.recall_run import Conversation, RecallEval, evaluate_recall, read_conversations
from cocoro_ghost.evaluate.recall_sets import (
    ABLATIONS,
    ALL,
    HEAD,
    Results,
    evaluate_sets,
    place_in,
    rows,
    sets_in,
)
from cocoro_ghost.evaluate.replay import Difference, replay, summary
from cocoro_ghost.recall.config import STEPS, RecallConfig
from cocoro_ghost.recall.gather import FIRST, SECOND
from cocoro_ghost.settings.preset_book import read_book

TABLE_DEPTHS = (1, 5, 10, 20, 50)
FEATURES = (*FIRST, *SECOND, *STEPS)
JsonFile = Annotated[Path | None, typer.Option("--json", help="Also write the whole result here.")]


def register(app: typer.Typer) -> None:
    app.command("recall")(measure_recall)
    app.command("replay")(replay_runs)


def measure_recall(
    events: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="Turns, JSON lines.")
    ] = None,
    queries: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="Questions, JSON lines.")
    ] = None,
    sets: Annotated[
        list[Path] | None,
        typer.Option(
            exists=True, file_okay=False, help="Folder of NAME.events.jsonl and NAME.queries.jsonl."
        ),
    ] = None,
    ablations: Annotated[
        bool, typer.Option("--ablations", help="With --sets: also without each part, one by one.")
    ] = False,
    before: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="With --sets: an earlier --json to compare with."),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(exists=True, dir_okay=False, help="With --sets: Markdown page to put the table in."),
    ] = None,
    embedding: Annotated[str, typer.Option(help="`embedded`, `none`, or an embedding preset.")] = "embedded",
    k: Annotated[str, typer.Option("--k", help="Depths, separated by commas.")] = "5,10,20,50",
    without: Annotated[list[str] | None, typer.Option(help=f"Leave out: {', '.join(FEATURES)}.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Conversations at once.")] = 1,
    grow: Annotated[bool, typer.Option("--grow", help="Learn from each turn first (embedded mind).")] = False,
    json_file: JsonFile = None,
    data_dir: DataDir = None,
) -> None:
    """Measure recall on conversations with questions whose answers are known."""
    off = _known_features(without or [])
    setup = RecallEval(
        config=replace(RecallConfig(), off=off), ks=_depths(k), jobs=jobs, grow=grown if grow else None
    )
    if sets:
        earlier, place = _earlier(before), None if page is None else place_in(page)
        wide = replace(setup, ks=TABLE_DEPTHS)
        table = _over_sets(sets, wide, ablations=ablations, embedded=embedding != "none")
        print_sets(table, earlier, Console())
        if page is not None and place is not None:
            page.write_text(place.filled(table, earlier), encoding="utf-8")
        _write(json_file, table)
        return
    if events is None or queries is None:
        raise BadInput("Give --events and --queries, or a folder with --sets.")
    if jobs > 1 and embedding in ("embedded", "none"):
        result = _in_parallel(events, queries, setup, embedding == "embedded")
    else:
        result = asyncio.run(_measured(events, queries, setup, _embedder(embedding, data_dir)))
    print_result(result, setup.ks, Console())
    _write(json_file, result)


def replay_runs(
    limit: Annotated[int, typer.Option(min=1, help="How many stored runs, newest first.")] = 200,
    show: Annotated[int, typer.Option(min=0, help="How many differences to show.")] = 20,
    json_file: JsonFile = None,
    data_dir: DataDir = None,
) -> None:
    """Run stored retrievals of this memory again and show what would be recalled differently."""
    differences = asyncio.run(_replayed(data_dir, limit))
    print_differences(differences, show, Console())
    whole = [_plain(one) for one in differences]
    _write(json_file, {**summary(differences), "runs": whole})


def _read(events: Path, queries: Path) -> dict[str, Conversation]:
    with events.open(encoding="utf-8") as turns, queries.open(encoding="utf-8") as questions:
        return read_conversations(turns, questions)


def _in_parallel(events: Path, queries: Path, setup: RecallEval, embedded: bool) -> dict[str, Any]:
    conversations = _read(events, queries)
    total = sum(len(one.questions) for one in conversations.values())
    with progress_bar(stderr()) as bar:
        task = bar.add_task("questions", total=total)
        return evaluate_in_parallel(
            conversations, setup, embedded=embedded, progress=lambda done: bar.update(task, advance=done)
        )


def _earlier(file: Path | None) -> Results | None:
    if file is None:
        return None
    try:
        found: Results = json.loads(file.read_text(encoding="utf-8"))
        rows(found)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(f"{file} is no result of `eval recall --sets … --json`.") from error
    return found


def _over_sets(
    folders: list[Path], setup: RecallEval, *, ablations: bool, embedded: bool
) -> dict[str, dict[str, dict[str, Any]]]:
    found = sets_in(folders)
    questions = sum(len(one.questions) for every in found.values() for one in every.values())
    with progress_bar(stderr()) as bar:
        task = bar.add_task("questions", total=questions * (len(ABLATIONS) if ablations else 1))
        return evaluate_sets(
            found,
            setup,
            ablations=ablations,
            embedded=embedded,
            progress=lambda done: bar.update(task, advance=done),
        )


async def _measured(
    events: Path, queries: Path, setup: RecallEval, embedder: Embedder | None
) -> dict[str, Any]:
    conversations = _read(events, queries)
    total = sum(len(one.questions) for one in conversations.values())
    with progress_bar(stderr()) as bar:
        task = bar.add_task("questions", total=total)
        try:
            return await evaluate_recall(
                conversations, setup, embedder, lambda done: bar.update(task, advance=done)
            )
        finally:
            if embedder is not None:
                await embedder.close()


async def _replayed(data_dir: Path | None, limit: int) -> list[Difference]:
    async with open_ghost(data_dir, locked=False) as ghost:
        assert ghost.recaller is not None
        await warm(ghost)
        with progress_bar(stderr()) as bar:
            task = bar.add_task("runs", total=limit)
            return await replay(ghost.recaller, limit, lambda done: bar.update(task, advance=done))


def print_result(result: dict[str, Any], ks: tuple[int, ...], console: Console) -> None:
    """A table for people: all questions first, then each category."""
    columns = [f"R@{k}" for k in ks] + [name for name in ("any@10", "all@10") if name in result]
    table = Table("", "n", *columns, "MRR", "nDCG@10", "session all@5")
    rows = {"all": result, **result.get("by_category", {})}
    for name, one in rows.items():
        cells = [f"{one[column]:.1f}" for column in columns if column in one]
        session = one.get("session", {}).get("all@5", 0.0)
        table.add_row(name, str(one["n"]), *cells, f"{one.get('MRR', 0):.3f}", f"{one.get('nDCG@10', 0):.3f}",
                      f"{session:.3f}")  # fmt: skip
    console.print(table)
    waits = result["latency_ms"]
    console.print(f"recall takes {waits['p50']} ms (p50), {waits['p95']} ms (p95)")
    console.print(
        "configuration: " + ", ".join(f"{name} {value}" for name, value in result["config"].items())
    )


def print_sets(results: Results, before: Results | None, console: Console) -> None:
    """All sets in one table, then the configuration."""
    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for name in HEAD:
        # Figures stand whole in 80 columns; names are folded, never cut.
        table.add_column(name, overflow="fold", justify="left" if name in HEAD[:2] else "right")
    for line in rows(results, before):
        table.add_row(*line)
    console.print(table)
    config = next(iter(results.values()))[ALL]["config"]
    console.print(
        f"embedding {config['embedding']}, depth {config['depth']}, learned first: {config['grow']}"
    )


def print_differences(differences: list[Difference], show: int, console: Console) -> None:
    counts = summary(differences)
    console.print(", ".join(f"{name} {value}" for name, value in counts.items()))
    table = Table("run", "event", "new", "gone", "moved")
    for one in [one for one in differences if not one.same][:show]:
        moved = " ".join(f"{ref} {then}→{now}" for ref, then, now in one.moved)
        table.add_row(str(one.run_id), str(one.event_id), " ".join(one.new), " ".join(one.gone), moved)
    if table.row_count:
        console.print(table)


def _depths(text: str) -> tuple[int, ...]:
    try:
        found = tuple(sorted({int(part) for part in text.split(",")}))
    except ValueError as error:
        raise BadInput(f"--k takes numbers separated by commas, not {text!r}.") from error
    if not found or found[0] < 1 or found[-1] > 50:
        raise BadInput("--k takes depths from 1 to 50.")
    return found


def _known_features(names: list[str]) -> frozenset[str]:
    wanted = frozenset(part for name in names for part in name.split(","))
    unknown = sorted(wanted - set(FEATURES))
    if unknown:
        raise BadInput(f"--without knows no {unknown[0]!r}; there are {', '.join(FEATURES)}.")
    return wanted


def _embedder(name: str, data_dir: Path | None) -> Embedder | None:
    if name == "none":
        return None
    if name == "embedded":
        return EmbeddedEmbedder(ENCODERS["use"])
    with open_foundations(data_dir, locked=False) as base:
        book = base.databases.settings.read_now(lambda reader: read_book(reader, base.seal))
    for preset in book.embedding:
        if name in {preset.preset_id, preset.name}:
            choice = choose_embedder(preset)
            if choice.embedder is None:
                raise BadInput(choice.note)
            return choice.embedder
    raise BadInput(f"There is no embedding preset called {name!r}.")


def _plain(one: Difference) -> dict[str, Any]:
    return {
        "run_id": one.run_id,
        "event_id": one.event_id,
        "new": one.new,
        "gone": one.gone,
        "moved": one.moved,
    }


def _write(path: Path | None, result: dict[str, Any]) -> None:
    if path is not None:
        path.write_text(json.dumps(result, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
