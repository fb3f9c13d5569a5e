/** The memory browser: what is known and what was said, filtered, searched, corrected, undone. */
import { useCallback, useMemo, useState } from "react";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { EventRow, StateRow } from "../../api/types";
import { useSpeech } from "../../i18n";
import { usePaged } from "../../lib/paging";
import { go, link, useRoute } from "../../lib/router";
import { Segments } from "../../parts/bits";
import { Empty, Loading, Problem } from "../../parts/feedback";
import { Icon } from "../../parts/icons";
import { VirtualList } from "../../parts/VirtualList";
import { Bulk } from "./Bulk";
import { EventView } from "./EventView";
import { FacetBar } from "./FacetBar";
import { anyFacet, eventQuery, type Facets, readFacets, stateQuery, writeFacets } from "./facets";
import { EventCard, StateCard } from "./MemoryRow";
import { StateView } from "./StateView";
import "../about/words";
import "../heart/words";
import "./words";

const PAGE = 60;
const stateId = (state: StateRow) => state.state_id;
const eventId = (event: EventRow) => event.event_id;

/** The filters as they stand in the address; opening an item leaves them, and the selection, as they are. */
function useFacets() {
  const { id, query } = useRoute();
  const written = query.toString();
  const facets = useMemo(() => readFacets(new URLSearchParams(written)), [written]);
  const set = useCallback((part: Partial<Facets>) => go(link("memory", null, writeFacets({ ...facets, ...part })), true), [facets]);
  return { facets, set, id };
}

export default function Memory() {
  const { t } = useSpeech();
  const { facets, set, id } = useFacets();
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
      <section className="detail">
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

/** A selection belongs to a filter: another filter starts another. */
function usePicked(filter: object) {
  const [picked, setPicked] = useState<{ filter: object; ids: ReadonlySet<number> }>({ filter, ids: new Set() });
  const ids = picked.filter === filter ? picked.ids : new Set<number>();
  const pick = useCallback(
    (id: number) =>
      setPicked((before) => {
        const next = new Set(before.filter === filter ? before.ids : []);
        if (!next.delete(id)) next.add(id);
        return { filter, ids: next };
      }),
    [filter],
  );
  const clear = useCallback(() => setPicked({ filter, ids: new Set() }), [filter]);
  return { ids, pick, clear };
}

function States({ facets, chosen }: { facets: Facets; chosen: string | null }) {
  const { t } = useSpeech();
  const query = useMemo(() => stateQuery(facets), [facets]);
  const list = usePaged<StateRow>({
    key: keys.stateList(query),
    ask: (cursor, signal) => take(api.GET("/api/memory/state", { params: { query: { limit: PAGE, ...query, cursor } }, signal })),
    idOf: stateId,
  });
  const { ids, pick, clear } = usePicked(facets);
  if (list.isPending) return <Loading />;
  if (list.error) return <Problem error={list.error} onRetry={list.refetch} />;
  if (list.items.length === 0 && !list.hasNextPage) return <Empty>{t(anyFacet(facets) ? "mem.empty.filtered" : "mem.empty.states")}</Empty>;
  return (
    <>
      <Bulk picked={ids} items={list.items} onDone={clear} />
      <VirtualList
        items={list.items}
        label={t("mem.states")}
        idOf={stateId}
        more={list.more}
        row={(state) => (
          <StateCard
            state={state}
            href={link("memory", `s${state.state_id}`, writeFacets(facets))}
            current={chosen === `s${state.state_id}`}
            picked={ids.has(state.state_id)}
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
  const list = usePaged<EventRow>({
    key: keys.eventList(query),
    ask: (cursor, signal) => take(api.GET("/api/memory/events", { params: { query: { limit: PAGE, ...query, cursor } }, signal })),
    idOf: eventId,
  });
  if (list.isPending) return <Loading />;
  if (list.error) return <Problem error={list.error} onRetry={list.refetch} />;
  if (list.items.length === 0) return <Empty>{t(anyFacet(facets) ? "mem.empty.filtered" : "mem.empty.events")}</Empty>;
  return (
    <VirtualList
      items={list.items}
      label={t("mem.events")}
      idOf={eventId}
      more={list.more}
      row={(event) => <EventCard event={event} href={link("memory", `e${event.event_id}`, writeFacets(facets))} current={chosen === `e${event.event_id}`} />}
    />
  );
}
