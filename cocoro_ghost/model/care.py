"""Help for a person in distress: what is shown beside a caring reply."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class HelpLine:
    """One line to call; `checked` is the day its number was last compared with public pages."""

    name: str
    number: str
    hours: str
    source: str
    checked: date


@dataclass(frozen=True, slots=True)
class Help:
    """What is shown beside a caring reply; `text` is the owner's own wording or fits anywhere."""

    region: str | None
    emergency: str | None
    lines: tuple[HelpLine, ...]
    text: str
    sure: bool = True
    """False for what may be a hint: a client shows no more than that help can be looked up."""


def as_data(found: Help) -> dict[str, object]:
    """As it goes to a client with the `done` frame."""
    return {
        "region": found.region,
        "emergency": found.emergency,
        "lines": [{"name": one.name, "number": one.number, "hours": one.hours} for one in found.lines],
        "text": found.text,
        "sure": found.sure,
    }
