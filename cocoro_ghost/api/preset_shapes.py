"""Shape S of the settings call to presets and back; keys leave masked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from cocoro_ghost.api.schemas.settings import (
    AddonPresetBody,
    EmbeddingPresetBody,
    LlmPresetBody,
    LlmPresetOut,
    PersonaPresetBody,
    SettingsBody,
)
from cocoro_ghost.embed.choose_embedder import PROVIDERS as EMBEDDING_PROVIDERS
from cocoro_ghost.embed.choose_embedder import knows as leads_somewhere
from cocoro_ghost.errors import BadInput, NotConfigured
from cocoro_ghost.mind.choose_mind import is_embedded
from cocoro_ghost.mind.providers import host_of, split_model
from cocoro_ghost.model.presets import AddonPreset, EmbeddingPreset, LlmPreset, PersonaPreset
from cocoro_ghost.settings.preset_book import PresetBook
from cocoro_ghost.settings.secrets import is_masked, mask


def llm_out(preset: LlmPreset) -> LlmPresetOut:
    return LlmPresetOut(
        llm_preset_id=preset.preset_id,
        llm_preset_name=preset.name,
        llm_api_key=mask(preset.api_key),
        llm_model=preset.model,
        reasoning_effort=preset.reasoning_effort,
        reply_web_search_enabled=preset.web_search,
        llm_base_url=preset.base_url,
        max_turns_window=preset.max_turns_window,
        max_tokens=preset.max_tokens,
        image_model_api_key=mask(preset.image_api_key) or None,
        image_model=preset.image_model,
        image_llm_base_url=preset.image_base_url,
        max_tokens_vision=preset.max_tokens_vision,
        image_timeout_seconds=preset.image_timeout_seconds,
        max_inject_tokens=preset.max_inject_tokens,
        fallback_llm_preset_id=preset.fallback_preset_id,
    )


def embedding_out(preset: EmbeddingPreset) -> EmbeddingPresetBody:
    return EmbeddingPresetBody(
        embedding_preset_id=preset.preset_id,
        embedding_preset_name=preset.name,
        embedding_model_api_key=mask(preset.api_key) or None,
        embedding_model=preset.model,
        embedding_base_url=preset.base_url,
        embedding_dimension=preset.dimension,
    )


def persona_out(preset: PersonaPreset) -> PersonaPresetBody:
    return PersonaPresetBody(
        persona_preset_id=preset.preset_id,
        persona_preset_name=preset.name,
        persona_text=preset.persona_text,
        second_person_label=preset.second_person_label,
    )


def addon_out(preset: AddonPreset) -> AddonPresetBody:
    return AddonPresetBody(
        addon_preset_id=preset.preset_id, addon_preset_name=preset.name, addon_text=preset.addon_text
    )


def wanted_presets(body: SettingsBody, book: PresetBook) -> dict[str, Sequence[Any]]:
    """The presets a request asks for; an absent member keeps its stored value."""
    llm = {preset.preset_id: preset for preset in book.llm}
    embedding = {preset.preset_id: preset for preset in book.embedding}
    return {
        "llm": [_llm(item, llm.get(item.llm_preset_id)) for item in body.llm_preset],
        "embedding": [
            _embedding(item, embedding.get(item.embedding_preset_id)) for item in body.embedding_preset
        ],
        "persona": [
            PersonaPreset(
                item.persona_preset_id, item.persona_preset_name, item.persona_text, item.second_person_label
            )
            for item in body.persona_preset
        ],
        "addon": [
            AddonPreset(item.addon_preset_id, item.addon_preset_name, item.addon_text)
            for item in body.addon_preset
        ],
    }


def check_models(body: SettingsBody, book: PresetBook) -> None:
    """Refuses, at once and in words, a model that can lead nowhere; what is stored already is left alone."""
    known = {name for one in book.llm for name in (one.model, one.image_model)}
    for llm in body.llm_preset:
        for model in (llm.llm_model, llm.image_model):
            if model and model not in known and not is_embedded(model):
                _refuse_unknown(model)
    _check_fallbacks(body)
    stored = {one.model for one in book.embedding}
    for one in body.embedding_preset:
        if one.embedding_model not in stored and not leads_somewhere(
            one.embedding_model, one.embedding_base_url
        ):
            names = ", ".join(["embedded", "local", *EMBEDDING_PROVIDERS])
            raise BadInput(
                f"The embedding model {one.embedding_model!r} needs a known prefix ({names}) or a base URL.",
                code="unknown_prefix",
                ja=f"埋め込みモデル {one.embedding_model!r} の頭には {names} のどれかか、接続先が要ります。",
            )


def _refuse_unknown(model: str) -> None:
    try:
        split_model(model)
    except NotConfigured as error:
        raise BadInput(str(error), code="unknown_prefix", ja=error.ja) from error


def _check_fallbacks(body: SettingsBody) -> None:
    ids = {one.llm_preset_id for one in body.llm_preset}
    for one in body.llm_preset:
        second = one.fallback_llm_preset_id
        if second and (second not in ids or second == one.llm_preset_id):
            raise BadInput(
                f"The preset {one.llm_preset_name!r} names {second!r} for when it is away; "
                "name another preset of the list, or none.",
                ja=f"「{one.llm_preset_name}」の代わりに {second!r} は使えません。別のものを選んでください。",
            )


def active_ids(body: SettingsBody) -> Mapping[str, str]:
    return {
        "llm": body.active_llm_preset_id,
        "embedding": body.active_embedding_preset_id,
        "persona": body.active_persona_preset_id,
        "addon": body.active_addon_preset_id,
    }


def _llm(item: LlmPresetBody, before: LlmPreset | None) -> LlmPreset:
    sent = item.model_fields_set
    preset = replace(
        before or LlmPreset(item.llm_preset_id, item.llm_preset_name),
        name=item.llm_preset_name,
        model=item.llm_model,
        api_key=item.llm_api_key,
        reasoning_effort=item.reasoning_effort or None,
        base_url=item.llm_base_url or None,
        max_turns_window=item.max_turns_window,
        max_tokens=item.max_tokens,
        image_model=item.image_model,
        image_api_key=item.image_model_api_key,
        image_base_url=item.image_llm_base_url or None,
        max_tokens_vision=item.max_tokens_vision,
        image_timeout_seconds=item.image_timeout_seconds,
    )
    if "reply_web_search_enabled" in sent and item.reply_web_search_enabled is not None:
        preset = replace(preset, web_search=item.reply_web_search_enabled)
    if "max_inject_tokens" in sent and item.max_inject_tokens is not None:
        preset = replace(preset, max_inject_tokens=item.max_inject_tokens)
    if "fallback_llm_preset_id" in sent and item.fallback_llm_preset_id is not None:
        preset = replace(preset, fallback_preset_id=item.fallback_llm_preset_id)
    return preset if before is None else _without_moved_keys(preset, before)


def llm_to_try(item: LlmPresetBody, book: PresetBook) -> LlmPreset:
    """A preset that is not stored yet; a masked key is the stored one, while the host is the same."""
    before = next((one for one in book.llm if one.preset_id == item.llm_preset_id), None)
    preset = _llm(item, before)
    if before is not None and is_masked(preset.api_key or ""):
        preset = replace(preset, api_key=before.api_key)
    if before is not None and is_masked(preset.image_api_key or ""):
        preset = replace(preset, image_api_key=before.image_api_key)
    return preset


def embedding_to_try(item: EmbeddingPresetBody, book: PresetBook) -> EmbeddingPreset:
    """As `llm_to_try`, for what turns words into meaning."""
    before = next((one for one in book.embedding if one.preset_id == item.embedding_preset_id), None)
    preset = _embedding(item, before)
    stored = before.api_key if before is not None else None
    return replace(preset, api_key=stored) if is_masked(preset.api_key or "") else preset


def _without_moved_keys(preset: LlmPreset, before: LlmPreset) -> LlmPreset:
    """A masked key is dropped when it would now go to another host, by address or by provider prefix."""
    if is_masked(preset.api_key or "") and _speaks_to(preset) != _speaks_to(before):
        preset = replace(preset, api_key="")
    if is_masked(preset.image_api_key or "") and _sees_by(preset) != _sees_by(before):
        preset = replace(preset, image_api_key=None)
    return preset


def _speaks_to(preset: LlmPreset) -> str:
    return host_of(preset.model, preset.base_url)


def _sees_by(preset: LlmPreset) -> str:
    return host_of(preset.image_model or preset.model, preset.image_base_url or preset.base_url)


def _embedding(item: EmbeddingPresetBody, before: EmbeddingPreset | None) -> EmbeddingPreset:
    preset = EmbeddingPreset(
        preset_id=item.embedding_preset_id,
        name=item.embedding_preset_name,
        model=item.embedding_model,
        api_key=item.embedding_model_api_key,
        base_url=item.embedding_base_url or None,
        dimension=item.embedding_dimension,
    )
    moved = before is not None and host_of(preset.model, preset.base_url) != host_of(
        before.model, before.base_url
    )
    return replace(preset, api_key=None) if moved and is_masked(preset.api_key or "") else preset
