/** The neighbourhood of a memory as it was up to a moment. */
import type { GraphAnswer, GraphNode } from "../../api/types";

export type NodeShape = "event" | "state" | "thread" | "entity";

export const SHAPES: NodeShape[] = ["state", "event", "thread", "entity"];

export function shapeOf(node: Pick<GraphNode, "id">): NodeShape {
  if (/^e\d/.test(node.id)) return "event";
  if (/^s\d/.test(node.id)) return "state";
  return node.id.startsWith("t:") ? "thread" : "entity";
}

/** Nodes later than `limit` go, and with them their edges; nodes without a time stay while something holds them. */
export function upTo(graph: GraphAnswer, limit: number | null): GraphAnswer {
  if (limit === null) return graph;
  const early = new Set(graph.nodes.filter((n) => n.id === graph.centre || n.ts === null || n.ts === undefined || n.ts <= limit).map((n) => n.id));
  const edges = graph.edges.filter((e) => early.has(e.source) && early.has(e.target));
  const held = new Set(edges.flatMap((e) => [e.source, e.target]));
  const timeless = (n: GraphNode) => n.ts === null || n.ts === undefined;
  return { ...graph, edges, nodes: graph.nodes.filter((n) => early.has(n.id) && (n.id === graph.centre || !timeless(n) || held.has(n.id))) };
}

/** Without the kinds one does not want to see; the centre always stays. */
export function only(graph: GraphAnswer, hidden: ReadonlySet<NodeShape>): GraphAnswer {
  if (hidden.size === 0) return graph;
  const nodes = graph.nodes.filter((n) => n.id === graph.centre || !hidden.has(shapeOf(n)));
  const ids = new Set(nodes.map((n) => n.id));
  return { ...graph, nodes, edges: graph.edges.filter((e) => ids.has(e.source) && ids.has(e.target)) };
}

const RING_SEATS = [10, 16, 22, 30];
const RING_STEP = 185;

/** Places on rings round the centre, kinds side by side; stretched along the longer side of the drawing. */
export function rings(graph: GraphAnswer, centre: string, wide = true): Map<string, { x: number; y: number }> {
  const places = new Map([[centre, { x: 0, y: 0 }]]);
  const order: NodeShape[] = ["state", "entity", "thread", "event"];
  const others = graph.nodes
    .filter((n) => n.id !== centre)
    .sort((a, b) => order.indexOf(shapeOf(a)) - order.indexOf(shapeOf(b)) || (a.ts ?? 0) - (b.ts ?? 0));
  let ring = 0;
  for (let from = 0; from < others.length; ring++) {
    const seats = RING_SEATS[Math.min(ring, RING_SEATS.length - 1)] ?? 36;
    const some = others.slice(from, from + seats);
    some.forEach((node, at) => {
      const angle = (2 * Math.PI * (at + (ring % 2) / 2)) / some.length - Math.PI / 2;
      const radius = RING_STEP * (ring + 1);
      places.set(node.id, { x: Math.cos(angle) * radius * (wide ? 1.7 : 0.85), y: Math.sin(angle) * radius * (wide ? 1 : 1.25) });
    });
    from += seats;
  }
  return places;
}
