"""The phrase book and the choice from it.

Phrases are data (`phrases/*.toml`); a choice depends only on the scene and never repeats a recent sentence.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from itertools import product

from cocoro_ghost.mind.embedded.english_stem import stem_en
from cocoro_ghost.mind.embedded.lexicon import word_set
from cocoro_ghost.model.scene import Language, Scene

_CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")
_BLANK = re.compile(r"\{(\w+)\}")
_NAMES = re.compile(r"\{(?:echo|topic|a_topic)\}")
_QUOTED = re.compile(r"「[^」]*」|“[^”]*”")
_SENTENCE = re.compile(r"[^。!?！？…]*(?:[。!?！？]+|…+[。!?！？]*|$)")
_SENTENCE_EN = re.compile(
    r".*?(?:(?<!\bSt)(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bProf)(?<!\bvs)(?<!\b[ap]\.m)[.!?]+(?=\s|$)|$)",
    re.DOTALL,
)
RECENT_TURNS = 11


@dataclass(frozen=True, slots=True)
class Phrasebook:
    """All phrases and cues of one language: slot name → variants, already unfolded."""

    language: Language
    slots: Mapping[str, tuple[str, ...]]
    cues: Mapping[str, tuple[str, ...]]
    groups: Mapping[str, frozenset[str]]
    """Related words by group, ready for matching: English ones as stems."""


def load_phrasebook(language: Language) -> Phrasebook:
    """Reads the language's two data files. `a (b|c) d` unfolds into its variants."""
    folder = files("cocoro_ghost.mind.embedded").joinpath("phrases")
    spoken = tomllib.loads(folder.joinpath(f"{language.value}.toml").read_text("utf-8"))
    cues = tomllib.loads(folder.joinpath(f"cues_{language.value}.toml").read_text("utf-8"))
    slots = {name: tuple(_unfold_all(variants)) for name, variants in _flat(spoken, "")}
    known = {name: tuple(values) for name, values in _flat(cues, "")}
    return Phrasebook(language, slots, known, _groups(known, language))


def _groups(cues: Mapping[str, tuple[str, ...]], language: Language) -> dict[str, frozenset[str]]:
    groups = {
        name.partition(".")[2]: set(words) for name, words in cues.items() if name.startswith("related.")
    }
    groups["work"] |= word_set(f"{language.value}/states", "jobs")
    return {
        name: frozenset(stem_en(word) if word.isascii() else word for word in words)
        for name, words in groups.items()
    }


def _flat(table: Mapping[str, object], prefix: str) -> Iterable[tuple[str, list[str]]]:
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{name}.")
        elif isinstance(value, list):
            yield f"{prefix}{name}", [str(item) for item in value]


def _unfold_all(variants: Iterable[str]) -> Iterable[str]:
    for variant in variants:
        pieces = _CHOICE.split(variant)
        options = [piece.split("|") if i % 2 else [piece] for i, piece in enumerate(pieces)]
        yield from ("".join(choice) for choice in product(*options))


def sentences(text: str, language: Language) -> list[str]:
    """The sentences of a text; what stands inside quotation marks does not end one."""
    held = {f"\x00{i}\x00": quote for i, quote in enumerate(_QUOTED.findall(text))}
    masked = text
    for mark, quote in held.items():
        masked = masked.replace(quote, mark, 1)
    pattern = _SENTENCE if language is Language.JA else _SENTENCE_EN
    found = []
    for piece in pattern.findall(masked):
        for mark, quote in held.items():
            piece = piece.replace(mark, quote)
        if piece.strip():
            found.append(piece.strip())
    return found


class Wording:
    """Chooses phrases for one scene. Remembers what this reply has said so far."""

    def __init__(self, book: Phrasebook, scene: Scene) -> None:
        self.book = book
        self.scene = scene
        self._said_texts = [turn.assistant_text for turn in scene.history[-RECENT_TURNS:]]
        self._said = {s for text in self._said_texts for s in sentences(text, scene.language)}

    def chance(self, percent: int, salt: str) -> bool:
        """A throw of the dice that always falls the same way for the same scene."""
        return _drawn(f"{self.scene.seed}:{salt}") % 100 < percent

    def recently(self, fragment: str) -> bool:
        """True when the fragment was part of something said in the last turns."""
        return bool(fragment) and any(fragment in text for text in self._said_texts)

    def has(self, slot: str) -> bool:
        return slot in self.book.slots

    def say(self, *slots: str, **fills: str) -> str:
        """A variant of the slots whose blanks can be filled and whose sentences are unused; else `""`."""
        best = ""
        rank: tuple[int, int, int] | None = None
        for template, text in self._candidates(slots, fills):
            if any(s in self._said for s in sentences(text, self.scene.language)):
                continue
            own = (
                self._staleness(template),
                0 if _NAMES.search(template) and not template.endswith("?") else 1,
                _drawn(f"{self.scene.seed}|{template}"),
            )
            if rank is None or own < rank:
                best, rank = text, own
        return best

    def variants(self, slot: str, **fills: str) -> list[str]:
        """All that a slot can say with these blanks."""
        return [text for _, text in self._candidates((slot,), fills)]

    def must(self, *slots: str, **fills: str) -> str:
        """As `say`, but an opener makes a used sentence new, and in the last resort one is repeated."""
        found = self.say(*slots, **fills)
        if found:
            return found
        openers = self.book.slots.get("opener", ())
        texts = [text for _, text in self._candidates(slots, fills)]
        for opener, text in product(openers, texts):
            fresh = opener + self._lowered(text)
            if not any(sentence in self._said for sentence in sentences(fresh, self.scene.language)):
                return fresh
        return texts[_drawn(str(self.scene.seed)) % len(texts)] if texts else ""

    def _lowered(self, text: str) -> str:
        if self.scene.language is Language.EN and not text.startswith(("I ", "I'")):
            return text[:1].lower() + text[1:]
        return text

    def _candidates(self, slots: Sequence[str], fills: Mapping[str, str]) -> Iterable[tuple[str, str]]:
        for slot in slots:
            for template in self.book.slots.get(slot, ()):
                if all(fills.get(name) for name in _BLANK.findall(template)):
                    yield template, _filled(template, fills, self.scene.language)

    def _staleness(self, template: str) -> int:
        """0 for a template not heard lately; the more recent its last use, the higher."""
        shape = _shape(template)
        ages = (i for i, text in enumerate(self._said_texts, start=1) if shape.search(text))
        return max(ages, default=0)


def _drawn(lot: str) -> int:
    """A number that depends on nothing but the lot, evenly spread even for lots that are nearly alike."""
    return int.from_bytes(blake2b(lot.encode(), digest_size=4).digest(), "big")


@lru_cache(maxsize=4096)
def _shape(template: str) -> re.Pattern[str]:
    """A template as a pattern over spoken text, its blanks open."""
    pieces = [re.escape(piece.strip()) for piece in _BLANK.split(template)[::2]]
    return re.compile(".+?".join(pieces), re.IGNORECASE)


def _filled(template: str, fills: Mapping[str, str], language: Language) -> str:
    """Fills the blanks; in English one that begins a sentence gets its capital letter."""

    def value(found: re.Match[str]) -> str:
        text = fills[found[1]]
        before = template[: found.start()]
        begins = not before or before.endswith((". ", "! ", "? "))
        return text[:1].upper() + text[1:] if begins and language is Language.EN else text

    return _BLANK.sub(value, template)
