"""Names that belong inside: none of them is ever spoken, and no memory may be made of them."""

from __future__ import annotations

import re

CONTEXT_MARK = "<<INTERNAL_CONTEXT>>"
CONTEXT_END = "<<END_OF_CONTEXT>>"
SECTIONS = (
    "CONTEXT_CAPSULE", "STABLE_FACTS", "SHARED_NARRATIVE", "RELATIONSHIP_STATE", "OPEN_LOOPS",
    "EPISODE_EVIDENCE",
)  # fmt: skip
NAMES = (
    *SECTIONS, "COCORO_GHOST_SECTION", "INTERNAL_CONTEXT", "END_OF_CONTEXT", "PERSONA_ANCHOR", "MemoryPack",
    "TimeContext", "LongMoodState", "ConfirmedPreferences", "ImageSummaries", "persona_mood_state",
    "now_local",
)  # fmt: skip
_KEYS = (
    "event_annotations", "state_updates", "preference_updates", "event_affect", "context_updates",
    "reminder_candidates", "moment_affect_\\w+", "evidence_event_ids", "about_time_confidence", "state_id",
    "to_state_id", "to_event_id", "scope_key", "favorability_score", "summary_text", "persona_mood_state",
    "now_local", "inner_thought_text", "memory_pack",
)  # fmt: skip
# `<<hello>>` may be how somebody writes a quotation; a mark has an underscore, a colon or capitals only.
MARK = re.compile(r"<{2,3}/?\s*(?=[A-Za-z])(?:[A-Za-z0-9]*[_:][\w :.\-]{0,60}|[A-Z][A-Z ]{2,40})/?\s*>{2,3}")
_NAME = re.compile("|".join(NAMES), re.IGNORECASE)
_KEY = re.compile(rf'"(?:{"|".join(_KEYS)})"\s*:|"ref"\s*:\s*"[esa]\d+"')


def names_inside(text: str) -> bool:
    """Whether a text carries a mark, a section name or the like."""
    return MARK.search(text) is not None or _NAME.search(text) is not None


def has_internal_keys(text: str) -> bool:
    """Whether JSON is of the kind that minds answer typed questions with, not something asked for."""
    return _KEY.search(text) is not None or names_inside(text)
