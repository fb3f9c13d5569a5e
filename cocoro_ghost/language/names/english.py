"""Names in English text: capitals, what stands round them, and lists of the well known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.lexicon import table, words
from cocoro_ghost.language.names import gazetteer
from cocoro_ghost.model.event import Entity, EntityType

_WORD = re.compile(r"St\.(?=\s[A-Z])|[A-Za-zÀ-ÖØ-öø-ÿ0-9][\w&'’\-]*(?:\.(?=\w)\w+)*|[.!?…\n:;,()\"“”/—–]|\S")
_PLAIN_WORD = re.compile(
    r"[a-zà-ÿ]+(?: (?:york|angeles|francisco|vegas|zealand|kong|orleans|diego|valley|crossing|ring|knight))?"
)
_INTRODUCES = re.compile(r"\b(?:i'm|i am)\s+$", re.IGNORECASE)
_ENDS_INTRODUCTION = re.compile(r"\s*(?:[,.!]|$|and i|from )", re.IGNORECASE)
_GOES_THERE = re.compile(r"\b(?:in|from|to) $")
_TITLE = re.compile(r"([A-Z][A-Za-z]*)\.?\s+$")
_ENDS_SENTENCE = frozenset('.!?…\n:"“”(')
_LISTING = (["to"], ["and"], [","], [",", "and"], ["&"], ["or"])
_BEFORE, _AFTER = 60, 30
"""Characters round a name that may say what it is."""


class _Word(NamedTuple):
    text: str
    start: int
    end: int
    opens: bool
    """First word of a sentence: its capital says nothing."""

    @property
    def bare(self) -> str:
        return self.text.removesuffix("'s").removesuffix("'")

    @property
    def may_name(self) -> bool:
        return self.text[0].isupper() and self.text[0].isalpha() and not gazetteer.is_never_a_name(self.bare)


class _Span(NamedTuple):
    """A run of capitalised words."""

    first: int
    last: int
    name: str
    opens: bool


def english_names(text: str) -> Iterator[Entity]:
    if sum(map(str.isupper, text)) > 0.6 * sum(map(str.isalpha, text)):
        return  # shouted: capitals say nothing
    if not re.search(r"[A-HJ-Z]|\bI[a-z]", text):
        yield from _uncapitalised(text)
        return
    parts = _split(text)
    previous: tuple[_Span, EntityType] | None = None
    for span in _spans(parts):
        entity = _judge(span, parts, text)
        if (entity is None or entity.confidence <= 0.6) and previous is not None:
            # `Mehmet and Zofia`, `Lyon, Nantes and Brest`: what one is the other is too
            between = [word.text for word in parts[previous[0].last + 1 : span.first]]
            listed = between in _LISTING and not gazetteer.is_never_a_name(span.name)
            entity = Entity(previous[1], span.name, 0.6) if listed else entity
        previous = (span, entity.type) if entity is not None else None
        if entity is not None:
            yield entity


def _uncapitalised(text: str) -> Iterator[Entity]:
    """A writer who never uses capitals: listed names only, and only where a cue says their kind."""
    for match in _PLAIN_WORD.finditer(text):
        name = match[0]
        kind = gazetteer.kind_of(name) or (EntityType.PERSON if gazetteer.is_first_name(name) else None)
        if kind is None or gazetteer.is_ambiguous(name) or len(name) < 3 or fold(name) in words("stop_en"):
            continue
        before = text[max(0, match.start() - _BEFORE) : match.start()]
        cue = _lead(before, "called_en", "before_en")
        if cue is kind or (kind is EntityType.PLACE and cue is None and _GOES_THERE.search(before)):
            yield Entity(kind, name, 0.7)


def _split(text: str) -> list[_Word]:
    parts: list[_Word] = []
    opens = True
    for match in _WORD.finditer(text):
        found = match[0].replace("’", "'").rstrip("-") or "-"
        word = re.match(r"\w", found) is not None
        parts.append(_Word(found, match.start(), match.start() + len(found), opens and word))
        if word:
            opens = False
            continue
        abbreviation = found == "." and len(parts) > 1 and fold(parts[-2].text) in words("titles_en")
        opens = opens or (found in _ENDS_SENTENCE and not abbreviation) or not found.isascii()
    return parts


def _spans(parts: list[_Word]) -> Iterator[_Span]:
    index = 0
    while index < len(parts):
        found, last = _longest_known(parts, index), index
        if found is None and parts[index].may_name:
            while last + 1 < len(parts) and _continues(parts, last):
                last += 1
            found = _trimmed(parts, index, last)
        if found is not None:
            yield found
        index = (found.last if found else last) + 1


def _longest_known(parts: list[_Word], index: int) -> _Span | None:
    """A listed name of up to four words; single words only when capitalised."""
    if parts[index].text.islower() or fold(parts[index].bare) not in gazetteer.first_words():
        return None
    for length in (4, 3, 2, 1):
        chunk = parts[index : index + length]
        name = " ".join(word.bare for word in chunk)
        whole = length == 1 or chunk[-1].text[0].isupper() or chunk[-1].text.isdigit()
        if len(chunk) == length and whole and gazetteer.kind_of(name):
            after = parts[index + length] if index + length < len(parts) else None
            goes_on = length == 1 and after is not None and after.may_name and after.start - chunk[0].end == 1
            return None if goes_on else _Span(index, index + length - 1, name, chunk[0].opens)
    return None


def _continues(parts: list[_Word], index: int) -> bool:
    word, following = parts[index], parts[index + 1]
    # `Dragon's Keep` goes on after the 's, `Emma's Wedding` does not
    owner = word.text.endswith("'s") and _is_known(word.bare)
    if following.start - word.end != 1 or owner:
        return False
    if following.may_name and not following.opens:
        return fold(following.bare) not in words("stop_en")
    if following.text.isdecimal() and len(following.text) <= 4:
        return int(following.text) < 1900 and not word.opens
    beyond = parts[index + 2] if index + 2 < len(parts) else None
    linked = following.text in ("of", "&", "de", "la", "van", "von", "del", "the")
    return linked and beyond is not None and beyond.may_name and beyond.start - following.end == 1


def _is_known(name: str) -> bool:
    return gazetteer.is_first_name(name) or gazetteer.kind_of(name) is not None


def _trimmed(parts: list[_Word], first: int, last: int) -> _Span | None:
    """Titles and roles before the name go; an opening word that is no name goes too."""
    while first < last and (_is_title(parts[first]) or _only_opens(parts[first], parts[first + 1])):
        first += 1
    if _is_title(parts[first]) or fold(parts[first].bare) in words("stop_en"):
        return None
    saint = parts[first].text == "St."
    names = [word.text for word in parts[first:last]] + [parts[last].text if saint else parts[last].bare]
    return _Span(first, last, " ".join(names), parts[first].opens and not saint)


def _only_opens(word: _Word, following: _Word) -> bool:
    """`Honestly Dave`: a word before a known name is no part of it unless it is a name itself."""
    folded = fold(word.text)
    if folded in words("stop_en"):
        return True
    return word.opens and not _is_known(folded) and (folded.endswith("ly") or _is_known(following.bare))


def _is_title(word: _Word) -> bool:
    return fold(word.text) in words("titles_en")


def _judge(span: _Span, parts: list[_Word], text: str) -> Entity | None:
    start, end = parts[span.first].start, parts[span.last].end
    owner = "'s" if parts[span.last].text.endswith("'s") else ""
    before, after = text[max(0, start - _BEFORE) : start], owner + text[end : end + _AFTER]
    listed = gazetteer.kind_of(span.name)
    if gazetteer.is_never_a_name(span.name) or (span.name.isupper() and listed is None):
        return None
    if before.endswith(('"', "“", "'", "‘")):
        # a title or a quotation: only what it is called by counts
        kind = _lead(before, "called_en") or listed
        return Entity(kind, span.name, 0.8) if kind is not None else None
    signs = _evidence(span, listed, before, after)
    return next((Entity(kind, span.name, sure) for kind, sure in signs if kind is not None), None)


def _evidence(
    span: _Span, listed: EntityType | None, before: str, after: str
) -> Iterator[tuple[EntityType | None, float]]:
    """From the strongest sign to the weakest."""
    yield _by_shape(fold(span.name)), 0.85
    title = _TITLE.search(before[-14:])
    yield EntityType.PERSON if title and fold(title[1]) in words("titles_en") else None, 0.95
    first_name = gazetteer.is_first_name(span.name.split(" ")[0])
    trusted = first_name or not span.opens or after[:2] == "'s"
    cue = (_follows(after, "after_en") if trusted else None) or _lead(before, "called_en", "before_en")
    if listed is not None and not (gazetteer.is_ambiguous(span.name) and (span.opens or cue)):
        yield _settled(span.name, listed, cue), 0.9
    given = first_name and cue is not None and " " not in span.name and not _lead(before, "called_en")
    yield EntityType.PERSON if given else cue, 0.8
    yield from _weaker(span, first_name, before, after)


def _weaker(
    span: _Span, first_name: bool, before: str, after: str
) -> Iterator[tuple[EntityType | None, float]]:
    """Signs that count where no cue stands round the name."""
    acts = _follows(after, "acts_en")
    if span.opens and gazetteer.is_ambiguous(span.name):
        yield acts if first_name else None, 0.6
        return
    if first_name and span.name.count(" ") <= 1:
        yield EntityType.PERSON, 0.7 if span.opens else 0.8
    if _INTRODUCES.search(before) and _ENDS_INTRODUCTION.match(after):
        yield EntityType.PERSON, 0.7
    if not span.opens and not span.name[-1].isdigit():
        yield _weak(span, before) or acts, 0.6


def _settled(name: str, listed: EntityType, cue: EntityType | None) -> EntityType:
    """What stands round a listed name decides when it can be two things, such as a girl called Florence."""
    company = cue is EntityType.ORG and listed is EntityType.TOOL
    girl = cue is EntityType.PERSON and gazetteer.is_first_name(name)
    return cue if cue is not None and (company or girl) else listed


def _weak(span: _Span, before: str) -> EntityType | None:
    kind = _lead(before, "weak_en")
    camel = kind is EntityType.PLACE and re.search(r"[a-z][A-Z]", span.name)
    return EntityType.TOOL if camel else kind


def _cues(section: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = table("name_cues")[section]
    return found


def _by_shape(folded: str) -> EntityType | None:
    for kind, ends in _cues("shape_en").items():
        if folded.endswith(tuple(f" {end}" for end in ends)):
            return EntityType(kind)
    for kind, beginnings in _cues("prefix_en").items():
        if folded.startswith(tuple(f"{beginning} " for beginning in beginnings)):
            return EntityType(kind)
    return None


@cache
def _patterns(section: str) -> dict[EntityType, re.Pattern[str]]:
    """The cues of a section, those of a kind as one; what leads to a name may have an article after it."""
    found = {}
    for kind, listed in _cues(section).items():
        either = "|".join(listed)
        article = "(?:the )?" if kind == "place" else "(?:the |a |an )?"
        follows = section in ("after_en", "acts_en")
        pattern = either if follows else rf"(?:{either})\s+{article}[\"“]?$"
        found[EntityType.PERSON if kind == "speaks" else EntityType(kind)] = re.compile(
            pattern, re.IGNORECASE
        )
    return found


def _lead(before: str, *sections: str) -> EntityType | None:
    found = (kind for name in sections for kind, lead in _patterns(name).items() if lead.search(before))
    return next(found, None)


def _follows(after: str, section: str) -> EntityType | None:
    return next((kind for kind, cue in _patterns(section).items() if cue.match(after)), None)
