"""The generated pages: `python -m tests.docs_text` writes commands, settings, api, reliability."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer.main
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from cocoro_ghost.api.app import create_app
from cocoro_ghost.cli import build
from cocoro_ghost.settings.file import Config

ROOT = Path(__file__).resolve().parent.parent
NOTE = "<!-- Made by `python -m tests.docs_text`; do not edit by hand. -->\n"
PROMISES = ROOT / "docs" / "promises.json"


def commands_page() -> str:
    """Every command with its options, from the program itself."""
    lines = [
        NOTE,
        "# Commands",
        "",
        "`cocoro-ghost COMMAND`, or `python3 run.py COMMAND` from a checkout.",
        "",
    ]
    for name, command in sorted(_commands(typer.main.get_command(build()), "")):
        lines += [f"## `{name}`", "", (command.help or "").strip(), ""]
        for param in command.params:
            if param.name != "help":
                lines.append(f"- {_option(param)}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def settings_page() -> str:
    """Every key of config.toml with its default."""
    lines = [
        NOTE,
        "# Settings",
        "",
        "`config.toml` in the data directory; each key can be overridden by the environment:",
        "`COCORO_GHOST_SERVER__HTTP_PORT=8080` sets `server.http_port`. An unknown key stops the program",
        "with a sentence that names the nearest known one. Presets, keys and personas are set in the page or",
        "over the API.",
        "",
        "| key | default |",
        "|---|---|",
        *(f"| `{key}` | `{json.dumps(value)}` |" for key, value in _keys(Config, "")),
    ]
    return "\n".join(lines) + "\n"


def api_page() -> str:
    """Every route of the OpenAPI document in one line."""
    document: dict[str, Any] = create_app(None).openapi()
    lines = [
        NOTE,
        "# HTTP API",
        "",
        "The OpenAPI document with examples is at `/openapi.json`, a readable page at `/docs` of a running",
        "ghost. Everything but `GET /api/health` needs `Authorization: Bearer TOKEN` (`cocoro-ghost token`)",
        'or the page\'s session. Errors are `{"detail":{"code","message"}}`. `POST /api/chat` answers with',
        "server-sent events (`token`, then one `done` or `error`); `/api/events/stream` and",
        "`/api/logs/stream` are WebSockets.",
        "",
        "| call | what |",
        "|---|---|",
    ]
    for path, verbs in sorted(document["paths"].items()):
        for verb, call in verbs.items():
            about = (call.get("description") or call.get("summary") or "").split("\n\n")[0].replace("\n", " ")
            lines.append(f"| `{verb.upper()} {path}` | {about} |")
    return "\n".join(lines) + "\n"


def reliability_page() -> str:
    """Promise → test → last result; results come from test-results/figures.jsonl of a test run."""
    rows = json.loads(PROMISES.read_text(encoding="utf-8"))
    lines = [
        NOTE,
        "# What it promises, and the tests that show it",
        "",
        *(f"{number}. {promise}" for number, promise in enumerate(rows["promises"], 1)),
        "",
        "Last results, as the tests recorded them (N: only with `python3 run.py test --nightly`):",
        "",
        "| id | what is done | where | last result |",
        "|---|---|---|---|",
        *(f"| {r['id']} | {r['what']} | `{r['test']}` | {_result(r)} |" for r in rows["tests"]),
    ]
    return "\n".join(lines) + "\n"


def _result(row: dict[str, Any]) -> str:
    nightly = f"N: {row['nightly']}" if row.get("nightly") else ""
    return "; ".join(filter(None, (row.get("figure"), nightly))) or "–"


def take_figures() -> None:
    """Copies the figures of the last test run into docs/promises.json; nightly ones stay until the next."""
    rows = json.loads(PROMISES.read_text(encoding="utf-8"))
    path = ROOT / "test-results" / "figures.jsonl"
    if path.exists():
        found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for row in rows["tests"]:
            for member, nightly in (("figure", False), ("nightly", True)):
                mine = [
                    one
                    for one in found
                    if one["promise"] == row["id"] and one.get("nightly", False) is nightly
                ]
                if text := "; ".join(dict.fromkeys(one["figure"] for one in mine)):
                    row[member] = text
        PROMISES.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


PAGES = {
    "commands.md": commands_page,
    "settings.md": settings_page,
    "api.md": api_page,
    "reliability.md": reliability_page,
}


def _commands(command: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    children = getattr(command, "commands", None)
    if children is None:
        yield prefix.strip(), command
        return
    for name, child in children.items():
        yield from _commands(child, f"{prefix} {name}")


def _option(param: Any) -> str:
    names = ", ".join(f"`{name}`" for name in [*param.opts, *param.secondary_opts])
    about = getattr(param, "help", None) or ""
    return f"{names}: {about}" if about else names


def _keys(section: type[BaseModel], prefix: str) -> Iterator[tuple[str, Any]]:
    for name, field in section.model_fields.items():
        if isinstance(field.default, BaseModel):
            yield from _keys(type(field.default), f"{prefix}{name}.")
        else:
            yield prefix + name, None if field.default is PydanticUndefined else field.default


def main() -> None:
    take_figures()
    for name, page in PAGES.items():
        (ROOT / "docs" / name).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
