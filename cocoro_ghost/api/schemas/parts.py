"""Pieces that several answers share: pages, errors, points of feeling, entities."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Annotated, Generic, TypeVar

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict, Field

from cocoro_ghost.model.event import EntityType

T = TypeVar("T")
MAX_ID = 2_147_483_647
ANSWER_BYTES = 2_000_000
"""What a list in an answer may weigh; what does not fit comes with the next page."""
MAX_TS = 253_402_300_799
Id = Annotated[int, Path(ge=1, le=MAX_ID)]
Limit = Annotated[int, Query(ge=1, le=500, description="How many at most; 2 MB fill a page sooner.")]
Cursor = Annotated[
    int | None, Query(ge=1, le=MAX_ID, description="`next_cursor` of the page before; newest first without.")
]
# From the year 1000 to 2999: "thirty years ago" and "in fifty years" stay inside what calendars can show.
Moment = Annotated[int, Field(ge=-30_610_224_000, le=32_503_680_000, description="UTC seconds")]
Share = Annotated[float, Field(ge=0.0, le=1.0, allow_inf_nan=False)]


class Wire(BaseModel):
    """Base of all bodies: unknown members are ignored, as that client relies on."""

    model_config = ConfigDict(extra="ignore")


class Page(Wire, Generic[T]):
    """One page, newest first; `next_cursor` is null on the last."""

    items: list[T]
    next_cursor: int | None = None


Sent = TypeVar("Sent", bound=BaseModel)


def page_of(found: Sequence[Sent], limit: int, id_of: Callable[[Sent], int]) -> Page[Sent]:
    """The first `limit` of what was found (one more was looked for), and no more than a page may weigh."""
    items = bounded(found[:limit])
    return Page(items=items, next_cursor=id_of(items[-1]) if len(found) > len(items) else None)


def bounded(items: Iterable[Sent]) -> list[Sent]:
    """As many as fit into `ANSWER_BYTES`, the first always: 500 texts of 200,000 characters fill a phone."""
    kept: list[Sent] = []
    weight = 0
    for item in items:
        weight += len(item.model_dump_json().encode()) + 1
        if kept and weight > ANSWER_BYTES:
            break
        kept.append(item)
    return kept


class ErrorDetail(Wire):
    code: str = Field(examples=["not_found"])
    message: str = Field(examples=["There is no event 7."])
    message_ja: str = Field(default="", description="The same in Japanese, where a person may meet it.")


class ErrorOut(Wire):
    """Every refusal: a code for programs and a sentence for people."""

    detail: ErrorDetail


class VadOut(Wire):
    v: float = 0.0
    a: float = 0.0
    d: float = 0.0


class EntityOut(Wire):
    type: EntityType
    name: str
    confidence: float


class AboutOut(Wire):
    """When the content happened, as opposed to when it was said."""

    start_ts: int | None = None
    end_ts: int | None = None
    year_start: int | None = None
    year_end: int | None = None
    life_stage: str | None = None
    confidence: float = 0.0


class ClientContextBody(Wire):
    active_app: Annotated[str, Field(max_length=4000)] | None = None
    window_title: Annotated[str, Field(max_length=4000)] | None = None
    locale: Annotated[str, Field(max_length=100)] | None = None


class ReasonBody(Wire):
    """Why a person changes memory; kept in the revision."""

    reason: Annotated[str, Field(max_length=400, examples=["引っ越した"])] = ""
