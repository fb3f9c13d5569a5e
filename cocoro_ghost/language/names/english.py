"""Names in English text: capitals, what stands round them, and lists of the well known."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

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
_ENDS_SENTENCE = frozenset('.!?…\n:"“”(')
_LINK = frozenset({"of", "the", "de", "la", "van", "von", "and", "&", "du", "del", "di", "bin", "al"})


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    end: int
    opens: bool
    """First word of a sentence: its capital says nothing."""

    @property
    def capital(self) -> bool:
        return self.text[0].isupper()


@dataclass(frozen=True, slots=True)
class _Span:
    """A run of capitalised words."""

    first: int
    last: int
    name: str
    opens: bool


def _cues(section: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = table("name_cues")[section]
    return found


def english_names(text: str) -> Iterator[Entity]:
    parts = _split(text)
    shouting = sum(1 for c in text if c.isupper()) > 0.6 * max(1, sum(1 for c in text if c.isalpha()))
    if shouting:
        return
    if not re.search(r"[A-HJ-Z]|\bI[a-z]", text):
        yield from _uncapitalised(text)
        return
    previous: tuple[_Span, EntityType] | None = None
    for span in _spans(parts):
        entity = _judge(span, parts, text)
        weak = entity is None or entity.confidence <= 0.6
        if weak and previous is not None and _is_listed_with(previous[0], span, parts):
            entity = Entity(previous[1], span.name, 0.6)
        previous = (span, entity.type) if entity is not None else None
        if entity is not None:
            yield entity


def _is_listed_with(previous: _Span, span: _Span, parts: list[_Word]) -> bool:
    """`Mehmet and Zofia`, `Lyon, Nantes and Brest`: what one is the other is too."""
    between = [word.text for word in parts[previous.last + 1 : span.first]]
    return between in (["to"], ["and"], [","], [",", "and"], ["&"], ["or"]) and not gazetteer.is_never_a_name(
        span.name
    )


def _uncapitalised(text: str) -> Iterator[Entity]:
    """A writer who never uses capitals: listed names only, and only where a cue says their kind."""
    for match in _PLAIN_WORD.finditer(text):
        name = match[0]
        kind = gazetteer.kind_of(name) or (EntityType.PERSON if gazetteer.is_first_name(name) else None)
        if kind is None or gazetteer.is_ambiguous(name) or len(name) < 3 or fold(name) in words("stop_en"):
            continue
        before = text[max(0, match.start() - 60) : match.start()]
        cue = _by_lead(before, "called_en") or _by_lead(before, "before_en")
        if cue is kind or (
            kind is EntityType.PLACE and cue is None and re.search(r"\b(?:in|from|to) $", before)
        ):
            yield Entity(kind, name, 0.7)


def _split(text: str) -> list[_Word]:
    parts: list[_Word] = []
    opens = True
    for match in _WORD.finditer(text):
        found = match[0].replace("’", "'").rstrip("-") or "-"
        if re.match(r"\w", found):
            parts.append(_Word(found, match.start(), match.start() + len(found), opens))
            opens = False
        else:
            parts.append(_Word(found, match.start(), match.end(), False))
            abbreviation = found == "." and len(parts) > 1 and fold(parts[-2].text) in words("titles_en")
            opens = opens or (found in _ENDS_SENTENCE and not abbreviation) or not found.isascii()
    return parts


def _spans(parts: list[_Word]) -> Iterator[_Span]:
    index = 0
    while index < len(parts):
        known = _longest_known(parts, index)
        if known:
            yield known
            index = known.last + 1
            continue
        if not _may_name(parts[index]):
            index += 1
            continue
        last = index
        while last + 1 < len(parts) and _continues(parts, last):
            last += 1
        yield from _trimmed(parts, index, last)
        index = last + 1


def _longest_known(parts: list[_Word], index: int) -> _Span | None:
    """A listed name of up to four words; single words only when capitalised."""
    word = parts[index].text
    if word.islower() or fold(_bare(word)) not in gazetteer.first_words():
        return None
    for length in (4, 3, 2, 1):
        chunk = parts[index : index + length]
        name = " ".join(_bare(word.text) for word in chunk)
        if (
            len(chunk) == length
            and gazetteer.kind_of(name)
            and (length == 1 or chunk[-1].capital or chunk[-1].text.isdigit())
        ):
            following = parts[index + length] if index + length < len(parts) else None
            if length == 1 and following and _may_name(following) and following.start - chunk[0].end == 1:
                return None
            return _Span(index, index + length - 1, name, chunk[0].opens)
    return None


def _may_name(word: _Word) -> bool:
    return word.capital and word.text[0].isalpha() and not gazetteer.is_never_a_name(_bare(word.text))


def _continues(parts: list[_Word], index: int) -> bool:
    following = parts[index + 1]
    word = parts[index].text
    if following.start - parts[index].end != 1 or (word.endswith("'s") and not _is_titled(word)):
        return False
    if _may_name(following) and not following.opens:
        return fold(_bare(following.text)) not in words("stop_en")
    if following.text.isdecimal() and len(following.text) <= 4:
        return int(following.text) < 1900 and not parts[index].opens
    beyond = parts[index + 2] if index + 2 < len(parts) else None
    linked = following.text in ("of", "&", "de", "la", "van", "von", "del", "the")
    return linked and beyond is not None and _may_name(beyond) and beyond.start - following.end == 1


def _is_titled(word: str) -> bool:
    """`Dragon's Keep` goes on after the 's, `Emma's Wedding` does not."""
    return not gazetteer.is_first_name(_bare(word)) and gazetteer.kind_of(_bare(word)) is None


def _trimmed(parts: list[_Word], first: int, last: int) -> Iterator[_Span]:
    """Titles and roles before the name go; an opening word that is no name goes too."""
    while first < last and (_is_lead(parts[first]) or _only_opens(parts[first], parts[first + 1])):
        first += 1
    if _is_lead(parts[first]) or fold(_bare(parts[first].text)) in words("stop_en"):
        return
    if parts[first].text == "St.":
        yield _Span(first, last, " ".join(word.text for word in parts[first : last + 1]), False)
        return
    name = (
        " ".join(word.text for word in parts[first:last])
        + (" " if last > first else "")
        + _bare(parts[last].text)
    )
    yield _Span(first, last, name, parts[first].opens)


def _only_opens(word: _Word, following: _Word) -> bool:
    """`Honestly Dave`: a word before a known name is no part of it unless it is a name itself."""
    folded = fold(word.text)
    if folded in words("stop_en"):
        return True
    if not word.opens or gazetteer.is_first_name(folded) or gazetteer.kind_of(folded):
        return False
    known = (
        gazetteer.is_first_name(_bare(following.text)) or gazetteer.kind_of(_bare(following.text)) is not None
    )
    return folded.endswith("ly") or known


def _is_lead(word: _Word) -> bool:
    return fold(word.text) in words("titles_en")


def _bare(word: str) -> str:
    return word.removesuffix("'s").removesuffix("'")


def _judge(span: _Span, parts: list[_Word], text: str) -> Entity | None:
    before = text[max(0, parts[span.first].start - 60) : parts[span.first].start]
    after = text[parts[span.last].end : parts[span.last].end + 30]
    if parts[span.last].text.endswith("'s"):
        after = "'s" + after
    name = span.name
    if gazetteer.is_never_a_name(name) or (name.isupper() and not gazetteer.kind_of(name)):
        return None
    if before.endswith(('"', "“", "'", "‘")):
        # a title or a quotation: only what it is called by counts
        kind = _by_lead(before, "called_en") or gazetteer.kind_of(name)
        return Entity(kind, name, 0.8) if kind is not None else None
    for kind, confidence in _evidence(span, before, after):
        if kind is not None:
            return Entity(kind, name, confidence)
    return None


def _evidence(span: _Span, before: str, after: str) -> Iterator[tuple[EntityType | None, float]]:
    """From the strongest sign to the weakest."""
    name = span.name
    yield _by_shape(name), 0.85
    yield _by_title(before), 0.95
    first_name = gazetteer.is_first_name(name.split(" ")[0])
    listed, cue = (
        gazetteer.kind_of(name),
        _by_cue(before, after, trust_after=first_name or not span.opens or after[:2] == "'s"),
    )
    if listed is not None and not (gazetteer.is_ambiguous(name) and (span.opens or cue)):
        yield _settled(name, listed, cue), 0.9
    if first_name and cue is not None and " " not in name and not _by_lead(before, "called_en"):
        cue = EntityType.PERSON
    yield cue, 0.8
    if not span.opens or not gazetteer.is_ambiguous(name):
        yield from _weaker(span, before, after, first_name=first_name)
    elif first_name and _acts(after):
        yield EntityType.PERSON, 0.6


def _weaker(
    span: _Span, before: str, after: str, *, first_name: bool
) -> Iterator[tuple[EntityType | None, float]]:
    """Signs that count where no cue stands round the name."""
    if first_name and span.name.count(" ") <= 1:
        yield EntityType.PERSON, 0.8 if not span.opens else 0.7
    if _INTRODUCES.search(before) and _ENDS_INTRODUCTION.match(after):
        yield EntityType.PERSON, 0.7
    if not span.opens:
        yield _by_weak_sign(span.name, before, after), 0.6


def _by_weak_sign(name: str, before: str, after: str) -> EntityType | None:
    if name[-1].isdigit():
        return None
    lead = _by_lead(before, "weak_en")
    if lead is EntityType.PLACE and re.search(r"[a-z][A-Z]", name):
        return EntityType.TOOL
    return lead or (EntityType.PERSON if _acts(after) else None)


def _settled(name: str, listed: EntityType, cue: EntityType | None) -> EntityType:
    """What stands round a listed name decides when it can be two things, such as a girl called Florence."""
    if cue is EntityType.ORG and listed is EntityType.TOOL:
        return cue
    if cue is EntityType.PERSON and gazetteer.is_first_name(name):
        return cue
    return listed


def _by_shape(name: str) -> EntityType | None:
    folded = fold(name)
    for kind, endings in _cues("shape_en").items():
        if any(folded.endswith(" " + ending) for ending in endings):
            return EntityType(kind)
    for kind, beginnings in _cues("prefix_en").items():
        if any(folded.startswith(beginning + " ") for beginning in beginnings):
            return EntityType(kind)
    return None


def _by_title(before: str) -> EntityType | None:
    match = re.search(r"([A-Za-z]+)\.?\s+$", before[-14:])
    titled = match is not None and match[1][0].isupper() and fold(match[1]) in words("titles_en")
    return EntityType.PERSON if titled else None


def _by_cue(before: str, after: str, trust_after: bool) -> EntityType | None:
    for kind, pattern in _any_of("after_en").items() if trust_after else ():
        if pattern.match(after):
            return EntityType(kind)
    return _by_lead(before, "called_en") or _by_lead(before, "before_en")


def _by_lead(before: str, section: str) -> EntityType | None:
    return next((EntityType(kind) for kind, lead in _leads(section).items() if lead.search(before)), None)


def _acts(after: str) -> bool:
    """Is it followed by something only people do?"""
    return _any_of("acts_en")["speaks"].match(after) is not None


@cache
def _any_of(section: str) -> dict[str, re.Pattern[str]]:
    """The patterns of a section, those of a kind as one."""
    return {kind: re.compile("|".join(listed), re.IGNORECASE) for kind, listed in _cues(section).items()}


@cache
def _leads(section: str) -> dict[str, re.Pattern[str]]:
    found = {}
    for kind, listed in _cues(section).items():
        article = "(?:the )?" if kind == "place" else "(?:the |a |an )?"
        found[kind] = re.compile(rf"(?:{'|'.join(listed)})\s+{article}[\"“]?$", re.IGNORECASE)
    return found
