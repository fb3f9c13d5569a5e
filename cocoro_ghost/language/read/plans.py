"""What lies ahead and what is over: plans with their day, things done, things ended."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from cocoro_ghost.language.read.clause import Clause, Phrase, hits
from cocoro_ghost.language.read.gone_by import how_long
from cocoro_ghost.language.read.kinds import Context, named_subject, subject_of
from cocoro_ghost.language.read.sentence_spans import begins_in
from cocoro_ghost.language.read.tables import either, entries, phrases
from cocoro_ghost.model.event import EntityType
from cocoro_ghost.model.reading import Certainty, Claim, Period, Slot, Who

_FEW = 6
_AGAIN = re.compile(r"s?\s*(?:mornings|afternoons|evenings|nights)\b", re.IGNORECASE)
"""Tuesday evenings are every week's."""
_OF_THE_DAY = re.compile(r"^(?:から|まで(?:に)?|頃|ごろ|以降|より|[のにはでもが、 ])+")
"""What binds a day to its clause goes with the day: 夏休みは8月3日から合宿."""
_UNREAL = ("question", "cond", "want", "quoted")


def plans_of(
    clause: Clause, context: Context, today: date, before: Who | None, due: Period | None
) -> list[Claim]:
    """The plan, the deed or the ending a clause tells; `due` is a day named earlier in the sentence."""
    if clause.has(*_UNREAL):
        return []
    who, _ = subject_of(clause, context, before)
    who = before if who.kind == "other" and before is not None else who
    period = day_in(clause, context) or due
    ahead = _is_ahead(period, today)
    if _is_over(clause, context):
        return [_gone(clause, who, Slot.OTHER, Certainty.DENIED, 0.6)]
    put_off = _put_off(clause, context, period) if ahead else None
    if put_off is not None:
        return [put_off]
    theirs = ahead and who.kind == "person" and _is_plan_of_others(clause, context, period)
    if theirs or _is_plan(clause, context, who, ahead=ahead, period=period, today=today):
        return [_named_plan(_plan(clause, context, period if ahead else None), clause, who)]
    return [_gone(clause, who, Slot.DONE, Certainty.SAID, 0.4)] if _is_done(clause, context) else []


def _gone(clause: Clause, who: Who, slot: Slot, certainty: Certainty, sure: float) -> Claim:
    return Claim(who, slot, _gist(clause, None), clause.span, certainty, confidence=sure, detail=clause.text)


def _is_done(clause: Clause, context: Context) -> bool:
    code = f"{context.code}/plans"
    # What was put off is not done.
    if clause.has("neg") or hits(entries(code, "moved"), clause):
        return False
    told = clause.has("past", "perf") or bool(hits(entries(code, "done"), clause))
    return told or _nominal_done(clause, context)


def _put_off(clause: Clause, context: Context, period: Period | None) -> Claim | None:
    """`Tryouts got pushed to next Wednesday`: where nothing was known of it, it is known from now on."""
    if not hits(entries(f"{context.code}/plans", "moved"), clause) or clause.has("neg"):
        return None
    held = [p for p in clause.phrases if p.role in {"subj", "obj", "は", "が", "、", ""}]
    thing = next((p for p in held if _is_event(p, context)), None)
    return replace(_plan(clause, context, period), value=thing.text) if thing is not None else None


def _is_ahead(period: Period | None, today: date) -> bool:
    return period is not None and (period.last_day or today) >= today and not period.recurring


def day_in(clause: Clause, context: Context) -> Period | None:
    """The first dated period of the clause."""
    inside = [p for p in context.times if begins_in(p.span, clause.span) and not p.recurring]
    begin = clause.span[0]
    inside = [p for p in inside if not _AGAIN.match(clause.text[p.span[1] - begin :])]
    # What is so now was never planned for now.
    inside = [p for p in inside if p.text.lower() not in entries(f"{context.code}/plans", "no_day")]
    # A year alone dates what lies ahead (来年結婚する), nothing else.
    coming = (p for p in inside if p.year_start == p.year_end and (p.year_start or 0) > context.today.year)
    return next((p for p in inside if p.start is not None), None) or next(coming, None)


def _nominal_done(clause: Clause, context: Context) -> bool:
    low = f" {clause.text.lower()} "
    return any(f" {cue} " in low for cue in phrases(f"{context.code}/plans", "done_cues"))


def _is_plan(
    clause: Clause, context: Context, who: Who, *, ahead: bool, period: Period | None, today: date
) -> bool:
    mine = who.kind == "me"
    if mine and clause.has("must") and (_event(clause, context) or not _is_trivial(clause, context)):
        return not clause.has("past") or context.japanese
    later = period is not None and (period.first_day or today) > today
    if not ahead or _tells_no_plan(clause, context, later=later):
        return False
    return _has_deadline(clause, context) or _dated_plan(clause, context, period, mine=mine, later=later)


def _dated_plan(clause: Clause, context: Context, period: Period | None, *, mine: bool, later: bool) -> bool:
    """A clause with a day ahead that tells an occasion, or what the speaker will do."""
    if not clause.words and not context.japanese:
        return later and _nominal_plan(clause, context, period)
    if hits(entries(f"{context.code}/plans", "booked"), clause):
        return later
    if _event(clause, context):
        return mine or _is_of_the_event(clause, context)
    return mine and _own_deed_ahead(clause, context, period, later=later)


def _is_trivial(clause: Clause, context: Context) -> bool:
    """Sleeping, eating, thinking: nobody plans them."""
    return bool(hits(entries(f"{context.code}/plans", "trivial"), clause))


def _own_deed_ahead(clause: Clause, context: Context, period: Period | None, *, later: bool) -> bool:
    """`I'm away next week`, `I'll paint the fence on Sunday`; getting up tomorrow is no plan."""
    if clause.words[:1] == ("be",):
        return later and bool(hits(entries(f"{context.code}/plans", "be_away"), clause))
    if _is_trivial(clause, context) or not (later or clause.has("future")):
        return False
    return _planned_deed(clause, context, period)


def _is_of_the_event(clause: Clause, context: Context) -> bool:
    """明日は運動会, the wedding is on Friday: nobody does it."""
    subject = clause.by_role("subj", "が")
    return not clause.words or (subject is not None and _is_event(subject, context))


def _has_deadline(clause: Clause, context: Context) -> bool:
    """The report is due on Friday: a plan, whoever's it is."""
    deadline = entries(f"{context.code}/plans", "deadline")
    return any(p.head in deadline or p.text.lower() in deadline for p in _nouns(clause))


def _planned_deed(clause: Clause, context: Context, period: Period | None) -> bool:
    dated = period is not None and period.start is not None
    known = hits(either(f"{context.code}/plans", "planned", *(("arranged",) if dated else ())), clause)
    return bool(known) or clause.has("future", "begin") or _may_be_planned(clause, context, period)


def _tells_no_plan(clause: Clause, context: Context, *, later: bool) -> bool:
    """What is going on, was, is not, or is only wondered about."""
    if _goes_on(clause, context, later=later) or clause.has("neg"):
        return True
    if clause.has("hedge") and any(w in clause.text for w in entries(f"{context.code}/words", "asking")):
        return True
    return _was_done(clause, context, later=later) or _is_never_planned(clause, context)


def _goes_on(clause: Clause, context: Context, *, later: bool) -> bool:
    if context.japanese and clause.has("prog", "then_past"):
        return True
    return clause.has("prog") and not clause.has("future") and not later


def _was_done(clause: Clause, context: Context, *, later: bool) -> bool:
    # Got my exam on the 21st: what one has got is ahead.
    held = clause.words[:1] == ("get",) and later and _event(clause, context)
    return clause.has("past") and not held and not hits(entries(f"{context.code}/plans", "arranged"), clause)


def _is_never_planned(clause: Clause, context: Context) -> bool:
    """Rain, a holiday, a birthday: it comes by itself."""
    nouns = {word for phrase in _nouns(clause) for word in (phrase.head, phrase.text.lower())}
    return bool(nouns & entries(f"{context.code}/plans", "never_planned"))


def _nominal_plan(clause: Clause, context: Context, period: Period | None) -> bool:
    """Dentist on Tuesday, onsite in Munich Jun 3-5: an occasion, or a few words with their day."""
    if period is None or period.granularity not in {"day", "range", "weekend"} or clause.noun is None:
        return False
    rest = clause.text.replace(period.text, " ").lower().split()
    words = [word for word in rest if word.isalpha() and word not in entries("en/words", "prepositions")]
    known = any(context.is_a(word, "event") or word in _tails(context) for word in words)
    placed = any(context.name_in(clause.noun, kind) for kind in (EntityType.PLACE, EntityType.PERSON))
    loose = {"happy", "good", "great", "nice", "see", "until", "till", "since", "can't", "not", "no"}
    return (known or placed) and 0 < len(words) <= _FEW and not loose & set(rest)


def _may_be_planned(clause: Clause, context: Context, period: Period | None) -> bool:
    """Any deed of one's own on a day that is named, whatever its verb; not what one feels or has."""
    if period is None or period.granularity not in {"day", "week", "weekend"} or not clause.base:
        return False
    if set(clause.words) <= entries("ja/words", "auxiliary") and context.japanese:
        return False
    if clause.has("perf", "hedge", "can", "used", "passive", "cond") or named_subject(clause, context):
        return False
    return not hits(entries(f"{context.code}/plans", "never_done"), clause)


def _is_plan_of_others(clause: Clause, context: Context, period: Period | None) -> bool:
    """妹が12日に結婚する: what somebody known will do on a day to come."""
    if period is None or period.granularity not in _near_enough(clause, context):
        return False
    if (period.first_day or date.min) <= context.today:
        return False
    decided = {"こと", "成る"} <= set(clause.words)  # 来ることになった
    # Maya got a recital next Friday: what one has got is ahead.
    decided = decided or (clause.words[:1] == ("get",) and _event(clause, context))
    if clause.has("perf", "neg", "hedge", "can", "then_past", "used") or (clause.has("past") and not decided):
        return False
    verbal = bool(clause.base) and not clause.has("prog")
    if clause.places:  # he's back on the 8th
        verbal = clause.words[:1] != ("be",) or clause.words[:2] == ("be", "back")
    return verbal and not _is_trivial(clause, context) and not _is_never_planned(clause, context)


def _near_enough(clause: Clause, context: Context) -> frozenset[str]:
    """How exactly the time must be named: `is moving next month` says by its verb that it lies ahead."""
    told_ahead = not context.japanese and (
        clause.has("prog", "future") or hits(entries(f"{context.code}/plans", "planned"), clause)
    )
    return frozenset({"day", "month", "week", "weekend"} if told_ahead else {"day"})


def _nouns(clause: Clause) -> tuple[Phrase, ...]:
    return (*clause.phrases, *((clause.noun,) if clause.noun else ()))


def _is_event(phrase: Phrase, context: Context) -> bool:
    last = phrase.text.rsplit("の", 1)[-1] if context.japanese else phrase.text.lower()
    words = (phrase.head, last) if context.japanese else (phrase.head, *last.split())
    return any(context.is_a(word, "event") for word in words) or last.endswith(_tails(context))


def _tails(context: Context) -> tuple[str, ...]:
    return phrases(f"{context.code}/plans", "event_tail")


def _event(clause: Clause, context: Context) -> bool:
    return any(_is_event(phrase, context) for phrase in _nouns(clause)) or any(
        context.is_a(word, "event") for word in clause.words
    )


def _is_over(clause: Clause, context: Context) -> bool:
    code = f"{context.code}/plans"
    if clause.has("neg") and clause.has("ended") and not clause.has("past"):
        return True
    ending = hits(entries(code, "ending"), clause)
    if context.japanese and {"成る", "成立", "決まる", "為る"} & set(clause.words):
        # 中止になった, 離婚が成立した: the noun tells the end.
        ending |= entries(code, "ending") & {p.head for p in clause.phrases if p.role in {"に", "が"}}
    if not context.japanese:
        # Quit the bank last week: told of oneself where it was at some time, else asked of another.
        bid = clause.has("bare") and how_long(clause, context)[1] is None
        return bool(ending) and not bid and not clause.has("neg", "future", "must")
    return (
        bool(ending)
        and clause.has("past", "then_past", "perf", "become", "chau", "ended", "prog")
        and not clause.has("neg")
    )


def _plan(clause: Clause, context: Context, period: Period | None) -> Claim:
    since = period.first_day if period is not None and not _is_deadline(clause, period) else None
    until = period.last_day if period is not None else None
    hedged = Certainty.HEDGED if clause.has("hedge") else Certainty.SAID
    return Claim(Who(), Slot.PLAN, _gist(clause, period), clause.span, hedged, since, until, 0.8, clause.text)


def _named_plan(plan: Claim, clause: Clause, who: Who) -> Claim:
    """She's moving to Dubai: whose plan it is stands in it by name."""
    subject = clause.by_role("subj")
    if subject is None or not who.name or subject.text.lower() not in entries("en/words", "he_she"):
        return plan
    rest = plan.value[len(subject.text) :] if plan.value.lower().startswith(subject.text.lower()) else ""
    return replace(plan, value=f"{who.name}{rest}") if rest else plan


def _is_deadline(clause: Clause, period: Period) -> bool:
    """今月中に, by the end of June: the last day counts, not the span."""
    at, code = clause.span[0], "en" if clause.places else "ja"
    before, after = clause.text[: period.span[0] - at].lower(), clause.text[period.span[1] - at :]
    listed = phrases(f"{code}/plans", "until")
    if any(word in period.text for word in ("から", "〜", " to ", "-", "–", " through ")):
        return False
    return clause.has("must") or (
        before.rstrip().endswith(listed) if code == "en" else after.startswith(listed)
    )


def _is_english(clause: Clause) -> bool:
    """English predicates know their places; a clause without one tells by its letters."""
    return bool(clause.places) or (not clause.words and clause.text.isascii())


def _gist(clause: Clause, period: Period | None) -> str:
    """The clause without its time and its inflection: 電池買う, finish the bookshelf."""
    english = _is_english(clause)
    table = "en/plans" if english else "ja/plans"
    begin, text = _core(clause)
    text = _without_period(text, begin, period, table).strip(" 、,。.-—:")
    for lead in phrases(table, "leads"):
        inside = english and text[len(lead) : len(lead) + 1].strip() != ""
        text = text[len(lead) :].lstrip() if text.lower().startswith(lead) and not inside else text
    return _without_tails(text, phrases(table, "tails")).strip(" 、,")


def _core(clause: Clause) -> tuple[int, str]:
    """Where the deed itself begins, and its words: what must be done without `I have to`, a verb plain."""
    begin, text = clause.span[0], clause.text
    if _is_english(clause):
        cut = clause.verb_at if clause.has("must") and clause.verb_at > begin else begin
        return cut, text[cut - begin :]
    if clause.verb_at >= begin:
        return begin, text[: clause.verb_at - begin] + clause.base
    return begin, text[: clause.noun.span[1] - begin] if clause.noun is not None else text


def _without_period(text: str, begin: int, period: Period | None, table: str) -> str:
    if period is None or period.span[1] <= begin or period.span[0] >= begin + len(text):
        return text
    left = text[: max(0, period.span[0] - begin)].rstrip()
    right = text[period.span[1] - begin :]
    right = _OF_THE_DAY.sub("", right) if table == "ja/plans" else right.lstrip(" ")
    if table == "en/plans":
        # The preposition of the day is left behind: `dinner on` Friday.
        left = _without_tails(left, phrases(table, "tails"))
        right = "" if set(right.lower().split()) <= entries("en/words", "fillers") else right
    elif not right:
        # 母の手術は25日: what the day is said of stands before it.
        left = left.rstrip("はがも")
    return f"{left}{' ' if right[:1].isascii() else ''}{right}"


def _without_tails(text: str, tails: tuple[str, ...]) -> str:
    while text.endswith(tails):
        text = next(text.removesuffix(tail) for tail in tails if text.endswith(tail)).rstrip()
    return text
