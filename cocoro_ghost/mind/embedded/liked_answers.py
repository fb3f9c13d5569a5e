"""Answers about tastes: whether a thing is liked, and what is liked of a kind."""

from __future__ import annotations

from collections.abc import Sequence

from cocoro_ghost.language.fold import fold, fold_key
from cocoro_ghost.language.morphology import content_words
from cocoro_ghost.language.read.kinds import is_food
from cocoro_ghost.language.read.tables import entries
from cocoro_ghost.mind.embedded.known import joined
from cocoro_ghost.mind.embedded.phrases import piece, say
from cocoro_ghost.mind.embedded.quoted import search_words
from cocoro_ghost.model.preference import Polarity
from cocoro_ghost.model.reading import Question
from cocoro_ghost.model.scene import KnownPreference, Language, Scene

_MANY = 3


def tastes(question: Question, scene: Scene) -> str:
    """Whether a thing is liked, which of a kind, else what is liked at all."""
    if subject := _thing_asked(question, scene.language):
        return _whether(subject, question, scene)
    if kind := _kind_asked(question, scene.language):
        return _of_kind(kind, question, scene)
    domain = question.domain.value if question.domain is not None else ""
    return _liked([p.subject for p in _wanted(question, scene) if domain in {"", p.domain}], question, scene)


def _whether(subject: str, question: Question, scene: Scene) -> str:
    held = next((p for p in scene.preferences if _same(p.subject, subject)), None)
    if held is None:
        return ""
    kind = "yes" if held.polarity is (question.polarity or Polarity.LIKE) else "no"
    return say(scene, kind, items=liking(held.subject, held.polarity, scene.language))


def _wanted(question: Question, scene: Scene) -> list[KnownPreference]:
    wanted = question.polarity or Polarity.LIKE
    return [p for p in scene.preferences if p.polarity is wanted and p.domain != "style"]


def _liked(subjects: Sequence[str], question: Question, scene: Scene) -> str:
    items = joined(subjects[:_MANY], scene.language)
    told = liking(items, question.polarity or Polarity.LIKE, scene.language)
    return say(scene, "answer", items=told) if subjects else ""


def _kind_asked(question: Question, language: Language) -> list[str]:
    """ラーメン of 好きなラーメンは？; nothing where any thing will do."""
    return search_words(question, language) if language is Language.JA else []


def _of_kind(kind: Sequence[str], question: Question, scene: Scene) -> str:
    """Which of a kind one likes: by its name, by what was told of it, else the one thing that may be it."""
    liked = _wanted(question, scene)
    if named := [p.subject for p in liked if any(word in fold(p.subject) for word in kind)]:
        return _liked(named, question, scene)
    eaten = is_food(kind[-1], scene.language)
    alike = [p.subject for p in liked if (p.domain == "food") is eaten]
    # One thing liked is the likely answer; of several nobody knows which are of that kind.
    return _liked(alike, question, scene) if eaten or len(alike) == 1 else ""


def not_eaten(scene: Scene) -> str:
    """What one does not like to eat, where nothing is known that one must not."""
    kinds = ((p.polarity, p.domain, p.subject) for p in scene.preferences)
    unliked = [s for polarity, domain, s in kinds if polarity is Polarity.DISLIKE and domain == "food"]
    named = joined(unliked[:_MANY], scene.language)
    return say(scene, "answer", items=liking(named, Polarity.DISLIKE, scene.language)) if unliked else ""


def liking(subject: str, polarity: Polarity, language: Language) -> str:
    """`納豆が苦手`, `you don't like olives`."""
    return piece(language, polarity.value, items=subject)


def _thing_asked(question: Question, language: Language) -> str:
    """The thing whose liking is asked; empty for 好きな食べ物 and `what food I like`."""
    general = entries(f"{language.value}/acts", "general_things")
    words = [
        w
        for w in content_words(question.subject or question.search_text, language)
        if w.casefold() not in general
    ]
    asks = question.yes_no or not any(
        w in question.search_text for w in entries(f"{language.value}/acts", "asks_which")
    )
    return " ".join(words) if asks and words and language is Language.EN else "".join(words) if asks else ""


def _same(one: str, other: str) -> bool:
    a, b = fold_key(one), fold_key(other)
    return bool(a and b) and (a in b or b in a)
