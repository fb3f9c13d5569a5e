"""What living with a model has taught: its window, where it bears the context, how fast it reads."""

from __future__ import annotations

import json
import logging
import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

log = logging.getLogger(__name__)
Keep = Callable[[str, str], None]
"""model, what was learned as JSON: stores it."""
_SLOW = 0.3
"""How much the newest measurement counts."""
_MARKED = 0.05
SURE_FIRST_TOKEN = 30.0
_PATIENCE = 3.0


@dataclass(frozen=True, slots=True)
class Learned:
    """Zero or empty where nothing is known yet."""

    context_in: str = ""
    context_tokens: int = 0
    answer_format: int = -1
    thinks_first: bool = False
    """Its thoughts begin in the template: the first word it speaks follows their end."""
    no_system: bool = False
    """Its template knows no system role."""
    no_tools: bool = False
    """It refused a client's tools."""
    token_ratio: float = 0.0
    """Tokens as the model counts them to tokens as we estimate them."""
    prompt_speed: float = 0.0
    """Tokens read a second."""
    select_seconds: float = 0.0
    """How long it takes to choose among memories."""

    def first_token_seconds(self, prompt_tokens: int) -> float:
        """How long the first word may take: a slow model is slow, not broken."""
        if not self.prompt_speed:
            return SURE_FIRST_TOKEN
        return max(SURE_FIRST_TOKEN, prompt_tokens / self.prompt_speed * _PATIENCE)


class Lessons:
    """Of all models of one ghost; kept across restarts by whoever gave `keep`."""

    def __init__(self, known: Mapping[str, str] | None = None, keep: Keep | None = None) -> None:
        self._known = {model: parsed(text) for model, text in (known or {}).items()}
        self._keep = keep

    def of(self, model: str) -> Learned:
        return self._known.get(model, Learned())

    def learn(self, model: str, why: str = "", **changes: Any) -> None:
        """Remembers; what a person may wonder about is said in the log."""
        before = self.of(model)
        after = replace(before, **changes)
        if after == before:
            return
        self._known[model] = after
        if why:
            log.info("%s: %s", model, why)
        if self._keep is not None:
            self._keep(model, json.dumps(asdict(after)))

    def measured(self, model: str, **figures: float) -> None:
        """Figures drift: the newest counts for a third, and only a marked change is written down."""
        before = self.of(model)
        mixed: dict[str, Any] = {}
        for name, value in figures.items():
            old = float(getattr(before, name))
            new = value if not old else old + _SLOW * (value - old)
            if new > 0 and abs(new - old) > _MARKED * old:
                mixed[name] = round(new, 4)
        self.learn(model, **mixed)


def parsed(text: str) -> Learned:
    """What was stored; whatever cannot be read is learned anew."""
    try:
        found = json.loads(text)
        nothing = asdict(Learned())
        # By the type each has now: what an older version stored may be of another.
        kept = {name: type(nothing[name])(value) for name, value in found.items() if name in nothing}
        sound = all(math.isfinite(one) for one in kept.values() if isinstance(one, float))
        return Learned(**kept) if sound else Learned()
    except (ValueError, TypeError, AttributeError, OverflowError):
        return Learned()
