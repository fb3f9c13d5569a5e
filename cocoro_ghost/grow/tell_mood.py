"""The words of the long mood: written by the mind from several feelings of a day, at most once a local day
or after a strong blow, in its own words. A model's own words in a plan are kept the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, time, tzinfo

from cocoro_ghost.clock import local, local_iso
from cocoro_ghost.errors import BadAnswer
from cocoro_ghost.grow import mood
from cocoro_ghost.grow.check.checked import CheckedPlan
from cocoro_ghost.language.fold import guess_language
from cocoro_ghost.language.mood_words import mood_words, told_moment
from cocoro_ghost.language.wording import clean, own_voice, quotes
from cocoro_ghost.mind.client import Message, PlanRequest
from cocoro_ghost.mind.embedded.mood_text import mood_text
from cocoro_ghost.mind.prompts.render import render
from cocoro_ghost.model.affect import Affect, Vad
from cocoro_ghost.model.answers import MoodText
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.job import Job, JobKind
from cocoro_ghost.model.material import MoodMaterial
from cocoro_ghost.model.revision import Actor, Cause, Why
from cocoro_ghost.model.state import State, StateKind
from cocoro_ghost.store import affects, events, jobs, states
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.work.deps import JobDeps, nothing
from cocoro_ghost.work.worker import Effect

SEVERAL = 3
"""So many feelings of a day make a mood worth telling."""
MOST_FEELINGS = 8
SURE = 0.3
STRONG = 0.4
"""Half of the way from one end of an axis to the other, and a bit less: news that changes a day."""
SHORT_TEXT = 20
MOST_CHARS = 600
_DAY = "text_day"


@dataclass(frozen=True, slots=True)
class _Day:
    """What was felt on a local day, and beside which words."""

    known: State
    today: str
    feelings: tuple[Affect, ...]
    heard: tuple[str, ...]


def may_retell(known: State | None, at: int, zone: tzinfo | None, *, strong: bool) -> bool:
    """At most one change a local day, or after a strong blow; words too short to tell anything may go."""
    if known is None or strong or len(known.body_text) < SHORT_TEXT:
        return True
    return known.payload.get(_DAY) != day_of(at, zone)


def is_strong(before: State | None, moment: Vad, confidence: float, at: int) -> bool:
    """Whether a moment lies far from how it felt just before: gladness in a glad hour is no blow."""
    worn = Vad() if before is None else mood.mood_now(before, at).total
    return confidence >= SURE and mood.severity(moment, worn) >= STRONG


def day_of(at: int, zone: tzinfo | None) -> str:
    return local(at, zone).date().isoformat()


def refused_text(tx: Tx, plan: CheckedPlan, event: Event, zone: tzinfo | None) -> list[str]:
    """Why a plan's own words for the mood are not taken, for the plan's record."""
    if not any(update.kind is StateKind.LONG_MOOD for update in plan.states):
        return []
    known, felt = states.long_mood(tx), plan.affect
    strong = felt is not None and is_strong(known, felt.vad, felt.confidence, event.created_at)
    allowed = may_retell(known, event.created_at, zone, strong=strong)
    return [] if allowed else ["long_mood_state: told already today, and nothing struck since"]


def ask_for_words(tx: Tx, event: Event, zone: tzinfo | None, *, strong: bool) -> None:
    """After a feeling: the words of the day are due once there are several, or at once after a blow."""
    known = states.long_mood(tx)
    if not may_retell(known, event.created_at, zone, strong=strong):
        return
    if strong or len(_felt_on(tx, event.created_at, zone)) >= SEVERAL:
        payload = {"event_id": event.event_id, "strong": strong}
        jobs.enqueue(tx, JobKind.TELL_MOOD, payload, key=f"tell_mood:{event.event_id}")


async def tell_mood(deps: JobDeps, job: Job) -> Effect:
    """Asks the mind for the words and keeps them; the vector is made anew."""
    event_id, strong = int(job.payload["event_id"]), bool(job.payload.get("strong"))
    day = await deps.db.read(lambda reader: _read(reader, event_id, deps.clock.zone, strong))
    if day is None:
        return nothing
    request = _request(deps, day)
    material = request.material
    assert isinstance(material, MoodMaterial)
    text = await _asked(deps, request, material, day.heard)
    evidence = tuple(affect.event_id for affect in day.feelings)
    cause = Cause(
        Actor.TIDY,
        Why.MOOD_TOLD,
        evidence,
        job_id=job.job_id,
        model=deps.mind().model_id,
        prompt_hash=request.prompt_hash,
    )

    def effect(tx: Tx) -> None:
        known = states.long_mood(tx)
        told = events.by_ids(tx, evidence).values()
        # Something was forgotten while the mind thought: what it said may rest on that.
        if known is None or any(event.forgotten_at is not None for event in told):
            return
        with tx.because(cause):
            states.save(tx, replace(known, body_text=text, payload={**known.payload, _DAY: day.today}))
        payload = {"state_id": known.state_id}
        jobs.enqueue(tx, JobKind.EMBED_STATE, payload, key=f"embed_state:{known.state_id}:told:{event_id}")

    return effect


async def _asked(deps: JobDeps, request: PlanRequest, material: MoodMaterial, heard: Sequence[str]) -> str:
    """The mind's words if they are its own; else the keeper's, which always are."""
    try:
        answer = await deps.mind().plan(request, MoodText)
        told = own_voice(clean(answer.body_text, MOST_CHARS), material.language, material.second_person)
    except BadAnswer:
        told = None
    if not told or quotes(told, heard):
        told = mood_text(material).body_text
    return told_moment(told, (), material.total, material.language)


def _read(reader: Reader, event_id: int, zone: tzinfo | None, strong: bool) -> _Day | None:
    event, known = events.get(reader, event_id), states.long_mood(reader)
    if known is None or not may_retell(known, event.created_at, zone, strong=strong):
        return None
    felt = _felt_on(reader, event.created_at, zone)
    strongest = sorted(felt, key=lambda affect: -abs(affect.vad.v) * affect.confidence)[:MOST_FEELINGS]
    if not strongest:
        return None
    said = events.by_ids(reader, [affect.event_id for affect in strongest]).values()
    ordered = sorted(strongest, key=lambda affect: affect.created_at)
    heard = tuple(one.user_text for one in said if one.user_text)
    return _Day(known, day_of(event.created_at, zone), tuple(ordered), heard)


def _felt_on(reader: Reader, at: int, zone: tzinfo | None) -> list[Affect]:
    """The feelings of the local day up to a moment that are sure enough to count."""
    day = local(at, zone)
    midnight = int(datetime.combine(day.date(), time(), day.tzinfo).timestamp())
    return [affect for affect in affects.between(reader, midnight, at + 1) if affect.confidence >= SURE]


def _request(deps: JobDeps, day: _Day) -> PlanRequest:
    persona, zone = deps.persona(), deps.clock.zone
    spoken = {guess_language(text, deps.language()) for text in day.heard}
    language = deps.language() if deps.language() in spoken or not spoken else spoken.pop()
    prompt = render("mood_text", language, persona=persona.text, second_person=persona.second_person)
    now = deps.clock.domain_now()
    total = mood.mood_now(day.known, now).total
    felt = [
        f"{local_iso(one.created_at, zone)[11:16]} {' '.join(one.text.split())} ({', '.join(one.labels)})"
        for one in day.feelings
    ]
    lines = [f"mood now: {mood_words(total, language)}", "feelings of today:", *felt]
    material = MoodMaterial(day.feelings, total, language, persona.second_person)
    messages = (Message("system", prompt.text), Message("user", "\n".join(lines)))
    return PlanRequest("mood_text", messages, material, prompt.hash, tuple(felt[:-1]))
