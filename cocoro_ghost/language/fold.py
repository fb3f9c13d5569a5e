"""Folding: the one way texts, names and subjects are made comparable."""

from __future__ import annotations

import re
import unicodedata

from cocoro_ghost.model.scene import Language

_JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uff66-\uff9f]")
_HONORIFIC = re.compile(r"(?<=..)(?:君|殿|氏|先生|先輩)$|(?<=.)(?:さん|くん|ちゃん|様|さま)$")
_TITLE = re.compile(r"^(?:mr|mrs|ms|miss|dr|prof|professor|sir|aunt|uncle)\.?\s+", re.IGNORECASE)
_DECORATION = re.compile(r"\[face:[^\]\n]{1,40}\]", re.IGNORECASE)


def fold(text: str) -> str:
    """NFKC, width, case and space folded; for comparing, never for showing."""
    even = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return " ".join(even.split()).casefold()


def fold_key(text: str) -> str:
    """As `fold`, without any space: the key of a preference's subject."""
    return fold(text).replace(" ", "")


def fold_name(name: str) -> str:
    """The normalised key of a person's or thing's name: folded, honorifics and titles stripped."""
    folded = _TITLE.sub("", fold(name))
    stripped = _HONORIFIC.sub("", folded)
    return stripped or folded


def strip_decorations(text: str) -> str:
    """Removes spoken-text decorations such as `[face:Joy]`."""
    return _DECORATION.sub("", text)


def guess_language(text: str, fallback: Language = Language.JA) -> Language:
    """Japanese as soon as kana or kanji appear, English for Latin letters, else the fallback."""
    if _JAPANESE.search(text):
        return Language.JA
    return Language.EN if re.search(r"[A-Za-z]{2}", text) else fallback
