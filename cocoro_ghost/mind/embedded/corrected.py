"""Corrections carried out on what is known: plans move, values are replaced, tastes change their subject."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, timedelta, tzinfo

from cocoro_ghost.clock import local
from cocoro_ghost.language.encoder import meanings
from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.language.matching import Task, match
from cocoro_ghost.language.morphology import content_words
from cocoro_ghost.language.times import find_times
from cocoro_ghost.language.times.time_of_day import find_clock_times
from cocoro_ghost.language.wording import days_told
from cocoro_ghost.model.answers import PreferenceUpdate, StateUpdate
from cocoro_ghost.model.reading import Correction, Period, Reading, Slot
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import State, StateKind

WEEK = 7
_CORRECTABLE = frozenset({StateKind.FACT, StateKind.RELATION, StateKind.TASK})
_NUMBER = re.compile(r"\d+")
_OF_JA, _IS_JA = (
    re.compile(r"(?:は|って|が)[、 ]*$"),
    re.compile(r"(?:だ|です|なん|よ|ね|から|まで|[。！!\s])*"),
)
_OF_EN = re.compile(r"(?:\bis|'s|\bare)(?: now| actually)?(?: due| on| in| at| for)*\s*$")
_IS_EN = re.compile(r"[\s.!]*")
_LIKE, _WORTH = 0.4, 3.0
"""From when on one value may stand in another's place, and something known is what a message means."""
_MONTH = re.compile(r"月|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE)


def corrected_states(
    reading: Reading,
    known: Sequence[State],
    event_id: int,
    reason: str,
    zone: tzinfo | None,
    note: Callable[[Correction], StateUpdate],
) -> list[StateUpdate]:
    """What the corrections of a message change; a correction that fits nothing known changes nothing.

    `note` makes a note of the words of a correction that gives no value to put in another's place.
    """
    found: list[StateUpdate] = []
    for said in reading.corrections:
        correction = _of_the_newest(said, reading, known)
        whole = said.about == reading.text.strip()
        moved = _moved(correction, reading, known, zone) if correction is said and not whole else None
        update = moved or _replaced(correction, [] if whole else _about_first(correction, known))
        update = update or _by_meaning(correction, reading, known, zone, note)
        if update is not None:
            found.append(update.model_copy(update={"evidence_event_ids": [event_id], "reason": reason}))
    return found


def _of_the_newest(correction: Correction, reading: Reading, known: Sequence[State]) -> Correction:
    """`Sorry, the 4th of May` puts the day right that was told last, be it a plan's or a birthday."""
    if correction.old or correction.about:
        return correction
    held = [s for s in known if s.valid_to_ts is None and s.kind in _CORRECTABLE]
    # A note may have a day in it by the way.
    held = [s for s in held if s.payload.get("about") != Slot.NOTE.value]
    newest = max(held, key=lambda state: state.state_id, default=None)
    if newest is None or newest.kind is StateKind.TASK:
        return correction
    day = _day(correction.new, reading)
    told = [p.text for p in find_times(newest.body_text, reading.now, reading.language)]
    return replace(correction, old=told[0], about="") if day is not None and told else correction


def _by_meaning(
    correction: Correction,
    reading: Reading,
    known: Sequence[State],
    zone: tzinfo | None,
    note: Callable[[Correction], StateUpdate],
) -> StateUpdate | None:
    """What the message means of all that is known, with the new value, or with its own words in its place."""
    held = [s for s in known if s.valid_to_ts is None and s.kind in _CORRECTABLE]
    old, whole = fold_key(correction.old), correction.about == reading.text.strip()
    having = [state for state in held if old and old in fold_key(state.body_text)]
    if old and not having and not whole:
        return None  # 10時じゃなくて11時: what was said to be wrong is nothing known
    target = having[0] if len(having) == 1 else _likeliest(reading.text, having or held)
    if target is None:
        return None
    if target.kind is StateKind.TASK:
        return _moved(_with_a_day(correction, target, reading), reading, [target], zone)
    if update := _replaced(_with_the_old(correction, target, reading), [target]):
        return update
    told = note(correction)
    return told.model_copy(update={"kind": target.kind, "state_id": target.state_id, "confidence": 0.9})


def _with_the_old(correction: Correction, target: State, reading: Reading) -> Correction:
    """A whippet rather than a greyhound; it's physics she teaches: what was known has a word like the new.

    Those that the message says too come first.
    """
    told = fold_key(target.body_text)
    if not correction.new or fold_key(correction.new) in told:
        return replace(correction, old="")
    if correction.old and fold_key(correction.old) in told:
        return correction
    said = fold_key(reading.text.replace(correction.new, " "))
    words = list(dict.fromkeys(content_words(target.body_text, reading.language)))
    rows = meanings([correction.new, *words]) if words else None
    if rows is None:
        return replace(correction, old="")
    like = dict(zip(words, (rows[1:] @ rows[0]).tolist(), strict=True))
    fits = [word for word in words if like[word] >= _LIKE]
    best = max(fits, key=lambda word: (fold_key(word) in said, like[word]), default="")
    return replace(correction, old=best)


def _with_a_day(correction: Correction, plan: State, reading: Reading) -> Correction:
    """火曜って言ったけど予約を見たら水曜: of a plan that is put right the last day said is the new one."""
    days = [period.text for period in reading.times if not period.recurring]
    plain = _day(correction.new, reading) is not None or not days
    return replace(correction, new=correction.new if plain else days[-1], about=plan.body_text)


def _likeliest(message: str, held: Sequence[State]) -> State | None:
    worth = match(Task.PUTS_RIGHT, message, [state.body_text for state in held]) or ()
    best = max(range(len(worth)), key=worth.__getitem__, default=None)
    return held[best] if best is not None and worth[best] >= _WORTH else None


def says_when(reading: Reading) -> bool:
    """締め切りは1月10日, the deadline is Jan 10: what has its day told has no other any more."""
    days = [period for period in reading.times if not period.recurring]
    if len(days) != 1:
        return False
    begin, end = days[0].span
    before, after = (_OF_JA, _IS_JA) if reading.language is Language.JA else (_OF_EN, _IS_EN)
    return bool(before.search(reading.text[:begin]) and after.fullmatch(reading.text[end:]))


def corrected_tastes(
    reading: Reading, liked: Sequence[tuple[str, str, str]], event_id: int, reason: str
) -> list[PreferenceUpdate]:
    """A liked thing that was another: `liked` are (polarity, domain, subject)."""
    found: list[PreferenceUpdate] = []
    for correction in reading.corrections:
        for polarity, domain, subject in liked:
            if correction.old and fold_key(subject) == fold_key(correction.old):
                base: dict[str, object] = {"domain": domain, "polarity": polarity, "confidence": 0.9}
                base |= {"evidence_event_ids": [event_id], "reason": reason}
                found.append(PreferenceUpdate.model_validate({**base, "op": "revoke", "subject": subject}))
                found.append(
                    PreferenceUpdate.model_validate(
                        {**base, "op": "confirm", "subject": correction.new[:120]}
                    )
                )
    return found


def _moved(
    correction: Correction, reading: Reading, known: Sequence[State], zone: tzinfo | None
) -> StateUpdate | None:
    """A plan on another day: the day that was meant is the one nearest to the old."""
    tasks = [s for s in known if s.kind is StateKind.TASK and s.valid_to_ts is None]
    task = _meant(correction, reading, tasks, zone)
    if task is None:
        return None
    new = _day(correction.new, reading)
    if new is None:
        return _at_another_hour(task, correction, reading, zone)
    was = None if _is_month(new) else _due(task, zone)
    due = _nearest(new, was, reading.now.date())
    begins = _begins(new, due)
    last = _due(task, zone)
    if correction.new.endswith("から") and last is not None and due <= last:
        begins, due = due, last  # 6/4からだった: only its first day is another
    text = _redated(task.body_text, correction, (begins, due), reading.language)
    moment = reading.now.replace(tzinfo=None).isoformat(timespec="seconds")
    return StateUpdate(
        kind=StateKind.TASK,
        state_id=task.state_id,
        body_text=text[:400],
        payload={"about": "plan", "due": f"{due.isoformat()}T23:59:59", "moved_to": due.isoformat()},
        confidence=0.9,
        last_confirmed_at=moment,
    )


def _at_another_hour(
    task: State, correction: Correction, reading: Reading, zone: tzinfo | None
) -> StateUpdate | None:
    """15時じゃなくて16時, the meeting is at 4pm: the plan keeps its day."""
    new = find_clock_times(correction.new, reading.language)
    told = find_clock_times(task.body_text, reading.language)
    due = _due(task, zone)
    if due is None:
        return None
    if correction.old and correction.old in task.body_text:
        body = task.body_text.replace(correction.old, correction.new)  # 福岡ではなく広島
    elif new and told:
        hour = correction.new[new[0].start_index : new[0].end_index]
        body = task.body_text[: told[0].start_index] + hour + task.body_text[told[0].end_index :]
    else:
        return None
    return StateUpdate(
        kind=StateKind.TASK,
        state_id=task.state_id,
        body_text=body[:400],
        payload={"about": "plan", "due": f"{due.isoformat()}T23:59:59"},
        confidence=0.9,
    )


def _day(words: str, reading: Reading) -> Period | None:
    lead = "on the " if words[:1].isdigit() else "in " if _MONTH.match(words) and words.isalpha() else ""
    said = words if reading.language is Language.JA else f"{lead}{words}"
    found = [m for m in find_times(said, reading.now, reading.language) if m.start is not None]
    return found[0] if found else None


def _due(task: State, zone: tzinfo | None) -> date | None:
    stamp = task.payload.get("due_ts")
    return local(stamp, zone).date() if isinstance(stamp, int) else None


def _meant(
    correction: Correction, reading: Reading, tasks: Sequence[State], zone: tzinfo | None
) -> State | None:
    """The plan that is named, else the one on the old day or hour, else, where none was said, the newest."""
    if not tasks:
        return None
    if having := _having_the_old(correction, reading, tasks):
        return having[-1]
    words = {word.casefold() for word in content_words(correction.about, reading.language)}
    said = {t.state_id: map(str.casefold, content_words(t.body_text, reading.language)) for t in tasks}
    named = next((t for t in tasks if not words.isdisjoint(said[t.state_id])), None)
    if named is not None:
        return named
    if when := _at_the_old_time(correction, reading, zone):
        return next(filter(when, tasks), None)
    # Something else is named, which is no plan; `oh and it's the 26th` names nothing.
    if words and not correction.old:
        return None
    return max(_of_that_month(correction, reading, tasks, zone) or tasks, key=lambda task: task.state_id)


def _having_the_old(correction: Correction, reading: Reading, tasks: Sequence[State]) -> list[State]:
    """福岡ではなく広島: the plans that have the word, where it is no day."""
    old = fold_key(correction.old)
    if not old or _day(correction.old, reading) is not None:
        return []
    return [task for task in tasks if old in fold_key(task.body_text)]


def _of_that_month(
    correction: Correction, reading: Reading, tasks: Sequence[State], zone: tzinfo | None
) -> list[State]:
    """The plans of the month the new day is in, where a month is named."""
    new = _day(correction.new, reading) if _MONTH.search(correction.new) else None
    months = {(day.year, day.month) for day in (new.start, new.end) if day} if new is not None else set()
    return [t for t in tasks if (due := _due(t, zone)) and (due.year, due.month) in months]


def _hours(text: str, language: Language) -> set[tuple[int, int]]:
    """Times of day on a clock of twelve hours: whether 3 was meant as 15 is not always said."""
    return {(found.hour % 12, found.minute) for found in find_clock_times(text, language)}


def _is_day(due: date, named: Period) -> bool:
    """True when a plan's day is the one named: by weekday, by day of the month, or by both month and day."""
    if named.start is None:
        return False
    if _is_month(named):
        return due.month == named.start.month
    if not any(char.isnumeric() for char in named.text):
        first, last = named.start, named.end or named.start
        return first <= due <= last or (named.bare and due.weekday() == first.weekday())
    return due.day == named.start.day and (not _MONTH.search(named.text) or due.month == named.start.month)


def _is_month(named: Period) -> bool:
    """June, 六月: the whole of it."""
    return named.start is not None and named.end is not None and 26 < (named.end - named.start).days < 31


def _at_the_old_time(
    correction: Correction, reading: Reading, zone: tzinfo | None
) -> Callable[[State], bool] | None:
    """Whether a plan was on the day, else at the hour, that is put right; None where neither was said."""
    old = _day(correction.old, reading) if correction.old else None
    if old is not None:
        return lambda task: (due := _due(task, zone)) is not None and _is_day(due, old)
    hours = _hours(correction.old, reading.language)
    return (lambda task: bool(hours & _hours(task.body_text, reading.language))) if hours else None


def _nearest(new: Period, old: date | None, today: date) -> date:
    """A bare weekday means the one closest to the old day, and not gone by."""
    day = new.end or new.start or today
    names_month = _MONTH.search(new.text) is not None
    # The 4th to the 11th, of the month the plan is in.
    spans = new.start != new.end and len(_NUMBER.findall(new.text)) == 2 and not names_month
    if old is None or not (new.bare or spans):
        return day
    if spans or (new.start is not None and any(char.isnumeric() for char in new.text)):
        # A day of the month is of the month the plan was in.
        return day if names_month else _of_month(old, day.day) or day
    shift = (day.weekday() - old.weekday() + 3) % WEEK - 3
    near = old + timedelta(days=shift)
    return near if near >= today else near + timedelta(days=WEEK)


def _begins(new: Period, due: date) -> date:
    """The first day of the new time, as far from the last as it was said."""
    if new.start is None or new.end is None or new.end < new.start:
        return due
    return due - (new.end - new.start)


def _of_month(month: date, day: int) -> date | None:
    try:
        return month.replace(day=day)
    except ValueError:
        return None


def _redated(body: str, correction: Correction, days: tuple[date, date], language: Language) -> str:
    _, mark, gist = body.partition("：" if language is Language.JA else ": ")
    told = gist if mark else body
    if correction.old and correction.old in told:
        told = told.replace(correction.old, correction.new)
    return f"{days_told(*days, language)}{'：' if language is Language.JA else ': '}{told}"


def _about_first(correction: Correction, known: Sequence[State]) -> list[State]:
    """Whom the correction names comes before who merely has the same value."""
    about = fold_key(correction.about)
    return sorted(known, key=lambda state: not (about and about in fold_key(state.body_text)))


def _in_place(text: str, old: str, new: str) -> str:
    """The text with another value; what stands behind the old one, 歳 of 12歳, is not doubled."""
    at = text.casefold().find(old.casefold())
    if at >= 0:
        written, capital = text[at : at + len(old)], text[at].isupper() and old.islower()
        old, new = written, new[:1].upper() + new[1:] if capital else new
    behind = text[at + len(old) :] if at >= 0 else ""
    doubled = next((new[i:] for i in range(1, len(new)) if behind.startswith(new[i:])), "")
    return text.replace(old, new.removesuffix(doubled) if doubled.strip() else new)


def _replaced(correction: Correction, known: Sequence[State]) -> StateUpdate | None:
    """The fact that held the old value, with the new one; its slot ends the old by a split of periods."""
    old, new = correction.old, correction.new
    if not old and new:
        return _told_anew(correction, known)
    if not old or not new:
        return None
    for state in known:
        if state.kind not in {StateKind.FACT, StateKind.RELATION} or state.valid_to_ts is not None:
            continue
        if fold_key(old) in fold_key(state.body_text):
            payload = {
                k: v for k, v in state.payload.items() if k in {"slot", "about", "role", "name", "value"}
            }
            for key in ("value", "name"):
                if isinstance(payload.get(key), str):
                    payload[key] = _in_place(str(payload[key]), old, new)
            body = _in_place(state.body_text, old, new)
            return StateUpdate(
                kind=state.kind,
                state_id=state.state_id,
                body_text=body[:400],
                payload=payload,
                confidence=0.9,
            )
    return None


def _told_anew(correction: Correction, known: Sequence[State]) -> StateUpdate | None:
    """定休日、水曜に変えた: what was noted of it holds no more."""
    about = fold_key(correction.about)
    notes = [s for s in known if s.payload.get("about") == Slot.NOTE.value and s.valid_to_ts is None]
    state = next((s for s in notes if len(about) > 1 and about in fold_key(s.body_text)), None)
    label, mark, _ = state.body_text.partition("：") if state is not None else ("", "", "")
    if state is None or not mark:
        return None
    body = f"{label}：{correction.about}は{correction.new}。"
    return StateUpdate(
        kind=state.kind,
        state_id=state.state_id,
        body_text=body[:400],
        payload={"about": Slot.NOTE.value, "value": correction.about},
        confidence=0.9,
    )
