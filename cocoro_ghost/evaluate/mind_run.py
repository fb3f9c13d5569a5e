"""How a mind lives by memory: sixty scenarios, scored without a judge."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from cocoro_ghost.errors import GhostError
from cocoro_ghost.evaluate.mind_scenarios import Scenario, scenarios
from cocoro_ghost.grow.generate import ask
from cocoro_ghost.grow.grow_jobs import EMBEDDED
from cocoro_ghost.grow.plain_claims import with_plain_claims
from cocoro_ghost.language.tokens import count_tokens
from cocoro_ghost.mind.client import Message, Mind
from cocoro_ghost.model.answers import WritePlan
from cocoro_ghost.model.event import Event, EventStatus, Origin, Source
from cocoro_ghost.model.internal import names_inside
from cocoro_ghost.model.material import WriteMaterial
from cocoro_ghost.model.scene import Language, Occasion, Persona, Recalled, Scene
from cocoro_ghost.reply.compose import compose
from cocoro_ghost.reply.guard import SpeechGuard
from cocoro_ghost.reply.stream import Budgets, guarded_words

_NOW, _NOW_LOCAL = 1_767_225_600, "2026-01-01T09:00:00"
_PATIENCE = Budgets(600.0, 300.0, 1200.0)
_KANA = re.compile(r"[\u3040-\u30ff]")
_PERSONA = {
    Language.JA: Persona("ココロ", "あなたは「ココロ」。話し方はやわらかく、短い。", "", "あなた"),
    Language.EN: Persona("Kokoro", "You are Kokoro. You speak gently and briefly.", "", "you"),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one scenario."""

    scenario: Scenario
    right: bool
    """The memory was used; nothing was made up; the fact was learned."""
    text: str
    alone: bool = False
    """Learned by the mind itself, without the plain words that are kept beside any plan."""
    leaked: bool = False
    in_language: bool = True
    junk: int = 0
    """Updates of a plan that rest on nothing that was said."""
    failed: str = ""
    tokens: int = 0
    seconds: float = 0.0


async def evaluate_mind(
    mind: Mind, *, limit: int = 60, progress: Callable[[int, int], None] | None = None
) -> list[Outcome]:
    """Every scenario once; a failure is an outcome, not an end. A limit takes evenly from the set."""
    whole = scenarios()
    chosen = whole[:: max(1, len(whole) // limit)][:limit]
    outcomes = []
    for number, one in enumerate(chosen, 1):
        outcomes.append(await (_learned(mind, one) if one.task == "learn" else _replied(mind, one)))
        if progress is not None:
            progress(number, len(chosen))
    return outcomes


async def _replied(mind: Mind, one: Scenario) -> Outcome:
    request = compose(_scene(one), max_tokens=256)
    guard, began, failed = SpeechGuard(), time.monotonic(), ""
    try:
        async for _ in guarded_words(mind, request, guard, _PATIENCE, asyncio.Event()):
            pass
    except GhostError as error:
        failed = error.code
    said = guard.text.strip()
    named = one.value.lower() in said.lower()
    return Outcome(
        one,
        right=bool(said) and (named if one.task == "remember" else not named),
        text=said,
        leaked=names_inside(said),
        in_language=not said or bool(_KANA.search(said)) == (one.language is Language.JA),
        failed=failed if not said else "",
        tokens=_cost(request.messages),
        seconds=time.monotonic() - began,
    )


async def _learned(mind: Mind, one: Scenario) -> Outcome:
    asked, began = ask(_material(one), None), time.monotonic()
    try:
        own = await mind.plan(asked.request, WritePlan)
    except GhostError as error:
        took = time.monotonic() - began
        return Outcome(one, False, "", failed=error.code, tokens=_cost(asked.messages), seconds=took)
    # As memory takes it: the person's plain words stand beside what a model made of them.
    plan = own if mind.model_id == EMBEDDED else with_plain_claims(own, asked.material, None)
    texts = _texts(plan)
    return Outcome(
        one,
        right=_names(texts, one.value),
        alone=_names(_texts(own), one.value),
        text=" / ".join(texts)[:300],
        leaked=any(names_inside(text) for text in texts),
        junk=sum(not _rests_on(text, one.said) for text in texts),
        tokens=_cost(asked.messages),
        seconds=time.monotonic() - began,
    )


def _texts(plan: WritePlan) -> list[str]:
    return [
        *(update.body_text for update in plan.state_updates),
        *(update.subject for update in plan.preference_updates),
    ]


def _names(texts: Sequence[str], value: str) -> bool:
    return any(value.lower() in text.lower() for text in texts)


def table(outcomes: Sequence[Outcome], model: str) -> str:
    """The figures as lines for people; Markdown."""
    lines = [f"| {model} | right | alone | of | leaks | other language | junk | failed | tokens | seconds |",
             "|---|---|---|---|---|---|---|---|---|---|"]  # fmt: skip
    for language in Language:
        for task in ("remember", "unknown", "learn"):
            some = [o for o in outcomes if (o.scenario.language, o.scenario.task) == (language, task)]
            if some:
                lines.append(_row(f"{language.value} {task}", some))
    lines.append(_row("all", outcomes))
    return "\n".join(lines)


def _row(name: str, some: Sequence[Outcome]) -> str:
    figures = (
        sum(o.right for o in some), _alone(some), len(some), sum(o.leaked for o in some),
        sum(not o.in_language for o in some), sum(o.junk for o in some), sum(bool(o.failed) for o in some),
        round(median(o.tokens for o in some)), f"{median(o.seconds for o in some):.2f}",
    )  # fmt: skip
    return f"| {name} | " + " | ".join(str(figure) for figure in figures) + " |"


def _alone(some: Sequence[Outcome]) -> str:
    """Only where something is learned: a reply is the mind's own in any case."""
    learned = [o for o in some if o.scenario.task == "learn"]
    return str(sum(o.alone for o in learned)) if len(learned) == len(some) else ""


def _scene(one: Scenario) -> Scene:
    pack = f"<<<COCORO_GHOST_SECTION:CONTEXT_CAPSULE>>>\nnow_local: {_NOW_LOCAL}"
    if one.fact:
        pack += f"\n\n<<<COCORO_GHOST_SECTION:STABLE_FACTS>>>\n- {one.fact} (2025-12-01)"
    held = (Recalled("s1", "fact", one.fact, "", _NOW - 30 * 86_400, None, 1.0, ""),) if one.fact else ()
    return Scene(
        Occasion.CHAT, one.language, _PERSONA[one.language], _NOW, _NOW_LOCAL, one.said,
        recalled=held, facts=(one.fact,) if one.fact else (), memory_pack=pack, seed=1,
    )  # fmt: skip


def _material(one: Scenario) -> WriteMaterial:
    event = Event(
        event_id=12, created_at=_NOW, updated_at=_NOW, source=Source.CHAT, origin=Origin.USER,
        status=EventStatus.DONE, conversation="main", searchable=True, user_text=one.said, assistant_text="…",
    )  # fmt: skip
    persona = _PERSONA[one.language]
    return WriteMaterial(event, (event,), (), (), one.language, persona.text, persona.second_person, _NOW)


def _rests_on(text: str, said: str) -> bool:
    """Whether a learned sentence shares a word, or two characters in a row, with what was said."""
    words = set(re.findall(r"[a-z]{3,}", said.lower()))
    pairs = {said[at : at + 2] for at in range(len(said) - 1) if not said[at : at + 2].isascii()}
    return any(word in text.lower() for word in words) or any(pair in text for pair in pairs)


def _cost(messages: Sequence[Message]) -> int:
    return sum(count_tokens(one.content) for one in messages)
