"""The ghost's own voice in what it notes: how it calls the person, and labels that never belong there."""

from __future__ import annotations

import re

from cocoro_ghost.model.scene import Language

_BANNED = {"ユーザー": "使い手", "アシスタント": "助手"}
_BANNED_EN = {"user": "person", "assistant": "helper"}


def address(language: Language, label: str) -> str:
    """How the ghost calls the person: the persona's label, else あなた / you."""
    if language is Language.EN:
        return "you"
    return label.strip() or "あなた"


def unbanned(text: str, language: Language) -> str:
    """Without the third-person labels that never belong into the ghost's notes."""
    if language is Language.EN:
        return re.sub(
            r"\b(user|assistant)(s?)\b", lambda m: _BANNED_EN[m[1].lower()] + m[2], text, flags=re.IGNORECASE
        )
    for word, better in _BANNED.items():
        text = text.replace(word, better)
    return text
