"""The talk as a page shows it: a turn with its signs, and what is known of the person."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from cocoro_ghost.api.schemas.memory import EventOut, PreferenceOut, StateOut
from cocoro_ghost.api.schemas.parts import MAX_ID, Moment, Share, VadOut, Wire
from cocoro_ghost.api.schemas.senses import ReminderOut

LearnState = Literal["learning", "learned", "nothing", "failed"]
Thumbnail = Annotated[
    str, Field(max_length=60_000, pattern=r"^data:image/(jpeg|webp|png);base64,[A-Za-z0-9+/]+=*$")
]


class RecalledRef(Wire):
    ref: str = Field(description="`e<id>` an event, `s<id>` a state, `a<id>` a feeling.", examples=["s12"])
    text: str


class LessonOut(Wire):
    """One thing a turn taught; undo its revision to take it back."""

    revision_id: int
    entity_type: str
    entity_id: int
    text: str = Field(examples=["抹茶"])
    polarity: Literal["like", "dislike"] | None = None
    closed: bool = Field(default=False, description="The turn ended it rather than taught it.")
    undone: bool = False


class TurnOut(EventOut):
    """An event with what it recalled, taught and felt: one request shows a whole talk."""

    run_id: int | None = None
    recalled: list[RecalledRef] = []
    lessons: list[LessonOut] = []
    learning: LearnState = "nothing"
    feeling: VadOut | None = None
    older_replies: list[str] = []
    thumbnails: list[str] = Field(default=[], description="Small copies of pictures, where kept.")


class ThumbnailsBody(Wire):
    images: Annotated[list[Thumbnail], Field(max_length=5)]


class KeptOut(Wire):
    """Whether the owner's settings let the pictures be kept."""

    kept: bool


class AboutLine(Wire):
    """One thing known of the person; `ref` opens it (`s<id>` a state, `p<id>` a preference)."""

    ref: str = Field(examples=["s12", "p3"])
    text: str
    polarity: Literal["like", "dislike"] | None = None
    since: int | None = None
    last_confirmed_at: int
    due_ts: int | None = None
    pin: bool = False
    evidence_event_ids: list[int] = []
    ask: bool = Field(default=False, description="Long unconfirmed: worth asking whether it is still so.")


class AboutSection(Wire):
    name: Literal["self", "home", "work", "family", "pets", "health", "likes", "plans", "other"]
    lines: list[AboutLine]


class AboutChange(Wire):
    text: str
    before: str | None = None
    ended: bool
    at: int
    state_id: int


class AboutMeOut(Wire):
    sections: list[AboutSection]
    changes: list[AboutChange] = Field(description="What changed in the last weeks, newest first.")


class NowOut(Wire):
    """Where the companion stands: its time, its mood in words, what lies ahead."""

    now: str = Field(examples=["2026-01-03T09:30:00+09:00"])
    time_zone: str | None = Field(examples=["Asia/Tokyo"], description="null: this machine's own.")
    last_talk: str | None = None
    mood: str = ""
    tasks: list[str] = Field(description="Open plans, the next to fall due first.")
    reminders: list[str] = Field(description="When and what, the next to fall due first.")


class StateBody(Wire):
    """A memory written by hand."""

    body_text: Annotated[str, Field(min_length=1, max_length=400, examples=["住まいは京都"])]
    kind: Literal["fact", "relation", "task"] = "fact"
    slot: Annotated[str, Field(max_length=40, pattern=r"^[a-z_]+$")] | None = None
    due_ts: Moment | None = None
    confidence: Share = 1.0
    reason: Annotated[str, Field(max_length=400)] = ""


BulkAct = Literal["close", "restore", "pin", "unpin", "confirm", "forget"]


class BulkBody(Wire):
    state_ids: Annotated[list[Annotated[int, Field(ge=1, le=MAX_ID)]], Field(min_length=1, max_length=500)]
    act: BulkAct
    reason: Annotated[str, Field(max_length=400)] = ""


class BulkOut(Wire):
    changed: int
    missing: list[int] = Field(default=[], description="Ids that name nothing any more.")


class MergeBody(Wire):
    """`close` becomes past, `keep` stays with the evidence of both."""

    keep: Annotated[int, Field(ge=1, le=MAX_ID)]
    close: Annotated[int, Field(ge=1, le=MAX_ID)]
    body_text: Annotated[str, Field(min_length=1, max_length=400)] | None = None
    reason: Annotated[str, Field(max_length=400)] = ""


class ContradictionOut(Wire):
    one: StateOut
    other: StateOut


class ReviewOut(Wire):
    """What waits for the person's word."""

    contradictions: list[ContradictionOut]
    guesses: list[PreferenceOut]
    reminders: list[ReminderOut]
    old: list[StateOut] = Field(description="Long unconfirmed: still so?")


class DayMoodOut(Wire):
    """One local day by its strongest moment."""

    day: str = Field(examples=["2026-01-03"])
    moments: int
    mean_v: float
    strongest: VadOut
    text: str
    event_id: int
    at: int


class DayMoodsOut(Wire):
    items: list[DayMoodOut]


class OnThisDayOut(Wire):
    years_ago: int
    event: EventOut


class OnThisDaysOut(Wire):
    items: list[OnThisDayOut]
