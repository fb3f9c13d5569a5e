"""What a mind is given before it speaks: fixed rules and persona first, the variable context last."""

from __future__ import annotations

from cocoro_ghost.mind.client import Message, SpeakRequest
from cocoro_ghost.model.scene import Language, Scene
from cocoro_ghost.prompts.render import render

MARK = "<<INTERNAL_CONTEXT>>"


def compose(scene: Scene, *, max_tokens: int, prompt: str = "reply") -> SpeakRequest:
    """The request for one utterance: system, history, internal context, then what was said."""
    messages = [Message("system", system_text(scene, prompt))]
    for turn in scene.history:
        messages += [Message("user", turn.user_text), Message("assistant", turn.assistant_text)]
    messages.append(Message("assistant", internal_context(scene)))
    messages.append(Message("user", scene.user_text))
    return SpeakRequest(scene, tuple(messages), max_tokens)


def system_text(scene: Scene, prompt: str = "reply") -> str:
    """Changes only with the persona, so that a prompt cache can keep it."""
    persona = scene.persona
    return render(
        prompt,
        scene.language,
        persona=persona.text.strip(),
        addon=persona.addon.strip(),
        second_person=persona.second_person.strip() or ("あなた" if scene.language is Language.JA else "you"),
    ).text


def internal_context(scene: Scene) -> str:
    """Data for the mind's eyes only; the guard keeps it from being spoken."""
    # Time, mood and tastes stand in the pack, once.
    parts = [MARK, scene.memory_pack or _time_context(scene)]
    if scene.image_summaries:
        lines = [
            f"{number}. {text or '(could not be seen)'}"
            for number, text in enumerate(scene.image_summaries, 1)
        ]
        parts.append("ImageSummaries:\n" + "\n".join(lines))
    return "\n\n".join(parts)


def _time_context(scene: Scene) -> str:
    lines = ["TimeContext:", f"now_local: {scene.now_local}"]
    if scene.gap_words is not None:
        lines.append(f"last_chat: {scene.gap_words}")
    return "\n".join(lines)
