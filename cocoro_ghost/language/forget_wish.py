"""What a wish to forget names: the same for the mind that answers and for the code that carries it out."""

from __future__ import annotations

from collections.abc import Mapping

from cocoro_ghost.language.fold import fold, fold_key, guess_language
from cocoro_ghost.language.morphology import content_words
from cocoro_ghost.language.read.tables import entries
from cocoro_ghost.model.preference import Polarity
from cocoro_ghost.model.reading import Forget, Slot

_WORK = frozenset({Slot.WORK.value, Slot.EMPLOYER.value})


def names_taste(wish: Forget, subject: str, polarity: Polarity) -> bool:
    """True when a liking is the one meant."""
    named, known = fold_key(wish.subject), fold_key(subject)
    if not named or (wish.polarity is not None and polarity is not wish.polarity):
        return False
    return known == named or (len(known) > 1 and known in named) or (len(named) > 1 and named in known)


def names_state(wish: Forget, body: str, payload: Mapping[str, object]) -> bool:
    """True when a fact, a relation or a plan is the one meant: by its slot, or by every word of the wish."""
    if wish.slot is not None and not wish.subject:
        slots = _WORK if wish.slot.value in _WORK else {wish.slot.value}
        return payload.get("slot") in slots or payload.get("about") in slots
    named = fold_key(wish.subject)
    if not named or wish.polarity is not None:
        return False
    if _may_name(named) and named in fold_key(body):
        return True
    words, told = _words(wish.subject), _words(body)
    return bool(words) and words <= told


def _may_name(named: str) -> bool:
    """犬 names something, one letter or one kana does not."""
    return len(named) > 1 or named > "一"


def _words(text: str) -> set[str]:
    language = guess_language(text)
    general = entries(f"{language.value}/acts", "general_things") - {"live", "住む"}
    found = {fold(word) for word in content_words(text, language)} - general
    return {word[:5] if word.isascii() else word for word in found if len(word) > 1 or _may_name(word)}
