"""What comes in unasked, checked at the border: a notification, a wish to hear something, the screen.

A notification is learned from only as hearsay; what a wish asked is neither stored nor logged; on the screen
the user is the one who acts, the ghost only watches.
"""

from __future__ import annotations

from collections.abc import Sequence

from cocoro_ghost.errors import BadInput
from cocoro_ghost.hear.message import clean
from cocoro_ghost.model.event import ClientContext

MAX_SOURCE, MAX_TEXT = 100, 4000


def hear_notification(source_system: str, text: str, images: Sequence[object]) -> tuple[str, str, str]:
    """(source, text, system_text); raises BadInput when there is nothing to tell."""
    source, words = clean(source_system), clean(text)
    if not source or (not words and not images):
        raise BadInput("A notification needs a source_system and a text.")
    if len(source) > MAX_SOURCE or len(words) > MAX_TEXT:
        raise BadInput(f"A source has at most {MAX_SOURCE} characters, a text at most {MAX_TEXT}.")
    return source, words, f"[{source}] {words}".rstrip()


MAX_INSTRUCTION, MAX_PAYLOAD = 4000, 16_000


def hear_meta_request(instruction: str | None, payload_text: str | None, images: int) -> tuple[str, str]:
    """(instruction, payload); raises BadInput when there is neither."""
    wish, payload = clean(instruction or ""), clean(payload_text or "")
    if not wish and not payload and not images:
        raise BadInput("A meta request needs an instruction, a payload_text or an image.")
    if len(wish) > MAX_INSTRUCTION or len(payload) > MAX_PAYLOAD:
        raise BadInput(f"At most {MAX_INSTRUCTION} characters of instruction and {MAX_PAYLOAD} of payload.")
    return wish, payload


MAX_LINE = 300


def screen_line(context: ClientContext) -> str:
    """`[desktop_watch] app title`, as the client shows it and the log keeps it."""
    words = " ".join(filter(None, (context.active_app, context.window_title)))
    return f"[desktop_watch] {words}".strip()[:MAX_LINE]
