"""Care for every mind: where help is, and quiet for some hours after a person spoke of distress."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cocoro_ghost.language.distress import find_distress
from cocoro_ghost.language.fold import guess_language
from cocoro_ghost.language.help_lines import help_for
from cocoro_ghost.model.care import Help
from cocoro_ghost.model.reading import Reading
from cocoro_ghost.store import events
from cocoro_ghost.store.ports import Reader

QUIET_SECONDS = 6 * 3600
LOOKED_AT = 6


@dataclass(frozen=True, slots=True)
class CareSettings:
    """The owner's region and words, both may be empty."""

    region: str = ""
    text: str = ""

    def help(self, reading: Reading, zone: str | None) -> Help | None:
        """Where help is when the message speaks of distress, else None."""
        if reading.distress is None:
            return None
        found = help_for(reading.language, region=self.region or None, zone=zone, text=self.text)
        return replace(found, sure=reading.distress.sure)


def in_distress(reader: Reader, now: int) -> bool:
    """True for some hours after distress was spoken of: nothing is said unasked then."""
    recent = [
        turn for turn in events.finished_chats(reader, LOOKED_AT) if now - turn.created_at < QUIET_SECONDS
    ]
    return any(
        find_distress(turn.user_text, guess_language(turn.user_text)) is not None
        for turn in recent
        if turn.user_text
    )
