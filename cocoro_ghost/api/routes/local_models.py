"""Open models of this machine: the list, downloads that go on by themselves, putting one to use."""

from __future__ import annotations

from fastapi import APIRouter, status

from cocoro_ghost.api.app_state import AppState, AppStateDep
from cocoro_ghost.api.schemas.local_models import LocalModelOut, LocalModelsOut
from cocoro_ghost.api.server.refusals import documented
from cocoro_ghost.api.use_local_model import machine_memory, models_in_use, use_model
from cocoro_ghost.errors import BadInput, Conflict
from cocoro_ghost.mind.local.catalogue import fits

router = APIRouter(tags=["settings"], responses=documented(400, 404, 409))


@router.get("/api/minds/local")
async def local_models(app: AppStateDep) -> LocalModelsOut:
    """What may be had without a key, how much of it is here, and how what runs is doing."""
    items = [await _told(app, model_id) for model_id in app.ghost.shelf.models]
    return LocalModelsOut(memory_bytes=machine_memory(), runnable=app.ghost.shelf.runnable, items=items)


@router.post("/api/minds/local/{model_id}/download", status_code=status.HTTP_202_ACCEPTED)
async def download_local_model(app: AppStateDep, model_id: str) -> LocalModelOut:
    """Begins, or goes on where an earlier download broke off; the list tells how far it is."""
    app.ghost.shelf.begin(model_id)
    return await _told(app, model_id)


@router.post("/api/minds/local/{model_id}/cancel")
async def cancel_local_download(app: AppStateDep, model_id: str) -> LocalModelOut:
    """What came so far is kept."""
    await app.ghost.shelf.cancel(model_id)
    return await _told(app, model_id)


@router.post("/api/minds/local/{model_id}/use")
async def use_local_model(app: AppStateDep, model_id: str) -> LocalModelOut:
    """A model that speaks or embeds gets a preset, which becomes active; a reranker is switched on."""
    await use_model(app.ghost, model_id)
    return await _told(app, model_id)


@router.post("/api/minds/local/{model_id}/leave")
async def leave_local_model(app: AppStateDep, model_id: str) -> LocalModelOut:
    """Switches a reranker off; another mind or embedding is chosen by its preset."""
    if app.ghost.shelf.known(model_id).kind != "rerank":
        raise BadInput(
            "Choose another preset in the settings instead.", ja="設定で別のプリセットを選んでください。"
        )
    await app.ghost.rerank_by("")
    return await _told(app, model_id)


@router.delete("/api/minds/local/{model_id}")
async def remove_local_model(app: AppStateDep, model_id: str) -> LocalModelOut:
    """The file goes, a half one too; refused while it is in use."""
    model = app.ghost.shelf.known(model_id)
    if model.preset_model in await models_in_use(app.ghost):
        raise Conflict(
            f"{model.name} is being used; choose another first.",
            ja=f"{model.name} は使用中です。先に別のものを選んでください。",
        )
    await app.ghost.shelf.remove(model_id)
    return await _told(app, model_id)


async def _told(app: AppState, model_id: str) -> LocalModelOut:
    found = app.ghost.shelf.look(model_id)
    model, problem = found.model, found.problem
    return LocalModelOut(
        id=model.id,
        name=model.name,
        kind=model.kind,
        size_bytes=model.size_bytes,
        licence=model.licence,
        languages=model.languages,
        source=model.source,
        memory_bytes=model.memory_bytes,
        fits=fits(model, machine_memory()),
        dimension=model.dimension,
        model=model.preset_model,
        state=found.state,
        have_bytes=found.have_bytes,
        whole_bytes=found.whole_bytes,
        in_use=model.preset_model in await models_in_use(app.ghost),
        child=found.child,
        problem_ja="" if problem is None else problem.told(japanese=True),
        problem_en="" if problem is None else str(problem),
    )
