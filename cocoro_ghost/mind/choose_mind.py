"""Which mind speaks: a preset becomes a mind; `embedded/…` needs neither key nor network."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import tzinfo
from typing import TYPE_CHECKING

from cocoro_ghost.errors import BadInput, NotConfigured
from cocoro_ghost.mind.client import Mind
from cocoro_ghost.mind.embedded.embedded_mind import EmbeddedMind
from cocoro_ghost.mind.fallback import FallbackMind
from cocoro_ghost.mind.line import Line, Shared, Timeouts
from cocoro_ghost.mind.local.local_mind import LocalMind
from cocoro_ghost.mind.local.shelf import ModelShelf
from cocoro_ghost.mind.openai_compatible import OpenAICompatibleMind
from cocoro_ghost.mind.providers import Provider, endpoint, host_of
from cocoro_ghost.mind.unconfigured import UnconfiguredMind
from cocoro_ghost.model.presets import LlmPreset

if TYPE_CHECKING:
    import httpx2


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """What every mind of one ghost shares."""

    zone: tzinfo | None = None
    timeouts: Timeouts = field(default_factory=Timeouts)
    shared: Shared = field(default_factory=Shared)
    shelf: ModelShelf | None = None
    """The models of this machine."""
    transport: httpx2.AsyncBaseTransport | None = None
    """Connections that several ghosts share."""


def choose_mind(preset: LlmPreset, options: ClientOptions) -> Mind:
    """Always a mind: where a key is missing or an address is forbidden, one that says so when asked."""
    if is_embedded(preset.model):
        return EmbeddedMind(options.zone)
    try:
        return _reached(_speaking_line(preset, options), options)
    except (NotConfigured, BadInput) as error:
        return UnconfiguredMind(preset.model, error)


def with_fallback(preset: LlmPreset, presets: Sequence[LlmPreset], options: ClientOptions) -> Mind:
    """The mind of a preset, with the one it names beside it for when it is away."""
    mind = choose_mind(preset, options)
    wanted = preset.fallback_preset_id
    other = next((one for one in presets if one.preset_id == wanted and wanted != preset.preset_id), None)
    return mind if other is None else FallbackMind(mind, choose_mind(other, options))


def choose_eyes(preset: LlmPreset, options: ClientOptions) -> Mind:
    """The mind that looks at images: the image model where one is set, else the one that speaks."""
    if not preset.image_model:
        return choose_mind(replace(preset, max_tokens=preset.max_tokens_vision), options)
    if is_embedded(preset.image_model):
        return EmbeddedMind(options.zone)
    try:
        return _reached(_seeing_line(preset, options), options)
    except (NotConfigured, BadInput) as error:
        return UnconfiguredMind(preset.image_model, error)


def is_embedded(model: str) -> bool:
    return model.partition("/")[0] in {"embedded", ""}


def key_in_environment(provider: Provider, environment: Mapping[str, str] | None = None) -> str | None:
    """A key that `setup` or the page may copy into a preset; minds never read it by themselves."""
    variables = os.environ if environment is None else environment
    return next((variables[name] for name in provider.key_variables if variables.get(name)), None)


def _reached(line: Line, options: ClientOptions) -> Mind:
    if line.endpoint.provider.name == "local":
        if options.shelf is None:
            raise NotConfigured("There is no folder for models here.")
        return LocalMind(line, options.shared, options.shelf.borrow(line.endpoint.model))
    return OpenAICompatibleMind(line, options.shared)


def _speaking_line(preset: LlmPreset, options: ClientOptions) -> Line:
    place = endpoint(preset.model, preset.base_url)
    return Line(
        endpoint=place,
        api_key=_key(place.provider, preset.api_key, preset.base_url),
        max_tokens=preset.max_tokens,
        reasoning_effort=preset.reasoning_effort,
        web_search=preset.web_search,
        timeouts=options.timeouts,
        transport=options.transport,
    )


def _seeing_line(preset: LlmPreset, options: ClientOptions) -> Line:
    place = endpoint(preset.image_model, preset.image_base_url)
    # The speaking key may serve the eyes too, but only at the very same endpoint.
    same = host_of(preset.model, preset.base_url) == host_of(preset.image_model, preset.image_base_url)
    stored = preset.image_api_key or (preset.api_key if same else None)
    return Line(
        endpoint=place,
        api_key=_key(place.provider, stored, preset.image_base_url),
        max_tokens=preset.max_tokens_vision,
        timeouts=options.timeouts,
        transport=options.transport,
    )


def _key(provider: Provider, stored: str | None, base_url: str | None) -> str | None:
    if stored or provider.local or base_url:
        return stored or None
    raise NotConfigured(
        f"{provider.name} needs an API key; enter one in the settings.",
        ja=f"{provider.label} には API キーが要ります。設定で入れてください。",
    )
