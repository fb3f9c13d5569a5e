/** The neighbourhood of a memory as it was up to a moment. */
import type { GraphAnswer, GraphNode } from "../api/types";

export type NodeShape = "event" | "state" | "thread" | "entity";

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
