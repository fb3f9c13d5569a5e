"""Which words stand for a memory: what is embedded of an event or a feeling, which replies are summarised."""

from __future__ import annotations

from cocoro_ghost.language.fold import guess_language, strip_decorations
from cocoro_ghost.language.grounding import grounded
from cocoro_ghost.language.passages import is_long, passages
from cocoro_ghost.language.wording import clean, whole_sentences
from cocoro_ghost.mind.client import Message, PlanRequest
from cocoro_ghost.mind.embedded.sum_up import reply_summary
from cocoro_ghost.mind.prompts.render import render
from cocoro_ghost.model.affect import Affect
from cocoro_ghost.model.answers import ReplySummary
from cocoro_ghost.model.event import Event
from cocoro_ghost.model.material import ReplyMaterial
from cocoro_ghost.model.scene import Language

SUMMARY_CHARS, MOST = 400, 2000
LONG_REPLY = 280
"""Replies up to this length are their own summary."""


def event_text(event: Event) -> str:
    """User's words, reply, image descriptions: all that could be meant when it is remembered."""
    parts = [event.user_text, strip_decorations(event.assistant_text or ""), *(event.image_summaries or ())]
    return "\n".join(part for part in parts if part)


def event_passages(event: Event) -> list[str]:
    """A long event's words in passages, at least one; none of a short one, which its one vector tells."""
    if not is_long(event.user_text, event.assistant_text):
        return []
    reply = strip_decorations(event.assistant_text or "")
    return passages([event.user_text or "", reply, "\n".join(event.image_summaries or ())])


def affect_text(affect: Affect) -> str:
    return " ".join(part for part in (affect.text, affect.inner_thought, *affect.labels) if part)


def needs_summary(event: Event) -> bool:
    return len(event.assistant_text or "") > LONG_REPLY


def summary_request(event: Event, fallback: Language) -> PlanRequest:
    reply = strip_decorations(event.assistant_text or "")
    language = guess_language(reply, fallback)
    prompt = render("reply_summary", language)
    messages = (Message("system", prompt.text), Message("user", reply))
    return PlanRequest("reply_summary", messages, ReplyMaterial(event.event_id, reply, language), prompt.hash)


def checked_summary(answer: ReplySummary, event: Event, fallback: Language) -> tuple[str, list[str]]:
    """What of a short form stands on its reply; with nothing left the reply's own first sentences."""
    reply = strip_decorations(event.assistant_text or "")
    language = guess_language(reply, fallback)
    asked = [part for part in (event.user_text, *(event.image_summaries or ())) if part]
    text, reasons = grounded(clean(answer.summary_text, MOST), [reply, *asked], language)
    short = whole_sentences(text, SUMMARY_CHARS)
    if short or not reasons:
        return short, reasons
    return reply_summary(ReplyMaterial(event.event_id, reply, language)).summary_text, reasons
