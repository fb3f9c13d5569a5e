"""What was learned as it is said back: what is clear, in words built from its slot; never a clause.

A note keeps somebody's own words; half of them said back is a parrot, so that it is kept is all that is said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.language.morphology import tokens
from cocoro_ghost.language.read.tables import entries
from cocoro_ghost.language.wording import DAY_FIRST
from cocoro_ghost.mind.embedded.known import joined
from cocoro_ghost.mind.embedded.liked_answers import liking
from cocoro_ghost.mind.embedded.phrases import bare, of_slot, piece, unclear
from cocoro_ghost.mind.embedded.plain_words import Told, preference_updates, state_updates
from cocoro_ghost.model.answers import PreferenceUpdate, StateUpdate
from cocoro_ghost.model.preference import Domain
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import StateKind

_MOST_WORDS, _MOST_CHARS = 5, 16
_ONE_DAY = re.compile(r"\d+月\d+日(?:〜\d+日)?|[A-Z][a-z]{2} \d+(?:–\d+)?")
_HOUR = re.compile(r"\d+時(?:半|\d+分)?|\b\d+(?::\d+)? ?[ap]m\b|\b\d+:\d\d\b")
_DOING = re.compile(r"[^、。はがで]{1,10}を[一-龥ぁ-ん]{1,5}こと")
"""What one does for a living, as memory calls it: 料理を教えること."""
_NAMED_JA = re.compile(
    r"(?![でにをはが])[ぁ-んァ-ヶー一-龥々A-Za-z・]{1,10}(?<![とはがをで])(?<!いう|って|です)"
)
_NAMED_EN = re.compile(r"[\w'’.-]+(?: [A-Z][\w'’.-]*){0,2}")
_THINGS = frozenset({"名詞", "接頭辞", "接尾辞"})
_JOINTS = frozenset("のと・&ー-")
_ENDS = frozenset("。.!！?？…")
_ONE_OF = frozenset({"a", "an", "the"})
_TRADES = frozenset({"occupation", "job"})


@dataclass(frozen=True, slots=True)
class Changed:
    """What a message changes in memory: what can be named, and whether anything was kept, done or ended."""

    named: tuple[str, ...] = ()
    kept: bool = False
    done: bool = False
    ended: bool = False


def changed(told: Told) -> Changed:
    """What will be in memory after this message, as far as it is clear enough to be said."""
    updates, tastes = state_updates(told), preference_updates(told)
    firm = [taste for taste in tastes if taste.op == "confirm"]
    kept = [update for update in updates if update.op == "upsert"]
    ops = {update.op for update in updates}
    return Changed(
        tuple(_named(kept, firm, told)),
        bool(kept or firm),
        "mark_done" in ops,
        "close" in ops or _gone_off(tastes, firm, told),
    )


def _named(kept: Sequence[StateUpdate], firm: Sequence[PreferenceUpdate], told: Told) -> list[str]:
    """Facts and likings; plans where there are none: a day among facts reads as one of them."""
    plans = [_plan(update, told) for update in kept if update.kind is StateKind.TASK]
    facts = [_of_state(update, told) for update in kept if update.kind is not StateKind.TASK]
    said = list(filter(None, (*facts, *_likings(firm, told))))
    return list(dict.fromkeys(said or filter(None, plans)))


def _gone_off(tastes: Sequence[PreferenceUpdate], firm: Sequence[PreferenceUpdate], told: Told) -> bool:
    """What was never known as liked cannot be over."""
    known = {fold_key(subject) for _, _, subject in told.liked} - {fold_key(one.subject) for one in firm}
    return any(one.op == "revoke" and fold_key(one.subject) in known for one in tastes)


def put_right(told: Told) -> Sequence[str] | None:
    """What a correction made of it; None where nothing was put right."""
    updates = [update for update in state_updates(told) if update.op == "upsert"]
    if updates and all(one.kind is StateKind.TASK and one.state_id is None for one in updates):
        return None  # a plan nobody knew of
    tastes = [update for update in preference_updates(told) if update.op == "confirm"]
    if not updates and not tastes:
        return None
    named = [*(_of_state(one, told) for one in updates[:2]), *_likings(tastes[:1], told)]
    return [one for one in named if one]


def is_clear(value: str, language: Language) -> bool:
    """A thing by its name: short, and nothing in it that belongs to a sentence."""
    if language is Language.EN:
        words = value.lower().replace("’", "'").split()
        plain = re.fullmatch(r"[\w'’&./ -]+", value) is not None
        return plain and len(words) <= _MOST_WORDS and not unclear(language) & set(words)
    found = tokens(value)
    if not found or len(value) > _MOST_CHARS or found[-1].surface in unclear(language):
        return False
    return found[-1].pos[0] in _THINGS and all(
        token.pos[0] in _THINGS or token.surface in _JOINTS for token in found
    )


def _stands_clear(subject: str, told: Told) -> bool:
    """A thing as such: not `this city` nor `like a cat`, and not what ends another sentence."""
    language, text = told.reading.language, told.reading.text
    at = text.lower().find(subject.lower())
    if at < 0 or not is_clear(subject, language):
        return False
    if language is Language.JA:
        return text[at + len(subject) : at + len(subject) + 1] not in _ENDS
    before = text[:at].split()[-1:]
    return not before or before[0].lower() not in unclear(language) | _ONE_OF


def _likings(tastes: Sequence[PreferenceUpdate], told: Told) -> list[str]:
    """One phrase a polarity: `ラーメンとカレーが好き`."""
    language = told.reading.language
    plain = [one for one in tastes if one.domain is not Domain.STYLE and _stands_clear(one.subject, told)]
    found = []
    for polarity in dict.fromkeys(taste.polarity for taste in plain):
        subjects = [taste.subject for taste in plain if taste.polarity is polarity][:3]
        things = "と".join(subjects) if language is Language.JA else joined(subjects, language)
        found.append(liking(things, polarity, language))
    return found


def _of_state(update: StateUpdate, told: Told) -> str:
    """A state in the words of its slot; nothing where it is not clear, or says nothing new."""
    language, payload = told.reading.language, update.payload
    if update.kind is StateKind.TASK:
        return _plan(update, told)
    role, name, about = (str(payload.get(key, "")) for key in ("role", "name", "about"))
    if role and name:
        return _somebody(role, name, told)
    value = str(payload.get("value", ""))
    a_name = about in {"name", "called"} and language is Language.JA
    clear = _NAMED_JA.fullmatch(value) if a_name else _DOING.fullmatch(value) or is_clear(value, language)
    if not clear or update.valid_to_ts is not None or (about in _TRADES and not _is_trade(value, language)):
        return ""
    return of_slot(language, about, value=value, body=bare(update.body_text, told.you, language))


def _is_trade(value: str, language: Language) -> bool:
    """A trade by a word for one, a house by its capital: no `tea in hand`, no 四十八の歯医者."""
    if language is Language.JA:
        return "の" not in value
    return value[:1].isupper() or any(word in entries("en/lexicon", "job") for word in value.lower().split())


def _somebody(role: str, name: str, told: Told) -> str:
    """Who is told of by name for the first time."""
    language = told.reading.language
    heard = any(name == state.payload.get("name") for state in told.known)
    plain = (_NAMED_JA if language is Language.JA else _NAMED_EN).fullmatch(name)
    if heard or not plain or role.lower() in unclear(language):
        return ""
    owned = role if role[:1].isupper() else piece(language, "yours", role=role)
    return piece(language, "named", role=owned, name=name)


def _plan(update: StateUpdate, told: Told) -> str:
    """The day is what is worth hearing back; what is planned as well, where it is clear."""
    language, day = told.reading.language, DAY_FIRST.match(update.body_text)
    when = day[0].rstrip("：: ") if day is not None else ""
    due = str(update.payload.get("due", ""))[:10]
    if not _ONE_DAY.fullmatch(when) or due == f"{told.reading.now:%Y-%m-%d}":
        return ""
    gist = update.body_text[len(day[0]) if day is not None else 0 :]
    hour = _HOUR.search(gist)
    named = is_clear(gist, language) and (language is Language.JA or "'" not in gist)
    which = "plan" if named else "plan_hour" if hour is not None else "plan_day"
    return piece(language, which, when=when, gist=gist, hour=hour[0] if hour is not None else "")
