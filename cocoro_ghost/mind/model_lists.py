"""Which models an endpoint offers, asked from the endpoint itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from cocoro_ghost.errors import GhostError, Outage
from cocoro_ghost.mind.failures import as_ours
from cocoro_ghost.mind.providers import Endpoint
from cocoro_ghost.mind.windows import tabled
from cocoro_ghost.outgoing.sdk import sdk_loaded

ASK_SECONDS = 15.0
MOST = 500
_NO_TALK = ("embed", "whisper", "tts", "dall-e", "moderation", "rerank", "image", "audio", "realtime")


@dataclass(frozen=True, slots=True)
class OfferedModel:
    id: str
    vision: bool | None = None
    context_tokens: int | None = None


def talks(name: str) -> bool:
    return not any(word in name.lower() for word in _NO_TALK)


async def offered_models(
    place: Endpoint, api_key: str | None, fits: Callable[[str], bool] = talks
) -> list[OfferedModel]:
    """Models whose names fit, else all: a person may know better; raises what a person can mend."""
    import httpx2

    from cocoro_ghost.outgoing.http_client import pinned_client

    await sdk_loaded()
    headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
    try:
        async with pinned_client(ASK_SECONDS) as client:
            answer = await client.get(f"{place.base_url}/models", headers=headers)
            answer.raise_for_status()
            told = answer.json()
    except (httpx2.HTTPError, ValueError) as error:
        raise _as_ours(error, api_key) from error
    rows = told.get("data") if isinstance(told, dict) else None
    found = [_offered(one) for one in rows or [] if isinstance(one, dict) and one.get("id")]
    fitting = [one for one in found if fits(one.id)] or found
    return sorted(fitting, key=lambda one: one.id)[:MOST]


def _as_ours(error: Exception, api_key: str | None) -> GhostError:
    return as_ours(error, api_key, asked=False) or Outage(str(error)[:200])


def _offered(row: Mapping[str, Any]) -> OfferedModel:
    name = str(row["id"]).removeprefix("models/")
    window = (
        row.get("context_length") or row.get("max_model_len") or row.get("context_window") or tabled(name)
    )
    modes = (
        (row.get("architecture") or {}).get("input_modalities")
        if isinstance(row.get("architecture"), dict)
        else None
    )
    vision = "image" in modes if isinstance(modes, list) else None
    return OfferedModel(name, vision, int(window) if isinstance(window, int | float) and window else None)
