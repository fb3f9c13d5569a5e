"""How a turn feels: valence, arousal and dominance from words, negation, strength and marks."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from cocoro_ghost.language.fold import strip_decorations
from cocoro_ghost.language.morphology import tokens
from cocoro_ghost.mind.embedded.lexicon import (
    Feeling,
    FeelingWords,
    alternation,
    data,
    feeling_words,
    pattern,
    word_set,
)
from cocoro_ghost.mind.embedded.preferences import tastes
from cocoro_ghost.mind.embedded.sentences import Sentence, sentences
from cocoro_ghost.model.affect import Vad, clamp
from cocoro_ghost.model.preference import Domain, Polarity
from cocoro_ghost.model.scene import Language

VALENCE_EDGE = 0.15
HIGH_AROUSAL = 0.5
LOW_AROUSAL = -0.2
_PICTURE = re.compile(r"[\U0001F300-\U0001FAFF☀-➿♪♫]")
_JA_HEDGE = re.compile(
    r"(?:前|昔|以前|かつて|あの頃)は|かも|気にな|かな(?=$|[。、…])|らしい|みたい|もし|仮に|としても|だったら|なら(?=[、ば])"
)
_CONTRAST = re.compile(r"け(?:れ)?ど[、も]?|のに[、]|ですが、|だが、|\bbut\b|\bthen\b", re.IGNORECASE)
_PLAIN = re.compile(r"趣味|より|のほうが|の方が|派|\bhobb|\bprefer|\bperson\b", re.IGNORECASE)
_EN_HEDGE = re.compile(
    r"\b(?:if|would|might|could|may|wish|used to|anymore|any more|i'd|someone|they say|supposed to|"
    r"looks? like|"
    r"(?:feel|felt|feels|is|was|it's|be|seems?|sounds?|something|anything|stuff|things) like)\b",
    re.IGNORECASE,
)
_EN_OTHER = re.compile(
    r"^(?:and |so |but )?(?:[Mm]y (?:\w+ ){1,3}?|"
    r"(?:[Ee]veryone|[Ee]verybody|[Pp]eople|[Ss]omeone|[Nn]obody)(?: \w+){0,2} |"
    r"[Hh]e |[Ss]he |[Tt]hey |[A-Z][a-z]+ (?!and i))(?:\w+ )?"
    r"(?:loves?|likes?|hates?|adores?|enjoys?|can't stand|dislikes?|prefers?|"
    r"(?:is|are) (?:\w+ )?(?:obsessed|into|a \w* ?fan|crazy))\b"
)


@dataclass(frozen=True, slots=True)
class _Hit:
    feeling: Feeling
    factor: float


def feel(text: str, language: Language) -> tuple[Vad, tuple[str, ...], float]:
    """The feeling of a text, its labels (strongest first, ≤ 3) and how sure that is (0..1)."""
    clean = strip_decorations(text)
    hits: list[_Hit] = []
    v = a = d = 0.0
    for sentence in sentences(clean, language):
        mocking = _mocking(sentence)
        found = [] if mocking else _sentence_hits(sentence)
        hits.extend(found)
        v += sum(hit.feeling.v * hit.factor for hit in found)
        a += 0.8 * sum(hit.feeling.a * abs(hit.factor) for hit in found)
        d += sum(hit.feeling.d * hit.factor for hit in found)
        v += _marks(sentence, v)
        if mocking:
            v = -0.5
    v = _taste_shift(clean, language, v)
    v, a = _whole_text(clean, language, v, a)
    vad = Vad(math.tanh(v), clamp(a), math.tanh(d))
    return vad, _labels(hits, vad, language), _confidence(hits, vad)


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


def _sentence_hits(sentence: Sentence) -> list[_Hit]:
    words = feeling_words(sentence.language)
    text = (sentence.text + sentence.mark).replace("’", "'").replace("！", "!").replace("？", "?")
    text = words.neutral.sub(lambda found: " " * len(found.group()), text)
    japanese = sentence.language is Language.JA
    others = _others_taste(text, japanese)
    hedge = (_JA_HEDGE if japanese else _EN_HEDGE).search(text)
    found = []
    for match in words.scan.finditer(text):
        feeling = _lookup(words, match.group())
        if match.group().lower() in words.taste and (others or hedge or sentence.question):
            continue
        factor = _negated_ja(text, match, words) if japanese else _negated_en(text, match, words)
        factor *= _strength(text, match, words) * (0.5 if _CONTRAST.search(text, match.end()) else 1.0)
        found.append(_Hit(feeling, factor * (0.3 if sentence.question else 1.0)))
    return found


def _taste_shift(text: str, language: Language, v: float) -> float:
    """A stated like or dislike colours a text that has no feeling word of its own."""
    if abs(v) >= VALENCE_EDGE or _PLAIN.search(text):
        return v
    stated = [
        taste
        for taste in tastes(text, language)
        if taste.op == "confirm" and taste.domain is not Domain.STYLE
    ]
    if not stated:
        return v
    return v + (0.3 if stated[-1].polarity is Polarity.LIKE else -0.3)


def _mocking(sentence: Sentence) -> bool:
    return pattern(f"{sentence.language.value}/preferences", "sarcasm").search(sentence.text) is not None


def _lookup(words: FeelingWords, found: str) -> Feeling:
    folded = found.lower()
    if folded in words.by_word:
        return words.by_word[folded]
    stems = (word for word in words.by_word if word.endswith("*") and folded.startswith(word[:-1]))
    return words.by_word[next(stems)]


def _others_taste(text: str, japanese: bool) -> bool:
    """A taste that somebody else holds is no feeling of the speaker."""
    if not japanese:
        return bool(_EN_OTHER.search(text))
    people = "|".join(alternation("ja/people", name) for name in ("family", "third", "you"))
    return bool(
        re.search(
            rf"(?:{people}|さん|くん|ちゃん)(?:の[^、。はがもを]{{1,8}})?(?:は|も|って|が(?=.{{2,}}))",
            text,
        )
    )


def _negated_ja(text: str, match: re.Match[str], words: FeelingWords) -> float:
    tail = text[match.end() : match.end() + 10]
    inflected = re.sub(r"^(?:み|さ|い|そう|くて|かっ|がって)?", "", tail, count=1)
    if not (words.negation.search(tail) or words.negation.search(inflected)):
        return 1.0
    return -0.15 if _lookup(words, match.group()).v < 0 else -0.8


def _negated_en(text: str, match: re.Match[str], words: FeelingWords) -> float:
    before = text[: match.start()]
    window = " ".join(re.split(r"[,.;:!?]|\bbut\b", before)[-1].split()[-4:])
    if not words.negation.search(window) or re.search(r"\bnot only\b|\bno doubt\b", window):
        return 1.0
    return -0.15 if _lookup(words, match.group()).v < 0 else -0.8


def _strength(text: str, match: re.Match[str], words: FeelingWords) -> float:
    near = text[max(0, match.start() - 14) : match.start()] + " " + text[match.end() : match.end() + 3]
    factor = 1.3 if words.stronger.search(near) else 1.0
    return factor * (0.7 if words.weaker.search(near) else 1.0)


def _marks(sentence: Sentence, so_far: float) -> float:
    """Trailing dots weigh a little down, complaints more; a cheerful mark follows what was said."""
    words = feeling_words(sentence.language)
    text = sentence.text + sentence.mark
    shift = -0.3 if sentence.language is Language.JA and so_far < 0.1 and _suffers(sentence.text) else 0.0
    if re.search(r"…|\.{2,}|。。", sentence.mark) and so_far < 0.2:
        shift -= 0.18
    if words.complaint.search(text):
        shift -= 0.3
    if words.sigh.search(text):
        shift -= 0.3
    if words.achieve.search(text):
        shift += 0.5
    return shift


def _suffers(text: str) -> bool:
    """Japanese tells harm by the passive (取られた, 笑われた); common harmless passives are left out."""
    harmless, harmful = word_set("ja/passives", "harmless"), word_set("ja/passives", "harmful")
    words = list(tokens(text))
    for index, (verb, mark, after) in enumerate(zip(words, words[1:], words[2:], strict=False)):
        if mark.pos[0] != "助動詞" or mark.surface not in {"れ", "られ"}:
            continue
        beyond = words[index + 3] if index + 3 < len(words) else None
        # 発行された雑誌 only describes a thing.
        told = after.surface in {"て", "ちゃっ", "まし"} or (
            after.surface == "た" and not (beyond and beyond.is_noun)
        )
        # られ after such verbs is mostly "can", so only verbs of harm count.
        done = words[index - 1].surface if verb.lemma == "する" and index else verb.lemma
        harms = done not in harmless if mark.lemma == "れる" else done in harmful
        if told and harms:
            return True
    return False


def _whole_text(text: str, language: Language, v: float, a: float) -> tuple[float, float]:
    """Laughter, tears, pictures and exclamation marks of the text as a whole."""
    words = feeling_words(language)
    if words.laugh.search(text):
        v += 0.35
        a += 0.1
    if words.cry.search(text):
        v -= 0.45
    v, a = _pictures(text, v, a)
    bangs = len(re.findall(r"[!！]", text))
    longest = max((len(run) for run in re.findall(r"[!！]+", text)), default=0)
    if longest >= 2 or bangs >= 3:
        a = max(a, 0.0) + 0.3 + 0.15 * min(3, max(longest, bangs - 1))
        v = v * 1.2 + (0.2 if -0.05 < v < VALENCE_EDGE else 0.0)
    elif bangs:
        a += 0.1
        v += 0.17 if v > -0.05 else 0.0
    shouted = re.findall(r"\b[A-Z]{4,}\b", text)
    return v, a + (0.3 if len(shouted) >= 2 else 0.0)


def _pictures(text: str, v: float, a: float) -> tuple[float, float]:
    faces = data("emoji")
    for picture in _PICTURE.findall(text)[:4]:
        if picture in faces["negative"]:
            v -= 0.35
        elif picture in faces["positive"]:
            v += 0.35
        else:
            v += 0.2 if v > -0.1 else 0.0
        a += 0.2 if picture in faces["excited"] else 0.0
        a -= 0.25 if picture in faces["calm"] else 0.0
    return v, a


def _labels(hits: list[_Hit], vad: Vad, language: Language) -> tuple[str, ...]:
    weights: dict[str, float] = {}
    for hit in hits:
        if hit.factor > 0:
            weights[hit.feeling.label] = weights.get(hit.feeling.label, 0.0) + hit.factor
    ordered = sorted(weights, key=lambda label: (-weights[label], label))[:3]
    if ordered:
        return tuple(ordered)
    words = {"pos": ("明るさ", "lightness"), "neg": ("曇り", "unease"), "neu": ("平静", "neutral")}
    return (words[valence_class(vad)][0 if language is Language.JA else 1],)


def _confidence(hits: list[_Hit], vad: Vad) -> float:
    if not hits:
        return 0.45 if valence_class(vad) == "neu" else 0.5
    signs = {hit.feeling.v * hit.factor > 0 for hit in hits if hit.feeling.v}
    return round(min(0.9, 0.55 + 0.1 * len(hits)) - (0.15 if len(signs) > 1 else 0.0), 2)
