"""From when a told fact holds: `I moved last week` began last week, not now; a move ahead is only a plan."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta

from cocoro_ghost.language.times import TimeMention
from cocoro_ghost.mind.embedded.facts import Found, clause_bounds
from cocoro_ghost.mind.embedded.sentences import Sentence

_DATED = frozenset({"residence", "job", "occupation", "school", "marital", "partner"})
_BEGAN = re.compile(
    r"引っ越|ひっこ|越して|移住|転居|転勤|移[っり]|転職|就職|入社|配属|採用|始め|はじめ|入学|進学|編入|なった|なりまし|入籍|"
    r"結婚し|再婚し|婚約し|でき(?:た|まし)|から|以来|開[いき]|開業|継い|"
    r"\b(?:moved|relocated|settled|started|joined|got|landed|began|became|opened|founded|bought|hired|promoted|"
    r"married|engaged|eloped|since|enrolled|took|accepted)\b",
    re.IGNORECASE,
)
_MOVE = re.compile(
    r"引っ越|ひっこ|越して|移住|転居|転勤|移[っりる]|単身赴任|住み始め|\b(?:mov|relocat)\w+", re.IGNORECASE
)
_PAST = re.compile(r"\b(?:moved|relocated|settled|started|joined|got|began|became)\b", re.IGNORECASE)
"""With these a month without a year lies behind."""
_WEEKDAY = re.compile(r"day\b|[月火水木金土日]曜", re.IGNORECASE)
_UNTIL = re.compile(r"\s*(?:まで|いっぱい)|\s+(?:at the latest)")


def since(found: Found, sentence: Sentence, times: Sequence[TimeMention], now: datetime) -> str | None:
    """The local moment from which the fact holds, when its own clause names one in the past."""
    if found.payload.get("slot") not in _DATED:
        return None
    left, right = clause_bounds(sentence, *found.span)
    if not _BEGAN.search(sentence.raw[left:right]):
        return None
    for mention in times:
        begun = _beginning(mention)
        if begun is None or mention.recurring or mention.start_index >= right or mention.end_index <= left:
            continue
        if begun > now.date() and mention.bare and _PAST.search(sentence.raw[left:right]):
            begun = _one_before(begun, mention)
        if begun <= now.date():
            return datetime.combine(begun, time(0)).isoformat(timespec="seconds")
    return None


def lies_ahead(found: Found, sentence: Sentence, ahead: Sequence[TimeMention]) -> bool:
    """True for a move that is only planned: 来月から大阪に転勤になった."""
    if found.payload.get("slot") != "residence":
        return False
    left, right = clause_bounds(sentence, *found.span)
    if not _MOVE.search(sentence.raw[left:right]) or _PAST.search(sentence.raw[left:right]):
        return False
    return any(
        left <= mention.start_index < right and not _UNTIL.match(sentence.raw, mention.end_index)
        for mention in ahead
    )


def _one_before(begun: date, mention: TimeMention) -> date:
    """The Monday or the June before the one that was guessed."""
    if mention.granularity == "day" and _WEEKDAY.search(mention.text):
        return begun - timedelta(days=7)
    return begun.replace(year=begun.year - 1, day=1)


def _beginning(mention: TimeMention) -> date | None:
    if mention.start is not None:
        return mention.start
    return date(mention.year_start, 1, 1) if mention.year_start else None
