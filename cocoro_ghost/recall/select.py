"""From candidates to memories: a mind picks with reasons within a deadline, else the fused order stands.

The fused order has a floor: what is not relevant is not selected, and nothing may be selected at all.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import tzinfo
from time import perf_counter

from cocoro_ghost.clock import local_iso
from cocoro_ghost.errors import GhostError
from cocoro_ghost.language.encoder import held_pieces
from cocoro_ghost.language.matching import Task, match
from cocoro_ghost.mind.client import Message, Mind, PlanRequest
from cocoro_ghost.mind.prompts.render import render
from cocoro_ghost.model.answers import SearchResultPack
from cocoro_ghost.model.material import CandidatePreview, SelectMaterial
from cocoro_ghost.model.retrieval import Candidate, Ref, RetrievalPlan, Selected, Selection
from cocoro_ghost.model.scene import Language
from cocoro_ghost.recall.route import GatherContext
from cocoro_ghost.recall.seats import Budget
from cocoro_ghost.store import affects, events, states
from cocoro_ghost.store.ports import Reader

log = logging.getLogger(__name__)
SHOWN, SHOWN_CHARS, SHOWN_REPLY = 24, 70, 30
"""How many candidates a model is shown, how much of each, and how much of what was answered to it."""
BETWEEN = " / "
FLOOR = 3
MATCHING, _MATCHED = "matching", 160
"""Who chose, and how much of each text was looked at."""
_LIKELY, _ADDED = -1.0, 4
"""From where on a text may answer, and how many such come in where all places are taken."""
PIECES = "pieces"
_READ_AGAIN = 800
"""Characters of one text that is read again: a turn, or the beginning of a long one."""
_ROUTE_WORDS = {
    Language.JA: {
        "words": "言葉が重なる", "meaning": "意味が近い", "about_time": "その時期のこと",
        "entities": "同じ名前が出てくる", "threads": "同じ話の流れ", "links": "つながりのある話",
        "replies": "直前のやりとり", "recent": "最近のこと", "states": "覚えていること",
        "state_links": "関わりのある記憶", "tastes": "好みを話した時のこと",
    },
    Language.EN: {
        "words": "shares its words", "meaning": "means something near", "about_time": "is of that time",
        "entities": "names the same", "threads": "belongs to the same thread", "links": "is linked",
        "replies": "was said just before", "recent": "is recent", "states": "is held to be so",
        "state_links": "relates to what is held", "tastes": "tells what is liked",
    },
}  # fmt: skip


def by_order(
    candidates: Sequence[Candidate], plan: RetrievalPlan, floor: float, language: Language
) -> Selection:
    """The best of the fused order that are relevant at all; a feeling is not shown beside its own event."""
    chosen: list[Selected] = []
    events: set[int] = set()
    feelings: dict[int | None, Ref] = {}
    limit = plan.max_selected
    budget = Budget(plan, limit, candidates, floor)
    for candidate in candidates:
        if candidate.relevance < floor or len(chosen) == limit:
            continue
        if candidate.facts.event_id in events or not budget.takes(candidate):
            continue
        if candidate.ref.kind == "event":
            events.add(candidate.ref.id)
            # The event tells more than the feeling that came before it.
            chosen = [one for one in chosen if one.ref != feelings.get(candidate.ref.id)]
        elif candidate.ref.kind == "affect":
            feelings[candidate.facts.event_id] = candidate.ref
        chosen.append(Selected(candidate.ref, candidate.score, reason_words(candidate, language)))
    return Selection(tuple(chosen), "order")


def alone(
    reader: Reader, candidates: Sequence[Candidate], context: GatherContext, language: Language
) -> Selection:
    """The choice without a model: the fused order, and what the network of matching holds for an answer."""
    plan = context.plan
    order = by_order(candidates, plan, context.config.relevance_floor, language)
    if not plan.question or plan.time is not None or plan.taste is not None:
        return order
    taken = {one.ref for one in order.chosen}
    rest = [one for one in candidates if one.ref.kind == "event" and one.ref not in taken]
    found = (one for worth, one in _by_worth(reader, rest, context) if worth > _LIKELY)
    added = [Selected(one.ref, one.score, reason_words(one, language)) for one in found]
    added = added[: max(_ADDED, plan.max_selected - len(order.chosen))]
    kept = order.chosen[: plan.max_selected - len(added)]
    return Selection((*kept, *added), MATCHING if added else order.by)


def _by_worth(
    reader: Reader, turns: Sequence[Candidate], context: GatherContext
) -> list[tuple[float, Candidate]]:
    """Turns by how well what was said in them answers; an answer of the ghost's own is no evidence."""
    texts = read_previews(reader, [one.ref for one in turns], _MATCHED, context.zone)
    known = [one for one in turns if one.ref in texts]
    said = [texts[one.ref][0].partition(BETWEEN)[0] for one in known]
    worth = match(Task.ANSWERS, context.plan.question, said) or [_LIKELY] * len(known)
    return sorted(zip(worth, known, strict=True), key=lambda one: -one[0])


async def by_mind(
    mind: Mind,
    material: SelectMaterial,
    candidates: Sequence[Candidate],
    plan: RetrievalPlan,
    deadline: float,
    floor: float,
) -> Selection:
    """The mind's choice; late, broken or absurd answers leave the fused order standing."""
    began = perf_counter()
    fallback = ""
    try:
        async with asyncio.timeout(deadline):
            answer = await mind.plan(request_for(material), SearchResultPack)
        chosen, unknown = _known(answer, candidates, plan)
        if chosen or not answer.selected:
            kept = _with_floor(chosen, by_order(candidates, plan, floor, material.language).chosen, plan)
            return Selection(kept, mind.model_id, _since(began), unknown=tuple(unknown))
        fallback = "the mind named nothing it was shown"
    except TimeoutError:
        fallback = f"no choice after {deadline:g} s"
    except GhostError as error:
        log.info("the fused order stands: %s", error)
        fallback = str(error)[:200]
    order = by_order(candidates, plan, floor, material.language)
    return Selection(order.chosen, order.by, _since(began), fallback)


def worth_asking(candidates: Sequence[Candidate], floor: float) -> bool:
    """Small talk finds nothing that bears on it, and one memory alone needs no choice."""
    return sum(one.relevance >= floor for one in candidates) > 1


def _with_floor(
    chosen: Sequence[Selected], order: Sequence[Selected], plan: RetrievalPlan
) -> tuple[Selected, ...]:
    """What the mind chose, and the very best of the order whatever it chose: no model empties a pack."""
    named = {one.ref for one in chosen}
    best = [one for one in order[:FLOOR] if one.ref not in named]
    return (*chosen[: plan.max_selected - len(best)], *best)


def request_for(material: SelectMaterial) -> PlanRequest:
    """The compact form a model reads: one short line a candidate, the best first."""
    lines = [_shown(one, material.now_local) for one in material.candidates[:SHOWN]]
    prompt = render(
        "select",
        material.language,
        limit=str(material.limit),
        mode=material.mode,
        now_local=material.now_local,
        user_text=material.user_text,
        candidates="\n".join(lines),
    )
    messages = (Message("user", prompt.text),)
    return PlanRequest("search_result_pack", messages, material, prompt.hash, tuple(reversed(lines[4:])))


def _shown(one: CandidatePreview, now_local: str) -> str:
    """Its handle, its day (the year only when it is another), its words: what was said tells it apart."""
    day = one.when_local[:10].removeprefix(now_local[:5])
    said, between, answered = " ".join(one.text.split()).partition(BETWEEN)
    return f"{one.ref} {day} {said[:SHOWN_CHARS]}{between}{answered[:SHOWN_REPLY]}"


def previews(
    candidates: Sequence[Candidate], texts: Mapping[Ref, tuple[str, str]]
) -> tuple[CandidatePreview, ...]:
    """Candidates with their text and local time; one whose text is gone is left out."""
    found = []
    for one in candidates:
        if one.ref in texts:
            text, when = texts[one.ref]
            kind = one.facts.state_kind or ("event_affect" if one.ref.kind == "affect" else one.ref.kind)
            found.append(CandidatePreview(str(one.ref), kind, text, when, round(one.score, 4), one.routes))
    return tuple(found)


def reason_words(candidate: Candidate, language: Language) -> str:
    """Why a thing came to mind, from the routes that found it."""
    words = _ROUTE_WORDS[language]
    telling = [route for route in candidate.routes if route not in ("recent", "states")] or list(
        candidate.routes
    )
    joined = [words[route] for route in telling[:3] if route in words]
    return "、".join(joined) if language is Language.JA else ", ".join(joined)


def _known(
    answer: SearchResultPack, candidates: Sequence[Candidate], plan: RetrievalPlan
) -> tuple[list[Selected], list[str]]:
    """What the mind named of what it was shown, within the caps: it, too, may fall for one year of many."""
    shown = {one.ref: one for one in candidates}
    budget = Budget(plan, plan.max_selected, candidates)
    chosen: dict[Ref, Selected] = {}
    unknown: list[str] = []
    for item in answer.selected:
        ref = Ref.parse(item.ref.strip())
        if ref is None or ref not in shown:
            unknown.append(item.ref[:20])
        elif ref not in chosen and len(chosen) < plan.max_selected and budget.takes(shown[ref]):
            chosen[ref] = Selected(ref, shown[ref].score, item.reason, item.snippet)
    return list(chosen.values()), unknown


def _since(began: float) -> float:
    return round((perf_counter() - began) * 1000, 2)


def read_previews(
    reader: Reader, refs: Iterable[Ref], limit: int, zone: tzinfo | None
) -> dict[Ref, tuple[str, str]]:
    """Text and local time: a state's or feeling's body; of an event what was said and the reply, in short."""
    ids: dict[str, list[int]] = {"event": [], "state": [], "affect": []}
    for ref in refs:
        ids[ref.kind].append(ref.id)
    short = events.fresh_summaries(reader, ids["event"])
    found: dict[Ref, tuple[str, int]] = {}
    for event in events.by_ids(reader, ids["event"]).values():
        reply = short.get(event.event_id) or event.assistant_text or ""
        parts = [event.user_text or "", reply, *filter(None, event.image_summaries or ())]
        found[Ref("event", event.event_id)] = (BETWEEN.join(filter(None, parts)), event.created_at)
    for state in states.by_ids(reader, ids["state"]).values():
        found[Ref("state", state.state_id)] = (state.body_text, state.last_confirmed_at)
    for affect in affects.by_ids(reader, ids["affect"]).values():
        found[Ref("affect", affect.affect_id)] = (affect.text, affect.created_at)
    return {ref: (_flat(text, limit), local_iso(at, zone)) for ref, (text, at) in found.items()}


def _flat(text: str, limit: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else flat[: limit - 1] + "…"


# -- nearly equal --


def told_apart(reader: Reader, ranked: list[Candidate], context: GatherContext) -> list[Candidate]:
    """The order again, in which only the first that are nearly equal may have changed places.

    A word is found or missed, and a vector is that of a whole turn. Each piece of the question beside the one
    most like it in a text tells apart what both leave side by side. It is seldom needed.
    """
    config = context.config
    if context.embed is None or not context.plan.only_asks or not config.uses(PIECES):
        return ranked
    first = ranked[: config.first]
    weight = config.pieces * _said(first) ** 2
    alike = _alike(first, weight * config.alike)
    if len(alike) < 2:
        return ranked
    shares = _shares(reader, context, alike)
    if shares is None:
        return ranked
    least = min(shares)
    found = [_raised(one, weight * (share - least)) for one, share in zip(alike, shares, strict=True)]
    return sorted(found, key=lambda one: -one.score) + ranked[len(alike) :]


def _said(first: Sequence[Candidate]) -> float:
    """How far they hold the question's words: of what was told in other words, pieces say nothing."""
    return min(1.0, max((one.parts["words"] for one in first), default=0.0))


def _alike(first: Sequence[Candidate], reach: float) -> list[Candidate]:
    return [one for one in first if first[0].score - one.score < reach]


def _shares(reader: Reader, context: GatherContext, alike: Sequence[Candidate]) -> list[float] | None:
    texts = read_previews(reader, [one.ref for one in alike], _READ_AGAIN, context.zone)
    said = [texts[one.ref][0] if one.ref in texts else "" for one in alike]
    return held_pieces(context.words or context.text, said)


def _raised(one: Candidate, by: float) -> Candidate:
    return one._replace(score=one.score + by, parts={**one.parts, PIECES: by})
