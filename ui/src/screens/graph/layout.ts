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

export interface Room {
  width: number;
  height: number;
}

const LABEL = { width: 130, height: 60 };

/** How many labels stand side by side on the ellipse with these half axes. */
function seats(x: number, y: number): number {
  const across = Math.PI * (3 * (x + y) - Math.sqrt((3 * x + y) * (x + 3 * y)));
  return Math.max(4, Math.floor(across / (x > y ? LABEL.width * 0.95 : LABEL.height * 1.9)));
}

/** Places on rings round the centre, kinds side by side; the first rings fill the drawing, more lie outside of it. */
export function rings(graph: GraphAnswer, centre: string, room: Room = { width: 900, height: 500 }): Map<string, { x: number; y: number }> {
  const places = new Map([[centre, { x: 0, y: 0 }]]);
  const order: NodeShape[] = ["state", "entity", "thread", "event"];
  const others = graph.nodes
    .filter((n) => n.id !== centre)
    .sort((a, b) => order.indexOf(shapeOf(a)) - order.indexOf(shapeOf(b)) || (a.ts ?? 0) - (b.ts ?? 0));
  const outer = { x: Math.max(90, room.width / 2 - LABEL.width / 2 - 10), y: Math.max(90, room.height / 2 - LABEL.height) };
  const crowded = others.length > seats(outer.x, outer.y);
  let scale = crowded ? 0.56 : 1;
  for (let from = 0, ring = 0; from < others.length; ring++, scale += 0.48) {
    const half = { x: outer.x * scale, y: outer.y * scale };
    const some = others.slice(from, from + seats(half.x, half.y));
    some.forEach((node, at) => {
      const angle = (2 * Math.PI * (at + (ring % 2) / 2)) / some.length + (half.x > half.y ? 0 : -Math.PI / 2);
      places.set(node.id, { x: Math.cos(angle) * half.x, y: Math.sin(angle) * half.y });
    });
    from += some.length;
  }
  return places;
}
