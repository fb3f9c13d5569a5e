"""Finds what a message is about: the noun to name, and the words by which memories are matched."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cocoro_ghost.language.fold import fold
from cocoro_ghost.mind.embedded.english_stem import stem_en
from cocoro_ghost.mind.embedded.phrases import Phrasebook
from cocoro_ghost.mind.embedded.reader import Word, read_words

_TIMEISH = frozenset({"副詞可能", "助数詞可能"})
_LINKS = frozenset({"の"})
_MARKED = {"を": 4, "が": 3, "は": 3, "に": 2, "で": 1, "と": 2, "も": 2, "って": 3, "へ": 2, "、": 3}
_EN_LED = re.compile(
    r"\b(?P<lead>my|an?|the|some|this|that|our|his|her|their|about|with|at|in)\b(?=\s+(?P<rest>[\w'’ -]+))",
    re.I,
)
_EN_LIKED = re.compile(
    r"\b(?:love|like|adore|enjoy|hate|dislike|stand|fan of|obsessed with|into|addicted to)\s+"
    r"(?P<rest>[\w'’ -]+)",
    re.I,
)
_EN_NAME = re.compile(r"(?<![.!?]\s)(?<!^)\b([A-Z][a-z]+(?:\s[A-Z][a-z]+)*(?:'s\s[a-z]+)?)")
_VERBISH = re.compile(
    r"(?:ed|ing|ly)$|^(?:stand|wear|sell|sold|hear|heard|run|ran|walk|watch|visit|play|write|read)$"
)
_PREDICATE = re.compile(
    r"\b(?:am|is|are|was|were|be|been|feel|feeling|\w+'(?:m|re|s))\s+(?:\w+\s+){0,2}\w+", re.I
)
_CONTRACTION = re.compile(
    r"(?:n't|'(?:ve|re|ll|d|m))$|^(?:it|that|there|he|she|what|who|where|how|let|here)'s$", re.I
)
_KATAKANA = re.compile(r"[ァ-ヶー]{2,}")
_EN_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*|\d+")


@dataclass(frozen=True, slots=True)
class Topic:
    """`name` is fit to be spoken (may be empty); the rest are folded content words for matching."""

    name: str
    keys: frozenset[str]
    nouns: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()
    """Names and family words: a memory without them is about someone else."""
    indefinite: str = ""
    """The name with the article it was first said with (English)."""
    sure: bool = True
    """False when the name is only the one word left over: fit for matching, not for saying."""


def find_topic(text: str, book: Phrasebook) -> Topic:
    for pair in book.cues.get("same_as", ()):
        said, _, meant = pair.partition("=")
        text = re.sub(re.escape(said), meant, text, flags=re.IGNORECASE)
    return _topic_ja(text, book) if book.language.value == "ja" else _topic_en(text, book)


def content_keys(text: str, book: Phrasebook) -> frozenset[str]:
    """The words of a text that carry meaning, in dictionary form, folded."""
    if book.language.value == "en" and not re.search(r"[\u3040-\u9fff]", text):
        return frozenset(stem_en(word) for word in _content_en(text, book))
    dull = set(book.cues.get("dull", ()))
    keys = {
        fold(word.lemma)
        for word in read_words(text)
        if (_content_ja(word) and word.lemma not in dull and word.surface not in dull)
    }
    # ポチ is no noun to the dictionary, but it is a name all the same.
    runs = {fold(run) for run in _KATAKANA.findall(text) if run not in dull}
    return frozenset(keys | {run for run in runs if not any(key in run for key in keys)})


def _content_ja(word: Word) -> bool:
    if word.pos == "名詞":
        return word.sub != "数詞" and word.detail not in _TIMEISH
    return (word.pos in {"動詞", "形容詞"} and word.sub == "一般") or word.pos == "形状詞"


def _topic_ja(text: str, book: Phrasebook) -> Topic:
    dull = set(book.cues.get("dull", ()))
    best, best_score = "", 0.0
    phrase: list[Word] = []
    for word in [*read_words(text), None]:
        if word is not None and _joins(word, phrase):
            phrase.append(word)
            continue
        name = _noun_phrase(phrase, dull)
        score = _weight(phrase, word) if name else 0.0
        if score > best_score:
            best, best_score = name, score
        phrase = []
    keys = content_keys(text, book)
    nouns = frozenset(fold(word.lemma) for word in read_words(text) if word.pos == "名詞") & keys
    proper = frozenset(fold(word.lemma) for word in read_words(text) if word.sub == "固有名詞")
    return Topic(best, keys, nouns, keys & (proper | persons(book)))


def persons(book: Phrasebook) -> frozenset[str]:
    """Words for family and friends, by which one person is told from another."""
    return frozenset(fold(word) for group in ("family", "friend") for word in book.cues[f"related.{group}"])


def _joins(word: Word, phrase: list[Word]) -> bool:
    if word.pos == "名詞" or (word.pos == "接尾辞" and word.nominal and bool(phrase)):
        return word.sub != "数詞" and word.detail != "助数詞"
    return bool(phrase) and word.surface in _LINKS and word.pos == "助詞"


def _noun_phrase(phrase: list[Word], dull: set[str]) -> str:
    whole = "".join(word.surface for word in phrase)
    while phrase and _empty(phrase[-1], dull):
        phrase.pop()
    while phrase and _empty(phrase[0], dull):
        phrase.pop(0)
    name = "".join(word.surface for word in phrase)
    if name and whole.endswith(f"{name}の名前"):
        name += "の名前"
    return name if 1 <= len(name) <= 14 else ""


def _empty(word: Word, dull: set[str]) -> bool:
    return word.surface in _LINKS or word.detail in _TIMEISH or word.surface in dull


def _weight(phrase: list[Word], after: Word | None) -> float:
    proper = any(word.sub == "固有名詞" for word in phrase)
    marked = _MARKED.get(after.surface, 0) if after is not None else 0
    act = phrase[-1].detail == "サ変可能" and after is not None and after.lemma in {"する", "できる"}
    return 1 + marked + (2 if proper else 0) + 0.1 * min(len(phrase), 3) + (1 if act else 0)


def _content_en(text: str, book: Phrasebook) -> list[str]:
    dull = set(book.cues.get("dull", ()))
    words = [found[0] for found in _EN_WORD.finditer(text.replace("’", "'"))]
    plain = [word for word in words if not _CONTRACTION.search(word)]
    return [word for word in plain if word.casefold().removesuffix("'s") not in dull and len(word) > 1]


def _topic_en(text: str, book: Phrasebook) -> Topic:
    keys = frozenset(stem_en(word) for word in _content_en(text, book))
    dull = set(book.cues.get("dull", ()))
    runs = [*_led_runs(text, dull), *_liked_runs(text, dull)]
    names = [name for name in _EN_NAME.findall(text) if name.casefold() not in dull]
    runs += [(3.5, name, name) for name in names]
    bare = [w for w in _content_en(_PREDICATE.sub(" ", text), book) if not _VERBISH.search(w.casefold())]
    # One word alone is a topic; a capital at the very beginning says nothing.
    bare = [word.lower() if text.startswith(word) else word for word in bare]
    runs += [(1.0, word, word) for word in bare if len(bare) == 1]
    best = max(runs, key=lambda run: run[0], default=(0.0, "", ""))
    proper = {stem_en(word) for name in names for word in name.split() if word[0].isupper()}
    required = keys & (proper | {stem_en(word) for word in persons(book)})
    return Topic(best[1], keys, keys, required, best[2], best[0] >= 1.5)


def _led_runs(text: str, dull: set[str]) -> list[tuple[float, str, str]]:
    """Noun phrases by the small word before them, with a weight, and their definite and indefinite names."""
    runs = []
    for found in _EN_LED.finditer(text):
        name, lead = _run_en(found["rest"], dull), found["lead"].lower()
        if not name:
            continue
        if lead == "my":
            runs.append((4.0, f"your {name}", f"your {name}"))
        elif lead in {"a", "an"}:
            runs.append((3.0, f"the {name}", f"{lead} {name}"))
        elif lead in {"the", "this", "that"}:
            runs.append((2.5, f"the {name}", f"the {name}"))
        else:
            runs.append((1.5, name, name))
    return runs


def _liked_runs(text: str, dull: set[str]) -> list[tuple[float, str, str]]:
    names = [_run_en(found["rest"], dull) for found in _EN_LIKED.finditer(text)]
    return [(5.0, name, name) for name in names if name]


def _run_en(rest: str, dull: set[str]) -> str:
    run: list[str] = []
    for word in rest.replace("’", "'").split():
        low = word.casefold()
        attribute = not run and low in {"new", "old", "first", "big", "little", "best"}
        owned = low == "name" and bool(run) and run[-1].endswith("'s")
        if (low in dull or _CONTRACTION.search(word)) and not attribute and not owned:
            break
        run.append(word)
        if len(run) == 3 or owned:
            break
    if not run or run[-1].casefold() in dull - {"name"}:
        return ""
    return " ".join([*run[:-1], run[-1].removesuffix("'s")])
