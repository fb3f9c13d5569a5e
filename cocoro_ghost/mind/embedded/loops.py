"""Unfinished matters made speakable: what is to be done and by when, free of words like 明日."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime

from cocoro_ghost.language.times import find_times
from cocoro_ghost.mind.embedded.spoken_ja import SECOND_PERSON
from cocoro_ghost.model.scene import Language

_STAMP = re.compile(
    r"\s*[（(]\s*(?:due\s+)?(\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2})?)?)(?:–\d{4}-\d{2}-\d{2})?\s*[)）]"
)
_PARTICLES = re.compile(r"^(?:までに|まで|には|に|の|は|で)?、?")
_PREPOSITION = re.compile(r"\b(?:by|on|at|in|until|before|for|due)\s*$", re.IGNORECASE)
_YOUR_PART = re.compile(
    r"^(?:you(?:'ve| have)? (?:got to|got|gotta|have to|need to|must|should|want to|plan to|will|have"
    r"|promised to)"
    r"|you(?:'re| are) (?:going to|supposed to|planning to)|you'll|your)\s+"
    r"|^you(?:'re| are) (?=\w+ing\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Loop:
    """One open matter; `due` is local time."""

    text: str
    due: datetime | None


def read_loop(line: str, label: str, language: Language) -> Loop:
    """Reads a task's body as the pack carries it, with its dates in brackets."""
    stamps = _STAMP.findall(line)
    due = _moment(stamps[0]) if stamps else None
    text = _STAMP.sub("", line).strip().rstrip("。. ")
    text = _plain_ja(_without_you_ja(text, label)) if language is Language.JA else _plain_en(text)
    if due is not None:
        text = _without_times(text, due, language)
    return Loop(text.strip(" 、,。."), due)


def _moment(stamp: str) -> datetime | None:
    """Bodies may come from any mind: a day that does not exist is no day."""
    try:
        return datetime.fromisoformat(stamp)
    except ValueError:
        return None


def _plain_ja(text: str) -> str:
    """The matter without how it feels: 面接があるから緊張する → 面接がある."""
    text = re.sub(r"(がある)(?:から|ので)[^、]+$", r"\1", text)
    return re.sub(r"(いけな|ならな)くて$", r"\1い", text)


def _plain_en(text: str) -> str:
    return re.sub(r",? (?:and|but|so) you(?:'re| are| feel)\b.*$", "", _YOUR_PART.sub("", text))


def _without_you_ja(text: str, label: str) -> str:
    called = "|".join(
        re.escape(name) for name in sorted({label, *SECOND_PERSON} - {""}, key=len, reverse=True)
    )
    return re.sub(rf"^(?:{called})(?:の予定[:：]\s*|は|が|の|も)、?", "", text)


def _without_times(text: str, due: datetime, language: Language) -> str:
    """Cuts time expressions out: 明日 was right on the day it was said only."""
    for mention in reversed(find_times(text, due, language)):
        before, after = text[: mention.start_index], text[mention.end_index :]
        if language is Language.JA:
            after = _PARTICLES.sub("", after)
        else:
            before = _PREPOSITION.sub("", before)
        text = before + after
    return re.sub(r"\s{2,}", " ", text)
