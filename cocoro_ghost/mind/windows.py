"""How much a model can take in at once: asked from its endpoint, else from a table, else a setting."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from typing import Any

from cocoro_ghost.mind.providers import Endpoint

log = logging.getLogger(__name__)
ASK_SECONDS = 5.0
OLLAMA_WINDOW = 8192
"""What is asked of Ollama for a model that can take it: more costs memory on every load."""
# Beginnings of names, longest match first: what the smallest of them takes in, by LiteLLM's list of the
# providers' pages (2026-08-08, read 2026-11-16). Too small only shortens; too large is refused.
WINDOWS: Mapping[str, int] = {
    "gpt-4o": 128_000, "gpt-4.1": 1_047_576, "gpt-5": 272_000, "o3": 200_000, "o4": 200_000,
    "claude": 200_000, "gemini": 1_048_576, "grok": 131_072, "deepseek": 131_072, "mistral-small": 32_000,
    "mistral-small-latest": 131_072, "mistral-medium-latest": 262_144, "mistral-large-latest": 262_144,
    "llama-3.1": 128_000, "llama-3.3": 128_000, "openai/gpt-oss": 131_072, "qwen/qwen3": 131_000,
}  # fmt: skip


def tabled(model: str) -> int:
    """The window of a hosted model by its name; 0 when the table does not know it."""
    name = model.lower()
    known = [begin for begin in WINDOWS if name.startswith(begin) or f"/{begin}" in name]
    return WINDOWS[max(known, key=len)] if known else 0


async def ask_window(place: Endpoint, api_key: str | None) -> int:
    """What the endpoint says; 0 when it does not. Never raises: a model speaks without it, too."""
    import httpx2

    from cocoro_ghost.outgoing.http_client import pinned_client

    headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
    root = place.base_url.removesuffix("/v1")
    try:
        async with pinned_client(ASK_SECONDS) as client:
            client.headers.update(headers)
            if place.provider.wire == "ollama":
                answer = await client.post(f"{root}/api/show", json={"model": place.model})
                return _ollama(answer.json())
            if place.provider.name in ("llamacpp", "local"):
                answer = await client.get(f"{root}/props")
                return _number(answer.json().get("default_generation_settings", {}).get("n_ctx"))
            answer = await client.get(f"{place.base_url}/models")
            return _listed(answer.json(), place.model)
    except (httpx2.HTTPError, ValueError, AttributeError, TypeError) as error:
        log.debug("no window told by %s: %s", place.base_url, error)
        return 0


def _ollama(told: Mapping[str, Any]) -> int:
    """`num_ctx` of the model's own file, else a window of ours within what the model was made for."""
    parameters = str(told.get("parameters") or "")
    for line in parameters.splitlines():
        name, _, value = line.strip().partition(" ")
        if name == "num_ctx" and value.strip().isdigit():
            return int(value.strip())
    info = told.get("model_info") or {}
    made_for = next((_number(v) for name, v in info.items() if str(name).endswith(".context_length")), 0)
    return min(OLLAMA_WINDOW, made_for) if made_for else 0


def _listed(told: Mapping[str, Any], model: str) -> int:
    """vLLM says `max_model_len`, OpenRouter and Groq `context_length` or `context_window`."""
    for one in told.get("data") or []:
        if isinstance(one, dict) and one.get("id") == model:
            names = ("max_model_len", "context_length", "context_window", "max_context_length",
                     "loaded_context_length")  # fmt: skip
            return next((_number(one[name]) for name in names if one.get(name)), 0)
    return 0


def _number(value: Any) -> int:
    return int(value) if isinstance(value, int | float) and 0 < value < math.inf else 0
