"""OpenAI-compatible endpoints: prefix → address, key variable, quirks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from cocoro_ghost.errors import BadInput, NotConfigured
from cocoro_ghost.outgoing.addresses import normal_base_url


@dataclass(frozen=True, slots=True)
class Provider:
    """What differs between compatible endpoints."""

    name: str
    base_url: str
    key_variables: tuple[str, ...] = ()
    local: bool = False
    """Runs on this machine or network: needs no key."""
    json_schema: bool = True
    token_limit: str = "max_tokens"  # noqa: S105 - a parameter's name
    effort: bool = True
    """Takes `reasoning_effort`."""
    web_search: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    """Extra members of the request that switch web search on; empty when there is none."""


_ALL = (
    Provider("openai", "https://api.openai.com/v1", ("OPENAI_API_KEY",),
             token_limit="max_completion_tokens", web_search={"web_search_options": {}}),  # noqa: S106
    Provider("openrouter", "https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",),
             web_search={"plugins": [{"id": "web"}]}),
    Provider("xai", "https://api.x.ai/v1", ("XAI_API_KEY",),
             web_search={"search_parameters": {"mode": "auto"}}),
    Provider("google", "https://generativelanguage.googleapis.com/v1beta/openai", ("GEMINI_API_KEY",)),
    Provider("gemini", "https://generativelanguage.googleapis.com/v1beta/openai", ("GEMINI_API_KEY",)),
    Provider("anthropic", "https://api.anthropic.com/v1", ("ANTHROPIC_API_KEY",),
             json_schema=False, effort=False),
    Provider("groq", "https://api.groq.com/openai/v1", ("GROQ_API_KEY",)),
    Provider("mistral", "https://api.mistral.ai/v1", ("MISTRAL_API_KEY",), effort=False),
    Provider("deepseek", "https://api.deepseek.com/v1", ("DEEPSEEK_API_KEY",),
             json_schema=False, effort=False),
    Provider("ollama", "http://127.0.0.1:11434/v1", local=True),
    Provider("lmstudio", "http://127.0.0.1:1234/v1", local=True, effort=False),
    Provider("llamacpp", "http://127.0.0.1:8080/v1", local=True, effort=False),
    Provider("vllm", "http://127.0.0.1:8000/v1", local=True),
)  # fmt: skip
PROVIDERS: Mapping[str, Provider] = MappingProxyType({one.name: one for one in _ALL})
_ALIASES = {"llama.cpp": "llamacpp", "lm_studio": "lmstudio"}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a model is reached."""

    provider: Provider
    base_url: str
    model: str


def split_model(model: str) -> tuple[Provider, str]:
    """`openai/gpt-5-mini` → the provider and the name it knows the model by."""
    prefix, slash, name = model.partition("/")
    provider = PROVIDERS.get(_ALIASES.get(prefix.lower(), prefix.lower()))
    if not slash or provider is None or not name:
        known = ", ".join([*PROVIDERS, "embedded"])
        raise NotConfigured(f"The model {model!r} needs a known prefix such as openai/…; known: {known}.")
    return provider, name


def endpoint(model: str, base_url: str | None) -> Endpoint:
    provider, name = split_model(model)
    address = normal_base_url(base_url or provider.base_url).rstrip("/")
    return Endpoint(provider, address, name)


def host_of(model: str, base_url: str | None) -> str:
    """Scheme, host and port a key would be sent to; empty for none."""
    if model.startswith("embedded/") or not model:
        return ""
    try:
        parts = urlsplit(normal_base_url(base_url or split_model(model)[0].base_url))
    except NotConfigured:
        return model.partition("/")[0]
    except BadInput:
        # Refused before any call is made; whatever it is, it is no host a key was entered for.
        return base_url or ""
    return f"{parts.scheme}://{parts.netloc}".lower()
