"""`python -m eval.year [--lang ja|en] [--mind scripted|embedded]`: lives the year, writes eval/out/year*."""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

from eval.year.live import Year, live
from eval.year.report import write_report

OUT = Path(__file__).resolve().parent.parent / "out"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lang", choices=["ja", "en"])
    parser.add_argument("--mind", choices=["scripted", "embedded"])
    asked = parser.parse_args()
    years: list[Year] = []
    for tongue in ("ja", "en"):
        for mind in ("scripted", "embedded"):
            if asked.lang in (None, tongue) and asked.mind in (None, mind):
                year = asyncio.run(live(tongue, mind))
                years.append(year)
                good = len(year.checks) - len(year.failed)
                print(f"{tongue} {mind}: {good} of {len(year.checks)} checks hold")
                for check in year.failed:
                    print(f"  {check.session}: {check.what} — {check.note}")
    path = write_report(years, OUT)
    print(f"report: {path}")
    return 1 if any(year.failed for year in years) else 0


if __name__ == "__main__":
    sys.exit(main())
