"""Shape S of the settings call, its presets, and what the page asks about minds."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from cocoro_ghost.api.schemas.parts import Wire

PresetId = Annotated[str, Field(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
Name = Annotated[str, Field(max_length=200)]
Key = Annotated[
    str, Field(max_length=2000, description="Returned masked; a masked value keeps the stored key.")
]
Url = Annotated[str, Field(max_length=2000)]
LongText = Annotated[str, Field(max_length=100_000)]


class LlmPresetBody(Wire):
    llm_preset_id: PresetId
    llm_preset_name: Name
    llm_api_key: Key = ""
    llm_model: Annotated[str, Field(max_length=300, examples=["openai/gpt-5-mini", "embedded/ghost"])]
    reasoning_effort: Annotated[str, Field(max_length=40)] | None = None
    reply_web_search_enabled: bool | None = None
    llm_base_url: Url | None = None
    max_turns_window: Annotated[int, Field(ge=1, le=200)] = 10
    max_tokens: Annotated[int, Field(ge=1, le=1_000_000)] = 4096
    image_model_api_key: Key | None = None
    image_model: Annotated[str, Field(max_length=300)] = ""
    image_llm_base_url: Url | None = None
    max_tokens_vision: Annotated[int, Field(ge=1, le=1_000_000)] = 4096
    image_timeout_seconds: Annotated[int, Field(ge=1, le=600)] = 60
    max_inject_tokens: Annotated[int, Field(ge=100, le=200_000)] | None = None
    fallback_llm_preset_id: Annotated[str, Field(max_length=100)] | None = None
    """Another preset that answers while this one is away; empty for none."""


class EmbeddingPresetBody(Wire):
    embedding_preset_id: PresetId
    embedding_preset_name: Name
    embedding_model_api_key: Key | None = None
    embedding_model: Annotated[str, Field(max_length=300)]
    embedding_base_url: Url | None = None
    embedding_dimension: Annotated[int, Field(ge=1, le=16_384)]
    similar_episodes_limit: Annotated[int, Field(ge=1, le=1000)] = 60
    """Sent by older desktop clients, which expect it back; nothing here goes by it."""


class PersonaPresetBody(Wire):
    persona_preset_id: PresetId
    persona_preset_name: Name
    persona_text: LongText
    second_person_label: Annotated[str, Field(max_length=100)] = ""


class AddonPresetBody(Wire):
    addon_preset_id: PresetId
    addon_preset_name: Name
    addon_text: LongText


class SpeechLimits(Wire):
    """When the ghost keeps to itself, local times; reminders are always told."""

    quiet_from: Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$", examples=["22:00"])] | None = None
    quiet_until: Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$", examples=["07:00"])] | None = None
    daily_cap: Annotated[int, Field(ge=0, le=10_000)] = 200


class PageOptions(Wire):
    """What the page may keep and has asked already."""

    first_run_done: bool = False
    keep_thumbnails: bool = Field(default=False, description="Off: of a picture only its description stays.")
    follow_up_plans: bool = Field(default=True, description="The day after a dated plan it may ask once.")


class SettingsBody(Wire):
    """A whole replacement; `desktop_watch_target_client_id`, `speech` or `page` absent = unchanged."""

    memory_enabled: bool = True
    desktop_watch_enabled: bool = False
    desktop_watch_interval_seconds: Annotated[int, Field(ge=1, le=86_400)] = 300
    desktop_watch_target_client_id: Annotated[str, Field(max_length=200)] | None = None
    active_llm_preset_id: PresetId
    active_embedding_preset_id: PresetId
    active_persona_preset_id: PresetId
    active_addon_preset_id: PresetId
    llm_preset: Annotated[list[LlmPresetBody], Field(max_length=100)]
    embedding_preset: Annotated[list[EmbeddingPresetBody], Field(max_length=100)]
    persona_preset: Annotated[list[PersonaPresetBody], Field(max_length=100)]
    addon_preset: Annotated[list[AddonPresetBody], Field(max_length=100)]
    speech: SpeechLimits | None = None
    page: PageOptions | None = None


class LlmPresetOut(LlmPresetBody):
    reply_web_search_enabled: bool = False


class SettingsOut(Wire):
    memory_enabled: bool
    desktop_watch_enabled: bool
    desktop_watch_interval_seconds: int
    desktop_watch_target_client_id: str | None
    active_llm_preset_id: str
    active_embedding_preset_id: str
    active_persona_preset_id: str
    active_addon_preset_id: str
    llm_preset: list[LlmPresetOut]
    embedding_preset: list[EmbeddingPresetBody]
    persona_preset: list[PersonaPresetBody]
    addon_preset: list[AddonPresetBody]
    speech: SpeechLimits
    page: PageOptions


class TestBody(Wire):
    """A stored preset by its id, or one that is not stored yet; a masked key stands for the stored one."""

    llm_preset_id: PresetId | None = None
    preset: LlmPresetBody | None = None


class CheckOut(Wire):
    """One thing that was tried, and how it went in words."""

    name: str = Field(examples=["reply", "typed", "image"])
    ok: bool
    milliseconds: int
    words_ja: str
    words_en: str


class TestOut(Wire):
    """What the preset's model can do (reply, typed answer, image), how fast, at what cost; else why not."""

    ok: bool
    model: str
    milliseconds: int
    message: str = ""
    checks: list[CheckOut] = []
    cost_per_1000_turns_usd: float | None = None
    words_ja: str = ""
    words_en: str = ""


class TestEmbeddingBody(Wire):
    """An embedding preset, stored or not; a masked key stands for the stored one."""

    preset: EmbeddingPresetBody


class TestEmbeddingOut(Wire):
    """Whether it answers, and with how many dimensions; 0 where it does not."""

    ok: bool
    dimension: int
    milliseconds: int
    words_ja: str
    words_en: str


class UsageRow(Wire):
    day: str = Field(examples=["2026-01-03"])
    purpose: str
    model: str
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0
    """Of the input, what the provider had kept and charges less for."""
    cost_usd: float | None = None
    """By the price list; null where the model's price is not known."""


class UsageOut(Wire):
    items: list[UsageRow]
    total_cost_usd: float = 0.0


class ProviderOut(Wire):
    name: str = Field(examples=["openai"])
    label: str
    needs_key: bool
    key_page: str
    """Where a key is made."""
    key_found: bool
    """Whether the environment of the ghost holds one that `setup` may copy."""
    local: bool
    base_url: str
    embeddings: bool = False
    """Whether it also turns words into meaning."""


class ProvidersOut(Wire):
    items: list[ProviderOut]


class ModelsBody(Wire):
    provider: Annotated[str, Field(max_length=40, examples=["openai"])]
    api_key: Key | None = None
    base_url: Url | None = None
    llm_preset_id: PresetId | None = None
    """Whose stored key may be used, at the very same host."""
    embedding_preset_id: PresetId | None = None
    """As `llm_preset_id`, for models that embed."""
    kind: Literal["talk", "embedding"] = "talk"


class OfferedModelOut(Wire):
    id: str
    vision: bool | None = None
    context_tokens: int | None = None


class ModelsOut(Wire):
    items: list[OfferedModelOut]


class ModelCallOut(Wire):
    """One recent request to a model with secrets removed (debug view)."""

    at: int
    purpose: str
    model: str
    milliseconds: int
    outcome: str
    request: str = ""
    answer: str = ""


class ModelCallsOut(Wire):
    items: list[ModelCallOut]
