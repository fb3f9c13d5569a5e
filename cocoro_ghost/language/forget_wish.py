"""What a wish to forget means among what is kept: the same for the mind that answers and for the code that
carries it out.

What is named goes; else what is nearest in meaning, where it stands clearly above the rest; else it is asked.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

from cocoro_ghost.language.encoder import meanings
from cocoro_ghost.language.fold import fold, fold_key, guess_language
from cocoro_ghost.language.matching import Task, match
from cocoro_ghost.language.morphology import content_words
from cocoro_ghost.language.names import find_names
from cocoro_ghost.language.read.cues import cue
from cocoro_ghost.language.read.kinds import narrower
from cocoro_ghost.language.read.tables import either, entries, table, words_of
from cocoro_ghost.language.yes_no import yes_or_no
from cocoro_ghost.model.preference import Polarity
from cocoro_ghost.model.reading import Forget, Slot

_WORK = frozenset({Slot.WORK.value, Slot.EMPLOYER.value, "job", "occupation"})
LOOKED_AT = 120
"""Of what is kept the newest are weighed by meaning; the vector of each takes a millisecond."""
_MAYBE, _SURELY, _CLEARLY, _ALIKE = 3.0, 7.0, 2.0, 0.6
"""How likely something must be to be asked about and to be meant, by how much likelier than the next, and
from when on two texts tell the same."""
_ASKED_OF = 3
_PARTS = re.compile(r"と|や(?=[^\w]|[一-龥ァ-ヶ])|、|,| and | or ")


@dataclass(frozen=True, slots=True)
class Held:
    """Something kept or said that a wish may mean."""

    ref: int
    text: str
    kind: Literal["taste", "state", "event"]
    polarity: Polarity | None = None
    payload: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Meant:
    found: tuple[Held, ...] = ()
    unsure: tuple[Held, ...] = ()
    """Unlike things that fit as well as each other: who wishes must say which."""


def meant(wish: Forget, held: Sequence[Held]) -> Meant:
    """What of all that is kept the wish means; `held` has the newest first."""
    # 父と母のこと, my ex and the flat: each of them, where the whole is not found.
    parts = [replace(wish, subject=part) for part in _PARTS.split(wish.subject)] if wish.subject else []
    named = tuple(one for one in held if _names(wish, one))
    named = named or tuple(one for one in held if any(_names(part, one) for part in parts))
    return Meant(named) if named else _nearest(wish, [one for one in held if one.kind != "taste"])


def _names(wish: Forget, one: Held) -> bool:
    if one.kind == "taste":
        return _names_taste(wish, one)
    if wish.slot is not None and not wish.subject:
        slots = _WORK if wish.slot.value in _WORK else {wish.slot.value}
        return one.payload.get("slot") in slots or one.payload.get("about") in slots
    named = fold_key(wish.subject)
    if not named or wish.polarity is not None:
        return False
    if _may_name(named) and named in fold_key(one.text):
        return True
    words, told = _words(wish.subject), _words(one.text)
    code = guess_language(wish.subject).value
    return bool(words) and all(
        word in told or _words(" ".join(narrower(code, word))) & told for word in words
    )


def _names_taste(wish: Forget, one: Held) -> bool:
    named, known = fold_key(wish.subject), fold_key(one.text)
    if not named or (wish.polarity is not None and one.polarity is not wish.polarity):
        return False
    return known == named or (len(known) > 1 and known in named) or (len(named) > 1 and named in known)


def _may_name(named: str) -> bool:
    """犬 names something, one letter or one kana does not; a short word of letters stands in many others."""
    return len(named) > 3 if named.isascii() else len(named) > 1 or named > "一"


def _words(text: str) -> set[str]:
    language = guess_language(text)
    general = entries(f"{language.value}/acts", "general_things") - {"live", "住む"}
    found = {fold(word) for word in content_words(text, language)} - general
    return {word[:5] if word.isascii() else word for word in found if len(word) > 1 or _may_name(word)}


def _nearest(wish: Forget, held: Sequence[Held]) -> Meant:
    """What is told in other words, as the network over told lives sees it."""
    held = held[:LOOKED_AT]
    words = _words(wish.words)
    # A cat is no dog and a sister no brother, however near they are.
    held = [one for one in held if not _of_another(words, one.text)]
    # A name is not told in other words.
    named = _names_in(wish.words)
    held = [one for one in held if not named or any(name in fold(one.text) for name in named)]
    worth = match(Task.FORGETS, wish.words, [one.text for one in held]) if wish.words else None
    fits = [at for at, of in enumerate(worth or ()) if of >= _MAYBE]
    return _above_the_rest(held, worth or (), fits) if fits else Meant()


def _above_the_rest(held: Sequence[Held], worth: Sequence[float], fits: Sequence[int]) -> Meant:
    """The likeliest with what tells the same, where nothing unlike it is nearly as likely."""
    best = max(fits, key=worth.__getitem__)
    alike = _with_alike([held[best]], held)
    rivals = [held[at] for at in fits if held[at] not in alike and worth[at] > worth[best] - _CLEARLY]
    if worth[best] >= _SURELY and not rivals:
        return Meant(alike)
    return Meant(unsure=(held[best], *rivals[: _ASKED_OF - 1]))


def picked(answer: str, unsure: Sequence[Held], held: Sequence[Held]) -> tuple[Held, ...]:
    """What an answer to `which shall I forget` means: a yes, all of them, or the one that it names."""
    if _has_one(answer, "all") or (len(unsure) == 1 and yes_or_no(answer)):
        return _with_alike(unsure, held)
    said = _words(answer)
    named = [one for one in unsure if said & _words(one.text)]
    return _with_alike(named, held) if len(named) == 1 else ()


def may_be_meant(text: str) -> bool:
    """Words that tell something; a question and a wish to forget only name it."""
    code = guess_language(text).value
    return bool(text.strip()) and not text.rstrip().endswith(("?", "？")) and not cue(text, code, "forget")


def asks_which(reply: str) -> bool:
    """True for a reply that asked which of several things shall be forgotten."""
    return _has_one(reply, "asks")


def _has_one(text: str, section: str) -> bool:
    listed = table(f"{guess_language(text).value}/acts")["forgetting"][section]
    return any(word in fold(text) for word in words_of(listed))


def _with_alike(chosen: Sequence[Held], held: Sequence[Held]) -> tuple[Held, ...]:
    """With what tells the same as each: the fact and the words it was learned from."""
    rows = meanings([one.text for one in (*chosen, *held)]) if chosen else None
    if rows is None:
        return tuple(chosen)
    alike = (rows[len(chosen) :] @ rows[: len(chosen)].T).max(axis=1) >= _ALIKE
    return tuple(one for one, same in zip(held, alike.tolist(), strict=True) if same or one in chosen)


def _names_in(words: str) -> list[str]:
    return [fold(one.name) for one in find_names(words, guess_language(words))]


def _of_another(words: set[str], text: str) -> bool:
    """A cat is no dog and a sister no brother, however near they are."""
    told, beings = _words(text), _beings()
    return bool(words & beings) and bool(told & beings) and not words & told & beings


@cache
def _beings() -> frozenset[str]:
    listed = either("ja/lexicon", "family", "pet", "couple") | either("en/lexicon", "family", "pet", "couple")
    return frozenset(fold(word)[:5] if word.isascii() else fold(word) for word in listed)
