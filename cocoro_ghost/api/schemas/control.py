"""Health, time, counters, mood, status: the calls that look at the ghost from outside."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from cocoro_ghost.api.schemas.parts import VadOut, Wire


class HealthOut(Wire):
    status: Literal["healthy"] = "healthy"


class ReadyOut(Wire):
    ready: bool
    message: str = ""


class LoginBody(Wire):
    """One of the two."""

    token: Annotated[str, Field(max_length=500, examples=["the token printed at first start"])] | None = None
    code: Annotated[str, Field(max_length=200, description="From the login link; works once.")] | None = None


class SessionOut(Wire):
    session: Annotated[str, Field(description="Sent as `Authorization: Session <session>`.")]
    expires_in_seconds: Annotated[int, Field(description="Counted from its last use.")]


class TicketOut(Wire):
    ticket: str
    expires_in_seconds: int


class TimeOut(Wire):
    system_now_utc_ts: int
    system_now_iso: str
    domain_now_utc_ts: int
    domain_now_iso: str
    domain_offset_seconds: int


class AdvanceBody(Wire):
    seconds: Annotated[int, Field(ge=0, le=3_153_600_000, examples=[3600])]


class WorkerStats(Wire):
    pending_count: int
    due_pending_count: int
    running_count: int
    stale_running_count: int
    done_count: int
    failed_count: int
    stale_seconds: int


class HubStats(Wire):
    clients: int
    queue_size: int
    queue_max: int
    enqueued: int
    dropped: int
    sent: int
    send_errors: int
    target_not_connected: int


class StreamStats(Wire):
    events: HubStats
    logs: HubStats


class ControlBody(Wire):
    action: Literal["shutdown"]
    reason: Annotated[str, Field(max_length=1000, examples=["update"])] | None = None


class MoodDebug(Wire):
    state_id: int
    body_text: str
    confidence: float
    payload: dict[str, Any]
    baseline_vad: VadOut
    shock_vad: VadOut
    vad: VadOut
    now: str = Field(examples=["2026-01-03T09:30:00+09:00"])
    last_confirmed_at: str
    dt_seconds: int


class RecentAffect(Wire):
    affect_id: int
    event_id: int
    event_source: str
    event_created_at: str
    affect_created_at: str
    moment_affect_text: str
    moment_affect_labels: list[str]
    vad: VadOut | None
    confidence: float


class MoodLimits(Wire):
    recent_affects_limit: int = 8


class MoodDebugOut(Wire):
    mood: MoodDebug | None
    recent_affects: list[RecentAffect]
    limits: MoodLimits = MoodLimits()


Axis = Annotated[float, Field(ge=-1.0, le=1.0, allow_inf_nan=False)]


class VadBody(Wire):
    v: Axis = Field(examples=[0.4])
    a: Axis = Field(examples=[-0.1])
    d: Axis = Field(examples=[0.0])


class MoodOverrideBody(Wire):
    vad: VadBody
    note: Annotated[str, Field(max_length=400)] | None = None
    ttl_seconds: Annotated[int, Field(ge=1, le=604_800)] | None = None


class MoodOverride(Wire):
    vad: VadOut
    note: str | None = None
    expires_at: int | None = None


class PersonaMoodOut(Wire):
    stored: VadOut | None
    override: MoodOverride | None
    effective: VadOut | None


class IndexCoverage(Wire):
    """How much of the memory the derived indexes cover."""

    events: int
    words: int
    vectors: int


class FoundMind(Wire):
    """A key in the environment or a local server: offered, never used unasked."""

    provider: str = Field(examples=["openai", "ollama"])
    kind: Literal["key", "local_server"]
    detail: str = Field(examples=["OPENAI_API_KEY", "http://127.0.0.1:11434/v1"])
    models: list[str] = []


class MindStatus(Wire):
    model: str
    embedded: bool
    breaker_open: bool = False
    configured: bool = True
    message: str = ""


class EmbeddingStatus(Wire):
    model: str
    dimension: int
    available: bool
    message: str = ""


class BackupStatusOut(Wire):
    folder: str
    count: int
    bytes: int
    newest_at: int | None = Field(None, description="When the newest was made, UTC seconds; null for none.")
    old: bool = Field(False, description="The newest is older than three days: time to look why.")
    problem: str = Field("", description="Why the last attempt made none.")


class StatusOut(Wire):
    version: str
    data_dir: str | None = Field(None, description="Where the files are; null in a shared database.")
    language: str
    counts: dict[str, int]
    index: IndexCoverage
    embedding: EmbeddingStatus
    mind: MindStatus
    worker: WorkerStats
    talking: bool = False
    found: list[FoundMind] = []
    backups: BackupStatusOut | None = Field(None, description="null where the host makes the backups.")
    damage: str = Field("", description="Why nothing is written any more; empty while all is well.")


class BackupOut(Wire):
    name: str
    files: list[str]
    bytes: int
