"""English clauses: words, where the verb stands, what follows it. Position and preposition give the roles."""

from __future__ import annotations

from functools import cache

from cocoro_ghost.language.read.clause import Clause, Phrase
from cocoro_ghost.language.read.english_list import is_place, tells_age_first, told_of_oneself
from cocoro_ghost.language.read.english_split import split_clauses
from cocoro_ghost.language.read.english_verbs import (
    adverb_marks,
    inverts,
    main_verb,
    stops,
    verb_at,
    verb_marks,
)
from cocoro_ghost.language.read.english_words import Word, lemma, word_at, words_in
from cocoro_ghost.language.read.tables import entries, phrases
from cocoro_ghost.model.reading import Span

_W = "en/words"
_RELATIVE = frozenset({"who", "that", "which"})
_SUBORDINATE = _RELATIVE | {"when", "because"}
_LONGEST_TAIL = 5
"""Words of an aside at the end of a phrase at most."""


def clauses(text: str, span: Span) -> list[Clause]:
    """The clauses of one sentence of a text; a clause without a subject takes the one before it."""
    sentence, offset = text[slice(*span)], span[0]
    found: list[Clause] = []
    words = words_in(sentence)
    if listed := told_of_oneself([word for word in words if word.low not in entries(_W, "fillers")]):
        return [_said_of_me(sentence, one, offset) for one in listed]
    split = split_clauses(words)
    if tells_age_first(split):
        found.append(_said_of_me(sentence, split.pop(0)[0], offset))
    for part, link in ((one, link) for whole, link in split for one in _said_of_one(whole)):
        clause = _clause(sentence, part, link, offset)
        if clause is not None:
            _join(found, clause, link)
    mocking = any(cue in sentence.lower() for cue in phrases(_W, "mocking"))
    return [c._replace(marks=c.marks | {"sarcasm"}) for c in found] if mocking else found


def _join(found: list[Clause], clause: Clause, link: str) -> None:
    """Add a clause to those before it: what is reported keeps its teller, what lacks a subject takes it."""
    if link.startswith("that:"):
        outer = found.pop() if found else None
        clause = _reported(clause, outer)
        found += _with_teller(outer)
    elif found and clause.by_role("subj") is None:
        clause = _of_the_third(clause, found[-1]) or _carried_on(clause, found[-1])
    found.append(clause)


def _with_teller(outer: Clause | None) -> list[Clause]:
    """My therapist Anna says …: she is told of, too."""
    teller = outer.by_role("subj") if outer is not None else None
    return [outer] if outer is not None and teller is not None and teller.owner else []


def _of_the_third(clause: Clause, before: Clause) -> Clause | None:
    """Henrik's a pilot, lives in Perth: a verb with an s is told of whom the clause before was about."""
    subject, verb = before.by_role("subj"), clause.text.split()[0].lower()
    third = verb.endswith("s") and verb != clause.base == clause.words[:1][0] if clause.words else False
    return clause._replace(phrases=(subject, *clause.phrases)) if third and subject is not None else None


def _carried_on(clause: Clause, before: Clause) -> Clause:
    """A clause without a subject goes on as the one before it."""
    if clause.link in {"and", "or"}:
        return clause._replace(
            marks=clause.marks | (before.marks & {"used", "neg", "want", "cond", "future"})
        )
    # Lily, who's six, starts school: the clause goes on after the aside with whom it was about.
    subject = before.by_role("subj") if before.link == "who" else None
    return clause._replace(phrases=(subject, *clause.phrases)) if subject is not None else clause


def _said_of_one(part: list[Word]) -> list[list[Word]]:
    """`I'm Marcus, 34, a driver`: each of what stands between the commas is said of the same one."""
    at = verb_at(part)
    if at is None or lemma(part[at].low) != "be" or len(part) < at + 4:
        return [part]
    first = part[at + 1].text[0]
    if not (first.isupper() or first.isdigit()) or part[at + 2].low != ",":
        return [part]
    found: list[list[Word]] = [[]]
    for word in part[at + 1 :]:
        if word.low == ",":
            found.append([])
        else:
            found[-1].append(word)
    return [[*part[: at + 1], *one] for one in found if one]


def _reported(clause: Clause, outer: Clause | None) -> Clause:
    """What one thinks is held with doubt; what one would not say is denied."""
    marks = set(clause.marks)
    verb = clause.link.removeprefix("that:")
    if verb in entries(_W, "doubting"):
        marks.add("hedge")
    if outer is not None:
        marks |= outer.marks & {"neg", "question", "before"} if verb in {"say", "think"} else set()
        if verb == "say" and not outer.has("neg"):
            marks.add("said_before")
    return clause._replace(marks=frozenset(marks))


def _clause(sentence: str, part: list[Word], link: str, offset: int) -> Clause | None:
    marks: set[str] = {"quoted"} if link == "quote" else set()
    part = _without_softeners(_opened(part, link, marks), marks)
    if not part:
        return None
    at = verb_at(part)
    if at is None and _left_out(part):
        return _elided(sentence, part, link, offset, marks)
    span = (part[0].start + offset, part[-1].end + offset)
    text = sentence[part[0].start : part[-1].end]
    marks |= adverb_marks(part)
    if at is None:
        noun = _noun(sentence, part, "=", offset)
        return Clause(text, span, (), (), frozenset(_without_verb(part, marks)), noun, None, link)
    subject, group = _turned(part[:at], part[at:], marks)
    while len(subject) > 1 and subject[-1].low in entries(_W, "adverbs"):
        subject = subject[:-1]  # she just turned three
    marks |= verb_marks(group, subject) | ({"stop"} if stops(group) else set())
    rest = main_verb(group)
    if subject and subject[0].low in entries(_W, "asking"):
        marks.add("question")
        subject = []
    named = _noun(sentence, subject, "subj", offset)
    words = tuple(lemma(word.low) if index < 2 else word.low for index, word in enumerate(rest))
    noun = _noun(sentence, _until_preposition(rest[1:]), "=", offset) if words[0] == "be" else None
    return Clause(
        text,
        span,
        tuple(filter(None, (named, *_arguments(sentence, rest, offset)))),
        words,
        frozenset(marks),
        noun,
        None,
        link,
        tuple((w.start + offset, w.end + offset) for w in rest),
        rest[0].start + offset,
        lemma(rest[0].low),
    )


def _without_verb(part: list[Word], marks: set[str]) -> set[str]:
    """`Not a barista anymore` is denied, though no verb says so."""
    return marks | ({"neg"} if part[0].low == "not" else set())


def _left_out(part: list[Word]) -> bool:
    """`Not a fan of parsnips`, `really into pottery`: I am is left out."""
    words = [
        w.low
        for w in part
        if w.low not in entries(_W, "adverbs") and w.low not in {"not", "a", "such", "the"}
    ]
    return bool(words) and words[0] in entries(_W, "elided") and len(words) > 1


def _elided(sentence: str, part: list[Word], link: str, offset: int, marks: set[str]) -> Clause:
    """The clause as if it began with `I am`."""
    marks |= adverb_marks(part) | ({"neg"} if any(w.low in {"not", "never"} for w in part[:3]) else set())
    rest = [
        w
        for i, w in enumerate(part)
        if i > 3 or (w.low not in {"not", "never", "such"} and w.low not in entries(_W, "adverbs"))
    ]
    words = ("be", *(lemma(w.low) if i < 1 else w.low for i, w in enumerate(rest)))
    places = (
        (part[0].start + offset, part[0].start + offset),
        *((w.start + offset, w.end + offset) for w in rest),
    )
    return Clause(
        sentence[part[0].start : part[-1].end],
        (part[0].start + offset, part[-1].end + offset),
        tuple(_arguments(sentence, [part[0], *rest], offset)),
        words,
        frozenset(marks),
        None,
        None,
        link,
        tuple(places),
        part[0].start + offset,
        "be",
    )


def _said_of_me(sentence: str, part: list[Word], offset: int) -> Clause:
    """One thing of a list, as if `I am` or `I am in` stood before it."""
    clause = _elided(sentence, part, "", offset, set())
    nowhere = (part[0].start + offset, part[0].start + offset)
    if is_place(part) and len(part[0].text) < len(sentence) and not _opens(sentence, part):
        return clause._replace(
            words=("be", "in", *clause.words[1:]), places=(nowhere, nowhere, *clause.places[1:])
        )
    return clause._replace(noun=_noun(sentence, _until_preposition(part), "=", offset))


def _opens(sentence: str, part: list[Word]) -> bool:
    """Olu of `Olu here`."""
    return sentence[part[-1].end :].lstrip().lower().startswith("here")


def _opened(part: list[Word], link: str, marks: set[str]) -> list[Word]:
    """The clause without fillers, openings and the conjunction it begins with."""
    while len(part) > 1 and part[0].low in entries(_W, "fillers") and not _subjectless_like(part):
        part = part[1:]
    part = _without_closing(_without_opening(part))
    first = part[0].low if part else ""
    if first in {"if", "unless", "suppose", "imagine"} or link in {"if", "unless"}:
        marks.add("cond")
    elif first == "when":
        marks.add("when")
    return part[1:] if first in {"if", "when", "unless"} else part


def _turned(subject: list[Word], group: list[Word], marks: set[str]) -> tuple[list[Word], list[Word]]:
    """`Do you like it`: the subject back in its place, and that it asks or pleads."""
    if subject or not inverts([word.low for word in group]):
        return subject, group
    pleads = group[0].low in {"could", "can", "would", "will"} and group[1].low == "you"
    marks.add("request" if pleads else "question")
    return group[1:2], [group[0], *group[2:]]


@cache
def _by_word(section: str, at: int) -> dict[str, list[list[str]]]:
    """The phrases of a section in words, under the first or last of them, in the order written."""
    found: dict[str, list[list[str]]] = {}
    for phrase in phrases(_W, section):
        words = phrase.split()
        found.setdefault(words[at], []).append(words)
    return found


def _without_opening(part: list[Word]) -> list[Word]:
    """Without `from now on`, `to be honest` before the clause itself."""
    for words in _by_word("openings", 0).get(part[0].low, ()) if part else ():
        if len(part) > len(words) and all(word.low == low for word, low in zip(part, words, strict=False)):
            return part[len(words) :]
    return part


def _without_closing(part: list[Word]) -> list[Word]:
    """Without `by the way`, `lol` behind the clause."""
    for words in _by_word("closings", -1).get(part[-1].low, ()) if part else ():
        if len(part) > len(words) and [word.low for word in part[-len(words) :]] == words:
            kept = part[: -len(words)]
            return kept[:-1] if kept[-1].low == "," and len(kept) > 1 else kept
    return part


def _without_softeners(part: list[Word], marks: set[str]) -> list[Word]:
    """Without `kind of`, `a bit`: they soften and change nothing else."""
    kept: list[Word] = []
    index = 0
    while index < len(part):
        pair = " ".join(word.low for word in part[index : index + 2])
        if (
            pair in {"kind of", "sort of", "a bit", "a little"}
            and index + 2 < len(part)
            and part[index + 2].low not in {"of", "more", "bit"}
        ):
            marks.update({"hedge"} if pair in {"kind of", "sort of"} else set())
            index += 2
            continue
        kept.append(part[index])
        index += 1
    return kept


def _subjectless_like(part: list[Word]) -> bool:
    """`Like it a lot`, `Guess what`: a filler word that is the verb here."""
    counted = part[1].low[:1].isdigit()  # like 3 a day
    return part[0].low in {"like", "guess"} and not counted and part[1].low not in entries(_W, "pronouns")


def _arguments(sentence: str, rest: list[Word], offset: int) -> list[Phrase]:
    """The object and the prepositional phrases behind the verb."""
    found: list[Phrase] = []
    role, chunk = "obj", list[Word]()
    stops = _stops()
    for word in rest[1:]:
        if word.low in stops:
            phrase = _noun(sentence, chunk, role, offset)
            if phrase is not None:
                found.append(phrase)
            role, chunk = word.low, []
        else:
            chunk.append(word)
    phrase = _noun(sentence, chunk, role, offset)
    return [*found, phrase] if phrase is not None else found


def _until_preposition(words: list[Word]) -> list[Word]:
    stops = _stops(_RELATIVE)
    at = next((i for i, word in enumerate(words) if word.low in stops), len(words))
    return words[:at]


def _noun(sentence: str, words: list[Word], role: str, offset: int) -> Phrase | None:
    """The words as a phrase: fillers, articles and trailing adverbs cut off."""
    words = _trimmed(words)
    if not words:
        return None
    start, end = words[0].start, words[-1].end
    low = words[0].low
    owner = low if low in entries(_W, "possessive") else ""
    kept = words
    while len(kept) > 1 and kept[0].low in {"a", "an", "the", "some"}:
        kept = kept[1:]
    start = kept[0].start
    text = sentence[start:end]
    return Phrase(
        text,
        kept[-1].low,
        role,
        (start + offset, end + offset),
        role == "subj",
        owner,
        kept[0].low if kept[0].low.endswith("ing") else "",
        any(word.text[:1].isupper() and word.low != "i" for word in kept),
    )


def _trimmed(words: list[Word]) -> list[Word]:
    """Without adverbs and asides at its end."""
    words = [word for word in words if word.low not in {"(", ")", '"', "“", "”"}]
    while words and words[-1].low in {",", "and", "or", "the", "a"}:
        words = words[:-1]
    while words and (count := _trailing(words)):
        words = words[:-count]
    while words and words[-1].low.endswith("ly") and words[-1].low in entries(_W, "adverbs"):
        words = words[:-1]
    while words and words[0].low in _leading():
        words = words[1:]
    return words


def _trailing(words: list[Word]) -> int:
    """How many of the last words only hang on: a comma, `these days`, `at all`."""
    lows = [word.low for word in words[-_LONGEST_TAIL:]]
    hanging = (n for n in range(len(lows), 0, -1) if " ".join(lows[-n:]) in entries(_W, "trailing"))
    return next(hanging, int(lows[-1] == ","))


@cache
def _leading() -> frozenset[str]:
    """What may stand before a noun phrase and is no part of it."""
    telling = {"all", "both", "each", "little", "kind", "sort"}
    return entries(_W, "fillers") | (entries(_W, "adverbs") - telling) | {","}


@cache
def _stops(more: frozenset[str] = frozenset(), keep: frozenset[str] = frozenset()) -> frozenset[str]:
    """Where the words of a phrase end; `of` leads on."""
    return (entries(_W, "prepositions") | more) - keep - {"of"}


def rest_of(clause: Clause, count: int, keep: frozenset[str] = frozenset()) -> Phrase | None:
    """What follows the first `count` words of the predicate, up to a preposition not in `keep`."""
    offset = clause.span[0]
    words = [
        word_at(clause.text[start - offset : end - offset], start - offset, end - offset)
        for start, end in clause.places[count:]
    ]
    stops = _stops(_SUBORDINATE, keep)
    at = next((i for i, word in enumerate(words) if i and word.low in stops), len(words))
    return _noun(clause.text, words[:at], ">", offset)
