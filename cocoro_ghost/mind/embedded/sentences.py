"""A turn's text as sentences, with what was only quoted blanked out and questions marked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cocoro_ghost.language.fold import guess_language, strip_decorations
from cocoro_ghost.model.scene import Language

BLANK = "〓"
MAX_TEXT = 4000
"""Characters read of one turn: beyond that it is a document, not talk."""
MAX_SENTENCE = 500
_SHORT = r"(?:Dr|Mr|Mrs|Ms|Prof|St|vs|etc|approx|e\.g|i\.e|a\.m|p\.m|No)"
_TITLE = r"\b(?:Mt|Ft|Jr|Sr|Lt|Sgt|Capt|Rev|Ave|Blvd)\."
_ABBREVIATION = re.compile(rf"\b{_SHORT}\.$|{_TITLE}$", re.IGNORECASE)
ABBREVIATED = re.compile(rf"\b(?:Dr|Mr|Mrs|Ms|Prof|St)\.(?= [A-Z])|{_TITLE}(?= [A-Z])")
"""The abbreviations that stand before a name, with their stop."""
_END = re.compile(
    r"[。！？!?\n]+[」』)）\"”]*|(?<=[^\d.])\.{1}(?=\s|$)|(?<=\d)\.(?=\s+[A-Z]|$)|…{1,}|\.{2,}|[;；](?=\s)"
)
_JA_QUOTE = re.compile(r"「([^「」]*)」|『([^『』]*)』|“([^”]*)”")
_EN_QUOTE = re.compile(r"\"([^\"]+)\"|“([^”]+)”")
_PREDICATE = re.compile(
    r"好き|嫌い|苦手|たい|です|ます|だ[よねな]?$|[ぁ-ん]る$|った$|いい$|ない|して|てね|よね|かな|ね$|よ$"
)
_EN_SPEECH = re.compile(r"\b(?:i|i'm|you|your|we|love|hate|like|is|are|do|don't|stop|go)\b", re.IGNORECASE)
_JA_QUESTION = re.compile(
    r"(?:です|ます|でした|ました|でしょう|だろう|の|なの|る|た)か(?:ね|しら)?[。\s]*$|[っだ]っ?け[。\s]*$|(?:の|なん)かな[あぁー]?[。\s]*$|"
    r"(?:何|なに|誰|だれ|どこ|いつ(?!も|か)|なぜ|どうして|どんな|どっち|どれ|いくつ)[^、。]*(?:だろう?|でしょう?|かな)[ねあぁー…]*$"
)
_EN_QUESTION = re.compile(
    r"^(?:and |but |so |hey,? |ok(?:ay)?,? )*"
    r"(?:do|does|did|is|are|was|were|can|could|would|will|should|have|has|what|"
    r"who|why|"
    r"where|when|how|which)(?:n't)?\s+(?:you|we|he|she|it|they|there|this|that|the|your|my|do|does|did|is|are|i)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence; `text` has the words of others blanked, `raw` has everything."""

    text: str
    raw: str
    start: int
    language: Language
    question: bool
    mark: str
    """The punctuation that ended it."""


def sentences(text: str, language: Language) -> tuple[Sentence, ...]:
    """The sentences of a text in order; empty ones left out."""
    clean = strip_decorations(text)[:MAX_TEXT]
    blanked = _blank_quotes(clean)
    found = []
    begin = 0
    for end, after in [*_ends(blanked), (len(blanked), len(blanked))]:
        if blanked[begin:end].strip():
            found.append(_sentence(blanked, clean, begin, end, after, language))
        begin = after
    return tuple(found)


def _ends(text: str) -> list[tuple[int, int]]:
    cuts = []
    for match in _END.finditer(text):
        if match.group().startswith(".") and _ABBREVIATION.search(text[: match.start() + 1]):
            continue
        cuts.append((match.start(), match.end()))
    return cuts


def _sentence(blanked: str, clean: str, begin: int, end: int, after: int, language: Language) -> Sentence:
    while begin < end and blanked[begin] in " 　\t":
        begin += 1
    text = blanked[begin : min(end, begin + MAX_SENTENCE)].rstrip()
    mark = blanked[end:after]
    own = guess_language(text, language)
    if own is Language.JA:
        asks = bool(re.search(r"[?？]", mark)) or bool(_JA_QUESTION.search(text))
    else:
        asks = "?" in mark or bool(_EN_QUESTION.search(text))
    return Sentence(text, clean[begin : min(end, begin + MAX_SENTENCE)].rstrip(), begin, own, asks, mark)


def _blank_quotes(text: str) -> str:
    """Blanks quoted speech; short titles and names in quotes stay."""

    def cover(match: re.Match[str]) -> str:
        inner = next(group for group in match.groups() if group is not None)
        if _is_title(inner, match):
            return match.group()
        return match.group()[0] + BLANK * (len(match.group()) - 2) + match.group()[-1]

    covered = _JA_QUOTE.sub(cover, text)
    return _EN_QUOTE.sub(cover, covered)


def _is_title(inner: str, match: re.Match[str]) -> bool:
    if match.group()[0] == "『":
        return True
    if guess_language(inner) is Language.JA:
        return len(inner) <= 10 and not _PREDICATE.search(inner)
    return len(inner.split()) <= 3 and not _EN_SPEECH.search(inner)
