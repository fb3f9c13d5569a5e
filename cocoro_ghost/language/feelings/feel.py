"""The feeling of a text: words and marks give arousal, dominance and labels, a trained head the valence."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from functools import cache

import numpy as np

from cocoro_ghost.language.feelings.feeling_words import Hit, find_hits, general_valence, sentences
from cocoro_ghost.language.fold import strip_decorations
from cocoro_ghost.language.heads import Numbers, probabilities, words_as_numbers
from cocoro_ghost.language.lexicon import rows
from cocoro_ghost.model.affect import Vad, clamp
from cocoro_ghost.model.reading import Feeling
from cocoro_ghost.model.scene import Language

VALENCE_EDGE = 0.15
HIGH_AROUSAL = 0.5
LOW_AROUSAL = -0.2
CLASSES = ("neg", "neu", "pos")
LONGEST = 1200
"""Characters read at most: the feeling of a long text is that of how it begins."""
_PICTURE = re.compile(r"[\U0001F300-\U0001FAFF☀-➿♪♫]")
_UNSURE = {"neg": ("曇り", "unease"), "neu": ("平静", "neutral"), "pos": ("明るさ", "lightness")}


@cache
def _cue(language: str, name: str) -> re.Pattern[str]:
    return re.compile(str(rows(language, "feelings")["cues"][name]), re.IGNORECASE)


def feel(text: str, language: Language) -> Feeling:
    """What a text feels like."""
    clean = strip_decorations(text)[:LONGEST]
    hits = _hits(clean, language)
    shares = probabilities(f"valence_{language.value}", _with_words(clean, language, hits))
    best = CLASSES[shares.index(max(shares))] if clean.strip() else "neu"
    vad = Vad(
        _valence(shares, best),
        clamp(_arousal(clean, hits)),
        math.tanh(sum(h.group.d * h.factor for h in hits)),
    )
    cues = tuple(dict.fromkeys(hit.cue for hit in hits))[:6]
    return Feeling(vad, _labels(hits, best, language), cues, round(max(shares), 2), best)  # type: ignore[arg-type]


def valence_class(vad: Vad) -> str:
    """pos, neg or neu."""
    if vad.v >= VALENCE_EDGE:
        return "pos"
    return "neg" if vad.v <= -VALENCE_EDGE else "neu"


def arousal_class(vad: Vad) -> str:
    """high, low or mid."""
    if vad.a >= HIGH_AROUSAL:
        return "high"
    return "low" if vad.a <= LOW_AROUSAL else "mid"


def features_of(texts: Sequence[str], language: Language) -> Numbers:
    """What the head reads off each text."""
    return np.stack([_with_words(text, language, _hits(text, language)) for text in texts])


def _with_words(text: str, language: Language, hits: list[Hit]) -> Numbers:
    """Japanese feelings are often told by what happened, without a word of feeling: its words count, too."""
    numbers = np.asarray(features(text, language, hits), np.float32)
    if language is Language.EN:
        return numbers
    return np.concatenate([numbers, words_as_numbers(text, language)])


def _hits(text: str, language: Language) -> list[Hit]:
    return [
        hit for sentence in sentences(text) for hit in _dry(find_hits(sentence, language), sentence, language)
    ]


def _dry(hits: list[Hit], sentence: str, language: Language) -> list[Hit]:
    """So happy I cried, 嬉しくて泣いた: tears beside joy are of joy, unless a `but` stands between."""
    glad = any(hit.group.v * hit.factor > 0 for hit in hits)
    if not glad or _cue(language.value, "contrast").search(sentence):
        return hits
    return [hit for hit in hits if not _cue(language.value, "tears").match(hit.cue)]


def features(text: str, language: Language, hits: list[Hit]) -> list[float]:
    """What words and marks say, as numbers for the head; the order is part of the weights."""
    good = sum(max(0.0, hit.group.v * hit.factor) for hit in hits)
    bad = sum(max(0.0, -hit.group.v * hit.factor) for hit in hits)
    last = hits[-1].group.v * hits[-1].factor if hits else 0.0
    plus, minus = general_valence(text) if language is Language.EN else (0.0, 0.0)
    cheerful, gloomy = _pictures(text)
    marks = [
        float(bool(_cue(language.value, name).search(text)))
        for name in ("laugh", "cry", "sigh", "achieve", "complaint")
    ]
    return [
        math.tanh(good), math.tanh(bad), math.tanh(good - bad), math.tanh(2 * last),
        math.tanh(plus / 4), math.tanh(minus / 4), math.tanh((plus - minus) / 4),
        float(cheerful > 0), float(gloomy > 0), *marks,
        min(len(re.findall(r"[!！]", text)), 3) / 3,
        float(text.rstrip().endswith(("?", "？"))),
        float(bool(re.search(r"…|\.{2,}|。。", text))),
    ]  # fmt: skip


def _pictures(text: str) -> tuple[int, int]:
    faces = rows("any", "emoji")
    found = _PICTURE.findall(text)[:6]
    return sum(face in faces["positive"] for face in found), sum(face in faces["negative"] for face in found)


def _valence(shares: list[float], best: str) -> float:
    """Between -1 and 1, on the side of the likeliest class and beyond its edge."""
    tilt = shares[2] - shares[0]
    if best == "neu":
        return max(-VALENCE_EDGE + 0.01, min(VALENCE_EDGE - 0.01, tilt))
    return math.copysign(max(abs(tilt), VALENCE_EDGE + 0.01), 1.0 if best == "pos" else -1.0)


def _arousal(text: str, hits: list[Hit]) -> float:
    arousal = 0.8 * sum(hit.group.a * abs(hit.factor) for hit in hits)
    faces = rows("any", "emoji")
    for picture in _PICTURE.findall(text)[:4]:
        arousal += 0.2 * (picture in faces["excited"]) - 0.25 * (picture in faces["calm"])
    bangs = [len(run) for run in re.findall(r"[!！]+", text)]
    if bangs and (max(bangs) >= 2 or sum(bangs) >= 3):
        arousal = max(arousal, 0.0) + 0.3 + 0.15 * min(3, max(bangs))
    elif bangs:
        arousal += 0.1
    return arousal + (0.3 if len(re.findall(r"\b[A-Z]{4,}\b", text)) >= 2 else 0.0)


def _labels(hits: list[Hit], best: str, language: Language) -> tuple[str, ...]:
    """The strongest feelings named that fit the valence, at most three."""
    weights: dict[str, float] = {}
    for hit in hits:
        opposes = hit.group.v * {"neg": -1, "neu": 0, "pos": 1}[best] < 0
        if hit.factor > 0 and not opposes:
            weights[hit.group.label] = weights.get(hit.group.label, 0.0) + hit.factor
    ordered = sorted(weights, key=lambda label: (-weights[label], label))[:3]
    return tuple(ordered) or (_UNSURE[best][0 if language is Language.JA else 1],)
