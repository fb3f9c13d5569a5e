"""The one public reader of messages."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from cocoro_ghost.language.bounded import readable
from cocoro_ghost.language.distress import SHORT, find_distress
from cocoro_ghost.language.encoder import meanings
from cocoro_ghost.language.feelings import feel
from cocoro_ghost.language.fold import guess_language, strip_decorations
from cocoro_ghost.language.heads import MOST
from cocoro_ghost.language.morphology import WINDOW
from cocoro_ghost.language.names import find_names
from cocoro_ghost.language.names.lower_case import with_capitals
from cocoro_ghost.language.read.acts import Done, act_of, main_question
from cocoro_ghost.language.read.answered import in_full
from cocoro_ghost.language.read.carried import with_what_became, with_what_follows
from cocoro_ghost.language.read.denied import denied_words, set_apart
from cocoro_ghost.language.read.engine import Line, gather, lines_of, topic_asked
from cocoro_ghost.language.read.everyday_words import in_everyday_words
from cocoro_ghost.language.read.kinds import Context, by_name, who_of
from cocoro_ghost.language.read.naming import with_named
from cocoro_ghost.language.read.noted import notes_of, with_whole_sentences
from cocoro_ghost.language.read.plausible import keep_plausible
from cocoro_ghost.language.read.settle import settle
from cocoro_ghost.language.read.tables import entries
from cocoro_ghost.language.read.whole_message import as_a_whole
from cocoro_ghost.language.spelled_out import spelled_out
from cocoro_ghost.language.times import find_times
from cocoro_ghost.language.tones import tone_of
from cocoro_ghost.model.reading import Act, Forget, Name, Period, Question, Reading, Sentence, Slot, Who
from cocoro_ghost.model.scene import Language

_TEACH_NOTHING = frozenset(
    {
        Act.ASK_ME,
        Act.ASK_PAST,
        Act.ASK_WORLD,
        Act.ASK_GHOST,
        Act.JOKE,
        Act.LYRICS,
        Act.CODE,
        Act.HYPOTHETICAL,
        Act.INSULT,
        Act.FORGET,
        Act.DENY,
        Act.REMIND,
    }
)

_ENDINGS = frozenset({Slot.DONE, Slot.OTHER})
_TABLE_ROW = re.compile(r"^[ \t]*\|.*\|[ \t]*$", re.MULTILINE)
"""A row of a Markdown table is data, not what somebody says."""
_FENCED = re.compile(r"```[^`]*```|`[^`\n]+`")
"""Code between its marks; what stands before and after it is said."""


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


def _without_code(text: str) -> str:
    spoken = _FENCED.sub(_blank, text)
    return spoken if spoken.strip() else text


def read(
    text: str,
    *,
    now: datetime,
    before: Sequence[str] = (),
    language: Language | None = None,
    known: Sequence[Who] = (),
    last: Who | None = None,
) -> Reading:
    """What a message says; `before`: the lines just before it, the newest last.

    `known`: who was told of, `last`: of whom the message before told.
    """
    spoken = language or guess_language(text)
    plain = _without_code(_TABLE_ROW.sub(_blank, strip_decorations(readable(text))))
    heard = with_capitals(spelled_out(plain)) if spoken is Language.EN else plain
    plain = heard if spoken is Language.EN else in_everyday_words(heard, _names_of(known))
    plain = in_full(plain, before[-1] if before else "", spoken)
    context = _context(plain, spoken, now, known, last)
    lines = _looked_at(plain, set_apart(lines_of(plain, spoken), spoken.value))
    done = settle(lines, [act_of(line, context, now) for line in lines], context)
    done = as_a_whole(_taken_back(done), heard.strip(), spoken.value)
    question = main_question(done)
    return Reading.made_later(
        _Rest(context, now, lines, done, heard, _heard(plain, lines), before[-1] if before else "").make,
        text=text,
        language=spoken,
        now=now,
        sentences=tuple(
            Sentence(line.span, line.text, one.acts) for line, one in zip(lines, done, strict=True)
        ),
        corrections=tuple(correction for one in done for correction in one.corrections),
        forgets=(
            *(one.forget for one in done if one.forget is not None),
            *_never_said(lines, done, now, spoken),
        ),
        reminders=tuple(one.reminder for one in done if one.reminder is not None),
        question=question,
        times=_with_asked(tuple(context.times), question),
        distress=find_distress(heard, spoken),
    )


@dataclass(frozen=True, slots=True)
class _Rest:
    """What a message teaches, whom it names, how it sounds: a third of the work, few replies wait for it."""

    context: Context
    now: datetime
    lines: Sequence[Line]
    done: Sequence[Done]
    heard: str
    looked_at: Sequence[str]
    before: str

    def make(self, member: str) -> Mapping[str, Any]:
        if member == "names":
            return {"names": self.context.names}
        return self._taught() if member in {"claims", "tastes"} else self._felt()

    def _taught(self) -> Mapping[str, Any]:
        # Who is named is noted down on the way: in a copy, since several threads may ask at once.
        context = self.context.copy()
        topic = topic_asked(self.before, context.language) if self.before else None
        teaching = _teaching(self.lines, self.done)
        found = gather(teaching, context, self.now.date(), topic)
        with_whole_sentences(found, teaching, context)
        with_named(found, teaching, context)
        keep_plausible(found, teaching, context)
        found.claims.extend(notes_of(teaching, found, context))
        with_what_became(found, teaching, context)
        with_what_follows(found, teaching, context)
        return {"claims": tuple(found.claims), "tastes": tuple(found.tastes)}

    def _felt(self) -> Mapping[str, Any]:
        spoken = self.context.language
        feeling = feel(self.heard, spoken)
        return {"feeling": feeling, "tone": tone_of(self.looked_at, feeling.valence, spoken)}


def told_of(text: str, *, now: datetime, language: Language, known: Sequence[Who] = ()) -> Who | None:
    """Whom a message tells of, the last one it names or brings up: who is meant by a later she."""
    claims = read(text, now=now, language=language, known=known).claims
    people = [claim.who for claim in claims if claim.who.kind in {"person", "pet"}]
    if not people:
        context = _context(text, language, now, known, None)
        spoken = (p for line in lines_of(text, language) for clause in line.clauses for p in clause.phrases)
        meant = (who_of(phrase, context) for phrase in spoken)
        people = [who for who in meant if who is not None and who.kind in {"person", "pet"}]
    same = (who for who in people if who.name and who.role == people[-1].role)
    return next(same, people[-1] if people else None)


def _names_of(known: Sequence[Who]) -> list[str]:
    return [being.name for being in known if being.name]


def _looked_at(plain: str, lines: Sequence[Line]) -> list[Line]:
    """The lines, of which heads hear those at both ends; their vectors are taken in one go."""
    half = len(lines) - MOST // 2
    marked = [replace(line, heard=at < MOST // 2 or at >= half) for at, line in enumerate(lines)]
    if said := _heard(plain, marked):
        meanings(said)
    return marked


def _heard(plain: str, lines: Sequence[Line]) -> list[str]:
    """What the heads are asked about: the sentences at both ends, and a short message as a whole."""
    whole = [plain.strip()] if len(lines) > 1 and len(plain) <= SHORT else []
    return [*(line.said for line in lines if line.heard), *whole]


def _context(plain: str, spoken: Language, now: datetime, known: Sequence[Who], last: Who | None) -> Context:
    """What every sentence of a message is read beside: its times and names, the day, who was told of."""
    begins = plain[:WINDOW]
    greets = any(cue in plain.lower() for cue in entries(f"{spoken.value}/acts", "introducing"))
    return Context(
        spoken,
        times_in(begins, now, spoken),
        partial(_names, begins, spoken),
        greets,
        now.date(),
        by_name(known),
        last or next((being for being in known if not being.name), None),
    )


def _with_asked(times: tuple[Period, ...], question: Question | None) -> tuple[Period, ...]:
    """春はどうだった？ names a time by being asked."""
    asked = question.period if question is not None else None
    return times if asked is None or asked in times else (*times, asked)


def _never_said(
    lines: Sequence[Line], done: Sequence[Done], now: datetime, language: Language
) -> list[Forget]:
    """What was learned from words that are denied is to go, whatever else the message says."""
    found: list[Forget] = []
    for line, one in zip(lines, done, strict=True):
        words = denied_words(line.text, language.value) if Act.DENY in one.acts else ""
        if words:
            said = read(words, now=now, language=language)
            found += [Forget(c.value, line.span) for c in said.claims if c.value and c.slot not in _ENDINGS]
            found += [Forget(t.subject, line.span, Slot.TASTE, t.polarity) for t in said.tastes]
    return found


def _teaching(lines: Sequence[Line], done: Sequence[Done]) -> list[Line]:
    """The sentences that may teach; of the others only what they are about carries on."""
    # What follows a line of code is its next line, whatever it looks like.
    code = next((at for at, one in enumerate(done) if Act.CODE in one.acts), len(done))
    return [
        line if at < code and _may_teach(one) else replace(line, teaches=False)
        for at, (line, one) in enumerate(zip(lines, done, strict=True))
    ]


def _taken_back(done: Sequence[Done]) -> list[Done]:
    """We argue about money. Just forget that: what was told before the wish in the same message is meant."""
    at = next((i for i, one in enumerate(done) if one.forget is not None and not one.forget.words), 0)
    told = [one for one in done[:at] if one.acts[0] in {Act.TELL, Act.QUOTE, Act.WISH}]
    wish = done[at].forget if told else None
    if wish is None or wish.slot is not None:
        return list(done)
    meant = replace(done[at], forget=replace(wish, itself=True))
    return [*(Done((Act.DENY,)) if one in told else one for one in done[:at]), meant, *done[at + 1 :]]


def _may_teach(one: Done) -> bool:
    """A value put right, and nothing beside it, teaches only what it is the value of."""
    alone = any(not fix.old and not fix.about for fix in one.corrections)
    return not alone and one.acts[0] not in _TEACH_NOTHING


def times_in(text: str, now: datetime, language: Language) -> tuple[Period, ...]:
    """The times a text names, alone: for who needs nothing else of a long one."""
    return tuple(find_times(text, now, language))


def _names(text: str, language: Language) -> tuple[Name, ...]:
    found = []
    for entity in find_names(text, language):
        at = text.find(entity.name)
        found.append(Name((at, at + len(entity.name)), entity.type, entity.name, entity.confidence))
    return tuple(found)
