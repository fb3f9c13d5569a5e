"""Checks a write plan against the event it came from: what the words allow, in whose voice, with which ids.

Good items of a part-bad plan are kept; each drop has a reason. Nothing here touches a database.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import tzinfo

from cocoro_ghost.grow.check.checked import (
    CheckedAffect,
    CheckedLink,
    CheckedPlan,
    CheckedPreference,
    CheckedState,
    Shown,
)
from cocoro_ghost.grow.check.payload import checked_payload, moment
from cocoro_ghost.grow.check.trust import (
    CANDIDATE_CONFIDENCE,
    POWERS,
    Powers,
    corrects,
    grounded_in,
    rests_on_user,
    said_outright,
    tells,
)
from cocoro_ghost.language.fold import fold_key, fold_name
from cocoro_ghost.language.mood_words import told_moment
from cocoro_ghost.language.wording import clean, own_voice, quotes
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.answers import (
    EntityMention,
    EventAnnotations,
    PreferenceUpdate,
    StateUpdate,
    WritePlan,
)
from cocoro_ghost.model.event import AboutTime, Entity, Event, Origin
from cocoro_ghost.model.internal import MARK, names_inside
from cocoro_ghost.model.preference import Domain
from cocoro_ghost.model.revision import Why
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import State, StateKind

MAX_STATE_UPDATES = 12
MAX_PREFERENCES = 12
MAX_ENTITIES = 24
MAX_THREADS = 4
MAX_LINKS = 8
MAX_LABELS = 6
MAX_REMINDERS = 5
MAX_NAME = 60
# A full stop after a short word is an abbreviation: Mr. Smith, St. Louis, J. K. Rowling.
_NO_NAME = re.compile(r"[。！？!?\n]|\w{5}\.\s|\d{4}-\d{2}-\d{2}|\d{2}:\d{2}")


class _Dropped(Exception):
    """Why one item is left out; its plan goes on."""


@dataclass(slots=True)
class _Check:
    """One checking: what it needs, and the reasons gathered on the way."""

    event: Event
    shown: Shown
    zone: tzinfo | None
    language: Language
    second_person: str
    dropped: list[str] = field(default_factory=list)

    def drop(self, what: str, why: str) -> None:
        self.dropped.append(f"{what}: {why}")

    def voiced(self, text: str, limit: int) -> str | None:
        heard = self.event.user_text or ""
        # A mark before the words is taken off; a name among them leaves no sentence worth keeping.
        if names_inside(MARK.sub("", text)):
            return None
        return own_voice(clean(text, limit), self.language, self.second_person, heard)

    def origin_of(self, claim: str, *, alters: bool, about: str = "", value: str = "") -> Origin:
        """Whose words a claim rests on; to alter what is known, the user's must name it or what it is about.

        What is altered was said before: that a reply quotes it makes the change no words of the ghost.
        """
        others = self.shown.events.values()
        origin = grounded_in(claim, self.event, self.shown.previous_reply, value=value, others=others)
        if origin is not Origin.USER or not alters:
            return origin
        whole = f"{about} {claim}".strip()
        theirs = rests_on_user(whole, self.event, self.shown.previous_reply, value=value)
        return Origin.USER if theirs else Origin.GHOST

    def evidence(self, ids: Sequence[int]) -> tuple[int, ...]:
        """Only events that were shown, and always the one that is being read."""
        known = {i for i in ids if i in self.shown.events}
        return tuple(sorted(known | {self.event.event_id}))


def validate(
    plan: WritePlan,
    event: Event,
    shown: Shown,
    *,
    zone: tzinfo | None,
    language: Language = Language.JA,
    second_person: str = "",
) -> CheckedPlan:
    """What of a plan may be applied."""
    check = _Check(event, shown, zone, language, second_person, list(plan.dropped))
    return CheckedPlan(
        about=_about(check, plan.event_annotations),
        entities=_entities(plan.event_annotations.entities),
        states=_states(check, plan.state_updates),
        preferences=_preferences(check, plan.preference_updates),
        affect=_affect(check, plan),
        threads=_threads(check, plan),
        links=_links(check, plan),
        reminders=tuple(plan.reminder_candidates[:MAX_REMINDERS])
        if grounded_in("", event) is Origin.USER
        else (),
        dropped=tuple(check.dropped),
    )


def _about(check: _Check, notes: EventAnnotations) -> AboutTime:
    start, end = moment(notes.about_start_ts, check.zone), moment(notes.about_end_ts, check.zone)
    for name, given, parsed in (("start", notes.about_start_ts, start), ("end", notes.about_end_ts, end)):
        if given is not None and parsed is None:
            check.drop(f"event_annotations.about_{name}_ts", f"{given[:40]!r} is no time")
    if start is not None and end is not None and end < start:
        start, end = end, start
    years = sorted(year for year in (notes.about_year_start, notes.about_year_end) if year is not None)
    return AboutTime(
        start_ts=start if start is not None else end,
        end_ts=end if end is not None else start,
        year_start=years[0] if years else None,
        year_end=years[-1] if years else None,
        life_stage=notes.life_stage,
        confidence=notes.about_time_confidence,
    )


def _entities(mentions: Sequence[EntityMention]) -> tuple[Entity, ...]:
    found: dict[tuple[str, str], Entity] = {}
    for mention in mentions:
        name = clean(mention.name, 120)
        key = (mention.type.value, fold_name(name)) if _is_name(name) else None
        if key and len(found) < MAX_ENTITIES and key not in found:
            found[key] = Entity(mention.type, name, mention.confidence)
    return tuple(found.values())


def _is_name(text: str) -> bool:
    """Not a sentence, not a time, nothing internal: what somebody or something is called."""
    if not text or len(text) > MAX_NAME or names_inside(text):
        return False
    return _NO_NAME.search(text) is None


def _states(check: _Check, updates: Sequence[StateUpdate]) -> tuple[CheckedState, ...]:
    kept: dict[tuple[str, str, int | None], CheckedState] = {}
    for index, update in enumerate(updates):
        where = f"state_updates[{index}]"
        try:
            if len(kept) >= MAX_STATE_UPDATES:
                raise _Dropped(f"more than {MAX_STATE_UPDATES} updates from one event")
            state = _state(check, where, update)
            key = (state.kind.value, fold_key(state.body_text), state.state_id)
            if key in kept:
                raise _Dropped("said twice in one plan")
            kept[key] = state
        except _Dropped as reason:
            check.drop(where, str(reason))
    return tuple(kept.values())


def _state(check: _Check, where: str, update: StateUpdate) -> CheckedState:
    body = check.voiced(update.body_text, 400)
    if body is None:
        raise _Dropped("speaks of the user or the assistant in the third person, or names something internal")
    target = _target(check, where, update)
    origin = _state_origin(check, update, body, target)
    powers = POWERS[origin]
    refusal = _refusal(update, body, powers, None if target is None else target.origin)
    if refusal is not None:
        raise _Dropped(f"{refusal} (words of: {origin.value})")
    valid_from, valid_to = _validity(check, where, update, powers)
    payload = checked_payload(update.payload, update.kind, check.zone, check.event.created_at)
    confirmed = moment(update.last_confirmed_at, check.zone)
    return CheckedState(
        kind=update.kind,
        op=update.op,
        state_id=None if target is None else update.state_id,
        body_text=body,
        payload=payload | _marks(origin, powers),
        entities=_entities(update.entities),
        confidence=min(update.confidence, powers.confidence_cap),
        salience=update.salience,
        valid_from_ts=valid_from,
        valid_to_ts=valid_to,
        # A mind may name a time to come; nothing was confirmed later than it was said.
        last_confirmed_at=min(confirmed or check.event.created_at, check.event.created_at),
        evidence=check.evidence(update.evidence_event_ids),
        reason=check.voiced(update.reason, 400) or Why.TOLD,
        origin=origin,
    )


def _target(check: _Check, where: str, update: StateUpdate) -> State | None:
    """The state an update names; a handle a model made up costs the handle, not the fact."""
    if update.state_id is None:
        return None
    target = check.shown.states.get(update.state_id)
    if target is None:
        if update.op != "upsert":
            raise _Dropped(f"state {update.state_id} was not shown")
        check.drop(f"{where}.state_id", f"state {update.state_id} was not shown: kept as new")
    return target


def _state_origin(check: _Check, update: StateUpdate, body: str, target: State | None) -> Origin:
    """Whose words it rests on. The mood is the ghost's own: its words need no ground in the user's."""
    if update.kind is StateKind.LONG_MOOD:
        if quotes(body, [check.event.user_text or ""]):
            raise _Dropped("a mood is told in the ghost's own words, not in a quotation")
        return check.origin_of("", alters=False)
    if target is not None and _only_moved(body, target) and corrects(check.event):
        # Not Friday, Thursday: the person names the day, memory the plan, whatever the reply says.
        return check.origin_of("", alters=False)
    if update.op == "upsert" and tells(check.event, update.payload, body):
        return Origin.USER
    about = "" if update.op == "upsert" or target is None else target.body_text
    alters, value = target is not None or "slot" in update.payload, update.payload.get("value")
    return check.origin_of(body, alters=alters, about=about, value=value if isinstance(value, str) else "")


def _only_moved(body: str, target: State) -> bool:
    """True when a plan keeps its words and gets another day before them."""
    gist = body.partition("：")[2] or body.partition(": ")[2]
    return target.kind is StateKind.TASK and bool(gist) and target.body_text.endswith(gist)


def _refusal(update: StateUpdate, body: str, powers: Powers, target_origin: str | None) -> str | None:
    """Why an update may not be made, or None."""
    if update.op == "upsert" and not body:
        return "an upsert without words"
    if update.op != "upsert" and target_origin is None:
        return f"{update.op} names no state"
    if update.op == "mark_done" and update.kind is not StateKind.TASK:
        return "only tasks can be done"
    if update.kind is StateKind.LONG_MOOD and update.op != "upsert":
        return "the long mood is never closed"
    if update.kind not in powers.kinds:
        return f"such words cannot make a {update.kind.value}"
    if target_origin == Origin.USER.value and not powers.may_alter_user_states:
        return "such words cannot alter what rests on the user's own"
    return None


def _validity(
    check: _Check, where: str, update: StateUpdate, powers: Powers
) -> tuple[int | None, int | None]:
    start, end = moment(update.valid_from_ts, check.zone), moment(update.valid_to_ts, check.zone)
    if start is None and powers.dated:
        start = check.event.created_at
    if start is not None and end is not None and end < start:
        check.drop(f"{where}.valid_to_ts", "ends before it begins")
        end = None
    return start, end


def _marks(origin: Origin, powers: Powers) -> dict[str, bool]:
    marks = {"candidate": True} if powers.confidence_cap <= CANDIDATE_CONFIDENCE else {}
    return marks | ({"observed": True} if powers.observation else {})


def _preferences(check: _Check, updates: Sequence[PreferenceUpdate]) -> tuple[CheckedPreference, ...]:
    kept: list[CheckedPreference] = []
    for index, update in enumerate(updates[:MAX_PREFERENCES]):
        where = f"preference_updates[{index}]"
        try:
            kept.append(_preference(check, where, update))
        except _Dropped as reason:
            check.drop(where, str(reason))
    return tuple(kept)


def _preference(check: _Check, where: str, update: PreferenceUpdate) -> CheckedPreference:
    subject = clean(update.subject, 120)
    if not fold_key(subject):
        raise _Dropped("no subject")
    origin = check.origin_of(subject, alters=update.op == "revoke")
    powers = POWERS[origin]
    if not powers.may_prefer:
        raise _Dropped(f"such words teach no preference (words of: {origin.value})")
    if update.op == "revoke" and not powers.may_confirm:
        raise _Dropped(f"only the user's own words revoke (words of: {origin.value})")
    op, confidence = update.op, min(update.confidence, powers.confidence_cap)
    needs_cue = update.domain is not Domain.STYLE
    outright = said_outright(subject, update.polarity, check.event, check.shown.previous_reply, cue=needs_cue)
    if op == "confirm" and not (powers.may_confirm and outright):
        check.drop(f"{where}.op", "not said outright by the user: kept as a candidate")
        op = "upsert_candidate"
    return CheckedPreference(
        op=op,
        domain=update.domain,
        polarity=update.polarity,
        subject=subject,
        note=check.voiced(update.note, 400) if update.note else None,
        confidence=confidence,
        evidence=check.evidence(update.evidence_event_ids),
        reason=check.voiced(update.reason, 400) or Why.TOLD,
    )


def _affect(check: _Check, plan: WritePlan) -> CheckedAffect | None:
    affect = plan.event_affect
    if affect is None:
        return None
    text = check.voiced(affect.moment_affect_text, 600)
    if not text:
        check.drop("event_affect", "no words, or not in the ghost's own voice")
        return None
    score, found = affect.moment_affect_score_vad, [clean(x, 40) for x in affect.moment_affect_labels]
    labels = tuple(dict.fromkeys(label for label in found if label))[:MAX_LABELS]
    thought = check.voiced(affect.inner_thought_text, 600) if affect.inner_thought_text else None
    origin, vad = grounded_in("", check.event), Vad(score.v, score.a, score.d)
    return CheckedAffect(
        text=told_moment(text, labels, vad, check.language),
        labels=labels,
        vad=vad,
        confidence=min(affect.moment_affect_confidence, POWERS[origin].confidence_cap),
        inner_thought=thought,
    )


def _threads(check: _Check, plan: WritePlan) -> tuple[tuple[str, float], ...]:
    found: dict[str, float] = {}
    for thread in plan.context_updates.threads:
        key = clean(thread.thread_key, 120)
        if key and len(found) < MAX_THREADS:
            found[key] = max(thread.confidence, found.get(key, 0.0))
    return tuple(found.items())


def _links(check: _Check, plan: WritePlan) -> tuple[CheckedLink, ...]:
    kept: list[CheckedLink] = []
    for index, link in enumerate(plan.context_updates.links):
        if link.to_event_id not in check.shown.events or link.to_event_id == check.event.event_id:
            check.drop(f"links[{index}]", f"event {link.to_event_id} was not shown")
        elif len(kept) < MAX_LINKS:
            kept.append(CheckedLink(link.to_event_id, link.label, link.confidence))
    return tuple(kept)
