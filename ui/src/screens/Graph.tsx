/** What hangs together with a memory: a drawing, the same as a list, and a slider through time. */
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useMemo, useState } from "react";
import { api } from "../api/client";
import type { EventRow, GraphAnswer, GraphNode, Page } from "../api/types";
import { useSpeech } from "../i18n";
import { type NodeShape, shapeOf, upTo } from "../lib/graph";
import { go, link, useRoute } from "../lib/router";
import { day } from "../lib/time";
import { PageHead } from "../parts/bits";
import { Empty, Loading, Problem } from "../parts/feedback";
import { Icon } from "../parts/icons";

const centreOn = (node: string) => go(link("graph", node));
const GraphCanvas = lazy(() => import("../parts/GraphCanvas"));

export default function Graph() {
  const { t } = useSpeech();
  const { id } = useRoute();
  const newest = useQuery({
    queryKey: ["/api/memory/events", "newest"],
    queryFn: () => api.get<Page<EventRow>>("/api/memory/events", { limit: 1 }),
    enabled: !id,
  });
  const first = newest.data?.items[0];
  const centre = id ?? (first ? `e${first.event_id}` : null);
  const graph = useQuery({
    queryKey: ["graph", centre],
    queryFn: () => api.get<GraphAnswer>("/api/memory/graph", { id: centre, limit: 80 }),
    enabled: centre !== null,
  });
  return (
    <div className="page">
      <PageHead title={t("graph.title")} lead={t("graph.lead")} />
      {newest.isSuccess && !centre && <Empty>{t("graph.empty")}</Empty>}
      {graph.error && <Problem error={graph.error} onRetry={graph.refetch} />}
      {centre && graph.isPending && <Loading />}
      {graph.data && <Drawing key={centre} graph={graph.data} />}
    </div>
  );
}

function Drawing({ graph }: { graph: GraphAnswer }) {
  const { t, language } = useSpeech();
  const times = useMemo(() => graph.nodes.map((n) => n.ts).filter((ts) => ts !== null && ts !== undefined).sort((a, b) => a - b), [graph]);
  const [step, setStep] = useState(Math.max(0, times.length - 1));
  const limit = times[step] ?? null;
  const shown = useMemo(() => upTo(graph, limit), [graph, limit]);
  const centre = graph.nodes.find((n) => n.id === graph.centre);
  const label = t("graph.canvas", { n: shown.nodes.length, m: shown.edges.length });
  return (
    <>
      <div className="row">
        <span className="dim">{t("graph.around")}</span>
        <strong className="grow">{centre?.label ?? graph.centre}</strong>
        {times.length > 1 && (
          <label className="row">
            <span className="dim">{t("graph.time")}</span>
            <input type="range" min={0} max={times.length - 1} value={step} onChange={(e) => setStep(Number(e.target.value))} />
            <span className="num">{day(limit, language)}</span>
          </label>
        )}
      </div>
      {graph.edges.length === 0 && <p className="dim">{t("graph.empty")}</p>}
      <div className="card canvas">
        <Suspense fallback={<Loading />}>
          <GraphCanvas graph={shown} centre={graph.centre} label={label} onChoose={centreOn} />
        </Suspense>
        <Legend />
      </div>
      <section className="stack">
        <h2>{t("graph.list")}</h2>
        <ul className="stack graphlist">
          {shown.nodes
            .filter((n) => n.id !== graph.centre)
            .map((node) => (
              <NodeLine key={node.id} node={node} graph={shown} />
            ))}
        </ul>
      </section>
    </>
  );
}

function Legend() {
  const { word } = useSpeech();
  return (
    <p className="chips legend" aria-hidden="true">
      {(["event", "state", "thread", "entity"] as NodeShape[]).map((shape) => (
        <span key={shape} className={`chip node-${shape}`}>
          {word("kind", shape)}
        </span>
      ))}
    </p>
  );
}

function NodeLine({ node, graph }: { node: GraphNode; graph: GraphAnswer }) {
  const { t, word } = useSpeech();
  const edge = graph.edges.find((e) => e.source === node.id || e.target === node.id);
  const opens = /^[es]\d+$/.test(node.id);
  return (
    <li className="row">
      <span className={`chip node-${shapeOf(node)}`}>{word("kind", shapeOf(node))}</span>
      {edge && <span className="chip">{word("link", edge.label)}</span>}
      <a className="grow" href={link("graph", node.id)} aria-label={`${t("graph.centre")}: ${node.label}`}>
        {node.label}
      </a>
      {opens && (
        <a
          className="btn quiet small icon"
          href={link("memory", node.id, { tab: node.id.startsWith("e") ? "events" : null })}
          aria-label={`${t("graph.open")}: ${node.label}`}
        >
          <Icon name="open" />
        </a>
      )}
    </li>
  );
}
