"""Answers of `/api/memory`: events, states, preferences, revisions, feelings, threads, jobs."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from cocoro_ghost.api.schemas.parts import AboutOut, ClientContextBody, EntityOut, Share, VadOut, Wire
from cocoro_ghost.model.event import EventStatus, Origin, Source
from cocoro_ghost.model.job import JobKind, JobStatus
from cocoro_ghost.model.link import EventLinkLabel, StateLinkLabel
from cocoro_ghost.model.preference import Domain, Polarity, PreferenceStatus
from cocoro_ghost.model.revision import Actor, Why
from cocoro_ghost.model.state import StateKind


class EventOut(Wire):
    event_id: int
    created_at: int
    updated_at: int
    source: Source
    origin: Origin
    status: EventStatus
    conversation: str
    searchable: bool
    user_text: str | None = None
    assistant_text: str | None = None
    client_id: str | None = None
    speaker: str | None = None
    image_summaries: list[str] | None = None
    about: AboutOut = AboutOut()
    entities: list[EntityOut] = []
    client_context: ClientContextBody | None = None
    forgotten_at: int | None = None
    annotated_at: int | None = None


class AffectOut(Wire):
    affect_id: int
    event_id: int
    created_at: int
    text: str
    labels: list[str]
    inner_thought: str | None = None
    vad: VadOut
    confidence: float
    searchable: bool


class ThreadOut(Wire):
    thread_key: str
    events: int
    first_event_id: int
    last_event_id: int


class ThreadMembershipOut(Wire):
    thread_key: str
    confidence: float
    created_at: int


class ThreadDetail(Wire):
    thread_key: str
    items: list[EventOut]


class EventLinkOut(Wire):
    link_id: int
    from_event_id: int
    to_event_id: int
    label: EventLinkLabel
    confidence: float
    created_at: int


class JobOut(Wire):
    job_id: int
    kind: JobKind
    key: str
    payload: dict[str, Any]
    status: JobStatus
    run_after: int
    attempts: int
    snoozes: int
    created_at: int
    updated_at: int
    last_error: str | None = None
    raw_answer: str | None = None


class RevisionOut(Wire):
    revision_id: int
    entity_type: str
    entity_id: int
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    actor: Actor
    reason: str
    """A sentence in the ghost's language."""
    reason_code: Why | None = None
    """What kind of reason it is; null where the mind or the person gave their own."""
    evidence_event_ids: list[int]
    created_at: int
    model: str | None = None
    prompt_hash: str | None = None
    undoes: int | None = None
    undone: bool = False


class OldReplyOut(Wire):
    reply_revision_id: int
    assistant_text: str
    created_at: int


class WritePlanOut(Wire):
    """What the mind proposed to learn from an event, and what was refused of it."""

    plan_id: int
    model: str
    prompt_hash: str
    created_at: int
    applied_at: int | None = None
    dropped: list[str] = []


class EventDetail(EventOut):
    affect: AffectOut | None = None
    threads: list[ThreadMembershipOut] = []
    links: list[EventLinkOut] = []
    retrieval_run_id: int | None = None
    jobs: list[JobOut] = []
    learned: list[RevisionOut] = Field(default=[], description="Revisions that rest on this event.")
    older_replies: list[OldReplyOut] = []
    reply_summary: str | None = None
    plans: list[WritePlanOut] = []


class ForgetOut(Wire):
    """What forgetting took back."""

    event_id: int | None = None
    state_id: int | None = None
    preference_id: int | None = None
    reverted_revisions: int = 0


class ForgettingOut(Wire):
    """One act of forgetting; it can be undone."""

    forgetting_id: int
    kind: Literal["event", "state", "preference"]
    entity_id: int
    created_at: int
    undone_at: int | None = None


class SeparatedOut(Wire):
    """One memory that was set apart."""

    ref: str = Field(description="`e<id>` an event, `s<id>` a state, `a<id>` a feeling.", examples=["s12"])
    text: str = Field(description="What it says; empty when it is gone.", examples=["あなたは犬を飼っていた"])


class OpenSeparationOut(Wire):
    """A denial that may mean several memories: nothing is set apart until it is said which."""

    denial_event_id: int = Field(examples=[41])
    memories: list[SeparatedOut] = Field(description="Each with a reference to answer with.")
    asked_at: int = Field(examples=[1767225600])


class WhichBody(Wire):
    denial_event_id: int = Field(examples=[41])
    ref: Annotated[str, Field(max_length=24, examples=["e12"])]


class SeparationOut(Wire):
    """One denial ("that is not what I meant") and what it set apart: kept, but no longer recalled."""

    separation_id: int = Field(examples=[3])
    denial_event_id: int = Field(description="The turn in which the memory was denied.", examples=[41])
    denial_text: str = Field(description="The words of that turn.", examples=["それは関係ないよ"])
    memories: list[SeparatedOut]
    created_at: int = Field(examples=[1767225600])
    undone_at: int | None = Field(
        default=None, description="When it was brought back; null while it is set apart.", examples=[None]
    )


class StateOut(Wire):
    state_id: int
    kind: StateKind
    body_text: str
    payload: dict[str, Any]
    confidence: float
    salience: float
    pin: bool
    searchable: bool
    active: bool
    valid_from_ts: int | None = None
    valid_to_ts: int | None = None
    last_confirmed_at: int
    created_at: int
    updated_at: int
    entities: list[EntityOut] = []
    evidence_event_ids: list[int] = []
    origin: str


class StateLinkOut(Wire):
    link_id: int
    from_state_id: int
    to_state_id: int
    label: StateLinkLabel
    confidence: float
    created_at: int
    other_body_text: str = ""


class StateDetail(StateOut):
    links: list[StateLinkOut] = []
    evidence: list[EventOut] = []
    revisions: list[RevisionOut] = []


class StatePatch(Wire):
    """What a person may change of a state; absent members stay."""

    body_text: Annotated[str, Field(min_length=1, max_length=400, examples=["住まいは京都"])] | None = None
    pin: bool | None = None
    confidence: Share | None = None
    reason: Annotated[str, Field(max_length=400)] = ""


class PreferenceOut(Wire):
    preference_id: int
    domain: Domain
    polarity: Polarity
    subject: str
    status: PreferenceStatus
    note: str | None = None
    confidence: float
    evidence_event_ids: list[int]
    first_seen_at: int
    last_seen_at: int
    confirmed_at: int | None = None
    revoked_at: int | None = None


class MoodPoint(Wire):
    ts: int
    baseline: VadOut
    shock: VadOut
    vad: VadOut


class MoodHistory(Wire):
    """A series for plotting, oldest first."""

    start_ts: int
    end_ts: int
    points: list[MoodPoint]


class GraphNode(Wire):
    """`id` is e12 (event), s7 (state), t:key (thread) or n:type:name (entity)."""

    id: str
    kind: str
    label: str
    ts: int | None = None


class GraphEdge(Wire):
    source: str
    target: str
    label: str
    confidence: float = 1.0


class GraphOut(Wire):
    centre: str
    nodes: list[GraphNode]
    edges: list[GraphEdge]


class TidyRunOut(Wire):
    tidy_run_id: int
    started_at: int
    finished_at: int
    milliseconds: int
    trigger: str
    counts: dict[str, Any]


class QueuedOut(Wire):
    """Whether the work was queued; false when the same work already waits."""

    queued: bool


class SearchOut(Wire):
    query: str
    events: list[EventOut]
    states: list[StateOut]


class TimelineBucket(Wire):
    bucket: str = Field(examples=["2026-01", "2026-01-03"])
    events: int
    first_event_id: int
    last_event_id: int


class TimelineOut(Wire):
    by: Literal["about", "recorded"]
    bucket: Literal["day", "month"]
    items: list[TimelineBucket]
