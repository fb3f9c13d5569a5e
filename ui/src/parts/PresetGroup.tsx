/** Presets of one kind: choose, edit, add, archive; a model can be tested. */
import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { api } from "../api/client";
import type { Settings, TestAnswer } from "../api/types";
import { useSpeech } from "../i18n";
import { blankPreset, GROUPS, type GroupName, type Preset, type PresetField } from "../lib/presets";
import { Field } from "./bits";
import { explain, useFeedback } from "./feedback";
import { Icon } from "./icons";

interface GroupProps {
  group: GroupName;
  settings: Settings;
  saved: boolean;
  onChange: (group: GroupName, presets: Preset[], active?: string) => void;
}

export function PresetGroup({ group, settings, saved, onChange }: GroupProps) {
  const { t } = useSpeech();
  const { ask } = useFeedback();
  const shape = GROUPS[group];
  const presets = settings[shape.list] as unknown as Preset[];
  const active = settings[shape.active] as string;
  const [open, setOpen] = useState<string | null>(null);
  const shown = open ?? active;
  const put = (next: Preset) => onChange(group, presets.map((p) => (p[shape.id] === next[shape.id] ? next : p)));
  const add = () => {
    const made = blankPreset(group, { [shape.title]: `${t(shape.heading)} ${presets.length + 1}` });
    onChange(group, [...presets, made]);
    setOpen(String(made[shape.id]));
  };
  const archive = async (preset: Preset) => {
    if (!(await ask(t("set.archive.ask", { name: String(preset[shape.title]) }), t("set.archive")))) return;
    onChange(group, presets.filter((p) => p !== preset));
    setOpen(null);
  };
  const chosen = presets.find((p) => p[shape.id] === shown) ?? presets[0];
  return (
    <section className="card stack" id={`set-${shape.anchor}`} aria-labelledby={`h-${group}`}>
      <h2 id={`h-${group}`}>{t(shape.heading)}</h2>
      {shape.lead && <p className="dim">{t(shape.lead)}</p>}
      <div className="chips">
        {presets.map((p) => (
          <button
            type="button"
            key={String(p[shape.id])}
            className="btn small"
            aria-pressed={p === chosen}
            onClick={() => setOpen(String(p[shape.id]))}
          >
            {String(p[shape.title]) || "…"}
            {p[shape.id] === active && (
              <span className="chip moss">
                {t("set.active")}
              </span>
            )}
          </button>
        ))}
        <button type="button" className="btn small quiet" onClick={add}>
          <Icon name="plus" />
          {t("set.add")}
        </button>
      </div>
      {chosen && (
        <>
          <PresetForm group={group} preset={chosen} onChange={put} />
          <div className="row">
            {chosen[shape.id] !== active && (
              <button type="button" className="btn small" onClick={() => onChange(group, presets, String(chosen[shape.id]))}>
                {t("set.use")}
              </button>
            )}
            {group === "llm" && saved && <Test id={String(chosen[shape.id])} />}
            <span className="grow" />
            {chosen[shape.id] !== active && (
              <button type="button" className="btn small quiet danger" onClick={() => archive(chosen)}>
                {t("set.archive")}
              </button>
            )}
          </div>
        </>
      )}
    </section>
  );
}

function PresetForm({ group, preset, onChange }: { group: GroupName; preset: Preset; onChange: (next: Preset) => void }) {
  const { t } = useSpeech();
  const shape = GROUPS[group];
  const set = (name: string, value: unknown) => onChange({ ...preset, [name]: value });
  const show = (field: PresetField) => (
    <PresetInput key={field.name} field={field} value={preset[field.name]} onChange={(v) => set(field.name, v)} />
  );
  const more = shape.fields.filter((field) => field.more);
  return (
    <div className="stack">
      <div className="fields">
        <Field label={t("set.name")}>
          <input className="input" value={String(preset[shape.title] ?? "")} onChange={(e) => set(shape.title, e.target.value)} />
        </Field>
        {shape.fields.filter((field) => !field.more).map(show)}
      </div>
      {more.length > 0 && (
        <details>
          <summary>{t("nav.more")}</summary>
          <div className="fields">{more.map(show)}</div>
        </details>
      )}
    </div>
  );
}

function PresetInput({ field, value, onChange }: { field: PresetField; value: unknown; onChange: (value: unknown) => void }) {
  const { t } = useSpeech();
  const help = useId();
  const text = value === null || value === undefined ? "" : String(value);
  const back = (next: string) => onChange(next === "" && field.optional ? null : next);
  if (field.kind === "flag") {
    return (
      <label className="check">
        <input type="checkbox" checked={value === true} onChange={(e) => onChange(e.target.checked)} />
        {t(field.label)}
      </label>
    );
  }
  if (field.kind === "long") {
    return (
      <label className="field wide">
        <span>{t(field.label)}</span>
        <textarea className="input" rows={Math.min(14, Math.max(4, Math.ceil(text.length / 60) + text.split("\n").length))} value={text} onChange={(e) => back(e.target.value)} />
      </label>
    );
  }
  if (field.kind === "number") {
    return (
      <Field label={t(field.label)}>
        <input className="input" type="number" min={1} value={text} onChange={(e) => onChange(Math.max(1, Number(e.target.value) || 1))} />
      </Field>
    );
  }
  return (
    <label className="field">
      <span>{t(field.label)}</span>
      <input
        className="input"
        type="text"
        autoComplete="off"
        spellCheck={false}
        value={text}
        aria-describedby={field.kind === "secret" ? help : undefined}
        onChange={(e) => back(e.target.value)}
      />
      {field.kind === "secret" && (
        <span className="help" id={help}>
          {t("set.key.hint")}
        </span>
      )}
    </label>
  );
}

function Test({ id }: { id: string }) {
  const { t } = useSpeech();
  const test = useMutation({ mutationFn: () => api.post<TestAnswer>("/api/settings/test", { llm_preset_id: id }) });
  return (
    <>
      <button type="button" className="btn small" disabled={test.isPending} onClick={() => test.mutate()}>
        {t("first.test")}
      </button>
      <span role="status" className="dim">
        {test.data && t(test.data.ok ? "set.test.ok" : "set.test.bad", { message: `${test.data.message} (${test.data.milliseconds} ms)` })}
        {test.error && explain(test.error, t)}
      </span>
    </>
  );
}
