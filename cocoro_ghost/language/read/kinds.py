"""What kind of thing a phrase names: the speaker, kin, a pet, food, a time. Classes come from tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache, cached_property, lru_cache

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.read.clause import Clause, Phrase
from cocoro_ghost.language.read.tables import endings, entries, phrases, table, words_of
from cocoro_ghost.model.event import EntityType
from cocoro_ghost.model.preference import Domain
from cocoro_ghost.model.reading import Name, Period, Who
from cocoro_ghost.model.scene import Language

_HONORIFIC = re.compile(r"(?:さん|くん|ちゃん|君|様|さま|氏|先生|先輩|たん|殿)$")


@dataclass(frozen=True)
class Context:
    """What a clause is read with: language, the times and names of the whole text."""

    language: Language
    times: Sequence[Period] = ()
    find_names: Callable[[], Sequence[Name]] = tuple
    """Asked for when a name may matter: a question, a claim; most messages are answered without it."""
    introducing: bool = False
    """The message greets a stranger: はじめまして, nice to meet you."""
    today: date = date.min
    beings: dict[str, Who] = field(default_factory=dict)
    """Whom the person told of before, by name."""
    last: Who | None = None
    """Whom they told of last."""

    code: str = field(init=False)
    japanese: bool = field(init=False)
    who: dict[Phrase, Who | None] = field(default_factory=dict, init=False, compare=False)
    """Whom each phrase names, once it was asked."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "code", self.language.value)
        object.__setattr__(self, "japanese", self.language is Language.JA)

    def copy(self) -> Context:
        """The same to begin with; what is noted down in one is not in the other."""
        found = replace(self, beings=dict(self.beings), find_names=lambda: self.names)
        found.who.update(self.who)
        return found

    @cached_property
    def names(self) -> Sequence[Name]:
        return self.find_names()

    def is_a(self, word: str, kind: str) -> bool:
        """True when a word belongs to a class of the lexicon, in the plural too."""
        return kind in _classes(self.code, word)

    def kinds_of(self, word: str) -> frozenset[str]:
        """The classes of the lexicon that a word belongs to."""
        return _classes(self.code, word)

    def is_time(self, phrase: Phrase) -> bool:
        """True when the phrase is mostly a time, or one of the words that only say when."""
        if phrase.text in entries(f"{self.code}/words", "time_words"):
            return True
        inside = [p for p in self.times if p.span[0] < phrase.span[1] and phrase.span[0] < p.span[1]]
        covered = sum(min(p.span[1], phrase.span[1]) - max(p.span[0], phrase.span[0]) for p in inside)
        return bool(inside) and covered * 2 >= phrase.span[1] - phrase.span[0]

    def name_in(self, phrase: Phrase, kind: EntityType | None = None) -> str:
        """A name that stands inside the phrase."""
        for name in self.names:
            if (kind is None or name.type is kind) and name.name in phrase.text:
                return name.name
        return ""


_ME = Who()
_KIN = frozenset({"family", "couple", "role", "third"})
_CLASSES = (*sorted(_KIN), "pet", "event")


@cache
def _lexicon(code: str) -> dict[str, frozenset[str]]:
    """Every classed word with its classes, so that one look tells all of them."""
    found: dict[str, frozenset[str]] = {}
    for kind in _CLASSES:
        for word in entries(f"{code}/lexicon", kind):
            found[word] = found.get(word, frozenset()) | {kind}
    return found


@lru_cache(maxsize=4096)
def _classes(code: str, word: str) -> frozenset[str]:
    known, none = _lexicon(code), frozenset[str]()
    if code == "ja":
        return known.get(word, none) | known.get(_HONORIFIC.sub("", word), none)
    folded = word.lower()
    one = known.get(folded[:-1], none) if folded.endswith("s") else none
    return known.get(folded, none) | one


def is_self(phrase: Phrase, context: Context) -> bool:
    words = entries(f"{context.code}/words", "self")
    low = phrase.text.lower()
    return (
        low in words
        or phrase.head in words
        or low.endswith((" and i", " & i", " and me"))
        or low.startswith("me and ")
    )


def is_you(phrase: Phrase, context: Context) -> bool:
    words = entries(f"{context.code}/words", "you")
    return phrase.text.lower() in words or phrase.head in words


def by_name(beings: Iterable[Who]) -> dict[str, Who]:
    """Persons and pets under the name they are called by."""
    return {fold(being.name): being for being in beings if being.name}


def same_role(code: str, one: str, other: str) -> bool:
    """夫 and 旦那, mum and mother are one person to whoever says so."""
    a, b = fold(one), fold(other)
    return a == b or any(a in group and b in group for group in _same_roles(code))


def narrower(code: str, role: str) -> tuple[str, ...]:
    """What else one of that kind is called: whippet of dog, daughter of kids."""
    wider, one = table(f"{code}/words").get("kinds_of", {}), fold(role)
    return next((words_of(wider[key]) for key in (one, one.removesuffix("s")) if key in wider), ())


def is_such(code: str, asked: str, told: str) -> bool:
    """Whether who was told of is what is asked after."""
    return same_role(code, asked, told) or fold(told) in narrower(code, asked)


@cache
def _same_roles(code: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(words_of(group)) for group in phrases(f"{code}/words", "same_role"))


def who_of(phrase: Phrase, context: Context) -> Who | None:
    """The person or pet a phrase names; None for things."""
    try:
        return context.who[phrase]
    except KeyError:
        found = context.who[phrase] = _who_of(phrase, context)
        return found


def _who_of(phrase: Phrase, context: Context) -> Who | None:
    if is_self(phrase, context):
        return _ME
    if is_you(phrase, context):
        return Who("ghost")
    if phrase.text.lower() in entries(f"{context.code}/words", "he_she"):
        return Who("other", "", phrase.text.lower())
    told_of = _told_of(phrase, context)
    if told_of is not None:
        return told_of
    name = context.name_in(phrase, EntityType.PERSON)
    if name and context.japanese and not _HONORIFIC.sub("", phrase.text).endswith(name):
        name = ""
    return _by_role(phrase, name, context) or _named(phrase, name, context)


def _by_role(phrase: Phrase, name: str, context: Context) -> Who | None:
    """My sister, 上司の黒木さん, our dog Biscuit: whom a word for kin, a role or a pet stands for."""
    words = _role_words(phrase, context)
    for word in words:
        if not _KIN.isdisjoint(_classes(context.code, word)):
            return Who("person", name if name != word else "", word)
    for word in words:
        if context.is_a(word, "pet") and (name or _own(phrase, context) or word == phrase.head):
            return Who("pet", name if name != word else "", word)
    return None


def _told_of(phrase: Phrase, context: Context) -> Who | None:
    """むぎ, Biscuit: no name to who reads it, but somebody was called so before."""
    if not context.beings:
        return None
    own = phrase.text.rsplit("の", 1)[-1] if context.japanese else phrase.text.removeprefix("my ")
    return context.beings.get(fold(_HONORIFIC.sub("", own)))


def _named(phrase: Phrase, name: str, context: Context) -> Who | None:
    honoured = _HONORIFIC.search(phrase.text)
    if name and (len(name) + 2 >= len(phrase.text) or honoured):
        return Who("person", name)
    if context.japanese and honoured and len(phrase.text) > 2:
        return Who("person", _HONORIFIC.sub("", phrase.text))
    return None


def _role_words(phrase: Phrase, context: Context) -> list[str]:
    if context.japanese:
        last = phrase.text.rsplit("の", 1)[-1]
        named = any(name.type is EntityType.PERSON and last.startswith(name.name) for name in context.names)
        named = named or bool(_HONORIFIC.search(last))
        return [phrase.text, phrase.head, last, *((phrase.owner.rsplit("の", 1)[-1],) if named else ())]
    # My cousin's wedding is a wedding; my girlfriend Noor's is hers.
    own = phrase.text.lower().replace("’", "'").rsplit("'s ", 1)[-1]
    own = re.sub(r"(?<=\w) (?:he|she|they)$", "", own)  # my mother she lives in Rio
    return re.findall(r"[a-zà-ÿ][a-zà-ÿ-]*", own.removesuffix("'s"))[::-1][:6]


def _own(phrase: Phrase, context: Context) -> bool:
    owns = entries(f"{context.code}/words", "own")
    return any(word in owns for word in (phrase.owner, *phrase.text.lower().split()[:1]))


def subject_of(clause: Clause, context: Context, before: Who | None = None) -> tuple[Who, Phrase | None]:
    """Whom the clause is about, and the phrase that says so; left out, it is who was spoken of before."""
    if clause.describes is not None:
        described = who_of(clause.describes, context)
        if described is not None:
            return described, clause.describes
    for phrase in _may_be_subject(clause):
        found = who_of(phrase, context)
        if found is not None:
            own = context.introducing and phrase.role == "、" and found.name and not found.role
            return Who() if own else found, phrase
        if clause.link == "who" and phrase.proper:
            # Only somebody is spoken of with `who`, whether or not the name is a known one.
            return Who("person", phrase.text), phrase
    return before or _ME, None


def _may_be_subject(clause: Clause) -> Iterator[Phrase]:
    """Topics first."""
    for phrase in clause.phrases:
        if phrase.topic:
            yield phrase
    for phrase in clause.phrases:
        if not phrase.topic and phrase.role in {"が", "subj"}:
            yield phrase


def without_time(phrase: Phrase, context: Context) -> Phrase:
    """English: `Cardiff last week` is Cardiff; a phrase that is a time altogether stays as it is."""
    if context.japanese:
        return phrase
    for period in context.times:
        first = period.span[0] - phrase.span[0]
        if 0 < first < len(phrase.text):
            cut = re.sub(r"[\s,]+(?:in|on|at|since|from|of|back in|by|around)?\s*$", "", phrase.text[:first])
            return phrase._replace(text=cut, span=(phrase.span[0], phrase.span[0] + len(cut)))
    return phrase


def named_subject(clause: Clause, context: Context) -> Phrase | None:
    """English: what stands where the speaker would and is nobody known: the dog hates it."""
    subject = None if context.japanese else clause.by_role("subj")
    if subject is None or who_of(subject, context) is not None:
        return None
    words = subject.text.lower().split()
    own = words[0] in entries("en/words", "self") or " ".join(words) in entries("en/words", "speaks_for_me")
    return None if own else subject


@cache
def _food(code: str) -> tuple[frozenset[str], tuple[str, ...]]:
    tails = phrases(f"{code}/lexicon", "food_tail") if code == "ja" else ()
    return frozenset(fold(word) for word in entries(f"{code}/lexicon", "food")), tails


def is_food(subject: str, language: Language) -> bool:
    """True for what is eaten or drunk."""
    words, tails = _food(language.value)
    folded = fold(subject)
    if folded in words:
        return True
    if language is Language.JA:
        last = folded.rsplit("の", 1)[-1].removesuffix("類")
        if last in entries("ja/lexicon", "food_part"):
            return is_food(folded.rsplit("の", 1)[0], language) if "の" in folded else True
        unlike = entries("ja/lexicon", "not_food_tail")
        ends = any(end in words and end not in unlike for end in endings(last))
        return ends or last in words or last.removeprefix("お") in words or last.endswith(tails)
    parts = folded.split()
    if not parts:
        return False
    # Eggs on toast, rice with beans: the first is what is eaten, too.
    first = parts[0] if " on " in folded or " with " in folded else ""
    return not words.isdisjoint((parts[-1], parts[-1].removesuffix("s"), first))


def domain_of(subject: str, language: Language, verbs: Sequence[str] = ()) -> Domain:
    code = language.value
    if is_food(subject, language) or any(verb in entries(f"{code}/words", "eating") for verb in verbs):
        return Domain.FOOD
    if any(word in subject.lower() for word in phrases(f"{code}/tastes", "style_words")):
        return Domain.STYLE
    return Domain.TOPIC
