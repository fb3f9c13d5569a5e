"""What each sentence does, and the question, correction, reminder or wish to forget that it makes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from cocoro_ghost.language.fold import fold
from cocoro_ghost.language.morphology import content_words
from cocoro_ghost.language.read.clause import Phrase
from cocoro_ghost.language.read.corrections import corrections_of
from cocoro_ghost.language.read.cues import cue, plain, stripped
from cocoro_ghost.language.read.engine import Line
from cocoro_ghost.language.read.kinds import Context, is_self, who_of
from cocoro_ghost.language.read.tables import either, entries, phrases, table
from cocoro_ghost.language.times import resolve_when
from cocoro_ghost.model.preference import Domain, Polarity
from cocoro_ghost.model.reading import (
    Act,
    Correction,
    Forget,
    Period,
    Question,
    Reminder,
    Slot,
    Who,
)
from cocoro_ghost.model.scene import Language

_NAME_WORDS = 2
About = Literal["me", "past", "world", "ghost"]
_TALK = (
    (Act.LYRICS, "lyrics"),
    (Act.CODE, "code"),
    (Act.INSULT, "insult"),
    (Act.JOKE, "joke"),
    (Act.HYPOTHETICAL, "hypothetical"),
)
_SHORT = (
    (Act.FAREWELL, "farewell"),
    (Act.GREET, "greet"),
    (Act.THANK, "thank"),
    (Act.AGREE, "agree"),
    (Act.BACKCHANNEL, "backchannel"),
)
_CLOCK = {
    "ja": re.compile(
        r"(?:午前|午後|朝|夜|夕方|昼)?の?[0-9０-９]{1,2}(?:時半?|[:：][0-9]{2})(?:[0-9]{1,2}分)?に?"
    ),
    "en": re.compile(
        r"\b(?:at|around|by) [0-9]{1,2}(?::[0-9]{2})?(?: ?[ap]\.?m\.?)?\b"
        r"|\b(?:in the |this )?(?:morning|afternoon|evening|night)\s*$",
        re.IGNORECASE,
    ),
}
"""A time of day in a reminder; it is kept as its time, not in its words."""
_LOOSE = {"ja": (" まで",), "en": (" on", " at", " by", " in", " for", " the", " this", " every")}
"""What is left of a time once it is taken out of a reminder."""
_SHORT_LENGTH = {"ja": 16, "en": 40}


@dataclass(frozen=True, slots=True)
class Done:
    """What a sentence does and what it asks for."""

    acts: tuple[Act, ...]
    question: Question | None = None
    corrections: tuple[Correction, ...] = ()
    forget: Forget | None = None
    reminder: Reminder | None = None


def act_of(line: Line, context: Context, now: datetime) -> Done:
    """Reads one sentence; the first act is the main one."""
    code, text = context.code, line.text
    if (forget := _forget(line, context)) is not None:
        return Done((Act.FORGET,), forget=forget)
    if (reminder := _reminder(line, context, now)) is not None:
        return Done((Act.REMIND,), reminder=reminder)
    asks = asks_something(line, context)
    if not asks and cue(text, code, "deny"):
        return Done((Act.DENY,))
    corrections = () if asks and not cue(text, code, "asks_to_move") else corrections_of(line, context)
    if corrections:
        return Done((Act.CORRECT, Act.TELL), corrections=corrections)
    playing = next((act for act, section in _TALK if cue(text, code, section)), None)
    if playing is not None:
        return Done((playing,))
    if asks:
        question = question_of(line, context)
        return Done((_ASKS[question.about],), question=question)
    return Done(_told(line, context))


_ASKS = {"me": Act.ASK_ME, "past": Act.ASK_PAST, "ghost": Act.ASK_GHOST, "world": Act.ASK_WORLD}


def _told(line: Line, context: Context) -> tuple[Act, ...]:
    """Greetings and the like where the sentence is short, a wish, a request, else a telling."""
    code, text = context.code, line.text
    if len(text) <= _SHORT_LENGTH[code]:
        for act, section in _SHORT:
            if cue(text, code, section):
                return (act,)
    if _wants_done(line, context):
        return (Act.REQUEST,)
    if any(c.has("quoted") for c in line.clauses):
        return (Act.QUOTE, Act.TELL)
    wanted = cue(text, code, "wish") and not cue(text, code, "not_wish")
    wishes = wanted or any(c.has("want") for c in line.clauses[-1:])
    return (Act.WISH,) if wishes else (Act.TELL,)


def asks_something(line: Line, context: Context) -> bool:
    if cue(f"{line.text}?", context.code, "asks_leave"):
        return False
    if line.asks and not any(c.has("request") and not c.has("question") for c in line.clauses[-1:]):
        return True
    return line.asks or bool(cue(line.text, context.code, "asks_without_mark"))


def _wants_done(line: Line, context: Context) -> bool:
    code = context.code
    wants = any(c.has("request", "bare") for c in line.clauses)
    return wants and bool(cue(line.text, code, "request")) and bool(cue(line.text, code, "request_objects"))


def question_of(line: Line, context: Context) -> Question:
    """Who and what is asked about; what no cue names is a question about the world."""
    code, text = context.code, line.text
    asked = f"{text}?"
    who = _asked_about(line, context)
    period = next(
        (p for p in context.times if line.span[0] <= p.span[0] < line.span[1] and not p.recurring), None
    )
    slot = _slot(asked, code, who) or _plan_asked(line, context, who, period)
    over = period is not None and (period.last_day or context.today) < context.today
    whole = bool(cue(asked, code, "about_me_all"))
    polarity, domain = _polarity(asked, code, slot)
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
        (slot is None or over)
        and bool(cue(asked, code, "happened"))
        and bool(cue(asked, code, "asking_words")),
    )


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
    past = _past(line, asked, code)
    if who.kind in {"person", "pet"} and (slot is not None or memory or past):
        return "me" if slot is not None else "past"
    # Where nobody is named, who asks what was or what is remembered asks about their own life.
    if mine or memory or past:
        return "me" if slot is not None else "past"
    return "ghost" if slot is Slot.TASTE else "me" if slot is Slot.PLAN else "world"


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
    if any(clause.has("past") for clause in line.clauses):
        return None
    if who.kind == "person" and cue(text, code, "asks_when"):
        return Slot.PLAN
    named = period is not None and (period.last_day or context.today) >= context.today
    if not (named or cue(text, code, "ahead")) or not cue(text, code, "stands_in_plan"):
        return None
    rest = text.replace(period.text, " ") if period is not None else text
    for section in ("ahead", "stands_in_plan", "scaffold"):
        rest = stripped(rest, code, section)
    general = either(f"{code}/acts", "general_things", "asking_words")
    words = (word.casefold() for word in content_words(rest, context.language))
    return None if any(word not in general for word in words) else Slot.PLAN


def _past(line: Line, asked: str, code: str) -> bool:
    told = any(c.has("past") for c in line.clauses[-1:])
    return told and bool(cue(asked, code, "past_cues"))


def _slot(text: str, code: str, who: Who) -> Slot | None:
    names = table(f"{code}/acts")["slots"]
    for name in names:
        if cue(text, code, f"slots.{name}"):
            if name == "pet" and who.kind == "pet" and cue(text, code, "slots.name"):
                return Slot.NAME
            return Slot(name)
    return None


def _polarity(text: str, code: str, slot: Slot | None) -> tuple[Polarity | None, Domain | None]:
    if slot is not Slot.TASTE:
        return None, None
    kind = Polarity.DISLIKE if cue(text, code, "polarity.dislike") else Polarity.LIKE
    return kind, Domain.FOOD if cue(text, code, "domain.food") else None


def _asked_about(line: Line, context: Context) -> Who:
    for clause in line.clauses:
        nouns = (*clause.phrases, *((clause.noun,) if clause.noun else ()))
        for phrase in nouns:
            for part in (phrase, *_owners(phrase)):
                found = who_of(part, context)
                if found is not None and found.kind in {"person", "pet"}:
                    return found
            if context.japanese and phrase.head == "名前" and phrase.owner and not _own_name(phrase, context):
                # 結婚相手の名前 is somebody's, whoever it is.
                return Who("other", "", phrase.owner.rsplit("の", 1)[-1])
    return _told_of(line, context)


def _told_of(line: Line, context: Context) -> Who:
    """Who was told of before and stands anywhere in the question."""
    text = fold(line.text)
    for name, being in context.beings.items():
        at = text.find(name)
        inside = not context.japanese and bool(re.search(rf"\w{re.escape(name)}|{re.escape(name)}\w", text))
        if at >= 0 and len(name) > 1 and not inside:
            return being
    return Who()


def _own_name(phrase: Phrase, context: Context) -> bool:
    return phrase.owner in entries(f"{context.code}/words", "self")


def _owners(phrase: Phrase) -> tuple[Phrase, ...]:
    """猫の名前 asks about the cat, my sister's job about the sister."""
    if "の" in phrase.text:
        owner = phrase.text.rsplit("の", 1)[0]
        last = owner.rsplit("の", 1)[-1]
        # 新しい後輩の名前 asks about the 後輩.
        return (Phrase(owner, (content_words(last, Language.JA) or [last])[-1], "", phrase.span),)
    if "'s " in phrase.text:
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


def _forget(line: Line, context: Context) -> Forget | None:
    code, text = context.code, line.text
    if not cue(text, code, "forget") or cue(text, code, "not_forget"):
        return None
    if context.japanese and not _meant_to_forget(line, context):
        return None
    return forget_in(line, context)


def forget_in(line: Line, context: Context) -> Forget:
    """What a sentence that asks to forget wants forgotten."""
    code, text = context.code, line.text
    words = text
    for section in ("forget", "forget_strip"):
        words = _without(words, code, section)
    slot = _slot(text, code, _asked_about(line, context))
    polarity, _ = _polarity(text, code, slot)
    if slot is Slot.TASTE:
        words = _without_taste(words, code)
    subject = words.strip(" 、,。.がはをもの")
    if subject in entries(f"{code}/acts", "nothing_named") or _only_slot(subject, slot, context):
        subject = ""
    return Forget(subject, line.span, slot, polarity)


def _only_slot(subject: str, slot: Slot | None, context: Context) -> bool:
    """`where I live`, 仕事のこと: the words name what is kept there and nothing of it."""
    if slot is None or slot is Slot.TASTE:
        return False
    cues = str(table(f"{context.code}/acts")["slots"][slot.value]).replace("my ", "")
    known = {part.strip() for part in re.split(r"[,+]", cues)}
    known |= entries(f"{context.code}/acts", "general_things")
    named = content_words(subject, context.language)
    return not named or all(any(word in part or part in word for part in known if part) for word in named)


def _without(text: str, code: str, section: str) -> str:
    return stripped(text, code, section)


def _without_taste(text: str, code: str) -> str:
    for key in ("polarity.like", "polarity.dislike"):
        _, name = key.split(".")
        for word in sorted(
            (w.strip() for w in str(table(f"{code}/acts")["polarity"][name]).split(",")),
            key=len,
            reverse=True,
        ):
            text = (
                text.replace(word, " ")
                if code == "ja"
                else re.sub(rf"\b{re.escape(word)}\b", " ", text, flags=re.I)
            )
    for filler in phrases(f"{code}/acts", "taste_fillers"):
        text = (
            text.replace(filler, " ")
            if code == "ja"
            else re.sub(rf"\b{re.escape(filler)}\b", " ", text, flags=re.I)
        )
    return " ".join(text.split())


def _meant_to_forget(line: Line, context: Context) -> bool:
    """今の話は忘れて is meant for the ghost; 財布を忘れて、戻った is not."""
    said = plain(line.text)
    about = any(word in said for word in phrases("ja/acts", "forget_about"))
    named = _slot(said, "ja", Who()) is not None
    return said.endswith(phrases("ja/acts", "forget_ends")) and (about or named)


def _reminder(line: Line, context: Context, now: datetime) -> Reminder | None:
    code, text = context.code, line.text
    if not cue(text, code, "remind"):
        return None
    when = resolve_when(text, now, context.language)
    if (
        context.japanese
        and when.repeat_kind is None
        and not cue(text, code, "remind").startswith(
            ("リマインド", "思い出させ", "起こして", "アラーム", "通知")
        )
    ):
        return None
    if not context.japanese and line.asks and cue(text, code, "asking_words"):
        return None
    words = text
    for period in sorted(context.times, key=lambda p: -p.span[0]):
        if line.span[0] <= period.span[0] < line.span[1]:
            first, last = period.span[0] - line.span[0], period.span[1] - line.span[0]
            words = words[:first] + words[last:]
    words = _waking(_CLOCK[code].sub(" ", words), code)
    content = _without(words, code, "remind_strip").strip(" 、,。.にはのをでと")
    while content.endswith(_LOOSE[code]):
        content = content.rpartition(" ")[0].rstrip()
    return Reminder(
        content or text,
        line.span,
        when.scheduled.replace(tzinfo=None) if when.scheduled else None,
        when.repeat_kind or "once",
        when.time_of_day,
        when.weekdays,
    )


def _waking(text: str, code: str) -> str:
    """`Wake me at 7` reminds of waking up."""
    asked, meant = table(f"{code}/acts")["waking"]["asked"], table(f"{code}/acts")["waking"]["meant"]
    return re.sub("|".join(map(re.escape, asked)), meant, text, flags=re.IGNORECASE)


def main_question(found: Sequence[Done]) -> Question | None:
    """The last question of a message that is about the speaker or the past, else the last of all."""
    asked = [one.question for one in found if one.question is not None]
    own = [question for question in asked if question.about in {"me", "past"}]
    chosen = own or asked
    return chosen[-1] if chosen else None
