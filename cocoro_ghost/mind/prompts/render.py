"""Prompts are text files (`ja/*.md`, `en/*.md`); a missing variable fails before the call."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template

from cocoro_ghost.errors import ConfigError
from cocoro_ghost.model.scene import Language


@dataclass(frozen=True, slots=True)
class Prompt:
    text: str
    hash: str
    """Of the template, not of what was filled in: it names the wording that taught something."""


@cache
def template(name: str, language: Language) -> tuple[Template, str]:
    """The prompt file and its hash; `$name` marks a variable, `$$` a dollar sign."""
    entry = files("cocoro_ghost.mind.prompts").joinpath(language.value, f"{name}.md")
    if not entry.is_file():
        raise ConfigError(f"There is no prompt {language.value}/{name}.md.")
    text = entry.read_text(encoding="utf-8")
    return Template(text), hashlib.sha256(text.encode()).hexdigest()[:16]


def render(name: str, language: Language, **variables: str) -> Prompt:
    """Fills a prompt in; a missing variable raises ConfigError."""
    found, digest = template(name, language)
    try:
        return Prompt(found.substitute(variables).strip(), digest)
    except KeyError as error:
        raise ConfigError(f"Prompt {language.value}/{name}.md needs the variable {error}.") from error
