"""One table over many sets: how well all of remembering does, and what each part of it is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from cocoro_ghost.errors import BadInput
from cocoro_ghost.evaluate.recall_parallel import without_each
from cocoro_ghost.evaluate.recall_run import Conversation, RecallEval, read_conversations
from cocoro_ghost.recall.config import STEPS

Sets = Mapping[str, Mapping[str, Conversation]]
Results = Mapping[str, Mapping[str, Mapping[str, Any]]]
"""By set and by what was left out."""

ALL = "all"
BEFORE = "before"
ABLATIONS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        ALL: frozenset(),
        "words only": frozenset({"meaning"}),
        "meaning only": frozenset({"words"}),
        **{f"without {step}": frozenset({step}) for step in (*STEPS, "about_time", "entities", "threads")},
    }
)
FIGURES = ("R@1", "R@5", "R@10", "R@20", "R@50", "any@10", "all@10")
HEAD = ("set", "", *FIGURES, "sessions any@5")
_EVENTS, _QUERIES = ".events.jsonl", ".queries.jsonl"
_BEGIN, _END = "<!-- eval recall -->", "<!-- /eval recall -->"


def sets_in(folders: Sequence[Path]) -> dict[str, dict[str, Conversation]]:
    """Every pair of `NAME.events.jsonl` and `NAME.queries.jsonl`, in the order of their names."""
    found: dict[str, dict[str, Conversation]] = {}
    for folder in folders:
        for turns in sorted(folder.glob(f"*{_EVENTS}")):
            name = turns.name.removesuffix(_EVENTS)
            asked = turns.with_name(name + _QUERIES)
            if asked.exists():
                with turns.open(encoding="utf-8") as events, asked.open(encoding="utf-8") as queries:
                    found[name] = read_conversations(events, queries)
    if not found:
        where = ", ".join(str(folder) for folder in folders)
        raise BadInput(f"No NAME{_EVENTS} with its NAME{_QUERIES} in {where}.")
    return found


def evaluate_sets(
    sets: Sets,
    setup: RecallEval,
    *,
    ablations: bool,
    embedded: bool,
    progress: Callable[[int], None] | None = None,
) -> dict[str, dict[str, dict[str, object]]]:
    """Every set as it is, and with `ablations` once more for everything that is left out."""
    chosen = ABLATIONS if ablations else {ALL: ABLATIONS[ALL]}
    results = {}
    for name, conversations in sets.items():
        found = without_each(
            conversations, setup, list(chosen.values()), embedded=embedded, progress=progress
        )
        results[name] = {variant: found[off] for variant, off in chosen.items()}
    return results


def rows(results: Results, before: Results | None = None) -> list[tuple[str, ...]]:
    """The table line by line; under a set's first line stands what an earlier run had measured."""
    lines = []
    for name, variants in results.items():
        for variant, one in variants.items():
            lines.append(_line(f"{name} (n {one['n']})" if variant == ALL else "", variant, one))
            earlier = (before or {}).get(name, {}).get(ALL)
            if variant == ALL and earlier is not None:
                lines.append(_line("", BEFORE, earlier))
    return lines


@dataclass(frozen=True, slots=True)
class Place:
    """Where on a Markdown page the table stands; everything around it stays as it is."""

    before: str
    after: str

    def filled(self, results: Results, earlier: Results | None = None) -> str:
        table = [HEAD, ("---",) * len(HEAD), *rows(results, earlier)]
        lines = "\n".join(f"| {' | '.join(line)} |" for line in table)
        return f"{self.before}{_BEGIN}\n{lines}\n{_END}{self.after}"


def place_in(page: Path) -> Place:
    """Between the two marks; asked before anything is measured."""
    before, begin, rest = page.read_text(encoding="utf-8").partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise BadInput(f"{page} has no lines {_BEGIN} and {_END} to put the table between.")
    return Place(before, after)


def _line(name: str, variant: str, one: Mapping[str, Any]) -> tuple[str, ...]:
    session = 100 * one.get("session", {}).get("any@5", 0.0)
    return (name, variant, *(f"{one.get(figure, 0.0):.1f}" for figure in FIGURES), f"{session:.1f}")
