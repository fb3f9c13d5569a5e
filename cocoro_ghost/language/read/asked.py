"""The question a sentence asks: whose life it is about, which slot, which time."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, datetime, time
from typing import Literal

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.morphology import content_words
from cocoro_ghost.language.read.clause import Phrase
from cocoro_ghost.language.read.cues import cue, stripped
from cocoro_ghost.language.read.engine import Line, lines_of
from cocoro_ghost.language.read.kinds import Context, is_self, who_of
from cocoro_ghost.language.read.sentence_spans import begins_in
from cocoro_ghost.language.read.tables import entries, phrases, table
from cocoro_ghost.language.times import find_times
from cocoro_ghost.model.preference import Domain, Polarity
from cocoro_ghost.model.reading import Period, Question, Slot, Who
from cocoro_ghost.model.scene import Language

_WRAPPED = re.compile(
    r"(?:(?:so|hey|ok|okay|wait|and|omg|um|i wonder)[ ,]+)*"
    r"(?:(?:could|can|would|will) you (?:please |kindly )?(?:tell|remind) me"
    r"|do you (?:happen to )?(?:know|remember|recall)"
    r"|(?:have|did) i (?:ever )?(?:told|tell|mention|mentioned|say|said)(?: to)?(?: you)?)"
    r"(?: (?:what|where|when|who|how old|which)(?= (?:my|our|the|[A-Z])))? ",
    re.IGNORECASE,
)
_NAME_WORDS = 2
_NAMED = 0.5
"""How sure a time must be to be asked about."""
_FAR_AHEAD = 183
"""Days: half a year, so that of two years the nearer is meant."""
_NAME_OF = re.compile(r"([^\s、。はがもにでとのっ]+)の(?:[上下]の)?(?:お?名前|なまえ)")
_SEASON = {
    "ja": re.compile(
        r"(?<![一-龥])(?:春|夏|秋|冬|お正月|正月|お盆|年末年始|(?:19|20)\d\d)(?=[はっのにど、])"
    ),
    "en": re.compile(r"\b(?:spring|summer|autumn|fall|winter|christmas|(?:19|20)\d\d)\b", re.IGNORECASE),
}
"""A time that says which one only by when it is asked."""
About = Literal["me", "past", "world", "ghost"]
_UNOWNED: dict[Slot, About] = {Slot.TASTE: "ghost", Slot.PLAN: "me", Slot.HABIT: "me"}
"""Whose life a slot is of where nobody is named: 何が好き asks the ghost, 来週の予定は the speaker."""


def question_of(line: Line, context: Context) -> Question:
    """Who and what is asked about; what no cue names is a question about the world."""
    code, text = context.code, line.text
    asked = f"{text}?"
    who = asked_about(_unwrapped(line, context), context)
    habit = _habit_asked(line, context, asked)
    period = None if habit else _period_in(line, context) or whole_period(line, context)
    slot = Slot.HABIT if habit else slot_of(asked, code, who) or _plan_asked(line, context, who, period)
    if slot is Slot.NAME and who == Who() and code == "en" and not cue(asked, code, "own_name"):
        slot = None  # what's my bakery called, the band name: a name, and not the speaker's
    whole = bool(cue(asked, code, "about_me_all"))
    polarity, domain = polarity_of(asked, code, slot)
    return Question(
        _about_what(line, context, asked, slot, who),
        "" if whole else stripped(text, code, "scaffold"),
        who,
        slot,
        polarity,
        domain,
        period,
        bool(cue(asked.replace("名前", ""), code, "before_cues")),
        _subject(line, context, who),
        bool(cue(asked, code, "yes_no")) and not cue(asked, code, "asking_words"),
        (slot is None or _is_over(period, context)) and _asks_what_happened(asked, code),
    )


def _unwrapped(line: Line, context: Context) -> Line:
    """Could you tell me what my dog is called: whom it asks about stands in what is wrapped."""
    found = None if context.japanese else _WRAPPED.match(line.text.replace("’", "'"))
    inner = line.text[found.end() :] if found is not None else ""
    return next(iter(lines_of(inner, context.language)), line) if inner else line


def _is_over(period: Period | None, context: Context) -> bool:
    return period is not None and (period.last_day or context.today) < context.today


def _asks_what_happened(asked: str, code: str) -> bool:
    return bool(cue(asked, code, "happened")) and bool(cue(asked, code, "asking_words"))


def _about_what(line: Line, context: Context, asked: str, slot: Slot | None, who: Who) -> About:
    """Whose life a question is about; advice and verdicts are asked of a mind, not of memory."""
    code = context.code
    if cue(asked, code, "about_me_all"):
        return "me"
    if _asks_who(line, context):
        return "past"
    if cue(asked, code, "advice"):
        return "world"
    memory, mine = bool(cue(asked, code, "ask_memory")), bool(cue(asked, code, "self_cues"))
    if cue(asked, code, "you_cues") and not memory and not mine:
        return "ghost"
    # Where nobody is named, who asks what was or what is remembered asks about their own life.
    if mine or memory or _of_a_life(line, context, asked, slot, who):
        return "me" if slot is not None else "past"
    # 今どこで働いていますか: what only the person can have told is asked of memory.
    return _UNOWNED.get(slot, "me" if context.japanese else "world") if slot is not None else "world"


def _of_a_life(line: Line, context: Context, asked: str, slot: Slot | None, who: Who) -> bool:
    """夫は今どこ, 前の役職は, 春はどうだった: somebody near, what was before, a time gone by."""
    if who.kind == "person" or (who.kind == "pet" and slot is not None):
        return True
    before = cue(asked.replace("名前", ""), context.code, "before_cues")
    return bool(before) or _past(line, asked, context.code) or _asks_of_a_time(line, context, asked)


def _asks_who(line: Line, context: Context) -> bool:
    """Who is Sakura?, さくらって誰: somebody by name alone is somebody the person would have told of."""
    if context.japanese:
        return bool(cue(line.text, "ja", "asks_who"))
    rest = stripped(line.text, "en", "asks_who").split()
    named = 0 < len(rest) <= _NAME_WORDS and rest[0].lower() not in entries("en/words", "determiners")
    return bool(cue(line.text, "en", "asks_who")) and named and len(rest) < len(line.text.split())


def _plan_asked(line: Line, context: Context, who: Who, period: Period | None) -> Slot | None:
    """来月なにがある, what's happening next week: a time ahead and nothing named asks for plans; so does when
    somebody will do something."""
    code, text = context.code, line.text
    # いつ来るんでしたかな recalls; it does not ask what was.
    if any(clause.has("past") for clause in line.clauses) and not cue(text, code, "recollects"):
        return None
    if who.kind == "person" and cue(text, code, "asks_when"):
        return Slot.PLAN
    named = period is not None and not _is_over(period, context)
    if not (named or cue(text, code, "ahead")) or not cue(text, code, "stands_in_plan"):
        return None
    rest = text.replace(period.text, " ") if period is not None else text
    return Slot.PLAN if _names_nothing(rest, context) else None


def _names_nothing(rest: str, context: Context) -> bool:
    """True where beside the asking itself only `anything`, なにか and their like are left."""
    code = context.code
    for section in ("ahead", "stands_in_plan", "scaffold"):
        rest = stripped(rest, code, section)
    general = entries(f"{code}/acts", "general_things") | entries(f"{code}/acts", "asking_words")
    return all(word.casefold() in general for word in content_words(rest, context.language))


def _period_in(line: Line, context: Context) -> Period | None:
    first, last = line.span
    here = (p for p in context.times if first <= p.span[0] < last and not p.recurring)
    # 夫は今どこ asks of no time but this one, 息子の大学 of none at all.
    found = next((p for p in here if p.granularity != "time" and p.confidence >= _NAMED), None)
    # Early April, asked of in May for how it was, is not the next one.
    gone = found is not None and (found.bare or cue(line.text, context.code, "asks_how_it_was"))
    return _the_last(found, context) if found is not None and gone else found


def _the_last(period: Period, context: Context) -> Period:
    """10月の出来事を教えて in November: who asks of a month or a day far ahead means the one gone by."""
    first, last = period.start, period.end
    if first is None or last is None or (first - context.today).days <= _FAR_AHEAD:
        return period
    return replace(period, start=_a_year_before(first), end=_a_year_before(last))


def _a_year_before(day: date) -> date:
    leap = (day.month, day.day) == (2, 29)
    return day.replace(year=day.year - 1, day=28 if leap else day.day)


def _asks_of_a_time(line: Line, context: Context, asked: str) -> bool:
    """2025年はどうだった？: how a time was is asked of who remembers it."""
    found = _period_in(line, context) if cue(asked, context.code, "asks_how_it_was") else None
    long = found is not None and found.granularity != "day"
    past = long and found is not None and (found.first_day or context.today) < context.today
    return past or whole_period(line, context) is not None


def whole_period(line: Line, context: Context) -> Period | None:
    """春はどうだった？, how was 2025?: a season or a year alone is the last one that has begun."""
    code = context.code
    found = _SEASON[code].search(line.text) if cue(f"{line.text}?", code, "asks_how_it_was") else None
    if found is None:
        return None
    now = datetime.combine(context.today, time(12))
    for form in phrases(f"{code}/acts", "in_years"):
        named = find_times(form.format(found[0]), now, context.language)
        begun = (m for m in named if (m.start or date(m.year_start or 1, 1, 1)) <= context.today)
        if (meant := next(begun, None)) is not None:
            at = line.span[0]
            return Period(
                (at + found.start(), at + found.end()),
                found[0],
                meant.start,
                meant.end,
                meant.year_start,
                meant.year_end,
                granularity=meant.granularity,
            )
    return None


def _habit_asked(line: Line, context: Context, asked: str) -> bool:
    """水曜は何してる, how often do I swim: what is done again and again, on a day that is not one day."""
    code = context.code
    if any(clause.has("past") for clause in line.clauses) and not cue(line.text, code, "recollects"):
        return False
    if cue(asked, code, "asks_often"):
        return True
    again = any(p.recurring and begins_in(p.span, line.span) for p in context.times)
    return bool(cue(asked, code, "asks_habit")) and (again or bool(cue(asked, code, "weekdays")))


def _past(line: Line, asked: str, code: str) -> bool:
    told = any(c.has("past") for c in line.clauses[-1:])
    return told and bool(cue(asked, code, "past_cues"))


def slot_of(text: str, code: str, who: Who) -> Slot | None:
    names = table(f"{code}/acts")["slots"]
    for name in names:
        if cue(text, code, f"slots.{name}"):
            if name == "pet" and who.kind == "pet" and cue(text, code, "slots.name"):
                return Slot.NAME
            return Slot(name)
    return None


def polarity_of(text: str, code: str, slot: Slot | None) -> tuple[Polarity | None, Domain | None]:
    if slot is not Slot.TASTE:
        return None, None
    kind = Polarity.DISLIKE if cue(text, code, "polarity.dislike") else Polarity.LIKE
    return kind, Domain.FOOD if cue(text, code, "domain.food") else None


def asked_about(line: Line, context: Context) -> Who:
    for clause in line.clauses:
        nouns = (*clause.phrases, *((clause.noun,) if clause.noun else ()))
        for phrase in nouns:
            for part in (phrase, *_owners(phrase)):
                found = who_of(part, context)
                if (
                    found is not None
                    and found.kind in {"person", "pet"}
                    and not _is_a_pronoun(found, context)
                ):
                    return _without_owner(found, part)
            if context.japanese and phrase.head == "名前" and phrase.owner and not _own_name(phrase, context):
                # 結婚相手の名前 is somebody's, whoever it is.
                return Who("other", "", phrase.owner.rsplit("の", 1)[-1])
    return _told_of(line, context) or _owner_of_name(line, context)


def _is_a_pronoun(who: Who, context: Context) -> bool:
    words = () if context.japanese else (*entries("en/words", "he_she"), *entries("en/words", "his_her"))
    return not who.name and who.role in words


def _without_owner(who: Who, phrase: Phrase) -> Who:
    """Imran's girlfriend is another than Imran."""
    owned = who.name and f"{who.name}'s " in phrase.text.replace("’", "'")
    return Who(who.kind, "", who.role) if owned and who.role else who


def _owner_of_name(line: Line, context: Context) -> Who:
    """長男の名前なんだったかの: whose it is, however the question ends."""
    found = _NAME_OF.search(line.text) if context.japanese else None
    if found is None or found[1] in entries("ja/words", "self"):
        return Who()
    return who_of(Phrase(found[1], found[1], "", line.span), context) or Who("other", "", found[1])


def _told_of(line: Line, context: Context) -> Who | None:
    """Who was told of before and stands anywhere in the question."""
    text = fold(line.text)
    for name, being in context.beings.items():
        at = text.find(name)
        inside = not context.japanese and bool(
            re.search(rf"\w{re.escape(name)}|{re.escape(name)}(?!'?s\b)\w", text)
        )
        if at >= 0 and len(name) > 1 and not inside:
            return being
    return None


def _own_name(phrase: Phrase, context: Context) -> bool:
    return phrase.owner in entries(f"{context.code}/words", "self")


def _owners(phrase: Phrase) -> tuple[Phrase, ...]:
    """猫の名前 asks about the cat, my sister's job about the sister."""
    if "の" in phrase.text:
        owner = phrase.text.rsplit("の", 1)[0]
        last = owner.rsplit("の", 1)[-1]
        # 新しい後輩の名前 asks about the 後輩.
        return (Phrase(owner, (content_words(last, Language.JA) or [last])[-1], "", phrase.span),)
    if "'s " in phrase.text.lstrip("'"):
        owner = phrase.text.split("'s ")[0]
        return (Phrase(owner, owner.split()[-1].lower(), "", phrase.span, owner="my"),)
    return ()


def _subject(line: Line, context: Context, who: Who) -> str:
    """The thing asked about: the first phrase that is neither the speaker, a time nor a question word."""
    for clause in line.clauses:
        for phrase in clause.phrases:
            bare = phrase.text.lower()
            if is_self(phrase, context) or context.is_time(phrase) or cue(bare, context.code, "asking_words"):
                continue
            if who_of(phrase, context) is None and len(bare) > 1:
                return phrase.text
    return who.name or who.role


def kinds_asked(question: str, language: Language) -> frozenset[str]:
    """Which kinds of answer a question asks for: a day, a place, somebody, how many …"""
    code, asked = language.value, f"{question}?"
    return frozenset(kind for kind in table(f"{code}/acts")["asked"] if cue(asked, code, f"asked.{kind}"))
