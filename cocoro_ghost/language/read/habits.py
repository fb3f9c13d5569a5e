"""What one does week by week: 毎週水曜フットサル, I swim twice a week. What is done daily is no news."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cocoro_ghost.language.read.clause import Clause, hits
from cocoro_ghost.language.read.kinds import Context, named_subject, subject_of
from cocoro_ghost.language.read.sentence_spans import begins_in
from cocoro_ghost.language.read.tables import entries
from cocoro_ghost.model.reading import Claim, Period, Slot, Who

_UNREAL = (
    "question",
    "cond",
    "quoted",
    "want",
    "neg",
    "must",
    "hedge",
    "can",
    "cannot",
    "request",
    "sarcasm",
)
_COUNTED = re.compile(
    r"(?<![\d一二三四五六七八九十０-９])[週月]に?[\d一二三四五六１-７]+(?:回|日|度|で|の|は|、|$)(?!月)|隔週"
)
"""週2, 月に一度: how often, told as a number."""
_WEEKDAY = re.compile(r"曜|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day|\ba (?:week|month)\b", re.IGNORECASE)
_AS_A_RULE = re.compile(r"(?:の?(?:朝|昼|夜|晩|夕方|午前|午後|放課後))*[はともに]")
"""What stands behind a day of the week that is any: 金曜の夜は道場で."""
_SHORTEST = {"ja": 2, "en": 3}
"""Characters that tell what is done, once the time is taken out."""


def habits_of(clause: Clause, context: Context, before: Who | None) -> list[Claim]:
    """The habit of the speaker that a clause tells, if it does; what is felt or thought is none."""
    who, _ = subject_of(clause, context, before)
    if who.kind != "me" or clause.has(*_UNREAL) or clause.describes is not None:
        return []
    if named_subject(clause, context) is not None or clause.has("past", "then_past", "used"):
        return []
    rest = _without_times(clause, context)
    if rest is None or not _deed(clause, context, rest):
        return []
    told = clause.text.strip("、, 。")
    return [Claim(Who(), Slot.HABIT, told, clause.span, detail=told)]


def works(clause: Clause) -> bool:
    """What is told of work is told as work, whatever the days."""
    return bool({"働く", "勤める", "勤務", "バイト", "パート", "work"} & {*clause.words, clause.base})


def _without_times(clause: Clause, context: Context) -> str | None:
    """What the clause says beside its time; None where that is no day of the week and no number."""
    inside = [p for p in context.times if begins_in(p.span, clause.span)]
    again = [p for p in inside if p.recurring]
    weekly = any(_WEEKDAY.search(p.text) for p in again) or _on_weekdays(clause, context, inside)
    counted = _COUNTED.search(clause.text) if context.japanese else None
    if not weekly and counted is None:
        return None
    rest = clause.text.replace(counted[0], " ") if counted is not None else clause.text
    for period in again:
        rest = rest.replace(period.text, " ")
    return rest


def _on_weekdays(clause: Clause, context: Context, inside: Sequence[Period]) -> bool:
    """火曜と金曜は通っている: the days of the week, not the next ones."""
    if not (context.japanese and clause.has("prog")):
        return False
    days = (p for p in inside if "曜" in p.text and not p.recurring)
    return any(_AS_A_RULE.match(clause.text[p.span[1] - clause.span[0] :]) for p in days)


def _deed(clause: Clause, context: Context, rest: str) -> bool:
    """Something done, and what: 通ってる alone says too little."""
    code = f"{context.code}/plans"
    if clause.noun is not None and clause.words[:1] != ("be",):
        told = re.sub(r"[\W_]|(?:です|だ|は|も|で)+$", "", rest)
        unlike = {clause.noun.head, told.lower()} & entries(code, "never_planned")
        return len(told) >= _SHORTEST[context.code] and not unlike and not clause.has("become")
    # している is no being there.
    said = clause._replace(words=clause.words[:1]) if context.japanese else clause
    if not clause.base or clause.base == "be" or hits(entries(code, "never_habit"), said):
        return False
    if not context.japanese:
        return True
    things = [p for p in clause.phrases if not context.is_time(p) and _COUNTED.search(f"{p.text}、") is None]
    return bool(things) and clause.base.endswith(tuple("うくぐすつぬぶむる"))
