"""What one message says, read once for every mind: acts, claims, tastes, corrections, the question it asks.

Made by `language.read`; recall, growing, replying and care all work from it and read nothing themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, Self

from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.event import EntityType, LifeStage
from cocoro_ghost.model.preference import Domain, Polarity
from cocoro_ghost.model.scene import Language

Span = tuple[int, int]
"""Where something stands in the text: first character and the one after the last."""


class Act(StrEnum):
    """What a sentence does."""

    TELL = "tell"
    ASK_ME = "ask_me"
    """Asks what is known of the speaker: their name, home, tastes, plans."""
    ASK_PAST = "ask_past"
    """Asks what was said or happened before."""
    ASK_WORLD = "ask_world"
    ASK_GHOST = "ask_ghost"
    """Asks the ghost about itself."""
    REQUEST = "request"
    """Wants something done that is none of the below: write me a poem."""
    CORRECT = "correct"
    DENY = "deny"
    """Says that what was just remembered was never said or does not belong here."""
    FORGET = "forget"
    REMIND = "remind"
    WISH = "wish"
    GREET = "greet"
    FAREWELL = "farewell"
    THANK = "thank"
    AGREE = "agree"
    JOKE = "joke"
    QUOTE = "quote"
    LYRICS = "lyrics"
    CODE = "code"
    HYPOTHETICAL = "hypothetical"
    BACKCHANNEL = "backchannel"
    INSULT = "insult"
    DISTRESS = "distress"


class Slot(StrEnum):
    """What a claim is about; the values are the slots of stored states."""

    NAME = "name"
    CALLED = "called"
    HOME = "residence"
    HOMETOWN = "hometown"
    WORK = "occupation"
    EMPLOYER = "job"
    SCHOOL = "school"
    AGE = "age"
    BIRTHDAY = "birth_date"
    FAMILY = "family"
    PARTNER = "marital"
    PERSON = "person"
    """A named person with a role: boss, friend, teacher."""
    PET = "pet"
    HEALTH = "health"
    ALLERGY = "allergy"
    DIET = "diet"
    HABIT = "habit"
    STUDY = "study"
    SKILL = "skill"
    POSSESSION = "possession"
    TASTE = "taste"
    """Another's taste, or in a question anybody's."""
    EVENT = "event"
    """Something that happened once; remembered as an event, never as a lasting state."""
    PLAN = "plan"
    DONE = "done"
    """A plan that is carried out or called off."""
    NOTE = "note"
    """Something lasting that no other slot holds, in the person's own words."""
    OTHER = "other"


class Certainty(StrEnum):
    SAID = "said"
    HEDGED = "hedged"
    WISHED = "wished"
    DENIED = "denied"
    PAST = "past"


@dataclass(frozen=True, slots=True)
class Who:
    """Whom something is about. `role` is the word used: 妹, boss, dog."""

    kind: Literal["me", "person", "pet", "group", "ghost", "other"] = "me"
    name: str = ""
    role: str = ""


@dataclass(frozen=True, slots=True)
class Period:
    """A time named in the text, as days; years alone where only years are meant."""

    span: Span
    text: str
    start: date | None = None
    end: date | None = None
    year_start: int | None = None
    year_end: int | None = None
    life_stage: LifeStage | None = None
    granularity: str = "day"
    recurring: bool = False
    clock: str | None = None
    """Time of day as HH:MM."""
    confidence: float = 0.9
    bare: bool = False
    """Named without a year or a relative word: which one is meant was guessed from the sentence."""

    @property
    def first_day(self) -> date | None:
        return self.start or (date(self.year_start, 1, 1) if self.year_start else None)

    @property
    def last_day(self) -> date | None:
        return self.end or (date(self.year_end, 12, 31) if self.year_end else None)


@dataclass(frozen=True, slots=True)
class Name:
    """A person, place, organisation, project or tool."""

    span: Span
    type: EntityType
    name: str
    confidence: float = 0.8


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing said to be so."""

    who: Who
    slot: Slot
    value: str
    span: Span
    certainty: Certainty = Certainty.SAID
    since: date | None = None
    until: date | None = None
    confidence: float = 0.8
    detail: str = ""
    """The clause that says it, as it stands, for what the value alone does not tell."""


@dataclass(frozen=True, slots=True)
class Taste:
    """A like or dislike of the speaker. `ended`: it no longer holds. `replaces`: an opposite one ends."""

    polarity: Polarity
    subject: str
    domain: Domain
    span: Span
    certainty: Certainty = Certainty.SAID
    ended: bool = False
    replaces: bool = False
    confidence: float = 0.8


@dataclass(frozen=True, slots=True)
class Correction:
    """Not `old` but `new`; `about` names the slot or thing where that is said. An empty side is not said."""

    old: str
    new: str
    span: Span
    about: str = ""


@dataclass(frozen=True, slots=True)
class Forget:
    """What shall be forgotten: a taste, a slot, or what the words find; no subject: what was just said."""

    subject: str
    span: Span
    slot: Slot | None = None
    polarity: Polarity | None = None
    words: str = ""
    """What names it as it was said, where the slot says it all too."""
    itself: bool = False
    """What was told before it in the same message."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked. `search_text` is the message without its question scaffolding."""

    about: Literal["me", "past", "world", "ghost"]
    search_text: str
    who: Who = field(default_factory=Who)
    slot: Slot | None = None
    polarity: Polarity | None = None
    domain: Domain | None = None
    period: Period | None = None
    before: bool = False
    """Asks for what held earlier: 前はどこに住んでた？"""
    subject: str = ""
    """The thing asked about, where it is not a slot: 猫の名前 → 猫."""
    yes_no: bool = False
    happened: bool = False
    """Asks for something that took place: 妹とどこに行った？"""


@dataclass(frozen=True, slots=True)
class Reminder:
    """Something to be reminded of. `at` is missing where the time was not said or is not clear."""

    content: str
    span: Span
    at: datetime | None = None
    repeat: Literal["once", "daily", "weekly"] = "once"
    time_of_day: str | None = None
    weekdays: tuple[Literal["sun", "mon", "tue", "wed", "thu", "fri", "sat"], ...] = ()


@dataclass(frozen=True, slots=True)
class Feeling:
    vad: Vad = field(default_factory=Vad)
    labels: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    confidence: float = 0.0
    valence: Literal["pos", "neg", "neu"] = "neu"


@dataclass(frozen=True, slots=True)
class Distress:
    """A wish to die, self-harm, or danger; `kind` says which."""

    kind: Literal["suicide", "self_harm", "danger", "despair"]
    cue: str
    span: Span
    sure: bool = True
    """False for what may be a hint: it is asked about gently, and nobody is sent to a help line for it."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence with what it does; the first act is the main one."""

    span: Span
    text: str
    acts: tuple[Act, ...] = (Act.TELL,)


class Tone(StrEnum):
    """What a message wants to be met with."""

    PLAIN = "plain"
    LOSS = "loss"
    ILLNESS = "illness"
    WORRY = "worry"
    FAILURE = "failure"
    CONFLICT = "conflict"
    HURT = "hurt"
    TIRED = "tired"
    JOY = "joy"
    PRIDE = "pride"
    WARM = "warm"


HEAVY = frozenset({Tone.LOSS, Tone.ILLNESS, Tone.WORRY, Tone.FAILURE, Tone.CONFLICT, Tone.HURT, Tone.TIRED})
"""What weighs on somebody."""
GLAD = frozenset({Tone.JOY, Tone.PRIDE, Tone.WARM})


class _MadeLater:
    """Members that are made when somebody first looks at them; to whoever looks they were always there."""

    __slots__ = ("_make",)

    @classmethod
    def made_later(cls, make: Callable[[str], Mapping[str, Any]], **known: Any) -> Self:
        """`make`: a missing member and any others that come with it, always the same ones."""
        found = cls.__new__(cls)
        for name, value in (("_make", make), *known.items()):
            object.__setattr__(found, name, value)
        return found

    # Types are checked without it: it would let every misspelt name pass.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name not in {one.name for one in fields(self)}:
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            for made, value in self._make(name).items():
                object.__setattr__(self, made, value)
            return object.__getattribute__(self, name)


@dataclass(frozen=True, slots=True)
class Reading(_MadeLater):
    """A message, understood. Deterministic: the same text, time and lines before give the same reading."""

    text: str
    language: Language
    now: datetime
    sentences: tuple[Sentence, ...] = ()
    claims: tuple[Claim, ...] = ()
    tastes: tuple[Taste, ...] = ()
    corrections: tuple[Correction, ...] = ()
    forgets: tuple[Forget, ...] = ()
    reminders: tuple[Reminder, ...] = ()
    question: Question | None = None
    times: tuple[Period, ...] = ()
    names: tuple[Name, ...] = ()
    feeling: Feeling = field(default_factory=Feeling)
    tone: Tone = Tone.PLAIN
    distress: Distress | None = None

    @property
    def acts(self) -> frozenset[Act]:
        return frozenset(act for sentence in self.sentences for act in sentence.acts)

    @property
    def asks(self) -> bool:
        return self.question is not None

    @property
    def search_text(self) -> str:
        """What to search memory with: without 覚えてる？ and `do you remember`."""
        return self.question.search_text if self.question and self.question.search_text else self.text
