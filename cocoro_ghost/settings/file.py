"""The config file: `config.toml` in the data directory, overridden by `COCORO_GHOST_<SECTION>__<KEY>`.

An unknown key stops the program with one sentence that names the nearest known one.
"""

from __future__ import annotations

import difflib
import os
import tomllib
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import platformdirs
from pydantic import BaseModel, Field, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)

from cocoro_ghost.errors import BadInput, ConfigError
from cocoro_ghost.settings.recall_section import Recall
from cocoro_ghost.settings.section import Section

ENV_PREFIX = "COCORO_GHOST_"
HOME = "COCORO_GHOST_HOME"
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
    cors_origins: tuple[str, ...] = ()
    """Origins of pages that may use `/v1`, `/ollama` and `/mcp`, like `app://obsidian.md`."""
    plain_http: str | None = None
    """`ADDRESS:PORT` of a second plain-HTTP listener for other machines and containers; a token is needed."""
    names: tuple[str, ...] = ()
    """Further names this ghost is called by, like `host.docker.internal`."""
    keyless_ollama: dict[str, str] = {}
    """Addresses that may use Ollama's calls without a key, each as the client whose id stands beside it."""
    mcp_search_and_fetch: bool = False
    """True offers the tools `search` and `fetch` as well, for hosts of MCP that know no others."""
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


class Care(Section):
    """What is shown to a person in distress. Nothing is ever reported anywhere."""

    region: Annotated[str, Field(pattern=r"^([A-Za-z]{2})?$")] = ""
    """Whose help lines are named, as a country code like JP or GB; from the time zone if not set."""
    text: Annotated[str, Field(max_length=2000)] = ""
    """Your own words about where to find help, shown instead of the general ones."""


class Config(Section):
    """Everything that may stand in `config.toml`."""

    language: Literal["auto", "ja", "en"] = "auto"
    time_zone: str | None = None
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    use_keyring: bool = True
    server: Server = Server()
    recall: Recall = Recall()
    mind: Mind = Mind()
    tidy: Tidy = Tidy()
    speech: Speech = Speech()
    backups: Backups = Backups()
    care: Care = Care()

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, name: str | None) -> str | None:
        try:
            return known_zone(name)
        except BadInput as error:
            raise ValueError(str(error)) from error


def known_zone(name: str | None) -> str | None:
    """Raises BadInput for a name no zone has."""
    try:
        return name if name is None else ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadInput(f"there is no time zone {name!r}; write it like Asia/Tokyo") from error


def data_directory(given: Path | None = None) -> Path:
    """`--data-dir`, else `COCORO_GHOST_HOME`, else the platform's user data directory."""
    if given is not None:
        return given.expanduser().resolve()
    home = os.environ.get(HOME)
    return (
        Path(home).expanduser().resolve() if home else Path(platformdirs.user_data_dir("CocoroGhost", False))
    )


def load_config(data_dir: Path | None) -> Config:
    """Reads the file if there is one, then the environment; raises ConfigError with one sentence.

    A house has no directory: there the environment alone speaks.
    """
    path = Path("config.toml") if data_dir is None else data_dir / "config.toml"

    class Loaded(BaseSettings, Config):
        model_config = SettingsConfigDict(env_prefix=ENV_PREFIX, env_nested_delimiter="__")

        @classmethod
        def settings_customise_sources(
            cls, settings_cls: type[BaseSettings], *_: PydanticBaseSettingsSource, **__: object
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            told = EnvSettingsSource(settings_cls)
            return (told,) if data_dir is None else (told, TomlConfigSettingsSource(settings_cls, path))

    _refuse_unknown_variables()
    try:
        # As a plain Config again: settings that were read once do not look at the environment any more.
        return Config.model_validate(Loaded().model_dump())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    except SettingsError as error:
        raise ConfigError(f"The environment: {error}.") from error
    except ValidationError as error:
        raise ConfigError(f"{path.name} or the environment: {_sentence(error)}") from error


def _refuse_unknown_variables() -> None:
    """A variable that is spelt wrong would be ignored without a word."""
    known = _known_keys(Config)
    for name in os.environ:
        key = name.removeprefix(ENV_PREFIX).lower().replace("__", ".")
        if not name.startswith(ENV_PREFIX) or name == HOME or key in known:
            continue
        # A whole section may be given as JSON in one variable.
        if not any(one.startswith(f"{key}.") for one in known):
            raise ConfigError(f"{name}: {_unknown(key)}")


def _sentence(error: ValidationError) -> str:
    """All that is wrong, so that it is mended in one go."""
    found = [(".".join(str(part) for part in one["loc"]), one) for one in error.errors()]
    return " ".join(
        _unknown(where) if one["type"] == "extra_forbidden" else f"`{where}` is wrong: {one['msg']}."
        for where, one in found
    )


def _unknown(key: str) -> str:
    near = difflib.get_close_matches(key, _known_keys(Config), n=1, cutoff=0.0)
    return f"`{key}` is not a known key; did you mean `{near[0]}`?"


def _known_keys(section: type[BaseModel], prefix: str = "") -> list[str]:
    keys: list[str] = []
    for name, field in section.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            keys += _known_keys(kind, f"{prefix}{name}.")
        else:
            keys.append(prefix + name)
    return keys
