"""`cocoro-ghost read`: how a message is understood, for looking at it and for measuring."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from cocoro_ghost.errors import BadInput
from cocoro_ghost.language import read as read_message
from cocoro_ghost.model.reading import Reading


def register(app: typer.Typer) -> None:
    @app.command("read")
    def read(
        text: Annotated[str | None, typer.Argument(help="A message to read.")] = None,
        now: Annotated[str | None, typer.Option("--now", help="Local time it is said at, ISO 8601.")] = None,
        as_json: Annotated[bool, typer.Option("--json", help="Print the whole reading as JSON.")] = False,
        jsonl: Annotated[
            tuple[Path, Path] | None,
            typer.Option(
                "--jsonl", help='IN OUT: lines {"text", "now"?, "before"?} in, readings as JSON out.'
            ),
        ] = None,
    ) -> None:
        """Show what a message says: acts, claims, tastes, the question, times, names, feeling."""
        if jsonl is not None:
            _lines(*jsonl)
            return
        if text is None:
            raise BadInput("Give a message, or --jsonl IN OUT.")
        reading = read_message(text, now=_moment(now))
        if as_json:
            typer.echo(json.dumps(as_plain(reading), ensure_ascii=False, indent=1))
        else:
            _show(reading, Console())


def _lines(source: Path, target: Path) -> None:
    """Each line read by itself; a bad line stops with its number."""
    with source.open(encoding="utf-8") as lines, target.open("w", encoding="utf-8") as out:
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                given = json.loads(line)
                before = given.get("before") or ()
                reading = read_message(
                    str(given["text"]),
                    now=_moment(given.get("now")),
                    before=[before] if isinstance(before, str) else [str(one) for one in before],
                )
            except (json.JSONDecodeError, KeyError, AttributeError) as error:
                raise BadInput(f'Line {number} of {source} is no {{"text": …}}: {error}') from error
            out.write(json.dumps(as_plain(reading), ensure_ascii=False) + "\n")


def _moment(text: Any) -> datetime:
    if not text:
        return datetime.now()
    try:
        return datetime.fromisoformat(str(text)).replace(tzinfo=None)
    except ValueError as error:
        raise BadInput(f"{text!r} is not a time; write it like 2026-03-18T20:00:00.") from error


def as_plain(reading: Reading) -> dict[str, Any]:
    """The reading as JSON values."""
    whole = asdict(reading)
    whole["acts"] = sorted(act.value for act in reading.acts)
    plain = _plain(whole)
    assert isinstance(plain, dict)
    return plain


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value.isoformat() if isinstance(value, date) else value


def _show(reading: Reading, console: Console) -> None:
    for label, text in _lines_of(reading):
        console.print(f"{label:<12}{text}", markup=False, highlight=False)


def _lines_of(reading: Reading) -> Iterator[tuple[str, str]]:
    yield "language", reading.language.value
    for sentence in reading.sentences:
        yield "sentence", f"{' '.join(act.value for act in sentence.acts)} · {sentence.text}"
    yield from _said(reading)
    if reading.question is not None:
        slot = reading.question.slot.value if reading.question.slot else ""
        yield "question", f"{reading.question.about} {slot} · {reading.question.search_text}"
    yield from (("time", f"{p.text} · {p.first_day} … {p.last_day}") for p in reading.times)
    yield from (("name", f"{name.type.value} {name.name}") for name in reading.names)
    yield "feeling", f"{reading.feeling.valence} {' '.join(reading.feeling.labels)}"
    if reading.distress is not None:
        yield "distress", reading.distress.kind + ("" if reading.distress.sure else " (perhaps)")


def _said(reading: Reading) -> Iterator[tuple[str, str]]:
    for claim in reading.claims:
        who = " ".join(filter(None, (claim.who.kind, claim.who.role, claim.who.name)))
        yield "claim", f"{who} · {claim.slot.value}: {claim.value} ({claim.certainty.value})"
    for taste in reading.tastes:
        how = f"{taste.domain.value}, {taste.certainty.value}{', over' if taste.ended else ''}"
        yield "taste", f"{taste.polarity.value} {taste.subject} ({how})"
    yield from (("correction", f"{c.old} → {c.new} {c.about}") for c in reading.corrections)
    yield from (("forget", one.subject or "what was just said") for one in reading.forgets)
    yield from (("reminder", f"{r.content} · {r.at or r.time_of_day or '?'}") for r in reading.reminders)
