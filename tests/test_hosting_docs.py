"""The compose file of docs/hosting.md: whole, and every command, option and variable of ours in it exists."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import click
import typer
import yaml  # type: ignore[import-untyped]

from cocoro_ghost.cli import house
from cocoro_ghost.house.admin import ADMIN_TOKEN
from cocoro_ghost.house.homes import MASTER_KEY

PAGE = Path(__file__).resolve().parents[1] / "docs" / "hosting.md"
KEYS = {"image", "environment", "volumes", "healthcheck", "command", "depends_on", "restart", "ports"}
ROLES = {"ghost_app", "ghost_worker", "ghost_admin"}


def _services() -> dict[str, dict[str, Any]]:
    found = re.search(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    whole: dict[str, dict[str, dict[str, Any]]] = yaml.safe_load(found[1])
    assert set(whole) == {"services", "volumes"}
    return whole["services"]


def test_services_wait_for_services_that_exist() -> None:
    services = _services()
    for name, service in services.items():
        assert set(service) <= KEYS, name
        assert set(service.get("depends_on", ())) <= set(services), name


def test_every_command_is_one_of_ours() -> None:
    app = typer.Typer()
    house.register(app)
    ours = [one for one in _services().values() if one["image"].startswith("cocoro-ghost")]
    assert len(ours) == 3
    for service in ours:
        group, words = typer.main.get_command(app), shlex.split(service["command"])
        while isinstance(group, click.Group | typer.core.TyperGroup):
            group = group.commands[words.pop(0)]
        group.make_context("house", words)  # raises where an option does not exist
        assert set(service.get("environment", {})) <= {house.DATABASE, MASTER_KEY, ADMIN_TOKEN}


def test_the_roles_that_log_in_get_their_password() -> None:
    said = " ".join(_services()["passwords"]["command"])
    assert set(re.findall(r"ALTER ROLE (\w+) PASSWORD", said)) == ROLES
