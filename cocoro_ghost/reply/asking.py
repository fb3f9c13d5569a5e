"""What a reply may ask of its own accord: which memory was meant, and rarely whether a guess is right."""

from __future__ import annotations

from dataclasses import dataclass

from cocoro_ghost.model.preference import Polarity, Preference, PreferenceStatus
from cocoro_ghost.model.record import WhichMemory
from cocoro_ghost.model.scene import Language
from cocoro_ghost.store import preferences, undo
from cocoro_ghost.store.ports import Reader

RARELY = 12
"""Every so many turns a guess may be asked about."""
CANDIDATES = 50
_CHARS = 40
_WHICH = {
    Language.JA: "さっき「違う」と言ったのは、{items}のどれのこと？",
    Language.EN: "When you said that was not it, which did you mean: {items}?",
}
_GUESS = {
    (Language.JA, Polarity.LIKE): "ところで、{subject}は好き？",
    (Language.JA, Polarity.DISLIKE): "ところで、{subject}は苦手？",
    (Language.EN, Polarity.LIKE): "By the way, do you like {subject}?",
    (Language.EN, Polarity.DISLIKE): "By the way, do you dislike {subject}?",
}


@dataclass(frozen=True, slots=True)
class Asking:
    """At most one question beside an answer."""

    which: WhichMemory | None = None
    guess: Preference | None = None

    def words(self, language: Language) -> str:
        if self.which is not None:
            items = [_short(text, language) for text in self.which.texts]
            joint = "、" if language is Language.JA else ", "
            return _WHICH[language].format(items=joint.join(items))
        if self.guess is not None:
            return _GUESS[language, self.guess.polarity].format(subject=self.guess.subject)
        return ""


def read_asking(reader: Reader, event_id: int) -> Asking:
    """An open question first; else one candidate, another each time; nothing where no turn is kept."""
    if not event_id:
        return Asking()
    which = undo.open_question(reader)
    if which is not None and event_id > which.denial_event_id:
        return Asking(which=which)
    if event_id % RARELY:
        return Asking()
    guesses = preferences.with_status(reader, PreferenceStatus.CANDIDATE, limit=CANDIDATES)
    return Asking(guess=guesses[event_id // RARELY % len(guesses)]) if guesses else Asking()


def _short(text: str, language: Language) -> str:
    plain = " ".join(text.split())
    cut = plain if len(plain) <= _CHARS else plain[: _CHARS - 1] + "…"
    return f"「{cut}」" if language is Language.JA else f'"{cut}"'
