"""What the ghost says unasked: notifications, its own initiative, reminders, comments on the screen."""

from __future__ import annotations

import re

from cocoro_ghost.mind.embedded.intents import STATEMENT, understand
from cocoro_ghost.mind.embedded.phrases import Phrasebook
from cocoro_ghost.mind.embedded.quoting import quote
from cocoro_ghost.mind.embedded.talk import Talk, brought_up
from cocoro_ghost.model.scene import Language

REMINDER_LIMIT = 50
WATCH_LIMIT = 60
_SIZE_ONLY = re.compile(r"\d+\s*[×x]\s*\d+")


def notification(talk: Talk) -> list[str]:
    """Names the source, passes the text on, asks nothing."""
    source = talk.scene.source_system or ("アプリ" if talk.japanese else "an app")
    limit = 60 if talk.japanese else 140
    text = re.sub(r"[?？]", "", quote(talk.text, talk.scene.language, limit=limit)).strip()
    if not text:
        return [talk.must("notification.empty", source=source)]
    tells = understand(talk.text, talk.wording.book, "").tells
    after = "bad" if "bad" in tells else "good" if "good" in tells else "calm"
    closing = talk.say(f"notification.{after}") if after != "calm" or talk.wording.chance(40, "calm") else ""
    return [talk.must("notification.whole", source=source, text=text), closing]


def meta_request(talk: Talk) -> list[str]:
    """Speaks of its own accord; the instruction is a hint at a topic and is never repeated."""
    cues = talk.wording.book.cues
    for kind in ("rest", "water", "cheer"):
        if any(re.search(cue, talk.text, re.IGNORECASE) for cue in cues[f"meta.{kind}"]):
            return [talk.must(f"meta.{kind}")]
    payload = _payload(talk)
    if payload:
        opening = talk.say("meta.hello")
        # One question at most: what is passed on may be one itself.
        return ["" if opening.endswith("?") else opening, talk.must("meta.payload", text=payload)]
    opening = talk.must("meta.topic") if talk.topic.name else talk.must("meta.hello")
    memory = brought_up(talk)
    if memory or opening.endswith(("?", "？")):
        return [opening, memory]
    return [opening, talk.say("meta.ask")]


def topic_hint(instruction: str, book: Phrasebook) -> str:
    """An instruction without the words that speak of instructing: only its matter is left."""
    words = sorted(book.cues["meta.noise"], key=len, reverse=True)
    pattern = "|".join(rf"\b{re.escape(w)}\w*" if w.isascii() else re.escape(w) for w in words)
    return re.sub(pattern, "", instruction, flags=re.IGNORECASE)


def _payload(talk: Talk) -> str:
    """A payload of plain words may be passed on; anything that looks like data may not."""
    text = next((talk.scene.extra[k] for k in ("payload_text", "payload") if talk.scene.extra.get(k)), "")
    if not text.strip() or re.search(r"[{}\[\]<>]", text):
        return ""
    return quote(text, talk.scene.language, limit=50 if talk.japanese else 120)


def reminder(talk: Talk) -> list[str]:
    """At most fifty characters with the time and the content as it was entered."""
    content = talk.scene.extra.get("content") or talk.scene.user_text
    fills = {"time": talk.scene.extra.get("time", ""), "content": content.strip()}
    late = bool(talk.scene.extra.get("late"))
    slots = ("reminder.late", "reminder.late_short") if late else ("reminder.line", "reminder.short")
    for slot in slots:
        line = shortest_that_fits(talk, slot, REMINDER_LIMIT, fills)
        if line:
            return [line]
    return [f"{fills['time']} {fills['content']}".strip()]


def shortest_that_fits(talk: Talk, slot: str, limit: int, fills: dict[str, str]) -> str:
    """The wording's own choice when it fits the limit, else the shortest variant that does."""
    chosen = talk.say(slot, **fills)
    if chosen and len(chosen) <= limit:
        return chosen
    texts = [text for text in talk.wording.variants(slot, **{**talk.fills, **fills}) if len(text) <= limit]
    return min(texts, key=len, default="")


def desktop_watch(talk: Talk) -> list[str]:
    """A short comment: the user acts, the ghost watches."""
    extra = talk.scene.extra
    seen = next((s for s in talk.scene.image_summaries if s.strip() and not _SIZE_ONLY.search(s)), "")
    room = 40 if talk.scene.language is Language.JA else 42
    if seen:
        image = quote(seen, talk.scene.language, limit=room)
        line = shortest_that_fits(talk, "watch.image", WATCH_LIMIT, {"image": image})
        if line:
            return [line]
    app = extra.get("active_app") or extra.get("app") or extra.get("window_title") or ""
    if app:
        line = shortest_that_fits(talk, "watch.app", WATCH_LIMIT, {"app": app[:30]})
        if line:
            return [line]
    return [shortest_that_fits(talk, "watch.none", WATCH_LIMIT, {})]


def seen_or_not(talk: Talk) -> list[str]:
    """The reply when pictures came with the message, or when a look at screen or camera showed nothing."""
    summaries = talk.scene.image_summaries
    if not any(summary.strip() for summary in summaries):
        place = _asked_to_look(talk)
        if place:
            return [talk.must(f"image.no_{place}")]
    told = talk.intent.name in {STATEMENT, "question", "ask_fact", "opinion", "cannot", "doing"}
    return shown_images(talk) if summaries and (told or not talk.text) else []


def _asked_to_look(talk: Talk) -> str:
    """`screen` or `camera` when the user wants to be seen there; else empty."""
    cues = talk.wording.book.cues
    text = talk.text.casefold()
    if not any(re.search(cue, text) for cue in cues["look.ask"]):
        return ""
    asked = talk.intent.name != STATEMENT or bool(talk.scene.image_summaries)
    places = (place for place in ("screen", "camera") if any(word in text for word in cues[f"look.{place}"]))
    return next(places, "") if asked else ""


def shown_images(talk: Talk) -> list[str]:
    """Takes up images sent with a chat message by their descriptions; honest when there is none."""
    seen = [summary for summary in talk.scene.image_summaries if summary.strip()]
    if not seen:
        return [talk.must("image.failed")]
    asks = "" if "bad" in talk.intent.tells else "image.ask"
    image = quote(seen[0], talk.scene.language, limit=40 if talk.japanese else 100)
    if _SIZE_ONLY.search(seen[0]):
        return [talk.must("image.size", image=image), talk.say("image.dim"), talk.say("image.ask_dim")]
    if len(seen) > 1:
        return [talk.must("image.many", image=image, count=str(len(seen))), talk.say(asks)]
    return [talk.must("image.one", image=image), talk.say(asks)]
