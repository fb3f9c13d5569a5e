"""What a hosted model costs, by the providers' price lists as they stood when this was written."""

from __future__ import annotations

from collections.abc import Mapping

TURN_INPUT_TOKENS, TURN_OUTPUT_TOKENS = 6000, 900
"""One turn of a long life: reply, choice and plan together (bench/tokens.py)."""
# USD per million tokens in and out; beginnings of names, longest match first.
PRICES: Mapping[str, tuple[float, float]] = {
    "gpt-4o-mini": (0.15, 0.60), "gpt-4o": (2.50, 10.00), "gpt-4.1-mini": (0.40, 1.60),
    "gpt-4.1": (2.00, 8.00),
    "gpt-5-mini": (0.25, 2.00), "gpt-5": (1.25, 10.00), "gpt-5.1": (1.25, 10.00), "gpt-5.2": (1.75, 14.00),
    "o4-mini": (1.10, 4.40), "claude-haiku-4-5": (1.00, 5.00), "claude-haiku-4.5": (1.00, 5.00),
    "claude-sonnet-4": (3.00, 15.00), "claude-opus-4": (5.00, 25.00), "gemini-2.5-flash": (0.30, 2.50),
    "gemini-2.5-pro": (1.25, 10.00), "gemini-3-flash": (0.50, 3.00), "gemini-3-pro": (2.00, 12.00),
    "deepseek": (0.28, 0.42),
}  # fmt: skip


def price_of(model: str) -> tuple[float, float] | None:
    """USD per million tokens, in and out; None where the list does not know the model."""
    name = model.lower().rpartition("/")[2]
    known = [begin for begin in PRICES if name.startswith(begin)]
    return PRICES[max(known, key=len)] if known else None


def cost_of(model: str, input_tokens: int, output_tokens: int) -> float | None:
    """USD; nothing for what runs at home or in the program, None where the price is unknown."""
    if model.partition("/")[0] in {"embedded", "local", "llamacpp", "ollama", "lmstudio", "vllm"}:
        return 0.0
    price = price_of(model)
    if price is None:
        return None
    return round((input_tokens * price[0] + output_tokens * price[1]) / 1_000_000, 6)


def cost_per_1000_turns(model: str) -> float | None:
    cost = cost_of(model, 1000 * TURN_INPUT_TOKENS, 1000 * TURN_OUTPUT_TOKENS)
    return None if cost is None else round(cost, 2)
