"""Presets: which model speaks, which one embeds, who the ghost is, and what is added to its prompt."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LlmPreset:
    """`model` carries a provider prefix; `embedded/…` needs no key and no network."""

    preset_id: str
    name: str
    model: str = "embedded/ghost"
    api_key: str | None = None
    base_url: str | None = None
    reasoning_effort: str | None = None
    web_search: bool = False
    max_turns_window: int = 10
    max_tokens: int = 4096
    image_model: str = ""
    image_api_key: str | None = None
    image_base_url: str | None = None
    max_tokens_vision: int = 1024
    image_timeout_seconds: int = 60
    max_inject_tokens: int = 1200
    fallback_preset_id: str = ""
    """Another preset whose mind answers while this one is away; empty for none."""


@dataclass(frozen=True, slots=True)
class EmbeddingPreset:
    preset_id: str
    name: str
    model: str = "embedded/use"
    api_key: str | None = None
    base_url: str | None = None
    dimension: int = 512


@dataclass(frozen=True, slots=True)
class PersonaPreset:
    preset_id: str
    name: str
    persona_text: str
    second_person_label: str


@dataclass(frozen=True, slots=True)
class AddonPreset:
    preset_id: str
    name: str
    addon_text: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """The four active presets."""

    llm: LlmPreset
    embedding: EmbeddingPreset
    persona: PersonaPreset
    addon: AddonPreset
