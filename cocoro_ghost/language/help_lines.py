"""Help lines for a person in distress, by region; where none is known, what to do anywhere."""

from __future__ import annotations

from fnmatch import fnmatchcase

from cocoro_ghost.language.lexicon import rows
from cocoro_ghost.model.care import Help, HelpLine
from cocoro_ghost.model.scene import Language


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
    """The help of a region: chosen, of the time zone or the language; `text` replaces the general line."""
    known = rows("any", "help_lines")
    chosen = (region or "").upper() or region_of_zone(zone) or _region_of_language(language, zone)
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


def _region_of_language(language: Language, zone: str | None) -> str:
    """A machine on UTC says nothing of where it stands; a language of one country does."""
    somewhere = "/" in (zone or "") and not str(zone).startswith("Etc/")
    found = rows("any", "help_lines")["languages"].get(language.value, "")
    return "" if somewhere else str(found)
