"""Providers in one table: where each is reached and what its documentation says it takes.

Beside each trait stands the fact it rests on, as the provider's pages told it when this was written. What
proves otherwise in use (a window, a form of answer, where the context is borne) is learned: learned.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal
from urllib.parse import urlsplit

from cocoro_ghost.errors import BadInput, NotConfigured
from cocoro_ghost.mind.arrange import ContextForm
from cocoro_ghost.outgoing.addresses import normal_base_url

TypedBy = Literal["schema", "object", "text"]


@dataclass(frozen=True, slots=True)
class Provider:
    """What differs between compatible endpoints."""

    name: str
    label: str
    base_url: str
    key_variables: tuple[str, ...] = ()
    key_page: str = ""
    """Where a person gets a key."""
    local: bool = False
    """Runs on this machine or network: needs no key, has few slots and its own window."""
    wire: Literal["openai", "ollama"] = "openai"
    typed_by: TypedBy = "schema"
    """How a typed answer is asked for first; a refusal falls back one step and is remembered."""
    token_limit: str = "max_tokens"  # noqa: S105 - a parameter's name
    effort: bool = True
    """Takes `reasoning_effort`."""
    temperature: bool = False
    """Takes a low temperature for typed answers; reasoning models refuse any but the default."""
    context_in: ContextForm = "assistant"
    cache: Literal["", "automatic", "key", "marks"] = ""
    """Prompt caching: by itself, by itself with a `prompt_cache_key`, or where marks are set."""
    window: int = 0
    """Tokens, when neither the endpoint nor the table of models says; 0 for wide enough not to matter."""
    without_thinking: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    """Extra members that keep a typed answer free of thoughts."""
    progress: bool = False
    """Tells how far it has read the prompt (`return_progress`)."""
    web_search: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    """Extra members of the request that switch web search on; empty when there is none."""
    no_search_with: tuple[str, ...] = ()
    """Beginnings of model names that refuse those members."""
    embeddings: bool = False


_GEMINI = "https://generativelanguage.googleapis.com/v1beta/openai"
_NO_THOUGHTS = MappingProxyType({"chat_template_kwargs": {"enable_thinking": False}})
_ALL = (
    # Reasoning models take `max_completion_tokens` only and no temperature but the default.
    # `web_search_options` belongs to the *-search-* models and is refused by gpt-5. Caching is automatic from
    # 1,024 tokens on; a `prompt_cache_key` keeps one ghost's calls together. A schema is binding only when
    # strict, which wants every member in every answer; as a hint it costs three times its form in words.
    Provider("openai", "OpenAI", "https://api.openai.com/v1", ("OPENAI_API_KEY",),
             "https://platform.openai.com/api-keys", token_limit="max_completion_tokens",  # noqa: S106
             typed_by="object", cache="key", web_search={"web_search_options": {}},
             no_search_with=("gpt-5", "o1", "o3", "o4"), embeddings=True),
    # Passes `cache_control` marks on to the providers that have them, ignores them elsewhere; the web plugin
    # works with every model.
    Provider("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", ("OPENROUTER_API_KEY",),
             "https://openrouter.ai/settings/keys", typed_by="object", cache="marks",
             web_search={"plugins": [{"id": "web"}]}, embeddings=True),
    # Live Search is gone: `search_parameters` is answered with 410; search is a tool of another endpoint.
    Provider("xai", "xAI", "https://api.x.ai/v1", ("XAI_API_KEY",), "https://console.x.ai", cache="automatic",
             effort=False),
    # Takes response_format, reasoning_effort and embeddings with dimensions; caching is implicit.
    Provider("gemini", "Google Gemini", _GEMINI, ("GEMINI_API_KEY",), "https://aistudio.google.com/apikey",
             cache="automatic", embeddings=True),
    Provider("google", "Google Gemini", _GEMINI, ("GEMINI_API_KEY",), "https://aistudio.google.com/apikey",
             cache="automatic", embeddings=True),
    # The compatibility layer ignores response_format and reasoning_effort, joins all system messages at the
    # beginning, and has no prompt caching: the schema must stand in the prompt.
    Provider("anthropic", "Anthropic", "https://api.anthropic.com/v1", ("ANTHROPIC_API_KEY",),
             "https://platform.claude.com/settings/keys", typed_by="text", effort=False),
    # `max_completion_tokens` stands for the deprecated `max_tokens`; JSON mode works with every model,
    # schemas with some (console.groq.com/docs, read 2026-11-16).
    Provider("groq", "Groq", "https://api.groq.com/openai/v1", ("GROQ_API_KEY",),
             "https://console.groq.com/keys", typed_by="object", effort=False,
             token_limit="max_completion_tokens"),  # noqa: S106
    # 400 "Expected last role User or Tool … but got assistant": the last message must be the user's
    # (portkey.ai/error-library 10573 and docs.mistral.ai, read 2026-11-16).
    Provider("mistral", "Mistral", "https://api.mistral.ai/v1", ("MISTRAL_API_KEY",),
             "https://console.mistral.ai/api-keys", typed_by="object", effort=False,
             context_in="user", embeddings=True),
    # JSON mode only (`json_object`, with the word JSON in the prompt); thoughts come in `reasoning_content`;
    # caching on disk is on for everyone and needs an equal prefix.
    Provider("deepseek", "DeepSeek", "https://api.deepseek.com/v1", ("DEEPSEEK_API_KEY",),
             "https://platform.deepseek.com/api_keys", typed_by="object", effort=False, cache="automatic"),
    # The window of `/v1` is the server's own (4,096 unless changed) and cannot be asked for; `/api/chat`
    # takes `num_ctx`, `format` (a JSON schema) and `think`.
    Provider("ollama", "Ollama", "http://127.0.0.1:11434/v1", local=True, wire="ollama", effort=False,
             temperature=True, context_in="user", window=4096, embeddings=True),
    Provider("lmstudio", "LM Studio", "http://127.0.0.1:1234/v1", local=True, effort=False, temperature=True,
             context_in="user", window=4096, embeddings=True),
    # `/props` tells n_ctx; grammars enforce a schema; templates that want alternating roles answer 500.
    Provider("llamacpp", "llama.cpp", "http://127.0.0.1:8080/v1", local=True, effort=False, temperature=True,
             context_in="user", cache="automatic", window=4096, without_thinking=_NO_THOUGHTS, progress=True,
             embeddings=True),
    # `/v1/models` tells max_model_len.
    Provider("vllm", "vLLM", "http://127.0.0.1:8000/v1", local=True, temperature=True, context_in="user",
             cache="automatic", without_thinking=_NO_THOUGHTS, embeddings=True),
    # A GGUF file that the ghost itself runs in a child process (local/).
    Provider("local", "this machine", "http://127.0.0.1:8081/v1", local=True, effort=False, temperature=True,
             context_in="user", cache="automatic", window=8192, without_thinking=_NO_THOUGHTS, progress=True,
             embeddings=True),
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
        raise NotConfigured(
            f"The model {model!r} needs a known prefix such as openai/…; known: {known}.",
            code="llm_unknown_prefix",
            ja=f"モデル {model!r} の頭には openai/ のような名前が要ります。使えるもの: {known}",
        )
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
