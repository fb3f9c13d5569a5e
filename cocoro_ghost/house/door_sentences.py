"""What the door says to a person, in both languages."""

from __future__ import annotations

from enum import Enum

from cocoro_ghost.store.postgres.talks import Day


class Sentence(Enum):
    """(English, Japanese)"""

    UNKNOWN = (
        "This token is not known here. Send `Authorization: Bearer <token>` or log in.",
        "このトークンは知られていません。`Authorization: Bearer <トークン>` を送るか、ログインしてください。",
    )
    SUSPENDED = (
        "This ghost is suspended; its host can say why. Nothing of it is lost.",
        "このゴーストは停止されています。理由はホストにお尋ねください。記憶は失われていません。",
    )
    TURNS = (
        "That is enough talking for today: the day's turns are used up. Tomorrow there are new ones.",
        "今日のぶんの会話を使い切りました。明日また話せます。",
    )
    TOKENS = (
        "The day's tokens of the language model are used up. Tomorrow there are new ones.",
        "言語モデルの今日のぶんのトークンを使い切りました。明日また使えます。",
    )
    BYTES = (
        "The day's amount of data is used up. Tomorrow there is new room.",
        "今日のぶんのデータ量を使い切りました。明日また送れます。",
    )


def said_in(sentence: Sentence, language: str, accepted: str) -> str:
    """In the ghost's language, else in the one the caller asks for."""
    english, japanese = sentence.value
    wanted = language if language != "auto" else accepted.strip().lower()[:2]
    return japanese if wanted == "ja" else english


def quota_sentence(used: Day, allowed: Day, *, talking: bool) -> Sentence | None:
    """What is used up: turns and tokens keep from talking, bytes from sending anything."""
    if talking and _spent(used.turns, allowed.turns):
        return Sentence.TURNS
    if talking and _spent(used.tokens, allowed.tokens):
        return Sentence.TOKENS
    return Sentence.BYTES if _spent(used.bytes, allowed.bytes) else None


def _spent(used: int | None, allowed: int | None) -> bool:
    return allowed is not None and (used or 0) >= allowed
