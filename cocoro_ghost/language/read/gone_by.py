"""What tells that something is over, and until when it was so: 3年前まで, before Bristol, no longer."""

from __future__ import annotations

from datetime import date

from cocoro_ghost.language.read.clause import Clause, Phrase
from cocoro_ghost.language.read.kinds import Context
from cocoro_ghost.language.read.tables import entries, phrases
from cocoro_ghost.model.reading import Period


def then(clause: Clause, context: Context) -> bool:
    """昔は, 子どもの頃は, as a kid, before this job: the clause tells of a time gone by."""
    past = entries(f"{context.code}/words", "then_words")
    told = any(
        p.text.lower() in past or p.head in past for p in clause.phrases if p.topic or p.role in {"", "に"}
    )
    return told or clause.has("before", "then") or _until(clause, context)


def _until(clause: Clause, context: Context) -> bool:
    """3年前まで, before Bristol: what was so ended there, or made way for it."""
    ends = entries(f"{context.code}/words", "made_way")
    if not clause.has("past", "used"):
        return False
    first = clause.text.split(" ", 1)[0].lower()
    return first in ends or any(_made_way(p, ends, context) for p in clause.phrases)


def _made_way(phrase: Phrase, ends: frozenset[str], context: Context) -> bool:
    return phrase.role in ends and (not context.japanese or context.is_time(phrase))


def marked(clause: Clause, context: Context) -> Clause:
    """The clause with `then` among its marks, where it tells of a time gone by."""
    return clause._replace(marks=clause.marks | {"then"}) if then(clause, context) else clause


def denied_now(clause: Clause) -> Clause | None:
    """What is no longer so, as it was said when it was: `not a barista anymore` → a barista."""
    if not clause.has("neg") or not clause.has("ended") or clause.has("past"):
        return None
    return clause._replace(marks=clause.marks - {"neg", "ended"} | {"over"})


def how_long(clause: Clause, context: Context) -> tuple[date | None, date | None]:
    """From when until when it was so, as far as the clause tells."""
    inside = (p for p in context.times if clause.span[0] <= p.span[0] < clause.span[1])
    gone = [p for p in inside if p.last_day is not None and p.last_day <= context.today and not p.recurring]
    last = max(gone, key=lambda period: period.last_day or date.min, default=None)
    if last is None or last.text.lower() in phrases(f"{context.code}/plans", "no_day"):
        return None, None
    return last.first_day if _spans(last) else None, last.last_day


def _spans(period: Period) -> bool:
    return period.granularity == "range"
