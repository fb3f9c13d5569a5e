"""What a client sends, parsed once: roles, texts, images, and blocks that are not the person's words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from cocoro_ghost.connect.client_tools import calls_in
from cocoro_ghost.errors import BadInput
from cocoro_ghost.model.tools import ToolCall
from cocoro_ghost.reply.expression import without_tags

Role = Literal["system", "user", "assistant", "tool"]
MAX_MESSAGES = 2_000
_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
_SPACE = re.compile(r"\s+")
_NAME_BEFORE = re.compile(r"^[^\s:：]{1,40}[:：]\s+")
_TASK_BLOCK = "### Task:"
_CONTEXT_END = "</context>"
_NOTES = {"[interrupted by user]"}
"""What programs write in the person's place: a note to the model, nobody's words."""
_OWN_MEMORY = re.compile(r"<memory_context>.*?</memory_context>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a sent history; `images` are data URIs, never addresses."""

    role: Role
    text: str
    images: tuple[str, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    call_id: str | None = None


def parse_messages(raw: object) -> tuple[ChatMessage, ...]:
    """Raises BadInput with a sentence for what is no list of messages."""
    if not isinstance(raw, list) or not raw:
        raise BadInput("`messages` must be a list with at least one message.")
    if len(raw) > MAX_MESSAGES:
        raise BadInput(f"At most {MAX_MESSAGES} messages; {len(raw)} were sent.")
    return tuple(_message(one, number) for number, one in enumerate(raw))


def _message(raw: object, number: int) -> ChatMessage:
    if not isinstance(raw, dict) or not isinstance(raw.get("role"), str):
        raise BadInput(f"`messages[{number}]` must be an object with a `role`.")
    role = _ROLES.get(raw["role"])
    if role is None:
        raise BadInput(f"`messages[{number}].role` is {raw['role']!r}; known: {', '.join(_ROLES)}.")
    text, images = _content(raw.get("content"), number)
    given = raw.get("images")
    if isinstance(given, list):
        # Ollama's form: bare base64.
        images = (*images, *(_as_data_uri(one) for one in given if isinstance(one, str)))
    call_id = raw.get("tool_call_id", raw.get("tool_name")) if role == "tool" else None
    return ChatMessage(role, text, images, calls_in(raw.get("tool_calls")), call_id and str(call_id)[:200])


def _content(raw: object, number: int) -> tuple[str, tuple[str, ...]]:
    if raw is None:
        return "", ()
    if isinstance(raw, str):
        return raw, ()
    if not isinstance(raw, list):
        raise BadInput(f"`messages[{number}].content` must be a string or a list of parts.")
    texts: list[str] = []
    images: list[str] = []
    for part in raw:
        if not isinstance(part, dict):
            raise BadInput(f"`messages[{number}].content` holds a part that is no object.")
        if isinstance(part.get("text"), str):
            texts.append(part["text"])
        elif part.get("type") == "image_url":
            images.append(_image(part.get("image_url"), number))
    return "\n".join(texts), tuple(images)


def _image(raw: object, number: int) -> str:
    url = raw.get("url") if isinstance(raw, dict) else raw
    if not isinstance(url, str) or not url.lower().startswith("data:image/"):
        # Fetching an address for a client would let it reach what only this machine reaches.
        raise BadInput(f"`messages[{number}]`: send images as `data:` URLs; addresses are not fetched.")
    return url


def _as_data_uri(encoded: str) -> str:
    return encoded if encoded.startswith("data:") else f"data:image/png;base64,{encoded}"


@dataclass(frozen=True, slots=True)
class Words:
    """The person's own words, and what the client put before them (found documents): context, not speech."""

    own: str
    context: str = ""


def own_words(text: str) -> Words:
    """Takes off a block of retrieved documents that a client put in front of what was typed."""
    if text.startswith(_TASK_BLOCK) and _CONTEXT_END in text:
        block, _, rest = text.rpartition(_CONTEXT_END)
        if rest.strip():
            return Words(rest.strip(), block + _CONTEXT_END)
    return Words(text)


def is_note(text: str) -> bool:
    return text.strip().lower() in _NOTES


def system_text(messages: Sequence[ChatMessage]) -> str:
    """The client's system messages in one, without what its own memory put there."""
    texts = (_OWN_MEMORY.sub("", one.text).strip() for one in messages if one.role == "system")
    return "\n\n".join(text for text in texts if text)


def comparable(text: str) -> str:
    """A text as two sides of a conversation may be compared: tags, names in front, spaces and width aside."""
    plain = unicodedata.normalize("NFKC", without_tags(own_words(text).own))
    plain = _SPACE.sub(" ", plain).strip()
    return _NAME_BEFORE.sub("", plain, count=1)
