"""A notification of some program: told in the ghost's own words, learned from only as hearsay."""

from __future__ import annotations

from collections.abc import Sequence

from cocoro_ghost.errors import BadInput
from cocoro_ghost.hear.chat import clean

MAX_SOURCE, MAX_TEXT = 100, 4000


def hear_notification(source_system: str, text: str, images: Sequence[object]) -> tuple[str, str, str]:
    """(source, text, system_text); raises BadInput when there is nothing to tell."""
    source, words = clean(source_system), clean(text)
    if not source or (not words and not images):
        raise BadInput("A notification needs a source_system and a text.")
    if len(source) > MAX_SOURCE or len(words) > MAX_TEXT:
        raise BadInput(f"A source has at most {MAX_SOURCE} characters, a text at most {MAX_TEXT}.")
    return source, words, f"[{source}] {words}".rstrip()
