"""What the keeper says unasked: notifications, its own initiative, reminders, the screen; and of pictures."""

from __future__ import annotations

import re

from cocoro_ghost.mind.embedded.phrases import bare, lines_of, say
from cocoro_ghost.mind.embedded.voice import address
from cocoro_ghost.model.scene import Language, Occasion, Scene

REMINDER_LIMIT = 50
WATCH_LIMIT = 60
_NOTICE = {Language.JA: 60, Language.EN: 140}


def line(scene: Scene) -> str:
    """One line for an occasion that nobody spoke."""
    match scene.occasion:
        case Occasion.NOTIFICATION:
            return _notification(scene)
        case Occasion.REMINDER:
            return _reminder(scene)
        case Occasion.DESKTOP_WATCH:
            return _watch(scene)
        case _:
            return _own_accord(scene)


def picture(scene: Scene, *, asked: bool) -> str:
    """What is said of images that came with a message, or of a look that showed nothing; else nothing."""
    seen = [summary.strip() for summary in scene.image_summaries if summary.strip()]
    if not scene.image_summaries or (seen and asked):
        return ""
    if not seen:
        return say(scene, "blind")
    japanese = scene.language is Language.JA
    return say(scene, "picture", items=seen[0][:80] if seen else ("画像" if japanese else "a picture"))


def _notification(scene: Scene) -> str:
    """Names the source and passes the text on; never as the person's own words, never a question."""
    source = scene.source_system or ("アプリ" if scene.language is Language.JA else "an app")
    text = re.sub(r"[?？]", "", " ".join(scene.user_text.split()))
    limit = _NOTICE[scene.language]
    return say(
        scene, "notification", source=source, items=text if len(text) <= limit else text[: limit - 1] + "…"
    )


def _own_accord(scene: Scene) -> str:
    """A plan that is near, else a word that it is here; an instruction is never repeated."""
    if scene.open_loops:
        you = address(scene.language, scene.persona.second_person)
        return say(scene, "plan_near", items=bare(scene.open_loops[0], you, scene.language)[:80])
    return say(scene, "hello")


def _reminder(scene: Scene) -> str:
    """At most fifty characters with the time and the content as it was entered."""
    content = (scene.extra.get("content") or scene.user_text).strip()
    when = scene.extra.get("time", "")
    forms = (
        (f"{when}、{content}だよ。", f"{when} {content}")
        if scene.language is Language.JA
        else (f"{when}: {content}.", f"{when} {content}")
    )
    return next((form for form in forms if len(form) <= REMINDER_LIMIT), forms[-1]).strip()


def _watch(scene: Scene) -> str:
    """At most sixty characters about what is on the screen, from what was seen or the app's name."""
    extra = scene.extra
    shown = next((s.strip() for s in scene.image_summaries if s.strip()), "")
    thing = shown or extra.get("active_app") or extra.get("app") or extra.get("window_title") or ""
    if not thing:
        return say(scene, "hello")
    for form in lines_of(scene, "screen"):
        text = form.format(items=thing[:30])
        if len(text) <= WATCH_LIMIT:
            return text
    return thing[:WATCH_LIMIT]
