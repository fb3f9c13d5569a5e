"""The result of `eval grow` for people: figures against their marks, by language, and what failed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

MARKS = {"preferences F1": 0.85, "about exact": 0.85, "entities F1": 0.75, "states F1": 0.70, "valence": 0.80}
MOST_FALSE_ALARMS = 0.08


def figures(part: Mapping[str, Any]) -> dict[str, float]:
    """The headline figures of a result or of one language's share."""
    return {
        "preferences F1": part["preferences"]["f1"],
        "about exact": part["about"]["exact"],
        "entities F1": part["entities"]["f1"],
        "states F1": part["states"]["f1"],
        "valence": part["valence"]["accuracy"],
        "false alarms": part["false_alarms"],
    }


def print_result(result: Mapping[str, Any], console: Console, failures: int = 10) -> None:
    """A table of figures, then the first failures."""
    config = result["config"]
    head = f"eval grow · {config['cases']} · n={result['n']} · mind {config['mind']}"
    console.print(f"{head} · plan ms {config['plan_ms']}")
    table = Table("measure", "all", *result["by_lang"], "mark")
    parts = {language: figures(part) for language, part in result["by_lang"].items()}
    for name, value in figures(result).items():
        mark = f"≤ {MOST_FALSE_ALARMS}" if name == "false alarms" else f"≥ {MARKS[name]}"
        table.add_row(name, f"{value:.3f}", *(f"{parts[language][name]:.3f}" for language in parts), mark)
    console.print(table)
    console.print(_details(result))
    for failure in result["failures"][:failures]:
        console.print(f"[bold]{failure['id']}[/bold] {failure['text'][:100]}", highlight=False)
        for problem in failure["problems"]:
            console.print(f"   {problem}", highlight=False, markup=False)
    if len(result["failures"]) > failures:
        console.print(f"… and {len(result['failures']) - failures} more (all of them with --json)")


def _details(result: Mapping[str, Any]) -> Table:
    table = Table("part", "precision", "recall", "F1")
    for name in ("preferences", "entities", "states"):
        part = result[name]
        table.add_row(name, *(f"{part[key]:.3f}" for key in ("precision", "recall", "f1")))
    for name, part in result["arousal"].items():
        table.add_row(f"arousal {name} (n={part['n']})", "", f"{part['accuracy']:.3f}", "")
    return table
