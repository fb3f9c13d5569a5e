"""Whose age it is: もう8歳 after a sentence about the dog is the dog's, `He's six` never the speaker's."""

from __future__ import annotations

import re
from functools import cache

from cocoro_ghost.mind.embedded.facts import filled
from cocoro_ghost.mind.embedded.sentences import Sentence
from cocoro_ghost.model.answers import StateUpdate
from cocoro_ghost.model.scene import Language

_JA_AGE = re.compile(r"(?P<age>[\d０-９]{1,3}|[〇一二三四五六七八九十]{1,3})[歳才]")
_EN_AGE = re.compile(
    r"^(?:and |but |oh,? )?(?:(?:he|she|it|they)(?:'s| is|'re| are)?\s+(?:just |already |now |only |almost |"
    r"nearly |turned |turning |turns |about to turn |about )*(?P<age>\d{1,2}|[a-z]+(?:teen|ty)|one|two|three|"
    r"four|five|six|seven|eight|nine|ten|eleven|twelve)|"
    r"(?:already |only |just )?(?P<bare>\d{1,2}|[a-z]+) years? old)"
    r"(?:\s+(?:years? old|now|already|this year|today|next \w+|last \w+|in \w+|so \w+))*$",
    re.IGNORECASE,
)
_GROWN = 16


@cache
def _names_speaker() -> re.Pattern[str]:
    return re.compile(filled(r"(?:^|[、。\s])SELF(?:は|も|が|、)", Language.JA))


def age_of_another(sentence: Sentence, before: StateUpdate | None, introducing: bool) -> str | None:
    """The age this sentence gives to the being spoken of just before, as written."""
    if before is None or sentence.question:
        return None
    if sentence.language is Language.EN:
        match = _EN_AGE.match(sentence.text.replace("’", "'").strip())
        return (match["age"] or match["bare"]) if match else None
    found = _JA_AGE.search(sentence.text)
    if found is None or _names_speaker().search(sentence.text) or len(sentence.text) > 20:
        return None
    # 妻と二人暮らし。35歳です。 within an introduction is the speaker's own age.
    if introducing and before.payload.get("about") != "pet" and _years(found["age"]) >= _GROWN:
        return None
    return found["age"]


def _years(text: str) -> int:
    return int(text) if text.isdecimal() else _GROWN


def with_age(update: StateUpdate, age: str, language: Language) -> StateUpdate:
    """The note about that being, with its age."""
    stem = update.body_text.rstrip("。.")
    body = f"{stem}（{age}歳）。" if language is Language.JA else f"{stem} ({age} years old)."
    if len(body) > 400:
        return update
    return update.model_copy(update={"body_text": body, "payload": {**update.payload, "age": age}})


def with_name(update: StateUpdate, name: str, language: Language) -> StateUpdate:
    """The note about a being, with the name that the next sentence gave it."""
    stem = update.body_text.rstrip("。.")
    body = f"{stem}（名前は{name}）。" if language is Language.JA else f"{stem} (named {name})."
    if len(body) > 400:
        return update
    return update.model_copy(update={"body_text": body, "payload": {**update.payload, "value": name}})
