"""Notifications, wishes, pictures and reminders on the wire."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from cocoro_ghost.api.schemas.parts import ClientContextBody, Wire

Weekday = Literal["sun", "mon", "tue", "wed", "thu", "fri", "sat"]


class NotificationBody(Wire):
    source_system: str = Field(examples=["MyApp"])
    text: str = Field(default="", examples=["処理完了"])
    images: list[str] | None = None


class MetaRequestBody(Wire):
    """What is asked is used once and neither stored nor logged."""

    instruction: str | None = Field(default=None, examples=["昼休みなので、ひとこと声をかけて"])
    payload_text: str | None = None
    images: list[str] | None = None


class CaptureBody(Wire):
    """A client's answer to `vision.capture_request`."""

    request_id: Annotated[str, Field(max_length=200)]
    client_id: Annotated[str, Field(max_length=200)]
    images: list[str] | None = None
    client_context: ClientContextBody | None = None
    error: str | None = Field(default=None, examples=["capture skipped (idle)"])


class ReminderBody(Wire):
    """`once` needs `scheduled_at`; `daily` and `weekly` need `time_of_day`, `weekly` also `weekdays`."""

    enabled: bool = True
    repeat_kind: Literal["once", "daily", "weekly"]
    content: str = Field(examples=["薬を飲む"])
    scheduled_at: str | None = Field(default=None, examples=["2026-01-03T09:30:00+09:00"])
    time_of_day: str | None = Field(default=None, examples=["09:30"])
    weekdays: list[Weekday] | None = None


class ReminderPatch(Wire):
    """Any of a reminder's editable members; what is absent stays."""

    enabled: bool | None = None
    repeat_kind: Literal["once", "daily", "weekly"] | None = None
    content: str | None = None
    scheduled_at: str | None = None
    time_of_day: str | None = None
    weekdays: list[Weekday] | None = None


class ReminderOut(Wire):
    """`confirmed` is false for one the ghost heard in the talk and that waits for a yes."""

    id: str
    enabled: bool
    repeat_kind: Literal["once", "daily", "weekly"]
    content: str
    scheduled_at: str | None
    time_of_day: str | None
    weekdays: list[str]
    next_fire_at_utc: int | None
    confirmed: bool = True
    source_event_id: int | None = None


class SnoozeBody(Wire):
    minutes: Annotated[int, Field(ge=1, le=10_080, examples=[10])]


class RemindersOut(Wire):
    items: list[ReminderOut]


class ReminderSettings(Wire):
    reminders_enabled: bool


class MissedFrame(Wire):
    """A line as the event stream carried it."""

    event_id: int
    type: str = Field(examples=["notification"])
    data: dict[str, Any]


class MissedOut(Wire):
    items: list[MissedFrame]
    last_event_id: int = Field(description="Ask again with `after` set to this.")
