"""A mood in words: what a model is told instead of numbers it would repeat."""

from __future__ import annotations

from cocoro_ghost.model.affect import Vad
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
