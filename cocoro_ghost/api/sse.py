"""Server-sent events by hand: LF line ends, one JSON object a frame."""

from __future__ import annotations

from pydantic import BaseModel

MEDIA_TYPE = "text/event-stream"
HEADERS = {"cache-control": "no-store", "x-accel-buffering": "no"}


def frame(event: str, data: BaseModel) -> bytes:
    return f"event: {event}\ndata: {data.model_dump_json()}\n\n".encode()
