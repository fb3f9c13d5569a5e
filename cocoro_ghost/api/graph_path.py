"""How two things in memory hang together: the shortest way from one to the other, for drawing."""

from __future__ import annotations

from collections import deque

from cocoro_ghost.api.neighbourhood import graph_around
from cocoro_ghost.api.schemas.memory import GraphEdge, GraphNode, GraphOut
from cocoro_ghost.errors import NotFound
from cocoro_ghost.store.ports import Reader

MOST_LOOKED_AT = 300
NEIGHBOURS = 60


def shortest_path(reader: Reader, start: str, goal: str) -> GraphOut:
    """The nodes and edges of the shortest way; only `start` when no way was found within a fair search."""
    nodes: dict[str, GraphNode] = {}
    came_by: dict[str, GraphEdge | None] = {start: None}
    waiting = deque([start])
    looked_at = 0
    while waiting and goal not in came_by and looked_at < MOST_LOOKED_AT:
        here = waiting.popleft()
        looked_at += 1
        for node, edge in _neighbours(reader, here, nodes):
            if node not in came_by:
                came_by[node] = edge
                waiting.append(node)
    return _drawn(start, goal, nodes, came_by)


def _neighbours(reader: Reader, here: str, nodes: dict[str, GraphNode]) -> list[tuple[str, GraphEdge]]:
    try:
        around = graph_around(reader, here, NEIGHBOURS)
    except NotFound:
        return []
    nodes.update({node.id: node for node in around.nodes if node.id not in nodes})
    return [
        (edge.target if edge.source == here else edge.source, edge)
        for edge in around.edges
        if here in (edge.source, edge.target)
    ]


def _drawn(
    start: str, goal: str, nodes: dict[str, GraphNode], came_by: dict[str, GraphEdge | None]
) -> GraphOut:
    edges: list[GraphEdge] = []
    ids = [goal if goal in came_by else start]
    while (edge := came_by[ids[-1]]) is not None:
        edges.append(edge)
        ids.append(edge.source if edge.target == ids[-1] else edge.target)
    return GraphOut(
        centre=start, nodes=[nodes[one] for one in reversed(ids) if one in nodes], edges=edges[::-1]
    )
