"""OpenAI-compatible endpoints: prefix → address, key variable, quirks; and which addresses are allowed."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

from cocoro_ghost.errors import BadInput, NotConfigured


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
_METADATA_HOSTS = {"metadata.google.internal", "metadata", "instance-data", "metadata.azure.com"}


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
    address = (base_url or provider.base_url).rstrip("/")
    check_base_url(address)
    return Endpoint(provider, address, name)


def host_of(model: str, base_url: str | None) -> str:
    """Scheme, host and port a key would be sent to; empty for none."""
    if model.startswith("embedded/") or not model:
        return ""
    try:
        address = base_url or split_model(model)[0].base_url
    except NotConfigured:
        return model.partition("/")[0]
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}".lower()


def check_base_url(base_url: str | None) -> None:
    """Refuses an address that no model lives at: metadata services, user names, plain HTTP abroad."""
    if not base_url:
        return
    try:
        parts = urlsplit(base_url)
        host, _ = (parts.hostname or "").rstrip(".").lower(), parts.port
    except ValueError as error:
        raise BadInput(f"The address {base_url[:100]!r} cannot be read.") from error
    if parts.scheme not in {"http", "https"} or not host:
        raise BadInput("A model's address begins with https:// (or http:// for a local model).")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise BadInput("A model's address holds no user name, password, query or fragment.")
    if host in _METADATA_HOSTS or _is_forbidden(host):
        raise BadInput("This address belongs to the machine's own services, not to a model.")
    if parts.scheme == "http" and not is_local(host):
        raise BadInput("Plain http:// is allowed only for a model on this machine or network.")


def is_local(host: str) -> bool:
    """Loopback or a private network, by what is written (names are not resolved)."""
    address = _address(host)
    if address is None:
        return (
            host == "localhost"
            or host.endswith((".localhost", ".local", ".lan", ".home.arpa"))
            or "." not in host
        )
    return address.is_loopback or (
        address.is_private and not address.is_link_local and not address.is_unspecified
    )


def _is_forbidden(host: str) -> bool:
    address = _address(host)
    if address is None or address.is_loopback:
        return False
    return address.is_link_local or address.is_multicast or address.is_unspecified or address.is_reserved


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address a host spells, decimal, hexadecimal and mapped forms included; None for a name."""
    try:
        found = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return _odd_ipv4(host)
    mapped = getattr(found, "ipv4_mapped", None)
    return mapped if mapped is not None else found


def _odd_ipv4(host: str) -> ipaddress.IPv4Address | None:
    """`0xa9fea9fe`, `2852039166`, `0251.0376.0251.0376`: the forms C libraries accept."""
    try:
        numbers = [
            int(part, 16 if part.startswith("0x") else 8 if _octal(part) else 10) for part in host.split(".")
        ]
    except ValueError:
        return None
    if not 1 <= len(numbers) <= 4 or any(number < 0 for number in numbers):
        return None
    *heads, last = numbers
    if any(head > 255 for head in heads) or last >= 256 ** (4 - len(heads)):
        return None
    value = sum(head << (8 * (3 - index)) for index, head in enumerate(heads)) + last
    return ipaddress.IPv4Address(value)


def _octal(part: str) -> bool:
    return len(part) > 1 and part.startswith("0") and part.isdecimal()
