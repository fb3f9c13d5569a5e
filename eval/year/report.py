"""A readable report of the year: checks, a mood curve, state counts; plain HTML with hand-made SVG."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from eval.year.live import Year

WIDTH, HEIGHT, PAD = 860, 220, 36
COLOURS = ["#4063d8", "#389826", "#cb3c33", "#9558b2", "#b8860b", "#008b8b"]


def write_report(years: Sequence[Year], folder: Path) -> Path:
    """One page for all years, one SVG a plot."""
    folder.mkdir(parents=True, exist_ok=True)
    parts = [_page_of(year, folder) for year in years]
    style = "body{font:15px sans-serif;max-width:900px;margin:2em auto}table{border-collapse:collapse}"
    style += "td,th{border:1px solid #ccc;padding:2px 8px;text-align:left}.no{color:#cb3c33;font-weight:bold}"
    page = f"<!doctype html><meta charset='utf-8'><title>A year of life</title><style>{style}</style>"
    path = folder / "year.html"
    path.write_text(page + "<h1>A year of life</h1>" + "".join(parts), encoding="utf-8")
    return path


def curve(lines: dict[str, list[tuple[float, float]]], low: float, high: float) -> str:
    """An SVG line chart; x in days."""
    last = max((x for points in lines.values() for x, _ in points), default=1.0) or 1.0
    body = [f"<rect width='{WIDTH}' height='{HEIGHT}' fill='white'/>"]
    for value in (low, (low + high) / 2, high):
        y = _y(value, low, high)
        body.append(f"<line x1='{PAD}' x2='{WIDTH - 8}' y1='{y:.1f}' y2='{y:.1f}' stroke='#ddd'/>")
        body.append(f"<text x='2' y='{y + 4:.1f}' font-size='11'>{value:g}</text>")
    for index, (name, points) in enumerate(lines.items()):
        colour = COLOURS[index % len(COLOURS)]
        path = " ".join(f"{_x(x, last):.1f},{_y(y, low, high):.1f}" for x, y in points)
        body.append(f"<polyline points='{path}' fill='none' stroke='{colour}' stroke-width='1.4'/>")
        body.append(
            f"<text x='{PAD + 8 + 120 * index}' y='14' font-size='12' fill='{colour}'>{escape(name)}</text>"
        )
    body.append(f"<text x='{WIDTH - 70}' y='{HEIGHT - 6}' font-size='11'>day {last:.0f}</text>")
    return f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}'>{''.join(body)}</svg>"


def mood_plot(points: Sequence[dict[str, Any]]) -> str:
    if not points:
        return ""
    first = points[0]["ts"]
    lines = {
        name: [((p["ts"] - first) / 86_400, p[key]["v"]) for p in points]
        for name, key in (("valence", "vad"), ("baseline", "baseline"), ("shock", "shock"))
    }
    return curve(lines, -1.0, 1.0)


def count_plot(counts: Sequence[dict[str, Any]]) -> str:
    names = ["fact", "relation", "task", "summary", "closed", "confirmed"]
    lines = {name: [(float(c["day"]), float(c.get(name, 0))) for c in counts] for name in names}
    high = max((y for points in lines.values() for _, y in points), default=1.0)
    return curve(lines, 0.0, max(high, 1.0))


def _page_of(year: Year, folder: Path) -> str:
    name = f"year_{year.tongue}_{year.mind}"
    mood, counts = mood_plot(year.mood), count_plot(year.counts)
    (folder / f"{name}_mood.svg").write_text(mood, encoding="utf-8")
    (folder / f"{name}_states.svg").write_text(counts, encoding="utf-8")
    good = len(year.checks) - len(year.failed)
    parts = [
        f"<h2>{year.tongue}, {year.mind} mind</h2><p>{good} of {len(year.checks)} checks hold; "
        f"{len(year.counts)} sessions, {len(year.transcript)} turns.</p>",
        f"<h3>Mood</h3>{mood}<h3>States</h3>{counts}",
        _table(["session", "what must hold", "", ""], [_row(c) for c in year.checks if not c.ok]),
        "<details><summary>All checks</summary>",
        _table(["session", "what must hold", "", ""], [_row(c) for c in year.checks]),
        "</details><details><summary>What was said</summary>",
        _table(["session", "said", "answered"], [[*turn] for turn in year.transcript]),
        "</details><details><summary>What is held at the end</summary>",
        _table(["kind", "body", "active"], _held(year)),
        "</details>",
    ]
    return "".join(parts)


def _held(year: Year) -> list[list[str]]:
    states = [] if year.final is None else year.final.states
    return [[s["kind"], s["body_text"], "yes" if s["active"] else "past"] for s in states]


def _row(check: Any) -> list[str]:
    return [check.session, check.what, "holds" if check.ok else "FAILS", check.note[:120]]


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    if not rows:
        return ""
    top = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    lines = []
    for row in rows:
        cells = "".join(f"<td{' class=no' if cell == 'FAILS' else ''}>{escape(cell)}</td>" for cell in row)
        lines.append(f"<tr>{cells}</tr>")
    return f"<table><tr>{top}</tr>{''.join(lines)}</table>"


def _x(value: float, last: float) -> float:
    return PAD + (WIDTH - PAD - 8) * value / last


def _y(value: float, low: float, high: float) -> float:
    return HEIGHT - 20 - (HEIGHT - 44) * (value - low) / (high - low or 1.0)
