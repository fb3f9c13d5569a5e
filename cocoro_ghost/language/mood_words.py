"""A mood in words: what a model is told instead of numbers it would repeat."""

from __future__ import annotations

from collections.abc import Sequence

from cocoro_ghost.language.wording import whole_sentences
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.answers import AFFECT_LEAST, AFFECT_MOST
from cocoro_ghost.model.scene import Language

_FAINT, _STRONG = 0.15, 0.5
_AXES = {
    Language.JA: {
        "v": ("沈んでいる", "うれしい"), "a": ("落ち着いている", "気持ちが高ぶっている"),
        "d": ("心細い", "自信がある"),
    },
    Language.EN: {"v": ("low", "glad"), "a": ("calm", "stirred"), "d": ("unsure", "confident")},
}  # fmt: skip
_DEGREES = {Language.JA: ("少し", "とても"), Language.EN: ("a little ", "very ")}
_FELT = {
    Language.JA: (
        "あらためて自分の心をのぞいてみると、{words}。",
        "ひとことで言えば「{labels}」という気持ちだった。",
        "それを聞いた私の胸に残った手ざわりを、このまま覚えておきたい。",
    ),
    Language.EN: (
        "Looking into myself, I was {words}.",
        "In a word, what I felt was: {labels}.",
        "I want to keep what it left in me.",
    ),
}
_EVEN = {Language.JA: "ふだんどおりの気分", Language.EN: "in an even mood"}


def mood_words(vad: Vad, language: Language) -> str:
    """`少しうれしい、落ち着いている`; what is faint is left unsaid."""
    said = []
    for name, (low, high) in _AXES[language].items():
        value = float(getattr(vad, name))
        if abs(value) >= _FAINT:
            degree = _DEGREES[language][abs(value) >= _STRONG]
            said.append(f"{degree}{high if value > 0 else low}")
    return ("、" if language is Language.JA else ", ").join(said) or _EVEN[language]


def told_moment(text: str, labels: Sequence[str], vad: Vad, language: Language) -> str:
    """A moment within its length: too long ends at a sentence, too short goes on with how it felt."""
    told = whole_sentences(text, AFFECT_MOST)
    named = ("、" if language is Language.JA else ", ").join(labels)
    for sentence in _FELT[language]:
        if len(told) >= AFFECT_LEAST:
            break
        if "{labels}" not in sentence or labels:
            more = sentence.format(words=mood_words(vad, language), labels=named)
            told = f"{_ended(told, language)}{'' if language is Language.JA else ' '}{more}".strip()
    return whole_sentences(told, AFFECT_MOST)


def _ended(text: str, language: Language) -> str:
    if text.endswith(("。", "！", "？", "…", ".", "!", "?", "♪")):
        return text
    return text + ("。" if language is Language.JA else ".")
