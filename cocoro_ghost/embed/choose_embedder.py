"""From an embedding preset to an embedder, or to one plain sentence why recall goes by words only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from cocoro_ghost.embed.embedded import ENCODERS, EmbeddedEmbedder
from cocoro_ghost.embed.embedder import Embedder
from cocoro_ghost.embed.local import LocalEmbedder, Served
from cocoro_ghost.embed.remote import OpenAICompatibleEmbedder
from cocoro_ghost.model.presets import EmbeddingPreset

Run = Callable[[str], Served]
"""By the name of a model: what serves it on this machine."""


@dataclass(frozen=True, slots=True)
class Provider:
    """Where a prefix leads when the preset names no address; no `key_variable` where no key is needed."""

    base_url: str
    key_variable: str = ""


PROVIDERS: Mapping[str, Provider] = MappingProxyType(
    {
        "openai": Provider("https://api.openai.com/v1", "OPENAI_API_KEY"),
        "openrouter": Provider("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
        "google": Provider("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
        "gemini": Provider("https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY"),
        "mistral": Provider("https://api.mistral.ai/v1", "MISTRAL_API_KEY"),
        "ollama": Provider("http://127.0.0.1:11434/v1"),
        "lmstudio": Provider("http://127.0.0.1:1234/v1"),
        "llamacpp": Provider("http://127.0.0.1:8080/v1"),
        "vllm": Provider("http://127.0.0.1:8000/v1"),
    }
)


def knows(model: str, base_url: str | None) -> bool:
    """Whether a preset with this model can lead anywhere."""
    prefix, _, name = model.partition("/")
    return bool(name) and (prefix in {"embedded", "local", *PROVIDERS} or bool(base_url))


@dataclass(frozen=True, slots=True)
class Choice:
    """`embedder` is None when recall must go by words only; `note` says which and why, for people."""

    embedder: Embedder | None
    note: str


def choose_embedder(
    preset: EmbeddingPreset, environment: Mapping[str, str] | None = None, run: Run | None = None
) -> Choice:
    """Builds what the preset names; `run` serves models of this machine. Nothing is loaded or called yet."""
    prefix, _, model = preset.model.partition("/")
    if not model:
        return Choice(None, f"{preset.model!r} names no embedding model; write it as provider/model.")
    if prefix == "embedded":
        return _embedded(model)
    if prefix == "local" and run is not None:
        embedder = LocalEmbedder(model, preset.dimension, run(model))
        return Choice(embedder, f"{preset.model} on this machine, {preset.dimension} dimensions")
    return _over_http(preset, prefix, model, environment or {})


def _embedded(name: str) -> Choice:
    encoder = ENCODERS.get(name)
    if encoder is None:
        known = ", ".join(f"embedded/{known}" for known in ENCODERS)
        return Choice(
            None, f"There is no embedded encoder {name!r} (known: {known}): recall uses words only."
        )
    if not encoder.installed:
        return Choice(
            None,
            f"The package {encoder.distribution} is not installed: recall uses words only. "
            f"`pip install {encoder.distribution}` brings meaning back.",
        )
    return Choice(
        EmbeddedEmbedder(encoder), f"embedded/{name} in this process, {encoder.dimension} dimensions"
    )


def _over_http(preset: EmbeddingPreset, prefix: str, model: str, environment: Mapping[str, str]) -> Choice:
    provider = PROVIDERS.get(prefix)
    base_url = preset.base_url or (provider.base_url if provider else None)
    if base_url is None:
        known = ", ".join(PROVIDERS)
        return Choice(
            None, f"{prefix!r} is no known embedding provider ({known}) and the preset has no base_url."
        )
    key = preset.api_key or environment.get(provider.key_variable if provider else "", "")
    if provider and provider.key_variable and not key and not preset.base_url:
        return Choice(None, f"{preset.model} needs an API key: recall uses words only until one is entered.")
    embedder = OpenAICompatibleEmbedder(
        model, preset.dimension, api_key=key or "none", base_url=base_url, model_id=preset.model
    )
    return Choice(embedder, f"{preset.model} at {base_url}, {preset.dimension} dimensions")
