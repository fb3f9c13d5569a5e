"""State links: how a memory belongs with those nearest to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from numpy.typing import ArrayLike

from cocoro_ghost.language.fold import guess_language
from cocoro_ghost.mind.client import Message, PlanRequest
from cocoro_ghost.mind.prompts.render import render
from cocoro_ghost.model.answers import ProposedStateLink, StateLinks
from cocoro_ghost.model.material import Near, StateLinkMaterial
from cocoro_ghost.model.revision import Actor, Cause, Why
from cocoro_ghost.model.state import State, StateKind
from cocoro_ghost.store import graph, states, vectors
from cocoro_ghost.store.nearest import VectorIndex
from cocoro_ghost.store.ports import Reader, Tx
from cocoro_ghost.store.vectors import VectorKind
from cocoro_ghost.work.deps import JobDeps
from cocoro_ghost.work.worker import Effect

SHOWN = 4
"""How many of them a model is asked about: the nearest."""
SHOWN_CHARS = 120
AT_ONCE = 8
"""States a model is asked about in one question: the rules cost more than the memories they are about."""
NEAREST = 24
RESCORE = 200
MAX_DISTANCE = 0.35
MIN_CONFIDENCE = 0.65
MAX_LINKS = 6


async def link_states(deps: JobDeps, jobs: Mapping[int, int]) -> dict[int, Effect]:
    """Asks how states (id → the job it came by) belong with their neighbours; what to write, by state."""
    index = deps.index()
    if index is None:
        return {}
    near = await _near(deps, index, list(jobs))
    found: list[ProposedStateLink] = []
    for start in range(0, len(near), AT_ONCE):
        found += (await deps.mind().plan(_request(deps, near[start : start + AT_ONCE]), StateLinks)).links
    effects: dict[int, Effect] = {}
    for one in near:
        own = [link for link in found if link.from_state_id == one.state.state_id]
        if links := check_links(own, one.neighbours):
            state_id = one.state.state_id
            effects[state_id] = partial(_write, state_id=state_id, links=links, job_id=jobs[state_id])
    return effects


async def _near(deps: JobDeps, index: VectorIndex, state_ids: Sequence[int]) -> list[Near]:
    """The linkable ones of these states that have neighbours, each with its own."""
    now = deps.clock.domain_now()
    known = await deps.db.read(lambda reader: states.by_ids(reader, state_ids))
    wanted = [state for state in known.values() if linkable(state, now)]
    if not wanted:
        return []
    rows = await deps.embedder().embed([state.body_text for state in wanted])

    def near(reader: Reader) -> list[Near]:
        pairs = zip(wanted, rows, strict=True)
        return [_neighbours(reader, index, state, row, now) for state, row in pairs]

    return [one for one in await deps.db.read(near) if one.neighbours]


def _neighbours(reader: Reader, index: VectorIndex, state: State, row: ArrayLike, now: int) -> Near:
    # One more, for the nearest of all is the state itself.
    hits = index.search(reader, row, kinds=(VectorKind.STATE,), limit=NEAREST + 1, rescore=RESCORE)
    distances = {vectors.split(item)[1]: max(0.0, 1.0 - score) for item, score in hits}
    ids = [i for i, distance in distances.items() if i != state.state_id and distance <= MAX_DISTANCE]
    found = [other for other in states.by_ids(reader, ids).values() if linkable(other, now)]
    found.sort(key=lambda other: distances[other.state_id])
    return Near(state, tuple(found), tuple(distances[other.state_id] for other in found))


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
    # The newest of it: a fact told for years rests on hundreds of events.
    cause = Cause(Actor.TIDY, Why.STATES_LINKED, state.evidence_event_ids[-8:], job_id=job_id)
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


def _write(tx: Tx, state_id: int, links: Sequence[ProposedStateLink], job_id: int) -> None:
    write_links(tx, state_id, links, job_id)


def _request(deps: JobDeps, groups: Sequence[Near]) -> PlanRequest:
    language = guess_language(groups[0].state.body_text, deps.language())
    prompt = render("state_links", language)
    lines, spare = [], []
    for one in groups:
        near = [f"- {_line(other)}" for other in one.neighbours[:SHOWN]]
        lines += [_line(one.state), *near]
        spare += near[1:]
    messages = (Message("system", prompt.text), Message("user", "\n".join(lines)))
    material = StateLinkMaterial(tuple(groups), language)
    return PlanRequest("state_links", messages, material, prompt.hash, tuple(reversed(spare)))


def _line(state: State) -> str:
    return f"s{state.state_id} {state.kind.value}: {' '.join(state.body_text.split())[:SHOWN_CHARS]}"
