/** The drawing of connections by cytoscape; loaded only when the graph is opened. */
import cytoscape from "cytoscape";
import { useEffect, useRef } from "react";
import type { GraphAnswer } from "../../api/types";
import { useSpeech } from "../../i18n";
import { useShade } from "../../lib/theme";
import { type Room, rings, shapeOf } from "./layout";

interface CanvasProps {
  graph: GraphAnswer;
  centre: string;
  label: string;
  onChoose: (id: string) => void;
}

function colour(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function looks(): cytoscape.StylesheetJson {
  const fill = (shape: string, name: string) => ({ selector: `node[shape = "${shape}"]`, style: { "background-color": colour(name) } });
  return [
    {
      selector: "node",
      style: {
        label: "data(label)",
        color: colour("--ink"),
        "font-size": 12,
        "font-family": "sans-serif",
        "text-wrap": "wrap",
        "text-overflow-wrap": (node: cytoscape.NodeSingular) => (/[\u3000-\u9fff]/.test(String(node.data("label"))) ? "anywhere" : "whitespace"),
        "text-max-width": "118px",
        "text-valign": "bottom",
        "text-margin-y": 5,
        "text-background-color": colour("--paper-2"),
        "text-background-opacity": 0.92,
        "text-background-padding": "3px",
        "text-background-shape": "roundrectangle",
        "z-index": 10,
        width: 22,
        height: 22,
        "border-width": 0,
      },
    },
    fill("event", "--accent"),
    fill("state", "--moss"),
    fill("thread", "--lamp"),
    fill("entity", "--rose"),
    { selector: "node[?centre]", style: { width: 38, height: 38, "border-width": 4, "border-color": colour("--accent-line"), "font-size": 14 } },
    {
      selector: "edge",
      style: {
        width: "mapData(confidence, 0, 1, 1, 3.5)",
        "z-index": 1,
        "line-color": colour("--line-2"),
        "curve-style": "bezier",
        label: "data(label)",
        "font-size": 10,
        color: colour("--ink-3"),
        "text-background-color": colour("--paper-2"),
        "text-background-opacity": 1,
        "text-background-padding": "2px",
      },
    },
  ];
}

/** Labels lie above the lines and carry their own ground, so that no edge runs through a word. */
function elements({ graph, centre }: CanvasProps, room: Room, word: (group: string, value: string) => string): cytoscape.ElementDefinition[] {
  const wide = room.width > room.height;
  const most = wide ? 34 : 22;
  const short = (text: string) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
  const places = rings(graph, centre, room);
  const crowded = !wide || graph.nodes.length > 16;
  return [
    ...graph.nodes.map((n) => ({ position: places.get(n.id) ?? { x: 0, y: 0 }, data: { id: n.id, label: short(n.label), shape: shapeOf(n), centre: n.id === centre } })),
    ...graph.edges.map((e, at) => ({ data: { id: `edge-${at}`, source: e.source, target: e.target, label: crowded ? "" : word("link", e.label), confidence: e.confidence } })),
  ];
}

export default function GraphCanvas(props: CanvasProps) {
  const { word } = useSpeech();
  const shade = useShade();
  const box = useRef<HTMLDivElement>(null);
  const { graph, centre, onChoose, label } = props;
  useEffect(() => {
    const el = box.current;
    if (!el) return;
    const room = { width: el.clientWidth, height: el.clientHeight };
    const drawing = cytoscape({
      container: el,
      elements: elements({ graph, centre, onChoose, label }, room, word),
      style: looks(),
      layout: { name: "preset", fit: false },
      minZoom: 0.25,
      maxZoom: 2.5,
    });
    drawing.fit(undefined, 14);
    // Never smaller than can be read: what does not fit is reached by moving the drawing.
    drawing.zoom(Math.min(1.15, Math.max(0.85, drawing.zoom())));
    drawing.center(drawing.zoom() > 0.85 ? undefined : drawing.$id(centre));
    drawing.on("tap", "node", (event) => onChoose(String(event.target.id())));
    drawing.on("mouseover", "node", () => el.classList.add("pointing"));
    drawing.on("mouseout", "node", () => el.classList.remove("pointing"));
    return () => drawing.destroy();
  }, [graph, centre, onChoose, label, word, shade]);
  return <div ref={box} className="graphbox" role="img" aria-label={label} />;
}
