/** Search and filters above the memory list. */
import { useEffect, useRef, useState } from "react";
import { type Key, useSpeech } from "../../i18n";
import { anyFacet, type Facets, NO_FACETS } from "./facets";
import { Field } from "../../parts/bits";

const KINDS = ["fact", "relation", "task", "summary", "long_mood_state"];
const SOURCES = ["chat", "notification", "reminder", "desktop_watch", "meta_proactive", "vision_detail", "import", "lorebook"];
const STAGES = ["elementary", "middle", "high", "university", "work"];
const STATE_STATUS = ["active", "closed", "hidden", "pinned"];

interface BarProps {
  facets: Facets;
  onChange: (part: Partial<Facets>) => void;
}

export function FacetBar({ facets, onChange }: BarProps) {
  const { t } = useSpeech();
  const [q, setQ] = useTyped(facets.q, (next) => onChange({ q: next }), 250);
  return (
    <search className="stack">
      <input type="search" className="input" aria-label={t("mem.search")} placeholder={t("mem.search")} value={q} onChange={(e) => setQ(e.target.value)} />
      <details open={anyFacet({ ...facets, q: "" }) || undefined}>
        <summary>{t("mem.filters")}</summary>
        <div className="fields facets">{facets.tab === "states" ? <StateFilters facets={facets} onChange={onChange} /> : <EventFilters facets={facets} onChange={onChange} />}</div>
        {anyFacet(facets) && (
          <button type="button" className="btn quiet small" onClick={() => onChange({ ...NO_FACETS, tab: facets.tab })}>
            {t("mem.clear")}
          </button>
        )}
      </details>
    </search>
  );
}

/** What is being typed; it counts after a pause, and what the address says wins over it. */
function useTyped(value: string, onSettled: (value: string) => void, ms: number): [string, (value: string) => void] {
  const [typed, setTyped] = useState({ base: value, text: value });
  const text = typed.base === value ? typed.text : value;
  const settle = useRef(onSettled);
  useEffect(() => {
    settle.current = onSettled;
  });
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => settle.current(text), ms);
    return () => clearTimeout(timer);
  }, [text, value, ms]);
  return [text, (next) => setTyped({ base: value, text: next })];
}

function Entity({ facets, onChange }: BarProps) {
  const { t } = useSpeech();
  const [name, setName] = useTyped(facets.entity, (entity) => onChange({ entity }), 600);
  return (
    <Field label={t("mem.entity")}>
      <input className="input" placeholder={t("mem.entity.hint")} value={name} onChange={(e) => setName(e.target.value)} />
    </Field>
  );
}

function StateFilters({ facets, onChange }: BarProps) {
  const { t } = useSpeech();
  return (
    <>
      <Choice label={t("mem.kind")} group="kind" values={KINDS} value={facets.kind} onChange={(kind) => onChange({ kind })} />
      <Choice label={t("mem.status")} group="mem" values={STATE_STATUS} value={facets.status} onChange={(status) => onChange({ status })} />
      <Entity facets={facets} onChange={onChange} />
      <Sure value={facets.sure} onChange={(sure) => onChange({ sure })} />
    </>
  );
}

function EventFilters({ facets, onChange }: BarProps) {
  const { t } = useSpeech();
  return (
    <>
      <Choice label={t("mem.source")} group="source" values={SOURCES} value={facets.source} onChange={(source) => onChange({ source })} />
      <Choice label={t("mem.status")} group="mem" values={["hidden"]} value={facets.status} onChange={(status) => onChange({ status })} />
      <Entity facets={facets} onChange={onChange} />
      <Choice label={t("det.about")} group="stage" values={STAGES} value={facets.stage} onChange={(stage) => onChange({ stage })} />
      <Field label={t("mem.from")}>
        <input className="input" type="date" value={facets.from} onChange={(e) => onChange({ from: e.target.value })} />
      </Field>
      <Field label={t("mem.to")}>
        <input className="input" type="date" value={facets.to} onChange={(e) => onChange({ to: e.target.value })} />
      </Field>
    </>
  );
}

interface ChoiceProps {
  label: string;
  group: string;
  values: string[];
  value: string;
  onChange: (value: string) => void;
}

function Choice({ label, group, values, value, onChange }: ChoiceProps) {
  const { t } = useSpeech();
  return (
    <Field label={label}>
      <select className="input" value={value} onChange={(e) => onChange(e.target.value)}>
        <option value="">{t("mem.any")}</option>
        {values.map((one) => (
          <option key={one} value={one}>
            {t(`${group}.${one}` as Key)}
          </option>
        ))}
      </select>
    </Field>
  );
}

function Sure({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useSpeech();
  return (
    <Field label={t("mem.confidence")}>
      <select className="input" value={value} onChange={(e) => onChange(e.target.value)}>
        <option value="">{t("mem.any")}</option>
        {["0.3", "0.5", "0.7", "0.9"].map((one) => (
          <option key={one} value={one}>
            {Number(one) * 100}%
          </option>
        ))}
      </select>
    </Field>
  );
}
