/** What is connected to a memory: a drawing, the same as a list, filters, a slider through time, a path to another. */
import "./graph.css";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useMemo, useState } from "react";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { GraphAnswer, GraphNode, StateRow } from "../../api/types";
import { useSpeech } from "../../i18n";
import { go, link, useRoute } from "../../lib/router";
import { day } from "../../lib/time";
import { PageHead } from "../../parts/bits";
import { Empty, Loading, Problem, useFeedback } from "../../parts/feedback";
import { loadable } from "../../parts/Fence";
import { Icon } from "../../parts/icons";
import { type NodeShape, only, SHAPES, shapeOf, upTo } from "./layout";
import "./words";

const centreOn = (node: string) => go(link("graph", node));
const GraphCanvas = loadable(() => import("./GraphCanvas"));

/** A summary hangs together with everything: what it sums up makes a better middle. */
const PLAIN = new Set(["fact", "relation", "task"]);

/** How much hangs on a memory, as far as its row tells. */
const ties = (one: StateRow) => (one.entities?.length ?? 0) * 2 + (one.evidence_event_ids?.length ?? 0);

/** Around what: the address says; without, around what has the most to show of the newest things known. */
function useCentre() {
  const { id } = useRoute();
  const newest = useQuery({
    queryKey: [...keys.states, "newest"],
    queryFn: async () => {
      const held = await take(api.GET("/api/memory/state", { params: { query: { limit: 20 } } }));
      const plain = held.items.filter((one) => PLAIN.has(one.kind)).sort((a, b) => ties(b) - ties(a));
      const first = plain[0] ?? held.items[0];
      if (first) return `s${first.state_id}`;
      const said = await take(api.GET("/api/memory/events", { params: { query: { limit: 1 } } }));
      return said.items[0] ? `e${said.items[0].event_id}` : null;
    },
    enabled: !id,
  });
  return { centre: id ?? newest.data ?? null, none: newest.isSuccess && newest.data === null && !id };
}

export default function Graph() {
  const { t } = useSpeech();
  const { centre, none } = useCentre();
  const goal = useRoute().query.get("to");
  const graph = useQuery({
    queryKey: goal ? keys.path(centre ?? "", goal) : keys.graph(centre),
    queryFn: () =>
      goal
        ? take(api.GET("/api/memory/graph/path", { params: { query: { start: centre ?? "", goal } } }))
        : take(api.GET("/api/memory/graph", { params: { query: { id: centre ?? "", limit: 60 } } })),
    enabled: centre !== null,
  });
  return (
    <div className="page">
      <PageHead title={t("graph.title")} lead={t("graph.lead")} />
      {none && <Empty>{t("graph.empty")}</Empty>}
      {graph.error && <Problem error={graph.error} onRetry={graph.refetch} />}
      {centre && <PathForm centre={centre} goal={goal} />}
      {centre && graph.isPending && <Loading />}
      {goal && graph.data && graph.data.nodes.length < 2 && <p className="problem">{t("graph.path.none")}</p>}
      {graph.data && <Drawing key={`${centre}-${goal}`} graph={graph.data} path={goal !== null} />}
    </div>
  );
}

/** A word finds another memory; the path to it is drawn. */
function PathForm({ centre, goal }: { centre: string; goal: string | null }) {
  const { t } = useSpeech();
  const { say, fail } = useFeedback();
  const [text, setText] = useState("");
  const find = async (event: FormEvent) => {
    event.preventDefault();
    if (!text.trim()) return;
    try {
      const found = await take(api.GET("/api/memory/search", { params: { query: { q: text.trim(), limit: 5 } } }));
      const ids = [...found.states.map((s) => `s${s.state_id}`), ...found.events.map((e) => `e${e.event_id}`)].filter((id) => id !== centre);
      if (ids[0]) go(link("graph", centre, { to: ids[0] }));
      else say(t("graph.path.none"));
    } catch (error) {
      fail(error);
    }
  };
  return (
    <form className="row" onSubmit={find}>
      <input className="input short grow" aria-label={t("graph.path")} placeholder={`${t("graph.path")}: ${t("graph.path.hint")}`} value={text} onChange={(e) => setText(e.target.value)} />
      <button type="submit" className="btn small" disabled={!text.trim()}>
        {t("graph.path.find")}
      </button>
      {goal && (
        <a className="btn small quiet" href={link("graph", centre)}>
          {t("graph.path.clear")}
        </a>
      )}
    </form>
  );
}

function Drawing({ graph, path }: { graph: GraphAnswer; path: boolean }) {
  const { t, language } = useSpeech();
  const times = useMemo(() => graph.nodes.flatMap((n) => (typeof n.ts === "number" ? [n.ts] : [])).sort((a, b) => a - b), [graph]);
  const [step, setStep] = useState(Math.max(0, times.length - 1));
  const [hidden, setHidden] = useState<ReadonlySet<NodeShape>>(new Set());
  const limit = path ? null : (times[step] ?? null);
  const shown = useMemo(() => only(upTo(graph, limit), hidden), [graph, limit, hidden]);
  const centre = graph.nodes.find((n) => n.id === graph.centre);
  return (
    <>
      <div className="row">
        <span className="dim">{t("graph.around")}</span>
        <strong className="grow">{centre?.label ?? graph.centre}</strong>
        {times.length > 1 && !path && (
          <label className="row">
            <span className="dim">{t("graph.time")}</span>
            <input type="range" min={0} max={times.length - 1} value={step} onChange={(e) => setStep(Number(e.target.value))} />
            <span className="num">{day(limit, language)}</span>
          </label>
        )}
      </div>
      <Filter hidden={hidden} onChange={setHidden} />
      {graph.edges.length === 0 && <p className="dim">{t("graph.empty")}</p>}
      <div className="card canvas">
        <GraphCanvas graph={shown} centre={graph.centre} label={t("graph.canvas", { n: shown.nodes.length, m: shown.edges.length })} onChoose={centreOn} />
      </div>
      <NodeList graph={shown} />
    </>
  );
}

function Filter({ hidden, onChange }: { hidden: ReadonlySet<NodeShape>; onChange: (next: ReadonlySet<NodeShape>) => void }) {
  const { t, word } = useSpeech();
  const flip = (shape: NodeShape) => {
    const next = new Set(hidden);
    if (!next.delete(shape)) next.add(shape);
    onChange(next);
  };
  return (
    <div className="chips" role="group" aria-label={t("graph.filter")}>
      {SHAPES.map((shape) => (
        <button type="button" key={shape} className={`chip node-${shape}${hidden.has(shape) ? " off" : ""}`} aria-pressed={!hidden.has(shape)} onClick={() => flip(shape)}>
          {word("kind", shape)}
        </button>
      ))}
    </div>
  );
}

function NodeList({ graph }: { graph: GraphAnswer }) {
  const { t } = useSpeech();
  return (
    <section className="stack">
      <h2>{t("graph.list")}</h2>
      <ul className="stack graphlist">
        {graph.nodes
          .filter((n) => n.id !== graph.centre)
          .map((node) => (
            <NodeLine key={node.id} node={node} graph={graph} />
          ))}
      </ul>
    </section>
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
        <a className="btn quiet small icon" href={link("memory", node.id, { tab: node.id.startsWith("e") ? "events" : null })} aria-label={`${t("graph.open")}: ${node.label}`}>
          <Icon name="open" />
        </a>
      )}
    </li>
  );
}
