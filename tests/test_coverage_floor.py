"""The guard of the coverage floors fails when it should."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.coverage_floor import Covered, below_floor, covered_by_part, main


def report(**percent: int) -> dict[str, object]:
    def summary(reached: int) -> dict[str, int]:
        return {
            "num_statements": 60,
            "covered_lines": reached * 60 // 100,
            "num_branches": 40,
            "covered_branches": reached * 40 // 100,
        }

    files = {f"cocoro_ghost/{name}/x.py": {"summary": summary(reached)} for name, reached in percent.items()}
    files["cocoro_ghost/turn.py"] = {"summary": summary(100)}
    files["tests/x.py"] = {"summary": summary(0)}
    return {"files": files}


def test_branches_count_and_only_the_package_does() -> None:
    found = covered_by_part(report(store=90, work=100))
    assert found["store"] == Covered(100, 90)
    assert found["total"] == Covered(300, 290)
    assert set(found) == {"store", "work", "total"}


@pytest.mark.parametrize(
    ("parts", "low"),
    [
        ({"store": 100, "work": 100, "grow": 100}, []),
        ({"store": 95, "work": 100, "grow": 100}, ["store"]),
        ({"store": 100, "work": 100}, ["grow"]),
        ({"store": 100, "work": 100, "grow": 100, "api": 40}, ["total"]),
    ],
)
def test_a_part_below_its_floor_fails_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], parts: dict[str, int], low: list[str]
) -> None:
    path = tmp_path / "coverage.json"
    path.write_text(json.dumps(report(**parts)), encoding="utf-8")
    assert below_floor(covered_by_part(report(**parts))) == low
    assert main([str(path)]) == (1 if low else 0)
    assert all(part in capsys.readouterr().out for part in low[:1])
    assert main([str(tmp_path / "none")]) == 1
