"""What each sentence does, and the question, correction, reminder or wish to forget that it makes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from cocoro_ghost.language.read.asked import question_of
from cocoro_ghost.language.read.corrections import corrections_of
from cocoro_ghost.language.read.cues import cue, stripped
from cocoro_ghost.language.read.engine import Line
from cocoro_ghost.language.read.forget_words import wish_of
from cocoro_ghost.language.read.kinds import Context, is_you
from cocoro_ghost.language.read.sentence_spans import begins_in
from cocoro_ghost.language.read.tables import table
from cocoro_ghost.language.times import resolve_when
from cocoro_ghost.model.reading import (
    Act,
    Correction,
    Forget,
    Question,
    Reminder,
    Who,
)

_TALK = (
    (Act.LYRICS, "lyrics"),
    (Act.CODE, "code"),
    (Act.INSULT, "insult"),
    (Act.JOKE, "joke"),
    (Act.HYPOTHETICAL, "hypothetical"),
    (Act.HYPOTHETICAL, "fiction"),
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
        r"|\b(?:at )?(?:half past|quarter past|quarter to) \w+"
        r"|\b(?:in the |this )?(?:morning|afternoon|evening|night)\s*$",
        re.IGNORECASE,
    ),
}
"""A time of day in a reminder; it is kept as its time, not in its words."""
_ASKS_WHAT = re.compile(
    r"(?:(?:so|and|hey|ok|okay|um|wait|remind me)[ ,]+)*(?!what'?s (?:more|up)\b)"
    r"(?:what|when|where|who|how|which)"
    r"(?:'?s|'re| is| are| am| was| were| do| does| did)\s",
    re.IGNORECASE,
)
"""when are tryouts: how a question begins, whether or not its mark is written."""
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
    if (forget := wish_of(line, context)) is not None:
        return Done((Act.FORGET,), forget=forget)
    if (reminder := _reminder(line, context, now)) is not None:
        return Done((Act.REMIND,), reminder=reminder)
    asks = asks_something(line, context)
    corrections = () if asks and not cue(text, code, "asks_to_move") else corrections_of(line, context)
    if not asks and cue(text, code, "deny") and not _says_what_is_right(corrections):
        return Done((Act.DENY,))
    if corrections:
        return Done((Act.CORRECT, Act.TELL), corrections=corrections)
    playing = next((act for act, section in _TALK if cue(text, code, section)), None)
    if playing is not None and not (playing is Act.INSULT and _of_somebody_else(line, context)):
        return Done((playing,))
    if asks:
        question = question_of(line, context)
        return Done((_ASKS[question.about],), question=question)
    return Done(_told(line, context))


def _says_what_is_right(corrections: Sequence[Correction]) -> bool:
    """24じゃなくて25日だった、勘違いしてた: who says so denies no memory."""
    return any(one.old and one.new for one in corrections)


def _of_somebody_else(line: Line, context: Context) -> bool:
    """店長うざい: said of another, not to who listens."""
    held = [p for c in line.clauses for p in c.phrases if p.role in {"が", "は", "も", "", "って", "、"}]
    return context.japanese and any(not is_you(p, context) and not context.is_time(p) for p in held)


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
    if cue(line.text, context.code, "asks_leave"):
        return False
    if context.japanese and cue(line.text, "ja", "tells_amazed"):
        return False
    if line.asks and not any(c.has("request") and not c.has("question") for c in line.clauses[-1:]):
        return True
    unmarked = _asks_unmarked(line, context)
    return line.asks or unmarked or bool(cue(line.text, context.code, "asks_without_mark"))


def _asks_unmarked(line: Line, context: Context) -> bool:
    """when are tryouts, 4月って何があったかな: a question word, and an end or a beginning that asks."""
    if not context.japanese:
        return _ASKS_WHAT.match(line.text.replace("’", "'")) is not None
    if not line.clauses or line.clauses[-1].has("volition", "want", "cond"):
        return False
    asks = cue(line.text, "ja", "asks_end")
    return bool(asks and cue(stripped(line.text, "ja", "indefinite"), "ja", "asking_words"))


def _wants_done(line: Line, context: Context) -> bool:
    code = context.code
    wants = any(c.has("request", "bare") for c in line.clauses)
    return wants and bool(cue(line.text, code, "request")) and bool(cue(line.text, code, "request_objects"))


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
    if not context.japanese and (
        cue(text, code, "not_remind") or (line.asks and cue(text, code, "asking_words"))
    ):
        return None
    words = text
    for period in sorted(context.times, key=lambda p: -p.span[0]):
        if begins_in(period.span, line.span):
            first, last = period.span[0] - line.span[0], period.span[1] - line.span[0]
            words = words[:first] + words[last:]
    words = _waking(_CLOCK[code].sub(" ", words), code)
    return Reminder(
        _what_to_tell(words, code) or text,
        line.span,
        when.scheduled.replace(tzinfo=None) if when.scheduled else None,
        when.repeat_kind or "once",
        when.time_of_day,
        when.weekdays,
    )


def _what_to_tell(words: str, code: str) -> str:
    """What to remind of: without the asking, and without what is left of its time."""
    content = stripped(words, code, "remind_strip").strip(" 、,。.にはのをでと")
    while content.endswith(_LOOSE[code]):
        content = content.rpartition(" ")[0].rstrip()
    while code == "en" and content.startswith(("on ", "at ", "by ", "to ", "that ")):
        content = content.partition(" ")[2].lstrip()
    return content


def _waking(text: str, code: str) -> str:
    """`Wake me at 7` reminds of waking up."""
    asked, meant = table(f"{code}/acts")["waking"]["asked"], table(f"{code}/acts")["waking"]["meant"]
    return re.sub("|".join(map(re.escape, asked)), meant, text, flags=re.IGNORECASE)


def main_question(found: Sequence[Done]) -> Question | None:
    """The last question of a message that is about the speaker or the past, else the last of all."""
    asked = [one.question for one in found if one.question is not None]
    own = [question for question in asked if question.about in {"me", "past"}]
    # 息子の仕事は何でしたか。お話ししましたか: the second asks nothing more.
    own = [question for question in own if question.slot is not None or question.who != Who()] or own
    chosen = own or asked
    return chosen[-1] if chosen else None
