"""One function from a `Reading` to a WritePlan: what any mind learns from plain words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from functools import partial
from typing import Any

from cocoro_ghost.language.aliases import find_aliases
from cocoro_ghost.language.fold import fold_key
from cocoro_ghost.language.names import find_names
from cocoro_ghost.language.read.tables import entries, table, words_of
from cocoro_ghost.language.wording import DAY_FIRST, days_told, told_to_you, with_dates
from cocoro_ghost.mind.embedded.corrected import corrected_states, corrected_tastes, says_when
from cocoro_ghost.mind.embedded.over import best_match, given_up_likes
from cocoro_ghost.mind.embedded.phrases import closed, of_somebody, until_told, with_article, work_shape
from cocoro_ghost.mind.embedded.whose_claims import SINGLE, of_oneself, of_others
from cocoro_ghost.model.answers import EntityMention, PreferenceUpdate, StateUpdate
from cocoro_ghost.model.event import EntityType
from cocoro_ghost.model.reading import Certainty, Claim, Correction, Reading, Slot, Span, Taste, Who
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import State, StateKind

_RELATIONS = frozenset({Slot.PERSON, Slot.PARTNER})
_TRADES = frozenset({Slot.WORK, Slot.EMPLOYER, Slot.SCHOOL})
_WORK = (Slot.WORK, Slot.EMPLOYER)
_SALIENCE = {Slot.NAME: 0.95, Slot.CALLED: 0.9, Slot.HOME: 0.85, Slot.WORK: 0.85, Slot.EMPLOYER: 0.85}
_CONFIDENCE = {"confirm": 0.9, "upsert_candidate": 0.5, "revoke": 0.85}


@dataclass(frozen=True, slots=True)
class Told:
    """What the builder needs beside the reading."""

    reading: Reading
    event_id: int
    you: str
    known: Sequence[State]
    zone: tzinfo | None = None
    liked: Sequence[tuple[str, str, str]] = ()
    """Confirmed tastes as (polarity, domain, subject), for corrections."""

    @property
    def japanese(self) -> bool:
        return self.reading.language is Language.JA

    @property
    def bodies(self) -> dict[str, Any]:
        return dict(table(f"{self.reading.language.value}/bodies"))


def state_updates(told: Told) -> list[StateUpdate]:
    """The states that the claims of a reading make, end or carry out."""
    mended = corrected_states(
        told.reading, told.known, told.event_id, _reason("close", told), told.zone, partial(_noted, told)
    )
    moved = [correction.span for correction in told.reading.corrections] if mended else []
    ends, ended = _ends([c for c in told.reading.claims if not any(_within(c, s) for s in moved)], told)
    ended = [*ended, *moved]
    # 別れた ends what is known; it teaches nothing beside that.
    claims = [claim for claim in told.reading.claims if not any(_within(claim, span) for span in ended)]
    plans = [c for c in claims if c.slot is Slot.PLAN]
    found = [
        *mended,
        *(_own(claim, told) for claim in of_oneself(claims)),
        *(_other(found, told) for found in of_others(claims)),
        *ends,
        *_given_up(claims, told),
        *(_task(plan, told) for plan in _one_a_day(plans, told)),
        *_reminded(told),
        *_also_called(told),
    ]
    return [_with_known(update, told) for update in found]


def _noted(told: Told, correction: Correction) -> StateUpdate:
    """The words of a correction as a note: from the sentence on that has the new value."""
    said = [line for line in told.reading.sentences if correction.new and correction.new in line.text]
    words = said[0].text if said else told.reading.text
    return _own(Claim(Who(), Slot.NOTE, "", correction.span, detail=words), told)


def _also_called(told: Told) -> list[StateUpdate]:
    """How somebody is called besides their name; recall finds them under either."""
    found: dict[str, list[str]] = {}
    for one in find_aliases(told.reading.text, told.reading.language):
        found.setdefault(one.name, []).append(one.alias)
    moment = told.reading.now.replace(tzinfo=None).isoformat(timespec="seconds")
    return [
        StateUpdate(
            kind=StateKind.RELATION,
            body_text=str(told.bodies["alias"]["also"]).format(name=name, alias=aliases[0]),
            entities=[EntityMention(type=EntityType.PERSON, name=name[:120], confidence=0.8)],
            payload={"about": "called", "name": name, "aliases": aliases},
            confidence=0.85,
            last_confirmed_at=moment,
            evidence_event_ids=[told.event_id],
            reason=_reason("relation", told),
        )
        for name, aliases in found.items()
    ]


def _reminded(told: Told) -> list[StateUpdate]:
    """A reminder that was asked for is also a plan; that one gets up is none."""
    found = []
    daily = entries(f"{told.reading.language.value}/plans", "trivial")
    for reminder in told.reading.reminders:
        if reminder.content in daily or reminder.content.split()[0] in daily:
            continue
        day = reminder.at.date() if reminder.at is not None else None
        claim = Claim(Who(), Slot.PLAN, reminder.content, reminder.span, until=day)
        found.append(_task(claim, told))
    return found


def _with_known(update: StateUpdate, told: Told) -> StateUpdate:
    """A statement already held word for word refreshes that state instead of making a twin."""
    if update.op != "upsert" or update.state_id is not None:
        return update
    held = [s for s in told.known if s.kind is update.kind and s.valid_to_ts is None]
    same = next((s for s in held if s.body_text == update.body_text), None)
    if same is None and update.kind is StateKind.TASK and says_when(told.reading):
        gist = fold_key(DAY_FIRST.sub("", update.body_text))
        same = next((s for s in held if fold_key(DAY_FIRST.sub("", s.body_text)) == gist), None)
    return update.model_copy(update={"state_id": same.state_id, "valid_from_ts": None}) if same else update


def _reason(key: str, told: Told) -> str:
    return str(told.bodies["reason"][key]).format(you=told.you, words="")


def _within(claim: Claim, span: Span) -> bool:
    return span[0] <= claim.span[0] and claim.span[1] <= span[1]


def _own(claim: Claim, told: Told) -> StateUpdate:
    body, past = _own_body(claim, told), claim.certainty is Certainty.PAST
    # The days of a habit are days of the week: they have no date.
    detail = claim.detail if claim.slot is Slot.HABIT else _retold(claim.detail, told)
    detail = detail if claim.slot is not Slot.HABIT or told.japanese else told_to_you(detail)
    if "{detail}" in body and re.match(r"you\b", detail) and not told.japanese:
        body = "{detail}."  # You have two daughters: said of whom it is about already
    if body.startswith("{detail}"):
        detail = detail[:1].upper() + detail[1:]
    text = body.format(
        you=told.you,
        value=_value(claim, told),
        detail=detail,
        name=claim.who.name,
        role=claim.who.role,
    )
    kind = StateKind.RELATION if claim.slot in _RELATIONS and not _plain_fact(claim, told) else StateKind.FACT
    text = until_told(text, claim.until, told.bodies, told.reading.language) if past else text
    payload: dict[str, object] = {"about": claim.slot.value, "value": claim.value}
    if claim.slot in SINGLE and not past:
        payload["slot"] = _slot_of(claim, told)
    return _update(kind, text, payload, claim, told)


def _own_body(claim: Claim, told: Told) -> str:
    """The form in which what one tells of oneself is kept; the narrowest that fits."""
    me, past = told.bodies["me"], claim.certainty is Certainty.PAST
    if not claim.value and claim.slot is not Slot.NOTE:
        return str(me["other"])
    if claim.slot in _TRADES and not told.japanese and not past:
        return str(me[work_shape(claim)])
    if claim.slot is Slot.PET and claim.who.name:
        return str(told.bodies["pet"]["named"])
    usual = me.get(claim.slot.value, me["other"])
    return str(told.bodies["past"].get(claim.slot.value, usual) if past else usual)


def _value(claim: Claim, told: Told) -> str:
    if claim.slot is Slot.EMPLOYER:
        return with_article(claim)
    # A birthday comes again: it has a day, and no year of its own.
    return _retold(claim.value, told, year=False) if claim.slot is Slot.BIRTHDAY else claim.value


def _plain_fact(claim: Claim, told: Told) -> bool:
    """Being single is a fact; being engaged to someone is a relation."""
    return claim.value in entries(f"{told.reading.language.value}/bodies", "single_life")


def _other(claims: Sequence[Claim], told: Told) -> StateUpdate:
    who = max((claim.who for claim in claims), key=lambda w: (bool(w.name), bool(w.role)))
    lasting = any(c.slot not in {Slot.PERSON, Slot.PET, Slot.FAMILY} or not who.name for c in claims)
    if lasting or not who.name:
        text = of_somebody(_details(claims, told), who, _named(who, told), told.reading.language)
    else:
        text = _named(who, told, "alone") if who.role else _named(who, told)
    known = who.kind == "person" and bool(who.name and who.role)
    kind = StateKind.RELATION if known or any(c.slot is Slot.PERSON for c in claims) else StateKind.FACT
    payload = {"about": claims[0].slot.value, "role": who.role, "name": who.name}
    return _update(kind, text.strip(), payload, claims[0], told)


def _details(claims: Sequence[Claim], told: Told) -> list[str]:
    """What is told of somebody, each thing once and in the words it was first told in."""
    first = {(c.slot, c.value): c.detail for c in reversed(claims) if c.detail}
    born = any(claim.slot is Slot.BIRTHDAY for claim in claims)
    retold = (_retold(detail, told, year=not born) for detail in reversed(first.values()))
    return list(dict.fromkeys(retold))


def _named(who: Who, told: Told, form: str = "") -> str:
    """Who is told of, by name and role as far as they are known; or in the form that is asked for."""
    form = form or ("named" if who.name and who.role else "role" if who.role else "name")
    text = str(told.bodies["other"][form]).format(you=told.you, name=who.name, role=who.role)
    # Megan's boyfriend is not yours.
    return text.removeprefix("Your ") if who.role[:1].isupper() else text


def _retold(text: str, told: Told, *, year: bool = True) -> str:
    plain = with_dates(text.strip(" 、,。.!！"), told.reading.times, told.reading.language, year=year)
    return closed(plain) if told.japanese else told_to_you(plain)


def _task(claim: Claim, told: Told) -> StateUpdate:
    when = days_told(claim.since, claim.until, told.reading.language) if claim.until else ""
    gist = claim.value or _retold(claim.detail, told)
    text = str(told.bodies["task"]["dated" if when else "open"]).format(you=told.you, when=when, gist=gist)
    payload: dict[str, object] = {"about": "plan"}
    if claim.until is not None:
        payload["due"] = f"{claim.until.isoformat()}T23:59:59"
    return _update(StateKind.TASK, text, payload, claim, told)


def _one_a_day(plans: Sequence[Claim], told: Told) -> list[Claim]:
    """The plans of a message, one for each day it names; without a day the fullest."""
    days = dict.fromkeys(plan.until for plan in plans if plan.until is not None)
    if told.japanese or len(days) < 2:
        return [_fullest(plans, told)] if plans else []
    return [_fullest([plan for plan in plans if plan.until == day], told) for day in days]


def _fullest(plans: Sequence[Claim], told: Told) -> Claim:
    """The one that says most; in English the first, which the day was told with."""
    dated = [plan for plan in plans if plan.until is not None]
    if dated and not told.japanese:
        return min(dated, key=lambda plan: plan.span)
    return max(dated or plans, key=lambda plan: len(plan.value))


def _ends(claims: Sequence[Claim], told: Told) -> tuple[list[StateUpdate], list[Span]]:
    """Plans carried out and facts that are over, where such are known; and where the message says so."""
    found: list[StateUpdate] = []
    spans: list[Span] = []
    used: set[int] = set()
    for claim in claims:
        if claim.slot is Slot.DONE:
            state = best_match(
                claim.detail, [s for s in told.known if s.kind is StateKind.TASK], told.reading.language
            )
            op = "mark_done"
        elif claim.slot is Slot.OTHER and claim.certainty is Certainty.DENIED:
            state = best_match(claim.detail, told.known, told.reading.language) or _by_slot(claim, told)
            op = (
                "close"
                if state is None or state.kind is not StateKind.TASK or _called_off(claim, told)
                else "mark_done"
            )
        else:
            continue
        if state is not None and state.state_id not in used:
            used.add(state.state_id)
            found.append(_ended(state, op, told))
            spans.append(claim.span)
    return found, spans


def _given_up(claims: Sequence[Claim], told: Told) -> list[StateUpdate]:
    """酒はやめた: what ends nothing that was known is news all the same, and kept in its own words."""
    given = entries("ja/plans", "given_up") if told.japanese else frozenset[str]()
    taught = {claim.detail for claim in claims if claim.slot is not Slot.OTHER}
    return [
        _own(replace(claim, slot=Slot.NOTE, value="", certainty=Certainty.SAID), told)
        for claim in claims
        if claim.slot is Slot.OTHER and claim.who.kind == "me" and claim.detail not in taught
        if any(word in claim.detail for word in given) and told.reading.question is None
    ]


def _slot_of(claim: Claim, told: Told) -> str:
    """バイト辞めて今は塾講師: who left their work and tells of another fills the slot of the one that was."""
    left = told.japanese and any(w in told.reading.text for w in entries("ja/plans", "left_work"))
    if claim.slot not in _WORK or not left:
        return claim.slot.value
    held = {s.payload.get("slot") for s in told.known if s.valid_to_ts is None}
    return next((slot.value for slot in (claim.slot, *_WORK) if slot.value in held), claim.slot.value)


def _called_off(claim: Claim, told: Told) -> bool:
    words = entries(f"{told.reading.language.value}/plans", "called_off")
    return any(word in claim.detail.lower() for word in words)


def _by_slot(claim: Claim, told: Told) -> State | None:
    """会社を辞めた ends the work that is known, whatever it is called."""
    said = claim.detail.lower()
    slots = {"job": {"job", "occupation"}, "school": {"school"}}
    for key, words in told.bodies["generic"].items():
        if any(word in said for word in words_of(words)):
            held = (s for s in told.known if s.payload.get("slot") in slots[key] and s.valid_to_ts is None)
            return next(held, None)
    return None


def _ended(state: State, op: str, told: Told) -> StateUpdate:
    moment = told.reading.now.replace(tzinfo=None).isoformat(timespec="seconds")
    return StateUpdate.model_validate(
        {
            "kind": state.kind,
            "op": op,
            "state_id": state.state_id,
            "body_text": state.body_text,
            "confidence": 0.85,
            "valid_to_ts": moment,
            "last_confirmed_at": moment,
            "evidence_event_ids": [told.event_id],
            "reason": str(told.bodies["reason"][op]).format(you=told.you),
        }
    )


def _update(kind: StateKind, text: str, payload: dict[str, Any], claim: Claim, told: Told) -> StateUpdate:
    moment = told.reading.now.replace(tzinfo=None).isoformat(timespec="seconds")
    begins = claim.since if kind is not StateKind.TASK else None
    # My dad used to be a miner: what somebody else was is told of them still.
    past = claim.certainty is Certainty.PAST and claim.who.kind == "me"
    ended = f"{claim.until.isoformat()}T23:59:59" if claim.until and past else moment
    return StateUpdate(
        kind=kind,
        body_text=text[:400],
        entities=[
            EntityMention(type=e.type, name=e.name[:120], confidence=e.confidence)
            for e in find_names(text, told.reading.language)
            if e.name and e.confidence >= 0.5
        ],
        payload=payload,
        confidence=0.5 if claim.certainty is Certainty.HEDGED else 0.85,
        salience=_SALIENCE.get(claim.slot, 0.6),
        valid_from_ts=begins.isoformat() + "T00:00:00" if begins else None if past else moment,
        valid_to_ts=ended if past else None,
        last_confirmed_at=moment,
        evidence_event_ids=[told.event_id],
        reason=str(told.bodies["reason"][kind.value]).format(you=told.you),
    )


def preference_updates(told: Told, *, trusted: bool = True) -> list[PreferenceUpdate]:
    """The tastes of a reading as updates, and those that a correction changes."""
    mended = (
        corrected_tastes(told.reading, told.liked, told.event_id, _reason("close", told)) if trusted else []
    )
    tastes = [*told.reading.tastes, *given_up_likes(told.reading, told.liked)]
    return [*mended, *(_preference(taste, told, trusted) for taste in tastes)]


def _preference(taste: Taste, told: Told, trusted: bool) -> PreferenceUpdate:
    op = "revoke" if taste.ended else "confirm" if taste.certainty is Certainty.SAID else "upsert_candidate"
    if not trusted:
        op = "upsert_candidate"
    words = told.reading.text[taste.span[0] : taste.span[1]] or taste.subject
    return PreferenceUpdate.model_validate(
        {
            "op": op,
            "domain": taste.domain,
            "polarity": taste.polarity,
            "subject": taste.subject[:120],
            "confidence": _CONFIDENCE[op],
            "evidence_event_ids": [told.event_id],
            "reason": str(told.bodies["reason"]["preference"]).format(you=told.you, words=words[:80]),
        }
    )
