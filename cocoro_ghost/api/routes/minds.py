"""Choosing a mind: which providers there are, which models they offer, a trial before anything is kept."""

from __future__ import annotations

import os
from dataclasses import asdict

from fastapi import APIRouter

from cocoro_ghost.api import preset_shapes as shape
from cocoro_ghost.api.app_state import AppState, AppStateDep
from cocoro_ghost.api.schemas.settings import (
    CheckOut,
    ModelsBody,
    ModelsOut,
    OfferedModelOut,
    ProviderOut,
    ProvidersOut,
    TestBody,
    TestEmbeddingBody,
    TestEmbeddingOut,
    TestOut,
)
from cocoro_ghost.api.server.refusals import documented
from cocoro_ghost.embed.choose_embedder import choose_embedder
from cocoro_ghost.embed.families import embeds
from cocoro_ghost.embed.try_out import try_embedder
from cocoro_ghost.errors import BadInput, GhostError, NotFound
from cocoro_ghost.mind.choose_mind import choose_eyes, key_in_environment
from cocoro_ghost.mind.model_lists import offered_models, talks
from cocoro_ghost.mind.prices import cost_per_1000_turns
from cocoro_ghost.mind.providers import PROVIDERS, endpoint, host_of
from cocoro_ghost.model.presets import EmbeddingPreset, LlmPreset
from cocoro_ghost.model.scene import Language
from cocoro_ghost.reply.trial import Check, try_out
from cocoro_ghost.settings.secrets import is_masked

router = APIRouter(tags=["settings"], responses=documented(400, 404))
_HIDDEN = {"google", "local"}
"""A second name of another, and what is offered apart."""


@router.get("/api/minds/providers")
async def providers(app: AppStateDep) -> ProvidersOut:
    """Whom a model may be had from; no key leaves the ghost."""
    items = [
        ProviderOut(
            name=one.name,
            label=one.label,
            needs_key=not one.local,
            key_page=one.key_page,
            key_found=key_in_environment(one) is not None,
            local=one.local,
            base_url=one.base_url,
            embeddings=one.embeddings,
        )
        for one in PROVIDERS.values()
        if one.name not in _HIDDEN
    ]
    return ProvidersOut(items=items)


@router.post("/api/minds/models")
async def models(app: AppStateDep, body: ModelsBody) -> ModelsOut:
    """The models of a provider, asked from its endpoint."""
    try:
        place = endpoint(f"{body.provider}/any", body.base_url)
        fits = embeds if body.kind == "embedding" else talks
        found = await offered_models(place, _key(app, body), fits)
    except GhostError as error:
        raise BadInput(str(error), code=error.code, ja=error.ja) from error
    return ModelsOut(items=[OfferedModelOut.model_validate(asdict(one)) for one in found])


@router.post("/api/settings/test")
async def test_settings(app: AppStateDep, body: TestBody) -> TestOut:
    """A reply, a typed answer and, where a model for images is set, an image: before or after it is kept."""
    preset = _preset(app, body)
    async with app.ghost.mind_of(preset) as mind:
        eyes = choose_eyes(preset, app.ghost.options) if preset.image_model else None
        try:
            checks = await try_out(mind, eyes, app.ghost.language())
        finally:
            if eyes is not None:
                await eyes.close()
    return _tried(preset, checks, app.ghost.language())


@router.post("/api/settings/test-embedding")
async def test_embedding(app: AppStateDep, body: TestEmbeddingBody) -> TestEmbeddingOut:
    """Two sentences are embedded: whether it works, with how many dimensions; nothing is kept."""
    preset = shape.embedding_to_try(body.preset, app.ghost.book())
    tried = await try_embedder(choose_embedder(preset, os.environ))
    return TestEmbeddingOut.model_validate(asdict(tried))


def _preset(app: AppState, body: TestBody) -> LlmPreset:
    if body.preset is not None:
        return shape.llm_to_try(body.preset, app.ghost.book())
    found = next((one for one in app.ghost.book().llm if one.preset_id == body.llm_preset_id), None)
    if found is None:
        raise NotFound(f"There is no preset {body.llm_preset_id!r}.")
    return found


def _tried(preset: LlmPreset, checks: tuple[Check, ...], language: Language) -> TestOut:
    cost = cost_per_1000_turns(preset.model)
    price_ja = "料金は分かりません。" if cost is None else f"1,000 往復でおよそ {cost:.2f} ドル。"
    price_en = "The price is not known." if cost is None else f"About ${cost:.2f} for 1,000 turns."
    ja = " ".join([*dict.fromkeys(one.words_ja for one in checks), price_ja])
    en = " ".join([*dict.fromkeys(one.words_en for one in checks), price_en])
    bad = next((one for one in checks if not one.ok), None)
    message = "" if bad is None else (bad.words_ja if language is Language.JA else bad.words_en)
    return TestOut(
        ok=bad is None,
        model=preset.model,
        milliseconds=sum(one.milliseconds for one in checks),
        message=message,
        checks=[CheckOut.model_validate(asdict(one)) for one in checks],
        cost_per_1000_turns_usd=cost,
        words_ja=ja,
        words_en=en,
    )


def _key(app: AppState, body: ModelsBody) -> str | None:
    """The key that was sent, else the stored one of a preset that speaks to the same host."""
    if body.api_key and not is_masked(body.api_key):
        return body.api_key
    wanted = host_of(f"{body.provider}/any", body.base_url)
    book, ids = app.ghost.book(), {body.llm_preset_id, body.embedding_preset_id}
    stored: list[LlmPreset | EmbeddingPreset] = [*book.llm, *book.embedding]
    for one in stored:
        if one.preset_id in ids and host_of(one.model, one.base_url) == wanted:
            return one.api_key
    return None
