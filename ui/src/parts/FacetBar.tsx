/** Search and filters above the memory list. */
import { useEffect, useState } from "react";
import { type Key, useSpeech } from "../i18n";
import { anyFacet, type Facets, NO_FACETS } from "../lib/facets";
import { Field } from "./bits";

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
  const [q, setQ] = useState(facets.q);
  useEffect(() => setQ(facets.q), [facets.q]);
  useEffect(() => {
    if (q === facets.q) return;
    const timer = setTimeout(() => onChange({ q }), 250);
    return () => clearTimeout(timer);
  }, [q, facets.q, onChange]);
  const states = facets.tab === "states";
  return (
    <search className="stack">
      <input
        type="search"
        className="input"
        aria-label={t("mem.search")}
        placeholder={t("mem.search")}
        value={q}
        onChange={(e) => setQ(e.target.value)}
      />
      <details open={anyFacet({ ...facets, q: "" }) || undefined}>
        <summary>{t("mem.filters")}</summary>
        <div className="fields facets">
          {states ? (
            <Choice label={t("mem.kind")} group="kind" values={KINDS} value={facets.kind} onChange={(kind) => onChange({ kind })} />
          ) : (
            <Choice label={t("mem.source")} group="source" values={SOURCES} value={facets.source} onChange={(source) => onChange({ source })} />
          )}
          <Choice
            label={t("mem.status")}
            group="mem"
            values={states ? STATE_STATUS : ["hidden"]}
            value={facets.status}
            onChange={(status) => onChange({ status })}
          />
          <Field label={t("mem.entity")}>
            <input
              className="input"
              placeholder={t("mem.entity.hint")}
              defaultValue={facets.entity}
              onBlur={(e) => e.target.value !== facets.entity && onChange({ entity: e.target.value })}
              onKeyDown={(e) => e.key === "Enter" && onChange({ entity: e.currentTarget.value })}
            />
          </Field>
          {states ? (
            <Sure value={facets.sure} onChange={(sure) => onChange({ sure })} />
          ) : (
            <>
              <Choice label={t("det.about")} group="stage" values={STAGES} value={facets.stage} onChange={(stage) => onChange({ stage })} />
              <Field label={t("mem.from")}>
                <input className="input" type="date" value={facets.from} onChange={(e) => onChange({ from: e.target.value })} />
              </Field>
              <Field label={t("mem.to")}>
                <input className="input" type="date" value={facets.to} onChange={(e) => onChange({ to: e.target.value })} />
              </Field>
            </>
          )}
        </div>
        {anyFacet(facets) && (
          <button type="button" className="btn quiet small" onClick={() => onChange({ ...NO_FACETS, tab: facets.tab })}>
            {t("mem.clear")}
          </button>
        )}
      </details>
    </search>
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
