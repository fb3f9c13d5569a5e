"""The typed answers a mind may give. One type makes the JSON schema, the validator and the fuzz tests.

Times in answers are ISO 8601 local strings (a zone is accepted); the store keeps UTC seconds.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator
from pydantic.json_schema import SkipJsonSchema

from cocoro_ghost.model.event import EntityType, LifeStage
from cocoro_ghost.model.lenient import good_fields, good_items, scrub
from cocoro_ghost.model.link import EventLinkLabel, StateLinkLabel
from cocoro_ghost.model.preference import Domain, Polarity
from cocoro_ghost.model.state import ScopeType, StateKind

Confidence = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]
IsoTime = str


def _axis(value: Any) -> float:
    """One axis of a feeling, brought into its range; what is no number says nothing about that axis alone."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return 0.0
    return max(-1.0, min(1.0, number)) if math.isfinite(number) else 0.0


Axis = Annotated[float, Field(ge=-1.0, le=1.0, allow_inf_nan=False), BeforeValidator(_axis)]


def _bare(value: Any) -> Any:
    """`e12` and `s7` are how ids are shown; a bare number is taken as well."""
    if isinstance(value, str):
        digits = value.strip().lstrip("esES")
        return int(digits) if digits.isdecimal() and len(digits) < 18 else None
    return value


def _shown_as(letter: str) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", "pattern": f"^{letter}[0-9]+$"})


EventId = Annotated[int, BeforeValidator(_bare), _shown_as("e")]
StateId = Annotated[int, BeforeValidator(_bare), _shown_as("s")]

# Taken when it comes, but not asked for: naming it costs every question more than its answers are worth.
_UNASKED = Field(json_schema_extra={"asked": False})
Unasked = Annotated[Confidence, _UNASKED]

AFFECT_LEAST, AFFECT_MOST = 60, 240
"""Characters in which a moment is told: what happened and how it felt."""
_CLIPS = {
    "body_text": 400,
    "reason": 400,
    "note": 400,
    "moment_affect_text": 600,
    "inner_thought_text": 600,
    "moment_affect_labels": 6,
    "entities": 40,
}


class Answer(BaseModel):
    """Base of all answers: frozen, unknown members ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class EntityMention(Answer):
    type: EntityType
    name: Annotated[str, Field(min_length=1, max_length=120)]
    confidence: Unasked = 0.8


def _with_good_entities(data: Any) -> Any:
    """A bad name or evidence id never costs the item it belongs to."""
    if not isinstance(data, dict):
        return data
    found = dict(data)
    if "entities" in found:
        found["entities"] = good_items(found["entities"], EntityMention, "entities", [], _CLIPS)
    ids = found.get("evidence_event_ids")
    if ids is not None:
        whole = [_bare(item) for item in ids] if isinstance(ids, list) else []
        found["evidence_event_ids"] = [item for item in whole if isinstance(item, int)]
    return found


class EventAnnotations(Answer):
    about_start_ts: IsoTime | None = None
    about_end_ts: IsoTime | None = None
    about_year_start: Annotated[int, Field(ge=1, le=9999)] | None = None
    about_year_end: Annotated[int, Field(ge=1, le=9999)] | None = None
    life_stage: LifeStage | None = None
    about_time_confidence: Confidence = 0.0
    entities: list[EntityMention] = []

    @model_validator(mode="before")
    @classmethod
    def _good_entities(cls, data: Any) -> Any:
        return _with_good_entities(data)


class StateUpdate(Answer):
    kind: StateKind
    op: Literal["upsert", "close", "mark_done"] = "upsert"
    state_id: Annotated[int | None, BeforeValidator(_bare), _shown_as("s")] = None
    body_text: Annotated[str, Field(max_length=400)] = ""
    entities: list[EntityMention] = []
    payload: dict[str, Any] = {}
    confidence: Confidence = 0.7
    salience: Confidence = 0.5
    valid_from_ts: IsoTime | None = None
    valid_to_ts: IsoTime | None = None
    last_confirmed_at: Annotated[IsoTime | None, _UNASKED] = None
    evidence_event_ids: Annotated[list[EventId], _UNASKED] = []
    reason: Annotated[str, Field(max_length=400)] = ""

    @model_validator(mode="before")
    @classmethod
    def _good_entities(cls, data: Any) -> Any:
        return _with_good_entities(data)


class PreferenceUpdate(Answer):
    op: Literal["upsert_candidate", "confirm", "revoke"]
    domain: Domain
    polarity: Polarity
    subject: Annotated[str, Field(min_length=1, max_length=120)]
    note: Annotated[str, Field(max_length=400)] | None = None
    confidence: Confidence = 0.7
    evidence_event_ids: Annotated[list[EventId], _UNASKED] = []
    reason: Annotated[str, Field(max_length=400), _UNASKED] = ""


class VadScore(Answer):
    v: Axis = 0.0
    a: Axis = 0.0
    d: Axis = 0.0


class EventAffect(Answer):
    # Longer ones are taken and cut at a sentence's end, when the plan is checked.
    moment_affect_text: Annotated[
        str, Field(max_length=600, json_schema_extra={"maxLength": AFFECT_MOST})
    ] = ""
    moment_affect_labels: Annotated[list[str], Field(max_length=6)] = []
    moment_affect_score_vad: VadScore = VadScore()
    moment_affect_confidence: Confidence = 0.0
    inner_thought_text: Annotated[str, Field(max_length=600)] | None = None

    @model_validator(mode="before")
    @classmethod
    def _felt_or_not(cls, data: Any) -> Any:
        """A feeling without a single number moves no mood, however sure its author was."""
        score = data.get("moment_affect_score_vad") if isinstance(data, dict) else None
        if not isinstance(data, dict) or isinstance(score, VadScore) or _measured(score):
            return data
        return {**data, "moment_affect_score_vad": {}, "moment_affect_confidence": 0.0}


def _measured(score: Any) -> bool:
    if not isinstance(score, dict):
        return False
    return any(isinstance(score.get(axis), int | float) for axis in ("v", "a", "d"))


class ThreadUpdate(Answer):
    thread_key: Annotated[str, Field(min_length=1, max_length=120)]
    confidence: Unasked = 0.7


class LinkUpdate(Answer):
    to_event_id: EventId
    label: EventLinkLabel
    confidence: Unasked = 0.7


class ContextUpdates(Answer):
    threads: list[ThreadUpdate] = []
    links: list[LinkUpdate] = []


def _good_context(data: Any, dropped: list[str]) -> ContextUpdates:
    if isinstance(data, ContextUpdates):
        return data
    if not isinstance(data, dict):
        return ContextUpdates()
    lists = {
        "threads": good_items(data.get("threads"), ThreadUpdate, "threads", dropped, _CLIPS),
        "links": good_items(data.get("links"), LinkUpdate, "links", dropped, _CLIPS),
    }
    return ContextUpdates.model_validate(lists)


def _earlier_drops(data: dict[str, Any]) -> list[str]:
    """Reasons kept with a plan that was stored and is read again."""
    found = data.get("dropped")
    return [str(reason)[:300] for reason in found[:50]] if isinstance(found, list) else []


class ReminderCandidate(Answer):
    """A reminder the user seems to ask for; created only after the user confirms it."""

    content: Annotated[str, Field(min_length=1, max_length=200)]
    repeat_kind: Literal["once", "daily", "weekly"] = "once"
    scheduled_at: IsoTime | None = None
    time_of_day: str | None = None
    weekdays: list[Literal["sun", "mon", "tue", "wed", "thu", "fri", "sat"]] = []


class WritePlan(Answer):
    """What one event teaches (answer name `write_plan`)."""

    event_annotations: EventAnnotations = EventAnnotations()
    state_updates: list[StateUpdate] = []
    preference_updates: list[PreferenceUpdate] = []
    event_affect: EventAffect | None = None
    context_updates: ContextUpdates = ContextUpdates()
    reminder_candidates: list[ReminderCandidate] = []
    dropped: SkipJsonSchema[list[str]] = []
    """Why items of the raw answer were left out; filled while parsing."""

    @model_validator(mode="before")
    @classmethod
    def _keep_good_items(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        data, dropped = scrub(data), _earlier_drops(data)
        context = data.get("context_updates")
        affect = good_fields(data.get("event_affect"), EventAffect, "event_affect", dropped, _CLIPS)
        notes = data.get("event_annotations")
        return {
            "event_annotations": good_fields(notes, EventAnnotations, "event_annotations", dropped, _CLIPS)
            or EventAnnotations(),
            "state_updates": good_items(
                data.get("state_updates"), StateUpdate, "state_updates", dropped, _CLIPS
            ),
            "preference_updates": good_items(
                data.get("preference_updates"), PreferenceUpdate, "preference_updates", dropped, _CLIPS
            ),
            "event_affect": affect,
            "context_updates": _good_context(context, dropped),
            "reminder_candidates": good_items(
                data.get("reminder_candidates"), ReminderCandidate, "reminder_candidates", dropped, _CLIPS
            ),
            "dropped": dropped,
        }


class TidyUpdate(Answer):
    """One memory of a cluster: the one that stays, with its words, or one that says the same and is closed.

    Everything else of the one that stays (how sure, how old, what it rests on) is gathered by code.
    """

    kind: StateKind
    op: Literal["upsert", "close"] = "upsert"
    state_id: Annotated[int | None, BeforeValidator(_bare), _shown_as("s")] = None
    body_text: Annotated[str, Field(max_length=400)] = ""
    reason: Annotated[str, Field(max_length=400)] = ""


class TidyPlan(Answer):
    """Merges and closes proposed for a cluster of near duplicates (`tidy_plan`)."""

    state_updates: list[TidyUpdate] = []
    dropped: SkipJsonSchema[list[str]] = []

    @model_validator(mode="before")
    @classmethod
    def _keep_good_items(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        data, dropped = scrub(data), _earlier_drops(data)
        updates = good_items(data.get("state_updates"), TidyUpdate, "state_updates", dropped, _CLIPS)
        return {"state_updates": updates, "dropped": dropped}


class SelectedMemory(Answer):
    """One memory the mind picked: `ref` is a candidate's handle such as `e12`, `s7`, `a3`."""

    ref: str
    reason: Annotated[str, Field(max_length=300)] = ""
    snippet: Annotated[str, Field(max_length=400)] = ""


class SearchResultPack(Answer):
    """What the mind chose to remember (`search_result_pack`)."""

    # A model is asked for handles alone: reasons and snippets cost it more than they tell.
    selected: Annotated[
        list[SelectedMemory], WithJsonSchema({"type": "array", "items": {"type": "string"}, "maxItems": 24})
    ] = []

    @model_validator(mode="before")
    @classmethod
    def _handles(cls, data: Any) -> Any:
        if not isinstance(data, dict) or not isinstance(data.get("selected"), list):
            return data
        items = [{"ref": item} if isinstance(item, str) else item for item in data["selected"][:64]]
        return {**data, "selected": good_items(items, SelectedMemory, "selected", [], _CLIPS)}


# A summary that came out too long is cut at a sentence's end, not refused.
LongText = Annotated[
    str,
    BeforeValidator(lambda value: value[:2000] if isinstance(value, str) else value),
    Field(json_schema_extra={"maxLength": 400}),
]


class ReplySummary(Answer):
    """A reply made short for previews (`reply_summary`)."""

    summary_text: LongText


class ProposedStateLink(Answer):
    from_state_id: StateId
    to_state_id: StateId
    label: StateLinkLabel
    confidence: Confidence


class StateLinks(Answer):
    """How states relate to their neighbours (`state_links`)."""

    links: list[ProposedStateLink] = []


class ScopeSummary(Answer):
    """A grown summary of one scope (`scope_summary`)."""

    scope_type: ScopeType
    scope_key: str
    body_text: LongText
    favorability_score: Confidence | None = None


class MoodText(Answer):
    """The mood the ghost has been in, in its own words (`mood_text`)."""

    body_text: LongText
