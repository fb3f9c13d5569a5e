"""The floors of branch coverage, read from the coverage.json that the tests wrote; exit 1 below any of them.

Run as `python -m tests.coverage_floor [coverage.json]` after pytest with `--cov --cov-report json`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PACKAGE = "cocoro_ghost"
TOTAL = "total"
FLOORS: Mapping[str, float] = {TOTAL: 95.0, "store": 98.0, "work": 98.0, "grow": 97.5}


@dataclass(frozen=True, slots=True)
class Covered:
    """Lines and branches together, as coverage.py counts them."""

    wanted: int = 0
    reached: int = 0

    @property
    def percent(self) -> float:
        return 100.0 * self.reached / self.wanted if self.wanted else 0.0

    def __add__(self, other: Covered) -> Covered:
        return Covered(self.wanted + other.wanted, self.reached + other.reached)


def covered_by_part(report: Mapping[str, Any]) -> dict[str, Covered]:
    """The whole package as `total`, and each folder directly below it by name."""
    found: dict[str, Covered] = {}
    for name, entry in report["files"].items():
        parts = Path(name.replace("\\", "/")).parts
        if PACKAGE not in parts:
            continue
        below = parts[parts.index(PACKAGE) + 1 :]
        one = _covered(entry["summary"])
        for part in (TOTAL, *below[:-1][:1]):
            found[part] = found.get(part, Covered()) + one
    return found


def below_floor(found: Mapping[str, Covered], floors: Mapping[str, float] = FLOORS) -> list[str]:
    """The parts under their floor; one that is not in the report at all counts as nothing covered."""
    return [part for part, floor in floors.items() if found.get(part, Covered()).percent < floor]


def main(words: list[str]) -> int:
    path = Path(words[0] if words else "coverage.json")
    if not path.exists():
        print(f"There is no {path}: run the tests with --cov --cov-report json first.")
        return 1
    found = covered_by_part(json.loads(path.read_text(encoding="utf-8")))
    failed = below_floor(found)
    for part, covered in sorted(found.items(), key=lambda item: (item[0] != TOTAL, item[0])):
        floor = f"floor {FLOORS[part]:.0f}" if part in FLOORS else ""
        print(f"{part:<12}{covered.percent:7.1f} %  {floor}{'  BELOW' if part in failed else ''}".rstrip())
    for part in failed:
        if part not in found:
            print(f"{part:<12} is not in {path}")
    return 1 if failed else 0


def _covered(summary: Mapping[str, int]) -> Covered:
    return Covered(
        summary["num_statements"] + summary.get("num_branches", 0),
        summary["covered_lines"] + summary.get("covered_branches", 0),
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
