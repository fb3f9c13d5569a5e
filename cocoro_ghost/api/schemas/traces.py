"""How a reply remembered: stored retrieval runs, and recall without a reply."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from cocoro_ghost.api.schemas.parts import Moment, Wire

Mark = Literal["good", "bad"]


class RetrievalRunOut(Wire):
    run_id: int
    event_id: int | None = None
    created_at: int
    mode: str = ""
    selected: int = 0
    milliseconds: float = 0.0
    mark: Mark | None = None
    said: str = Field(default="", description="The words that were answered.")


class RetrievalRunDetail(Wire):
    """Everything of one run but the bodies: plan, routes with hits and ms, fusion, quotas, reasons, pack."""

    run_id: int
    event_id: int | None = None
    created_at: int
    plan: dict[str, Any]
    candidates: dict[str, Any]
    selected: list[dict[str, Any]]
    pack: dict[str, Any]
    mark: Mark | None = None
    texts: dict[str, str] = Field(default={}, description="What each named memory says, by reference.")


class MarkBody(Wire):
    mark: Mark | None = Field(default=None, description="null removes the mark", examples=["good"])


class RecallBody(Wire):
    text: Annotated[str, Field(min_length=1, max_length=20_000, examples=["去年の夏に行った場所、覚えてる?"])]
    now: Moment | None = None
    mode: Literal["associative_recent", "explicit_about_time", "targeted_broad"] | None = None
    k: Annotated[int, Field(ge=1, le=60)] | None = None
    explain: bool = False


class RecalledOut(Wire):
    """`ref` is e12 (event), s7 (state) or a3 (affect)."""

    ref: str
    kind: str
    text: str
    reply_text: str = ""
    said_at: int
    happened_at: int | None = None
    score: float
    reason: str = ""
    closed: bool = False
    origin: str = Field(default="user", description="Whose words it rests on.")
    confidence: float | None = Field(default=None, description="Of a state: how sure it is.")


class RecallOut(Wire):
    mode: str
    items: list[RecalledOut]
    memory_pack: str
    milliseconds: float
    explain: dict[str, Any] | None = Field(default=None, description="As a stored run's members, on request.")
