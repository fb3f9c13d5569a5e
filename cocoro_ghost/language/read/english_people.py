"""Who an English sentence names: people and pets beside what they are, several in one breath, and ages.

`two daughters, Cerys is 28 and Megan's 25`, `the kids, Leo and Mia, are 7 and 4`, `with his girlfriend Ana`,
`we adopted a greyhound. Her name's Biscuit`: a name is of whom it was told beside, or of who waits for one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from cocoro_ghost.language.names import gazetteer
from cocoro_ghost.language.read.english_words import Word, is_verb, words_in
from cocoro_ghost.language.read.kinds import Context
from cocoro_ghost.language.read.tables import either, entries
from cocoro_ghost.model.event import EntityType
from cocoro_ghost.model.reading import Claim, Slot, Span, Who

_W = "en/words"
_SLOTS = (("couple", Slot.PERSON), ("family", Slot.FAMILY), ("role", Slot.PERSON), ("pet", Slot.PET))
_IS = frozenset({"is", "'s", "are", "was", "were", "'re"})
_CALLED = frozenset({"called", "named"})
_TURNS = frozenset({"turned", "turns", "just", "only", "now", "already"})
_TITLES = frozenset({"dr", "mr", "mrs", "ms", "prof", "professor", "little", "baby"})
_AND = frozenset({",", "and", "&", "n"})
_OPENS = frozenset({"", ",", "and", "but", "so"})
_SET_APART = frozenset({",", ":", "(", "-", "–", "—"})
_AFTER_AGE = frozenset(
    {"", ",", "and", "but", "so", "years", "now", "already", "&", ")", "year", "in", "y/o"}
)
_COUNTS = frozenset({"two", "three", "four", "five", "both"})
_SMALL_AGES = frozenset({"one", "two", "three"})
_OF_A_COUNTRY = ("ish", "ese", "ian", "ean", "ch", "ic", "lsh", "an")
_KNOWN_ALONE = frozenset({"family", "couple"})


class _Role(NamedTuple):
    who: Who
    slot: Slot
    several: bool
    end: int


@dataclass(slots=True)
class People:
    """Who was named so far in a message."""

    context: Context
    claims: list[Claim] = field(default_factory=list)
    named: dict[str, Who] = field(default_factory=dict)
    waiting: _Role | None = None
    """Who was brought up and has no name yet."""
    last: Who | None = None

    def read(self, text: str, span: Span) -> None:
        words = [word for word in words_in(text) if word.low not in {'"', "“", "”"}]
        at = 0
        while at < len(words):
            found = self._role(words, at, span) or self._given(words, at, span) or self._aged(words, at, span)
            beside = at and words[at - 1].low in entries(_W, "prepositions")
            if not found and not beside and (name := self._person(words, at)) is not None:
                self.last = self.named.get(name) or Who("person", name, "")
            at = found or at + 1

    # -- a role, and the names beside it --

    def _role(self, words: list[Word], at: int, span: Span) -> int:
        role = self._role_at(words, at)
        if role is None:
            return 0
        names, end = self._names_beside(words, role)
        for name in names if role.several else names[:1]:
            self._name(role, name, span)
        if names:
            self.waiting = role if role.several else None
            return self._ages(words, end, names, span)
        self.waiting, self.last = role, role.who
        return role.end

    def _role_at(self, words: list[Word], at: int) -> _Role | None:
        for length in (2, 1):
            said = " ".join(word.low for word in words[at : at + length])
            kinds = self.context.kinds_of(said)
            if not kinds:
                continue
            kind, slot = next((one for one in _SLOTS if one[0] in kinds), ("", Slot.OTHER))
            if not kind or (words[at].text[:1].isupper() and at and length == 1):
                continue
            owner = self._owner(words, at, kind)
            if owner is None:
                return None
            one = _singular(said, self.context, kind)
            whose = f"{owner}'s {one}" if owner else one
            of: Literal["pet", "person"] = "pet" if kind == "pet" else "person"
            return _Role(Who(of, "", whose), slot, one != said, at + length)
        return None

    def _owner(self, words: list[Word], at: int, kind: str) -> str | None:
        """Whose they are: empty for the speaker's, a name for somebody else's, None where nobody's."""
        back = self._before_adjectives(words, at)
        before = words[back].low if back >= 0 else ""
        if before in entries(_W, "own") or (before == "the" and kind in _KNOWN_ALONE | {"pet"}):
            return ""
        if before in {"his", "her", "their"}:
            return _called(self.last)
        if before == "'s":
            return self._owner_named(words[back - 1] if back else None)
        if before.isdigit() or before in _COUNTS | {"a", "an", "another", "one"}:
            return self._holder(words[:back])
        opens = back == at - 1 and before in _OPENS and kind in _KNOWN_ALONE
        return "" if opens and self._told_next(words, at) else None

    def _before_adjectives(self, words: list[Word], at: int) -> int:
        back = at - 1
        while back >= max(0, at - 4) and self._describes(words[back]):
            back -= 1
        return back

    def _owner_named(self, word: Word | None) -> str | None:
        known = word is not None and (word.text[:1].isupper() or word.low in {"mum", "mom", "dad"})
        return word.text if word is not None and known else None

    def _describes(self, word: Word) -> bool:
        """little, old, Border: what may stand between an owner and a role."""
        low = word.low
        if not low[:1].isalpha() or low in either(_W, "possessive", "prepositions", "pronouns", "auxiliary"):
            return False
        if low in _COUNTS | {"a", "an", "the", "another", "one", "and", "but", "so", "'s"}:
            return False
        return not is_verb(low)

    def _told_next(self, words: list[Word], at: int) -> bool:
        """wife's called Bronwen, dad's in Bristol: a role alone that something is told of."""
        after = words[at + 1] if at + 1 < len(words) else None
        return after is not None and (after.low in _IS or after.text[:1].isupper() or is_verb(after.low))

    def _holder(self, before: list[Word]) -> str | None:
        """Who has two girls or a hamster: the speaker, or whom the sentence begins with."""
        if before and before[-1].low in entries(_W, "own"):
            return ""
        joint = next((i for i in range(len(before) - 1, -1, -1) if before[i].low in {",", "and", ";"}), -1)
        before = before[joint + 1 :]
        first = next((w for w in before if w.low not in entries(_W, "fillers")), None)
        if first is None or is_verb(first.low) or first.low in entries(_W, "self") | {"living"}:
            return ""
        if (name := self._person(before, before.index(first))) is not None:
            return name
        return None

    def _person(self, words: list[Word], at: int) -> str | None:
        low = words[at].text.lower()
        known = low in self.context.beings or words[at].text in self.named or self._listed(words[at])
        return words[at].text if known and words[at].text[:1].isupper() else None

    def _names_beside(self, words: list[Word], role: _Role) -> tuple[list[str], int]:
        at = role.end
        while _low(words, at) in {"rn", "atm", "too", "now"}:
            at += 1
        low, follows = _low(words, at), _low(words, at + 1)
        if low in _CALLED:
            return self._names(words, at + 1)
        if low in _SET_APART:
            names, end = self._names(words, at + 1)
            closes = len(names) > 1 or _low(words, end) in _SET_APART | {"", ")"}
            return (names, end) if closes and (role.several or len(names) == 1) else ([], at)
        if low == "'s" and follows in {"name", "names"}:
            return self._names(words, at + 3)
        return self._names_told(words, at) if low in _IS else self._names(words, at)

    def _names_told(self, words: list[Word], at: int) -> tuple[list[str], int]:
        """… is called Anna, is Dr Chen, is Anna. My mum is Welsh: else it takes a known name or the end."""
        follows = _low(words, at + 1)
        names, end = self._names(words, at + 2 if follows in _CALLED else at + 1)
        if not names or follows in _CALLED | _TITLES or self._listed(words[at + 1]):
            return names, end
        ends = end >= len(words) and not words[end - 1].low.endswith(_OF_A_COUNTRY)
        return (names, end) if ends else ([], at)

    def _names(self, words: list[Word], at: int) -> tuple[list[str], int]:
        """Names from here on, joined by commas and `and`."""
        found: list[str] = []
        end = at
        while at < len(words):
            while at < len(words) and words[at].low in _TITLES and at + 1 < len(words):
                at += 1
            if not self._may_be_name(words, at):
                break
            name = words[at].text
            at += 1
            if at < len(words) and not found and self._may_be_name(words, at) and words[at - 1].low != ",":
                name, at = f"{name} {words[at].text}", at + 1
            found.append(name)
            end = at
            while at < len(words) and words[at].low in _AND:
                at += 1
            if at == end:
                break
        return found, end

    def _may_be_name(self, words: list[Word], at: int) -> bool:
        word = words[at]
        if not word.text[:1].isupper() or word.low in entries(_W, "pronouns"):
            return False
        if word.low in entries("en/claims", "not_name"):
            return False
        other = {n.name for n in self.context.names if n.type in {EntityType.PLACE, EntityType.ORG}}
        timed = any(word.text in period.text for period in self.context.times)
        return not timed and (word.text not in other or gazetteer.is_first_name(word.text))

    def _listed(self, word: Word) -> bool:
        known = any(n.type is EntityType.PERSON and n.name == word.text for n in self.context.names)
        return known or gazetteer.is_first_name(word.text)

    def _name(self, role: _Role, name: str, span: Span) -> None:
        who = Who(role.who.kind, name, role.who.role)
        self.named[name] = self.last = who
        self.claims.append(Claim(who, role.slot, who.role, span))

    # -- a name told of somebody brought up before --

    def _given(self, words: list[Word], at: int, span: Span) -> int:
        """she's called Waffles, her name's Biscuit, name's Dylan."""
        lows = [word.low for word in words[at : at + 4]]
        before = words[at - 1].low if at else ""
        pronoun = lows[0] in {"he", "she", "they", "it"} and lows[2:3] and lows[2] in _CALLED
        named = lows[0] == "name" and before not in {"my", "'s"}
        if lows[0] in _CALLED and self.waiting is not None:
            begin = at + 1  # our baby, a little boy called Jack
        elif (pronoun or named) and lows[1:2] and lows[1] in _IS:
            begin = at + 3 if pronoun else at + 2
        else:
            return 0
        names, end = self._names(words, begin)
        if not names:
            return 0
        self._belongs(names[0], span, own=named and before not in entries(_W, "his_her"), told=not named)
        return end

    def _belongs(self, name: str, span: Span, *, own: bool, told: bool) -> None:
        """A name to who waits for one, to whom was told of last, else to the speaker or to somebody new."""
        known = self.context.last
        if self.waiting is not None:
            self._name(self.waiting, name, span)
            self.waiting = None
        elif known is not None and not known.name:
            self.named[name] = self.last = Who(known.kind, name, known.role)
            self.claims.append(Claim(self.last, Slot.NAME, name, span))
        elif own:
            self.claims.append(Claim(Who(), Slot.NAME, name, span))
        elif told:
            self._name(_Role(Who("person", "", ""), Slot.PERSON, False, 0), name, span)

    # -- ages --

    def _aged(self, words: list[Word], at: int, span: Span) -> int:
        """Cerys is 28, June just turned 4."""
        if not self._may_be_name(words, at):
            return 0
        name, end = words[at].text, at + 1
        while end < len(words) and words[end].low in _IS | _TURNS:
            end += 1
        age = self._age(words, end) if end > at + 1 else ""
        if not age:
            return 0
        who = self.named.get(name) or self.context.beings.get(name.lower())
        if who is None and self.waiting is not None and self.waiting.several:
            self._name(self.waiting, name, span)
            who = self.named[name]
        self._is_old(who or Who("person", name, ""), age, span)
        return end + 1

    def _ages(self, words: list[Word], at: int, names: list[str], span: Span) -> int:
        """… are 7 and 4: in the order they were named."""
        end = at
        while end < len(words) and words[end].low in _IS | {",", ")"} | _TURNS:
            end += 1
        ages: list[str] = []
        while end < len(words) and (age := self._age(words, end)):
            ages.append(age)
            end += 1
            while end < len(words) and words[end].low in _AND:
                end += 1
        if len(ages) != len(names) or end <= at + 1:
            return at
        for name, age in zip(names, ages, strict=True):
            self._is_old(self.named.get(name, Who("person", name, "")), age, span)
        return end

    def _age(self, words: list[Word], at: int) -> str:
        low = words[at].low if at < len(words) else ""
        after = words[at + 1].low if at + 1 < len(words) else ""
        known = (low.isdigit() and int(low) < 120) or low in entries("en/claims", "age_words") | _SMALL_AGES
        return low if known and after in _AFTER_AGE else ""

    def _is_old(self, who: Who, age: str, span: Span) -> None:
        self.last = who
        self.claims.append(Claim(who, Slot.AGE, age, span, detail=f"{who.name} is {age}"))


def _called(who: Who | None) -> str | None:
    return None if who is None else who.name or who.role


def _low(words: list[Word], at: int) -> str:
    return words[at].low if at < len(words) else ""


def _singular(said: str, context: Context, kind: str) -> str:
    """daughter of daughters, kid of children: what each of them is."""
    if said in {"kids", "children", "child"}:
        return "kid"
    one = said[:-1] if said.endswith("s") and not said.endswith("ss") else said
    return one if one != said and context.is_a(one, kind) else said
