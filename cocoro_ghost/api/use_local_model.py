"""Putting a model of this machine to use, the same way from the page and from the terminal."""

from __future__ import annotations

import os
from dataclasses import replace

from cocoro_ghost.errors import Conflict
from cocoro_ghost.ghost import LOCAL_RERANKER, Ghost
from cocoro_ghost.mind.local.catalogue import GB
from cocoro_ghost.model.presets import EmbeddingPreset, LlmPreset
from cocoro_ghost.settings.preset_book import new_id
from cocoro_ghost.store import meta


async def use_model(ghost: Ghost, model_id: str) -> None:
    """Makes a downloaded model the one that speaks, that embeds, or that looks twice."""
    found = ghost.shelf.look(model_id)
    if found.state != "ready":
        raise Conflict(
            f"{found.model.name} is not here yet; download it first.",
            ja=f"{found.model.name} はまだありません。先にダウンロードしてください。",
        )
    model, book = found.model, ghost.book()
    if model.kind == "rerank":
        await ghost.rerank_by(model.id)
        return
    kind, presets = ("llm", book.llm) if model.kind == "chat" else ("embedding", book.embedding)
    known = next((one for one in presets if one.model == model.preset_model), None)
    if known is not None:
        await ghost.activate(kind, known.preset_id)
    elif model.kind == "chat":
        await ghost.adopt("llm", replace(LlmPreset(new_id(), model.name), model=model.preset_model))
    else:
        preset = EmbeddingPreset(new_id(), model.name, model.preset_model, dimension=model.dimension)
        await ghost.adopt("embedding", preset)


async def models_in_use(ghost: Ghost) -> frozenset[str]:
    """As presets name them: what speaks, sees, steps in, embeds and looks twice."""
    chosen = ghost.chosen()
    reranker = await ghost.settings_db.read(lambda reader: meta.get(reader, LOCAL_RERANKER))
    second = chosen.llm.fallback_preset_id
    used = [one.model for one in ghost.book().llm if one.preset_id == second]
    used += [chosen.llm.model, chosen.llm.image_model or "", chosen.embedding.model]
    return frozenset([*used, f"local/{reranker}" if reranker else ""])


def machine_memory() -> int:
    """Bytes; 8 GB where the system does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        return 8 * GB
