"""The neighbourhood of one thing in memory, for drawing."""

from __future__ import annotations

from collections.abc import Iterable

from cocoro_ghost.api.schemas.memory import GraphEdge, GraphNode, GraphOut
from cocoro_ghost.errors import BadInput, NotFound
from cocoro_ghost.model.event import EntityType, Event
from cocoro_ghost.model.record import Named
from cocoro_ghost.model.state import State
from cocoro_ghost.store import browse, entities, events, graph, states
from cocoro_ghost.store.entities import EntityKey
from cocoro_ghost.store.ports import Reader

LABEL_CHARACTERS = 60


class _Drawing:
    """Collects nodes once each, and the edges between them, up to a limit."""

    def __init__(self, limit: int) -> None:
        self.nodes: dict[str, GraphNode] = {}
        self.edges: dict[tuple[str, str, str], GraphEdge] = {}
        self._limit = limit

    def event(self, event: Event) -> str:
        text = event.user_text or event.assistant_text or event.source.value
        return self._node(f"e{event.event_id}", "event", text, event.created_at)

    def state(self, state: State) -> str:
        return self._node(f"s{state.state_id}", state.kind.value, state.body_text, state.created_at)

    def thread(self, key: str) -> str:
        return self._node(f"t:{key}", "thread", key, None)

    def entity(self, name: Named) -> str:
        return self._node(f"n:{name.type.value}:{name.norm}", name.type.value, name.raw, None)

    def edge(self, source: str, target: str, label: str, confidence: float) -> None:
        if source in self.nodes and target in self.nodes:
            self.edges[source, target, label] = GraphEdge(
                source=source, target=target, label=label, confidence=confidence
            )

    def _node(self, node_id: str, kind: str, text: str, ts: int | None) -> str:
        if node_id in self.nodes or len(self.nodes) < self._limit:
            self.nodes.setdefault(
                node_id, GraphNode(id=node_id, kind=kind, label=text[:LABEL_CHARACTERS], ts=ts)
            )
        return node_id


def graph_around(reader: Reader, centre: str, limit: int) -> GraphOut:
    """Raises BadInput for an id that names nothing, NotFound for one that is not there."""
    drawing = _Drawing(limit)
    if centre[:1] == "e" and centre[1:].isdecimal():
        _around_event(reader, drawing, events.get(reader, _number(centre)))
    elif centre[:1] == "s" and centre[1:].isdecimal():
        _around_state(reader, drawing, states.get(reader, _number(centre)))
    elif centre.startswith("t:"):
        _around_thread(reader, drawing, centre[2:], limit)
    elif centre.startswith("n:") and centre.count(":") >= 2:
        _around_entity(reader, drawing, centre, limit)
    else:
        raise BadInput("`id` is e<number>, s<number>, t:<thread> or n:<type>:<name>.")
    return GraphOut(centre=centre, nodes=list(drawing.nodes.values()), edges=list(drawing.edges.values()))


def _number(centre: str) -> int:
    return min(int(centre[1:19] or 0), 2**62)


def _around_event(reader: Reader, drawing: _Drawing, event: Event) -> None:
    here = drawing.event(event)
    links = graph.links_of(reader, event.event_id)
    others = events.by_ids(reader, {one for link in links for one in (link.from_event_id, link.to_event_id)})
    for link in links:
        source, target = (drawing.event(others[one]) for one in (link.from_event_id, link.to_event_id))
        drawing.edge(source, target, link.label.value, link.confidence)
    for member in graph.threads_of(reader, event.event_id):
        drawing.edge(here, drawing.thread(member.thread_key), "thread", member.confidence)
    for name in browse.entities_of_event(reader, event.event_id):
        drawing.edge(here, drawing.entity(name), "names", name.confidence)
    for state in browse.states_resting_on(reader, event.event_id):
        drawing.edge(drawing.state(state), here, "rests_on", state.confidence)


def _around_state(reader: Reader, drawing: _Drawing, state: State) -> None:
    here = drawing.state(state)
    links = graph.state_links_of(reader, state.state_id)
    others = states.by_ids(reader, {one for link in links for one in (link.from_state_id, link.to_state_id)})
    for link in links:
        source, target = (drawing.state(others[one]) for one in (link.from_state_id, link.to_state_id))
        drawing.edge(source, target, link.label.value, link.confidence)
    for name in browse.entities_of_state(reader, state.state_id):
        drawing.edge(here, drawing.entity(name), "names", name.confidence)
    for event in events.by_ids(reader, state.evidence_event_ids).values():
        drawing.edge(here, drawing.event(event), "rests_on", state.confidence)


def _around_thread(reader: Reader, drawing: _Drawing, key: str, limit: int) -> None:
    members = graph.thread_events(reader, key, limit)
    if not members:
        raise NotFound(f"There is no thread {key!r}.")
    here = drawing.thread(key)
    found = events.by_ids(reader, [event_id for event_id, _ in members])
    for event_id, confidence in members:
        drawing.edge(drawing.event(found[event_id]), here, "thread", confidence)


def _around_entity(reader: Reader, drawing: _Drawing, centre: str, limit: int) -> None:
    _, kind, norm = centre.split(":", 2)
    if kind not in set(EntityType):
        raise BadInput(f"There is no kind of entity {kind!r}; known: {', '.join(EntityType)}.")
    key = EntityKey(EntityType(kind), norm)
    told, held = entities.events_of(reader, key, limit), entities.states_of(reader, key, limit)
    if not told and not held:
        raise NotFound(f"Nothing in memory names {norm!r}.")
    here = drawing.entity(Named(key.type, norm, norm))
    _edges(drawing, here, told, {i: drawing.event(e) for i, e in events.by_ids(reader, _ids(told)).items()})
    _edges(drawing, here, held, {i: drawing.state(s) for i, s in states.by_ids(reader, _ids(held)).items()})


def _ids(found: Iterable[tuple[int, float]]) -> list[int]:
    return [one for one, _ in found]


def _edges(drawing: _Drawing, here: str, found: Iterable[tuple[int, float]], placed: dict[int, str]) -> None:
    for one, confidence in found:
        drawing.edge(placed[one], here, "names", confidence)
