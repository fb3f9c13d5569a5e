"""Japanese tastes whose thing comes after the predicate, and words that only look like a taste."""

from __future__ import annotations

import re

from cocoro_ghost.language.morphology import tokens
from cocoro_ghost.mind.embedded.nounphrase import first_noun_phrases

NEITHER = re.compile("好きでも(?:なければ)?(?:嫌い|きらい)でも|可もなく不可もな")
"""Neither liked nor disliked."""
ONLY_OF_FOOD = re.compile("得意|許せ|弱い")
"""得意じゃない is about taste only where something is eaten."""
_TRAILING = re.compile(
    r"^[^、,]{0,14}[、,]\s*(?P<thing>[^、。はがもを]{1,12}?)(?:って|は|が|も)?(?:ね|さ)?[〜ー]*$"
)
_ABOVE_ALL = re.compile(
    r"[、,]\s*(?P<thing>[^、。はがもを]{1,12}?)(?:は|が|とか)?(?:特に|とくに|なんて特に)$"
)
_EVENT = re.compile(
    r"(?:[らかさたなまわが]れる|られる|が[^、。がを]{1,8}[うくぐすつぬぶむるたい])(?:の|こと)(?:は|が)$"
)


def said_after(tail: str) -> list[str]:
    """The thing that follows as an afterthought: 嫌いじゃないよ、演歌."""
    return _noun(_TRAILING.search(tail))


def above_all(tail: str) -> list[str]:
    """The thing that is singled out behind: きのこは全部だめ、しいたけは特に."""
    return _noun(_ABOVE_ALL.search(tail))


def is_event(text: str, at: int) -> bool:
    """True when what is disliked is that something happens: 怒られるのは嫌だ."""
    return text[at : at + 1] in {"嫌", "い", "イ"} and _EVENT.search(text[:at]) is not None


def _noun(match: re.Match[str] | None) -> list[str]:
    """The words when they are nothing but one noun phrase."""
    if match is None:
        return []
    phrases = first_noun_phrases(list(tokens(match["thing"])))
    return phrases if phrases == [match["thing"]] else []
