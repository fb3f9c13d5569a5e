"""Plans, duties and appointments of the user that are still ahead, with the day they are due."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, time, timedelta, tzinfo
from functools import cache

from cocoro_ghost.language.morphology import tokens
from cocoro_ghost.language.times import TimeMention
from cocoro_ghost.mind.embedded.facts import Found, clause_at, filled
from cocoro_ghost.mind.embedded.lexicon import alternation, pattern
from cocoro_ghost.mind.embedded.sentences import Sentence
from cocoro_ghost.mind.embedded.voice import retell
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import StateKind

_LONG = 110
_HABIT = re.compile(
    r"毎(?:日|週|朝|晩|夜|月|年|回)|いつも|普段|たいてい|"
    r"\b(?:every|always(?! forget)|usually|often|most) \w+",
    re.IGNORECASE,
)
_JA_NOW = re.compile(r"(?:今から|これから(?!の|も)|今すぐ|ちょっと今|そろそろ)")
_EN_NOW = re.compile(r"\b(?:right now|now|brb|in a (?:bit|sec|minute|moment))\b", re.IGNORECASE)


def task(
    sentence: Sentence, times: Sequence[TimeMention], now: datetime, zone: tzinfo | None, label: str
) -> Found | None:
    """The task a sentence speaks of, or None: wishes, habits, small acts and past things are none."""
    asked = pattern(f"{sentence.language.value}/tasks", "asked").search(sentence.text) is not None
    if sentence.question and not asked:
        return None
    times = [_settled_ahead(mention, sentence) for mention in times]
    ahead = [mention for mention in times if _is_ahead(mention, now.date())]
    if any(mention.recurring for mention in times) and not ahead:
        return None
    reads = _is_task_ja if sentence.language is Language.JA else _is_task_en
    if not reads(sentence, ahead, now.date()) and not (asked and (ahead or times)):
        return None
    return _found(sentence, ahead, zone, label)


def planned(
    sentence: Sentence, times: Sequence[TimeMention], now: datetime, zone: tzinfo | None, label: str
) -> Found:
    """The sentence as a plan, whatever its form: 来月から大阪に転勤になった."""
    return _found(sentence, still_ahead(times, now), zone, label)


def still_ahead(times: Sequence[TimeMention], now: datetime) -> list[TimeMention]:
    """The mentions of a time that has not passed."""
    return [mention for mention in times if _is_ahead(mention, now.date())]


def _settled_ahead(mention: TimeMention, sentence: Sentence) -> TimeMention:
    """土曜の10時に予約した: what was settled is past, the day it is for lies ahead."""
    if not (mention.bare and mention.direction == "past" and mention.start and mention.granularity == "day"):
        return mention
    if not pattern(f"{sentence.language.value}/tasks", "past_plan").search(sentence.text):
        return mention
    week = timedelta(days=7)
    return replace(
        mention, start=mention.start + week, end=(mention.end or mention.start) + week, direction="future"
    )


def _is_ahead(mention: TimeMention, today: date) -> bool:
    last = mention.end or mention.start
    return last is not None and last >= today and mention.direction != "past" and not mention.recurring


def _later(ahead: Sequence[TimeMention], today: date) -> bool:
    return any((mention.end or mention.start or today) > today or mention.time_of_day for mention in ahead)


@cache
def _event(language: Language) -> re.Pattern[str]:
    if language is Language.EN:
        return re.compile(rf"\b{filled('EVENT', language)}s?\b", re.IGNORECASE)
    return re.compile(f"{filled('EVENT', language)}|{pattern('ja/tasks', 'event_like').pattern}")


def _is_task_ja(sentence: Sentence, ahead: Sequence[TimeMention], today: date) -> bool:
    text = sentence.text
    if pattern("ja/tasks", "weather").search(text) or (_JA_NOW.search(text) and not _later(ahead, today)):
        return False
    duty = pattern("ja/tasks", "duty").search(text)
    if duty:
        trivial = pattern("ja/tasks", "trivial").search(text)
        return not (trivial and not _later(ahead, today))
    if pattern("ja/states", "wish").search(text) and not re.search(r"予定|約束|予約", text):
        return False
    if (
        _HABIT.search(text)
        or _of_another_ja(text)
        or not ahead
        or _ends_in_past(text)
        or pattern("ja/tasks", "hearsay").search(text)
    ):
        return False
    if pattern("ja/tasks", "deadline").search(text):
        return True
    if not _later(ahead, today) and not _event(Language.JA).search(text):
        return False
    return bool(_event(Language.JA).search(text) or pattern("ja/tasks", "plan").search(text))


def _of_another_ja(text: str) -> bool:
    people = f"{alternation('ja/people', 'family')}|{alternation('ja/people', 'third')}|さん|くん|ちゃん"
    other = re.search(rf"(?:{people})(?:は|が)", text)
    return other is not None and not re.search(rf"(?:{alternation('ja/people', 'self')})(?:は|も|が)", text)


def _ends_in_past(text: str) -> bool:
    """True when the last predicate is in the past and does not settle a plan."""
    if pattern("ja/tasks", "past_plan").search(text):
        return False
    closing = [
        token for token in tokens(text) if token.pos[0] in {"動詞", "助動詞", "形容詞", "名詞", "形状詞"}
    ]
    last = [
        token for token in closing[-3:] if token.pos[0] == "助動詞" and token.lemma in {"た", "だ", "です"}
    ]
    return bool(last) and any(token.lemma == "た" for token in last)


def _is_task_en(sentence: Sentence, ahead: Sequence[TimeMention], today: date) -> bool:
    text = sentence.text.replace("’", "'")
    if pattern("en/tasks", "weather").search(text):
        return False
    duty = pattern("en/tasks", "duty").search(text)
    if duty and not re.search(r"\b(?:don't|didn't|doesn't) (?:have|need) to\b", text, re.IGNORECASE):
        trivial = pattern("en/tasks", "trivial").search(text)
        firm = not re.match(r"i should|i ought", duty.group(), re.IGNORECASE)
        return bool(_later(ahead, today)) or (firm and not trivial and not _EN_NOW.search(text))
    if pattern("en/states", "wish").search(text) or not ahead or _is_past_en(text) or _HABIT.search(text):
        return False
    if not _later(ahead, today) and not _event(Language.EN).search(text):
        return False
    if not (pattern("en/tasks", "plan").search(text) or _event(Language.EN).search(text)):
        return False
    return not _of_another_en(text) or pattern("en/tasks", "own").search(text) is not None


def _of_another_en(text: str) -> bool:
    people = f"{alternation('en/people', 'family')}|{alternation('en/people', 'role')}"
    return re.match(rf"(?:my (?:{people})|he|she|they)\b(?!'s )", text, re.IGNORECASE) is not None


def _is_past_en(text: str) -> bool:
    past = pattern("en/tasks", "past").search(text)
    return past is not None and not pattern("en/tasks", "past_plan").search(text)


def _found(sentence: Sentence, ahead: Sequence[TimeMention], zone: tzinfo | None, label: str) -> Found:
    text = sentence.raw
    if len(text) > _LONG and ahead:
        text = clause_at(sentence, ahead[0].start_index, ahead[0].end_index)
    body = retell(text, sentence.language, label, planned=True)
    payload: dict[str, object] = {"about": "task"}
    if not ahead:
        return Found(StateKind.TASK, body, payload, 0.6, 0.75)
    mention = ahead[0]
    day = mention.end or mention.start
    assert day is not None
    moment = _moment(day, mention.time_of_day)
    payload["due"] = moment.isoformat(timespec="seconds")
    payload["due_ts"] = int(moment.replace(tzinfo=zone).timestamp()) if zone else int(moment.timestamp())
    shown = day.isoformat() if mention.start in {None, mention.end} else f"{mention.start}–{mention.end}"
    note = f"（{shown}）" if sentence.language is Language.JA else f" ({shown})"
    stem = body.rstrip("。.")
    return Found(
        StateKind.TASK, stem + note + ("。" if sentence.language is Language.JA else "."), payload, 0.7, 0.8
    )


def _moment(day: date, time_of_day: str | None) -> datetime:
    """The end of the day, unless a time was named."""
    match = re.match(r"(\d{1,2}):(\d{2})", time_of_day or "")
    if not match:
        return datetime.combine(day, time(23, 59, 59))
    return datetime.combine(day, time(int(match[1]) % 24, int(match[2])))
