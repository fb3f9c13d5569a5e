"""What a hosted model costs, by the providers' price lists.

The figures are those that LiteLLM keeps of the providers' pages (`model_prices_and_context_window.json` as of
2026-08-08, read 2026-11-16). A model that is not in the list has no price here: none is better than a guess.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple


class Price(NamedTuple):
    """USD per million tokens."""

    input: float
    output: float
    cached: float


TURN_INPUT_TOKENS, TURN_OUTPUT_TOKENS = 6000, 900
"""One turn of a long life: reply, choice and plan together (bench/tokens.py)."""
FREE = frozenset({"embedded", "local", "llamacpp", "ollama", "lmstudio", "vllm"})
# Open models cost differently with each who serves them: those are named with the server.
PRICES: Mapping[str, Price] = {
    "gpt-4o": Price(2.50, 10.00, 1.25), "gpt-4o-mini": Price(0.15, 0.60, 0.075),
    "gpt-4.1": Price(2.00, 8.00, 0.50), "gpt-4.1-mini": Price(0.40, 1.60, 0.10),
    "gpt-4.1-nano": Price(0.10, 0.40, 0.025), "gpt-5": Price(1.25, 10.00, 0.125),
    "gpt-5-mini": Price(0.25, 2.00, 0.025), "gpt-5-nano": Price(0.05, 0.40, 0.005),
    "gpt-5.1": Price(1.25, 10.00, 0.125), "gpt-5.2": Price(1.75, 14.00, 0.175),
    "gpt-5.4": Price(2.50, 15.00, 0.25), "gpt-5.4-mini": Price(0.75, 4.50, 0.075),
    "o3": Price(2.00, 8.00, 0.50), "o4-mini": Price(1.10, 4.40, 0.275),
    "claude-haiku-4.5": Price(1.00, 5.00, 0.10), "claude-sonnet-4": Price(3.00, 15.00, 0.30),
    "claude-sonnet-4.5": Price(3.00, 15.00, 0.30), "claude-sonnet-4.6": Price(3.00, 15.00, 0.30),
    "claude-opus-4": Price(15.00, 75.00, 1.50), "claude-opus-4.1": Price(15.00, 75.00, 1.50),
    "claude-opus-4.5": Price(5.00, 25.00, 0.50), "claude-opus-4.6": Price(5.00, 25.00, 0.50),
    "gemini-2.5-flash": Price(0.30, 2.50, 0.03), "gemini-2.5-flash-lite": Price(0.10, 0.40, 0.01),
    "gemini-2.5-pro": Price(1.25, 10.00, 0.125), "gemini-3-flash": Price(0.50, 3.00, 0.05),
    "gemini-3-pro": Price(2.00, 12.00, 0.20), "gemini-3.1-pro": Price(2.00, 12.00, 0.20),
    "deepseek-chat": Price(0.28, 0.42, 0.028), "deepseek-reasoner": Price(0.28, 0.42, 0.028),
    "grok-3": Price(3.00, 15.00, 0.75), "grok-3-mini": Price(0.30, 0.50, 0.075),
    "grok-4-fast-reasoning": Price(0.20, 0.50, 0.05),
    "groq/llama-3.3-70b-versatile": Price(0.59, 0.79, 0.59),
    "groq/llama-3.1-8b-instant": Price(0.05, 0.08, 0.05),
    "groq/openai/gpt-oss-120b": Price(0.15, 0.60, 0.075),
    "groq/openai/gpt-oss-20b": Price(0.075, 0.30, 0.0375), "groq/qwen/qwen3-32b": Price(0.29, 0.59, 0.29),
    "mistral/mistral-small-latest": Price(0.06, 0.18, 0.06),
    "mistral/mistral-medium-latest": Price(1.50, 7.50, 1.50),
    "mistral/mistral-large-latest": Price(0.50, 1.50, 0.50),
}  # fmt: skip
_EDITION = re.compile(r"(?:-(?:\d{8}|\d{4}-\d{2}-\d{2}|\d{4}|latest|preview(?:-[\d-]+)?))?(?::\w+)?$")
"""A day or `latest` behind a name: another edition at the same price. Any other word is another model."""


def price_of(model: str) -> Price | None:
    """None where the list does not know the model."""
    whole = model.lower()
    for name in (whole, whole.rpartition("/")[2]):
        plain = _EDITION.sub("", name)
        # Some write a version with a dot where others have a dash.
        for known in (name, plain, re.sub(r"(?<=[a-z]-\d)-(?=\d$)", ".", plain)):
            if known in PRICES:
                return PRICES[known]
    return None


def cost_of(model: str, input_tokens: int, output_tokens: int, cached_tokens: int = 0) -> float | None:
    """USD; nothing for what runs at home or in the program, None where the price is unknown."""
    if model.partition("/")[0] in FREE:
        return 0.0
    price = price_of(model)
    if price is None:
        return None
    cached = min(cached_tokens, input_tokens)
    whole = (input_tokens - cached) * price.input + cached * price.cached + output_tokens * price.output
    return round(whole / 1_000_000, 6)


def cost_per_1000_turns(model: str) -> float | None:
    cost = cost_of(model, 1000 * TURN_INPUT_TOKENS, 1000 * TURN_OUTPUT_TOKENS)
    return None if cost is None else round(cost, 2)
