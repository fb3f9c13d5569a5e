/** The memory browser: what is known and what happened, filtered, searched, corrected, undone. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { api } from "../api/client";
import type { EventRow, StateRow } from "../api/types";
import { useSpeech } from "../i18n";
import { anyFacet, eventQuery, type Facets, readFacets, stateQuery, writeFacets } from "../lib/facets";
import { usePaged } from "../lib/paging";
import { go, link, useRoute } from "../lib/router";
import { Segments } from "../parts/bits";
import { EventView } from "../parts/EventView";
import { FacetBar } from "../parts/FacetBar";
import { Empty, Loading, Problem, useFeedback } from "../parts/feedback";
import { Icon } from "../parts/icons";
import { EventCard, StateCard } from "../parts/MemoryRow";
import { StateView } from "../parts/StateView";
import { VirtualList } from "../parts/VirtualList";

const stateId = (state: StateRow) => state.state_id;
const eventId = (event: EventRow) => event.event_id;

export default function Memory() {
  const { t } = useSpeech();
  const { id, query } = useRoute();
  const facets = useMemo(() => readFacets(query), [query]);
  const set = useCallback(
    (part: Partial<Facets>) => go(link("memory", null, writeFacets({ ...facets, ...part })), true),
    [facets],
  );
  const chosen = id && /^[es]\d+$/.test(id) ? { kind: id[0], id: Number(id.slice(1)) } : null;
  return (
    <div className={`browser${chosen ? " has-detail" : ""}`}>
      <section className="browse" aria-label={t("mem.title")}>
        <header className="browse-head">
          <div className="row">
            <h1 className="grow">{t("mem.title")}</h1>
            <Segments
              label={t("mem.title")}
              value={facets.tab}
              options={[
                ["states", t("mem.states")],
                ["events", t("mem.events")],
              ]}
              onChange={(tab) => set({ tab, kind: "", source: "", status: "" })}
            />
          </div>
          <FacetBar facets={facets} onChange={set} />
        </header>
        {facets.tab === "states" ? <States facets={facets} chosen={id} /> : <Events facets={facets} chosen={id} />}
      </section>
      <section className="detail" aria-live="polite">
        {chosen ? (
          <>
            <a className="btn quiet small only-phone" href={link("memory", null, writeFacets(facets))}>
              <Icon name="back" />
              {t("act.back")}
            </a>
            {chosen.kind === "s" ? <StateView key={id} id={chosen.id} /> : <EventView key={id} id={chosen.id} />}
          </>
        ) : (
          <Empty>{t("mem.choose")}</Empty>
        )}
      </section>
    </div>
  );
}

function States({ facets, chosen }: { facets: Facets; chosen: string | null }) {
  const { t } = useSpeech();
  const query = useMemo(() => stateQuery(facets), [facets]);
  const list = usePaged<StateRow>("/api/memory/state", query, stateId);
  const items = list.items;
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  // a new filter starts a new selection
  useEffect(() => setPicked(new Set()), [query]);
  const pick = useCallback((id: number) => {
    setPicked((all) => {
      const next = new Set(all);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  }, []);
  if (list.isPending) return <Loading />;
  if (list.error) return <Problem error={list.error} onRetry={list.refetch} />;
  if (items.length === 0 && !list.hasNextPage) return <Empty>{t(anyFacet(facets) ? "mem.empty.filtered" : "mem.empty.states")}</Empty>;
  return (
    <>
      <Bulk picked={picked} onDone={() => setPicked(new Set())} />
      <VirtualList
        items={items}
        label={t("mem.states")}
        idOf={stateId}
        more={list.hasNextPage && !list.isFetchingNextPage ? list.fetchNextPage : null}
        row={(state) => (
          <StateCard
            state={state}
            href={link("memory", `s${state.state_id}`, writeFacets(facets))}
            current={chosen === `s${state.state_id}`}
            picked={picked.has(state.state_id)}
            onPick={pick}
          />
        )}
      />
    </>
  );
}

function Events({ facets, chosen }: { facets: Facets; chosen: string | null }) {
  const { t } = useSpeech();
  const query = useMemo(() => eventQuery(facets), [facets]);
  const list = usePaged<EventRow>("/api/memory/events", query, eventId);
  if (list.isPending) return <Loading />;
  if (list.error) return <Problem error={list.error} onRetry={list.refetch} />;
  if (list.items.length === 0) return <Empty>{t(anyFacet(facets) ? "mem.empty.filtered" : "mem.empty.events")}</Empty>;
  return (
    <VirtualList
      items={list.items}
      label={t("mem.events")}
      idOf={eventId}
      more={list.hasNextPage && !list.isFetchingNextPage ? list.fetchNextPage : null}
      row={(event) => (
        <EventCard
          event={event}
          href={link("memory", `e${event.event_id}`, writeFacets(facets))}
          current={chosen === `e${event.event_id}`}
        />
      )}
    />
  );
}

function Bulk({ picked, onDone }: { picked: ReadonlySet<number>; onDone: () => void }) {
  const { t } = useSpeech();
  const { say, fail, ask } = useFeedback();
  const queries = useQueryClient();
  if (picked.size === 0) return null;
  const each = async (ids: number[], act: (id: number) => Promise<unknown>) => {
    try {
      for (const id of ids) await act(id);
    } finally {
      await queries.invalidateQueries({ queryKey: ["/api/memory/state"] });
      await queries.invalidateQueries({ queryKey: ["state"] });
    }
  };
  const reason = t("det.edit.reason");
  const close = (id: number) => api.post(`/api/memory/state/${id}/close`, { reason });
  const restore = (id: number) => api.post(`/api/memory/state/${id}/restore`, { reason });
  const run = async (act: "close" | "restore" | "pin") => {
    const ids = [...picked];
    if (act === "close" && !(await ask(t("mem.bulk.ask", { n: ids.length }), t("mem.bulk.close")))) return;
    const pin = (id: number) => api.patch(`/api/memory/state/${id}`, { pin: true, reason });
    const back = { close: restore, restore: close, pin: (id: number) => api.patch(`/api/memory/state/${id}`, { pin: false, reason }) };
    try {
      await each(ids, { close, restore, pin }[act]);
      onDone();
      say(t("mem.bulk.done", { n: ids.length }), { label: t("act.undo"), run: () => each(ids, back[act]).catch(fail) });
    } catch (error) {
      fail(error);
    }
  };
  return (
    <div className="bulk row" role="toolbar" aria-label={t("mem.selected", { n: picked.size })}>
      <span className="grow">{t("mem.selected", { n: picked.size })}</span>
      <button type="button" className="btn small" onClick={() => run("close")}>
        {t("mem.bulk.close")}
      </button>
      <button type="button" className="btn small" onClick={() => run("restore")}>
        {t("mem.bulk.restore")}
      </button>
      <button type="button" className="btn small" onClick={() => run("pin")}>
        {t("mem.bulk.pin")}
      </button>
      <button type="button" className="btn small quiet" onClick={onDone}>
        {t("mem.bulk.unselect")}
      </button>
    </div>
  );
}
