"""The config file: `config.toml` in the data directory, overridden by `COCORO_GHOST_<SECTION>__<KEY>`.

An unknown key stops the program with one sentence that names the nearest known one.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import platformdirs
from pydantic import BaseModel, Field, ValidationError, field_validator

from cocoro_ghost.errors import ConfigError
from cocoro_ghost.settings.recall_section import Recall
from cocoro_ghost.settings.section import Section

ENV_PREFIX = "COCORO_GHOST_"
TimeOfDay = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]


class Server(Section):
    """Where the ghost listens."""

    https_port: Annotated[int, Field(ge=0, le=65535)] = 55601
    http_port: Annotated[int, Field(ge=0, le=65535)] = 55602
    lan: bool = False
    """True opens HTTPS (never HTTP) to the local network."""
    auto_login: bool = False
    """True lets a browser on this machine in without a token."""
    metrics: bool = False
    """True answers `GET /metrics`, with the token, for Prometheus and the like."""
    on_disconnect: Literal["finish", "stop"] = "finish"
    max_body_bytes: Annotated[int, Field(ge=1024)] = 30_000_000


class Mind(Section):
    """Time budgets of a language model."""

    connect_seconds: Annotated[float, Field(gt=0)] = 5.0
    first_token_seconds: Annotated[float, Field(gt=0)] = 30.0
    between_tokens_seconds: Annotated[float, Field(gt=0)] = 15.0
    reply_seconds: Annotated[float, Field(gt=0)] = 180.0


class Tidy(Section):
    """When memory is put in order, in chat turns; and when a task nobody speaks of any more is let go."""

    first_after_turns: Annotated[int, Field(ge=1)] = 10
    every_turns: Annotated[int, Field(ge=1)] = 200
    undated_task_days: Annotated[int, Field(ge=0, le=36_500)] = 90
    """A task without a date that was not mentioned for so many days expires; 0 keeps it for ever."""


class Speech(Section):
    """Limits for what the ghost says unasked. Reminders are asked for and always spoken."""

    quiet_from: TimeOfDay | None = None
    quiet_until: TimeOfDay | None = None
    daily_cap: Annotated[int, Field(ge=0)] = 200


class Backups(Section):
    """Copies of everything that the ghost makes by itself, once a day."""

    enabled: bool = True
    folder: str | None = None
    """Where they go; beside the memory if not set. Another disk is safer."""
    daily: Annotated[int, Field(ge=1, le=366)] = 7
    weekly: Annotated[int, Field(ge=0, le=520)] = 4
    monthly: Annotated[int, Field(ge=0, le=1200)] = 6


class Config(Section):
    """Everything that may stand in `config.toml`."""

    language: Literal["auto", "ja", "en"] = "auto"
    time_zone: str | None = None
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_private_talk: bool = False
    use_keyring: bool = True
    server: Server = Server()
    recall: Recall = Recall()
    mind: Mind = Mind()
    tidy: Tidy = Tidy()
    speech: Speech = Speech()
    backups: Backups = Backups()

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, name: str | None) -> str | None:
        try:
            return name if name is None else ZoneInfo(name).key
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise ValueError(f"there is no time zone {name!r}; write it like Asia/Tokyo") from error


def data_directory(given: Path | None = None) -> Path:
    """`--data-dir`, else `COCORO_GHOST_HOME`, else the platform's user data directory."""
    if given is not None:
        return given.expanduser().resolve()
    home = os.environ.get("COCORO_GHOST_HOME")
    return (
        Path(home).expanduser().resolve() if home else Path(platformdirs.user_data_dir("CocoroGhost", False))
    )


def load_config(data_dir: Path, environment: Mapping[str, str] | None = None) -> Config:
    """Reads the file if there is one, then the environment; raises ConfigError with one sentence."""
    path = data_dir / "config.toml"
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    _overlay(found, os.environ if environment is None else environment)
    try:
        return Config.model_validate(found)
    except ValidationError as error:
        raise ConfigError(f"{path.name} or the environment: {_sentence(error)}") from error


def _overlay(found: dict[str, Any], environment: Mapping[str, str]) -> None:
    """`COCORO_GHOST_SERVER__HTTP_PORT=8080` sets `server.http_port`."""
    for name, value in environment.items():
        if not name.startswith(ENV_PREFIX) or name == "COCORO_GHOST_HOME":
            continue
        *sections, key = name.removeprefix(ENV_PREFIX).lower().split("__")
        table = found
        for section in sections:
            table = table.setdefault(section, {})
            if not isinstance(table, dict):
                raise ConfigError(f"{name} sets a key of `{section}`, which is a section; it has a value.")
        table[key] = value


def _sentence(error: ValidationError) -> str:
    first = error.errors()[0]
    where = [str(part) for part in first["loc"]]
    if first["type"] != "extra_forbidden":
        return f"`{'.'.join(where)}` is wrong: {first['msg']}."
    known = _known_keys(Config)
    near = difflib.get_close_matches(".".join(where), known, n=1, cutoff=0.0)
    return f"`{'.'.join(where)}` is not a known key; did you mean `{near[0]}`?"


def _known_keys(section: type[BaseModel], prefix: str = "") -> list[str]:
    keys: list[str] = []
    for name, field in section.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            keys += _known_keys(kind, f"{prefix}{name}.")
        else:
            keys.append(prefix + name)
    return keys
