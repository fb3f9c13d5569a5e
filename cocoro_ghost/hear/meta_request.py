"""A request to say something of one's own accord; what was asked is neither stored nor logged."""

from __future__ import annotations

from cocoro_ghost.errors import BadInput
from cocoro_ghost.hear.chat import clean

MAX_INSTRUCTION, MAX_PAYLOAD = 4000, 16_000


def hear_meta_request(instruction: str | None, payload_text: str | None, images: int) -> tuple[str, str]:
    """(instruction, payload); raises BadInput when there is neither."""
    wish, payload = clean(instruction or ""), clean(payload_text or "")
    if not wish and not payload and not images:
        raise BadInput("A meta request needs an instruction, a payload_text or an image.")
    if len(wish) > MAX_INSTRUCTION or len(payload) > MAX_PAYLOAD:
        raise BadInput(f"At most {MAX_INSTRUCTION} characters of instruction and {MAX_PAYLOAD} of payload.")
    return wish, payload
