"""`/api/memory/retrieval-runs` and `recall`: which memories were used, and why."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter

from cocoro_ghost.api.app_state import AppStateDep
from cocoro_ghost.api.schemas.parts import Cursor, Id, Limit, Page, page_of
from cocoro_ghost.api.schemas.traces import (
    MarkBody,
    RecallBody,
    RecalledOut,
    RecallOut,
    RetrievalRunDetail,
    RetrievalRunOut,
)
from cocoro_ghost.api.server.refusals import documented
from cocoro_ghost.errors import Conflict
from cocoro_ghost.hear.message import clean
from cocoro_ghost.model.record import Run
from cocoro_ghost.model.retrieval import Mode
from cocoro_ghost.recall.recall import RecallRequest
from cocoro_ghost.store import runs
from cocoro_ghost.store.ports import Reader
from cocoro_ghost.tidy.separate import selected_refs, texts_of

router = APIRouter(tags=["memory: traces"], responses=documented(404))
QUOTED_CHARACTERS = 300


@router.get("/api/memory/retrieval-runs")
async def list_runs(app: AppStateDep, limit: Limit = 50, cursor: Cursor = None) -> Page[RetrievalRunOut]:
    """Every time the ghost remembered, newest first."""
    rows = await app.ghost.memory.read(lambda reader: runs.listed(reader, limit + 1, cursor))
    return page_of([_summary(row) for row in rows], limit, lambda run: run.run_id)


@router.get("/api/memory/retrieval-runs/{run_id}")
async def one_run(app: AppStateDep, run_id: Id) -> RetrievalRunDetail:
    """Plan, routes with hits and milliseconds, fusion, quotas, selection with reasons, pack."""

    def read(reader: Reader) -> RetrievalRunDetail:
        row = runs.get(reader, run_id)
        seated = row.candidates.get("seated", [])
        refs = selected_refs([*_selected(row), *(seated if isinstance(seated, list) else [])])
        texts = {ref: text[:QUOTED_CHARACTERS] for ref, text in texts_of(reader, refs).items()}
        return RetrievalRunDetail.model_validate({**asdict(row), "selected": _selected(row), "texts": texts})

    return await app.ghost.memory.read(read)


@router.post("/api/memory/retrieval-runs/{run_id}/mark", status_code=204)
async def mark_run(app: AppStateDep, run_id: Id, body: MarkBody) -> None:
    """A person's judgement of what was remembered."""
    await app.ghost.memory.write(lambda tx: runs.mark(tx, run_id, body.mark))


@router.post("/api/memory/recall")
async def recall(app: AppStateDep, body: RecallBody) -> RecallOut:
    """The whole recall path without a reply and without writing anything."""
    if app.ghost.recaller is None:
        raise Conflict("There is nothing to recall with yet.")
    request = RecallRequest(
        clean(body.text),
        now=body.now,
        mode=None if body.mode is None else Mode(body.mode),
        language=app.ghost.language_of(body.text),
        persona=app.ghost.persona(),
        selected=body.k,
        max_inject_tokens=app.ghost.chosen().llm.max_inject_tokens,
    )
    result = await app.ghost.recaller.run(request)
    return RecallOut(
        mode=result.plan.mode.value,
        items=[RecalledOut.model_validate(asdict(one)) for one in result.recalled],
        memory_pack=result.pack.text,
        milliseconds=result.milliseconds,
        explain=result.trace() if body.explain else None,
    )


def _summary(row: Run) -> RetrievalRunOut:
    return RetrievalRunOut(
        run_id=row.run_id,
        event_id=row.event_id,
        created_at=row.created_at,
        mode=str(row.plan.get("mode", "")),
        selected=len(_selected(row)),
        milliseconds=float(row.candidates.get("milliseconds", 0.0)),
        mark=row.mark,
        said=row.user_text,
    )


def _selected(row: Run) -> list[object]:
    found: Any = row.selected
    return list(found) if isinstance(found, list) else list(found.get("items", found.get("selected", [])))
