"""State links: how a memory belongs with those nearest to it."""

from __future__ import annotations

from collections.abc import Sequence

from cocoro_ghost.language.fold import guess_language
from cocoro_ghost.mind.client import Message, PlanRequest
from cocoro_ghost.model.answers import ProposedStateLink, StateLinks
from cocoro_ghost.model.material import StateLinkMaterial
from cocoro_ghost.model.revision import Actor, Cause
from cocoro_ghost.model.state import State, StateKind
from cocoro_ghost.prompts.render import render
from cocoro_ghost.store import graph, states, vectors
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.store.vectors import VectorKind
from cocoro_ghost.work.deps import JobDeps
from cocoro_ghost.work.worker import Effect

SHOWN = 5
"""How many of them a model is asked about: the nearest."""
NEAREST = 24
RESCORE = 200
MAX_DISTANCE = 0.35
MIN_CONFIDENCE = 0.65
MAX_LINKS = 6


async def link_state(deps: JobDeps, state_id: int, job_id: int | None) -> Effect | None:
    """Asks how a state belongs with its neighbours; None when there is nothing to ask or to write."""
    now = deps.clock.domain_now()
    state = (await deps.db.read(lambda reader: states.by_ids(reader, [state_id]))).get(state_id)
    index = deps.index()
    if state is None or index is None or not linkable(state, now):
        return None
    rows = await deps.embedder().embed([state.body_text])

    def near(reader: Reader) -> list[tuple[State, float]]:
        kinds = (VectorKind.STATE,)
        hits = index.search(reader, rows[0], kinds=kinds, limit=NEAREST + 1, rescore=RESCORE)
        distances = {vectors.split(item)[1]: max(0.0, 1.0 - score) for item, score in hits}
        found = states.by_ids(
            reader, [i for i, d in distances.items() if i != state_id and d <= MAX_DISTANCE]
        )
        kept = [(other, distances[i]) for i, other in found.items() if linkable(other, now)]
        return sorted(kept, key=lambda item: item[1])[:NEAREST]

    neighbours = await deps.db.read(near)
    if not neighbours:
        return None
    answer = await deps.mind().plan(_request(deps, state, neighbours), StateLinks)
    links = check_links(answer.links, [other for other, _ in neighbours])
    if not links:
        return None

    def effect(tx: Tx) -> None:
        write_links(tx, state_id, links, job_id)

    return effect


def linkable(state: State, now: int) -> bool:
    active = state.valid_to_ts is None or state.valid_to_ts > now
    return active and state.searchable and state.kind is not StateKind.LONG_MOOD


def check_links(proposed: Sequence[ProposedStateLink], shown: Sequence[State]) -> list[ProposedStateLink]:
    """Sure ones to states that were shown, the surest label for each, at most six."""
    known = {state.state_id for state in shown}
    best: dict[int, ProposedStateLink] = {}
    for link in sorted(proposed, key=lambda link: -link.confidence):
        if link.to_state_id in known and link.confidence >= MIN_CONFIDENCE:
            best.setdefault(link.to_state_id, link)
    return list(best.values())[:MAX_LINKS]


def write_links(tx: Tx, state_id: int, links: Sequence[ProposedStateLink], job_id: int | None) -> int:
    """Adds links as long as the state has room; what was linked before is only weighed anew."""
    found = states.by_ids(tx, [state_id, *(link.to_state_id for link in links)])
    state = found.get(state_id)
    if state is None:
        return 0
    outgoing = {x.to_state_id for x in graph.state_links_of(tx, state_id) if x.from_state_id == state_id}
    cause = Cause(Actor.TIDY, "tidy: linked by meaning", state.evidence_event_ids[-8:], job_id=job_id)
    written = 0
    with tx.because(cause):
        for link in links:
            room = link.to_state_id in outgoing or len(outgoing) < MAX_LINKS
            if link.to_state_id in found and room:
                graph.link_states(
                    tx, state_id, link.to_state_id, link.label, link.confidence, cause.evidence_event_ids
                )
                outgoing.add(link.to_state_id)
                written += 1
    return written


def _request(deps: JobDeps, state: State, neighbours: Sequence[tuple[State, float]]) -> PlanRequest:
    language = guess_language(state.body_text, deps.language())
    prompt = render("state_links", language)
    near = [f"s{other.state_id} {other.kind.value}: {other.body_text}" for other, _ in neighbours[:SHOWN]]
    shown = "\n".join([f"memory: {state.kind.value}: {state.body_text}", "near:", *near])
    material = StateLinkMaterial(
        state,
        tuple(other for other, _ in neighbours),
        tuple(distance for _, distance in neighbours),
        language,
    )
    messages = (
        Message("system", prompt.text),
        Message("user", shown),
    )
    return PlanRequest("state_links", messages, material, prompt.hash, tuple(reversed(near[1:])))
