"""Help lines for a person in distress, by region; where none is known, what to do anywhere."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from fnmatch import fnmatchcase

from cocoro_ghost.language.lexicon import rows
from cocoro_ghost.model.scene import Language


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


def regions() -> tuple[str, ...]:
    """The regions whose lines are known."""
    return tuple(rows("any", "help_lines")["region"])


def region_of_zone(zone: str | None) -> str | None:
    """The region a time zone belongs to, where its lines are known."""
    known = rows("any", "help_lines")["zones"].items()
    return next(
        (region for region, zones in known if any(fnmatchcase(zone or "", name) for name in zones)), None
    )


def help_for(
    language: Language, *, region: str | None = None, zone: str | None = None, text: str = ""
) -> Help:
    """The help of a region, chosen or found by the time zone; `text` replaces the general line."""
    known = rows("any", "help_lines")
    chosen = (region or "").upper() or region_of_zone(zone) or ""
    found = known["region"].get(chosen)
    general = text or known["elsewhere"][language.value]
    if found is None:
        return Help(None, None, (), general)
    lines = tuple(
        HelpLine(
            line["name"][language.value],
            line["number"],
            line["hours"][language.value],
            line["source"],
            found["checked"],
        )
        for line in found["line"]
    )
    return Help(chosen, found["emergency"], lines, text or general)
