"""`/api/settings` in the exact shape that client sends and reads; testing a preset; usage; the debug view."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query

from cocoro_ghost.api import preset_shapes as shape
from cocoro_ghost.api.app_state import AppState, AppStateDep
from cocoro_ghost.api.schemas.settings import (
    ModelCallOut,
    ModelCallsOut,
    PageOptions,
    SettingsBody,
    SettingsOut,
    SpeechLimits,
    UsageOut,
    UsageRow,
)
from cocoro_ghost.api.server.refusals import documented
from cocoro_ghost.clock import local
from cocoro_ghost.errors import BadInput
from cocoro_ghost.mind.prices import cost_of
from cocoro_ghost.model.record import Usage
from cocoro_ghost.outgoing.addresses import check_base_url
from cocoro_ghost.reply.quiet_hours import QuietHours, store_quiet_hours, stored_quiet_hours
from cocoro_ghost.settings.page import PageSettings, store_page_settings, stored_page_settings
from cocoro_ghost.settings.preset_book import replace_book
from cocoro_ghost.store import meta
from cocoro_ghost.store import settings as rows
from cocoro_ghost.store.ports import Reader, Tx

router = APIRouter(tags=["settings"], responses=documented(404, 409))
_TARGET = "desktop_watch_target_client_id"


@router.get("/api/settings")
async def get_settings(app: AppStateDep) -> SettingsOut:
    """All presets that are not archived, and which are active; keys are masked."""
    return await _settings(app)


@router.put("/api/settings")
async def put_settings(app: AppStateDep, body: SettingsBody) -> SettingsOut:
    """A whole replacement: upsert by id, what is missing is archived."""
    if not body.memory_enabled:
        raise BadInput("Memory cannot be switched off: the ghost is its memory.")
    for llm in body.llm_preset:
        check_base_url(llm.llm_base_url)
        check_base_url(llm.image_llm_base_url)
    for embedding in body.embedding_preset:
        check_base_url(embedding.embedding_base_url)
    shape.check_models(body, app.ghost.book())
    wanted = shape.wanted_presets(body, app.ghost.book())

    def write(tx: Tx) -> None:
        replace_book(tx, app.ghost.seal, wanted, shape.active_ids(body))
        meta.put(tx, "desktop_watch_enabled", str(int(body.desktop_watch_enabled)))
        meta.put(tx, "desktop_watch_interval_seconds", str(body.desktop_watch_interval_seconds))
        if _TARGET in body.model_fields_set:
            meta.put(tx, _TARGET, body.desktop_watch_target_client_id or "")
        if (speech := body.speech) is not None:
            quiet = QuietHours(speech.quiet_from, speech.quiet_until, speech.daily_cap)
            store_quiet_hours(tx, quiet)
        if body.page is not None:
            store_page_settings(tx, PageSettings(**body.page.model_dump()))

    await app.ghost.settings_db.write(write)
    await app.ghost.settings_changed()
    await app.attendant.settings_changed()
    return await _settings(app)


@router.get("/api/usage")
async def usage(app: AppStateDep, days: Annotated[int, Query(ge=1, le=3650)] = 30) -> UsageOut:
    """Calls and tokens a day, by purpose and model."""
    clock = app.ghost.clock
    since = local(clock.system_now() - days * 86_400, clock.zone).date().isoformat()
    found = await app.ghost.settings_db.read(lambda reader: rows.usage_since(reader, since))
    items = [UsageRow.model_validate(asdict(row) | {"cost_usd": _cost(row)}) for row in found]
    return UsageOut(items=items, total_cost_usd=round(sum(one.cost_usd or 0.0 for one in items), 4))


@router.get("/api/debug/model-calls")
async def model_calls(app: AppStateDep) -> ModelCallsOut:
    """The newest requests to models, newest first, with secrets removed."""
    found = app.ghost.call_log.newest()
    return ModelCallsOut(items=[ModelCallOut.model_validate(call.as_dict()) for call in found])


async def _settings(app: AppState) -> SettingsOut:
    book = app.ghost.book()

    def read(reader: Reader) -> tuple[bool, int, str | None]:
        enabled = meta.get(reader, "desktop_watch_enabled") == "1"
        interval = int(meta.get(reader, "desktop_watch_interval_seconds") or 300)
        return enabled, interval, meta.get(reader, _TARGET) or None

    enabled, interval, target = await app.ghost.settings_db.read(read)
    default = app.ghost.quiet_hours()
    quiet = await app.ghost.settings_db.read(lambda reader: stored_quiet_hours(reader, default))
    return SettingsOut(
        memory_enabled=True,
        desktop_watch_enabled=enabled,
        desktop_watch_interval_seconds=interval,
        desktop_watch_target_client_id=target,
        active_llm_preset_id=book.active["llm"],
        active_embedding_preset_id=book.active["embedding"],
        active_persona_preset_id=book.active["persona"],
        active_addon_preset_id=book.active["addon"],
        llm_preset=[shape.llm_out(preset) for preset in book.llm],
        embedding_preset=[shape.embedding_out(preset) for preset in book.embedding],
        persona_preset=[shape.persona_out(preset) for preset in book.persona],
        addon_preset=[shape.addon_out(preset) for preset in book.addon],
        speech=SpeechLimits(quiet_from=quiet.start, quiet_until=quiet.end, daily_cap=quiet.daily_cap),
        page=PageOptions(**asdict(await app.ghost.settings_db.read(stored_page_settings))),
    )


def _cost(row: Usage) -> float | None:
    return cost_of(row.model, row.input_tokens, row.output_tokens, row.cached_tokens)
