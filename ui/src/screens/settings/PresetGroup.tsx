/** Presets of one kind: choose, edit, add, archive; a model can be tested before it is saved. */
import { useState } from "react";
import type { Settings } from "../../api/types";
import { useSpeech } from "../../i18n";
import { Field } from "../../parts/bits";
import { useFeedback } from "../../parts/feedback";
import { Icon } from "../../parts/icons";
import { MindChoice, SecretInput, TestButton, TestEmbedding } from "./MindChoice";
import { MEMBERS, providerOf } from "./minds";
import { blankPreset, GROUPS, type GroupName, type Preset, type PresetField } from "./presets";

interface GroupProps {
  group: GroupName;
  settings: Settings;
  saved: boolean;
  /** What the server said against a model; it quotes the name. */
  refusal?: string;
  onChange: (group: GroupName, presets: Preset[], active?: string) => void;
}

function usePresets({ group, settings, onChange }: GroupProps) {
  const { t } = useSpeech();
  const { ask } = useFeedback();
  const shape = GROUPS[group];
  const presets = settings[shape.list] as unknown as Preset[];
  const active = settings[shape.active] as string;
  const [open, setOpen] = useState<string | null>(null);
  const chosen = presets.find((p) => p[shape.id] === (open ?? active)) ?? presets[0];
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
  const put = (next: Preset) => onChange(group, presets.map((p) => (p[shape.id] === next[shape.id] ? next : p)));
  return { shape, presets, active, chosen, setOpen, add, archive, put };
}

export function PresetGroup(props: GroupProps) {
  const { group, saved, refusal = "", onChange } = props;
  const { t } = useSpeech();
  const { shape, presets, active, chosen, setOpen, add, archive, put } = usePresets(props);
  return (
    <section className="card stack" id={`set-${shape.anchor}`} aria-labelledby={`h-${group}`}>
      <h2 id={`h-${group}`}>{t(shape.heading)}</h2>
      {shape.lead && <p className="dim">{t(shape.lead)}</p>}
      <div className="chips">
        {presets.map((p) => (
          <button type="button" key={String(p[shape.id])} className="btn small" aria-pressed={p === chosen} onClick={() => setOpen(String(p[shape.id]))}>
            {String(p[shape.title]) || "…"}
            {p[shape.id] === active && <span className="chip moss">{t("set.active")}</span>}
          </button>
        ))}
        <button type="button" className="btn small quiet" onClick={add}>
          <Icon name="plus" />
          {t("set.add")}
        </button>
      </div>
      {chosen && <PresetForm group={group} preset={chosen} presets={presets} refusal={refusal} onChange={put} />}
      {chosen && (
        <div className="row">
          {chosen[shape.id] !== active && (
            <button type="button" className="btn small" onClick={() => onChange(group, presets, String(chosen[shape.id]))}>
              {t("set.use")}
            </button>
          )}
          {group === "llm" && <TestButton key={JSON.stringify(chosen)} preset={chosen} saved={saved} />}
          {group === "embedding" && !OURS.has(providerOf(chosen, group)) && (
            <TestEmbedding key={tryKey(chosen)} preset={chosen} onFound={(embedding_dimension) => put({ ...chosen, embedding_dimension })} />
          )}
          <span className="grow" />
          {chosen[shape.id] !== active && (
            <button type="button" className="btn small quiet" onClick={() => archive(chosen)}>
              {t("set.archive")}
            </button>
          )}
        </div>
      )}
    </section>
  );
}

/** Run in here or beside: nothing to be tried over a wire. */
const OURS = new Set(["embedded", "local"]);

/** Another model, key or address is another trial; the length it found is not. */
const tryKey = (preset: Preset) => JSON.stringify({ ...preset, embedding_dimension: null });

/** The built-in one has no key, no address and no model to name; a model of this machine no key and no address. */
function mindFields(group: "llm" | "embedding", preset: Preset, fields: PresetField[]): PresetField[] {
  const provider = providerOf(preset, group);
  const { key, url } = MEMBERS[group];
  if (provider === "local") return fields.filter((field) => field.name !== key && field.name !== url);
  return provider === "embedded" ? fields.filter((field) => !field.hosted) : fields;
}

/** Who answers while this mind is away; it says so. */
function Fallback({ preset, presets, onChange }: { preset: Preset; presets: Preset[]; onChange: (id: string) => void }) {
  const { t } = useSpeech();
  const others = presets.filter((one) => one.llm_preset_id !== preset.llm_preset_id);
  if (others.length === 0 || providerOf(preset) === "embedded") return null;
  return (
    <Field label={t("set.fallback")} help={t("set.fallback.help")}>
      <select className="input" value={String(preset.fallback_llm_preset_id ?? "")} onChange={(e) => onChange(e.target.value)}>
        <option value="">{t("set.fallback.none")}</option>
        {others.map((one) => (
          <option key={String(one.llm_preset_id)} value={String(one.llm_preset_id)}>
            {String(one.llm_preset_name)}
          </option>
        ))}
      </select>
    </Field>
  );
}

interface FormProps {
  group: GroupName;
  preset: Preset;
  presets: Preset[];
  refusal: string;
  onChange: (next: Preset) => void;
}

const MODELS = new Set(["llm_model", "image_model", "embedding_model"]);

/** The sentence that is about this field's own value, if there is one. */
function problemWith(field: PresetField, preset: Preset, refusal: string): string {
  const value = String(preset[field.name] ?? "");
  return value && MODELS.has(field.name) && refusal.includes(`'${value}'`) ? refusal : "";
}

function PresetForm({ group, preset, presets, refusal, onChange }: FormProps) {
  const { t } = useSpeech();
  const shape = GROUPS[group];
  const set = (name: string, value: unknown) => onChange({ ...preset, [name]: value });
  const show = (field: PresetField) => (
    <PresetInput key={field.name} field={field} value={preset[field.name]} problem={problemWith(field, preset, refusal)} onChange={(v) => set(field.name, v)} />
  );
  const fields = group === "llm" || group === "embedding" ? mindFields(group, preset, shape.fields) : shape.fields;
  const more = fields.filter((field) => field.more);
  return (
    <div className="stack">
      <div className="fields">
        <Field label={t("set.name")}>
          <input className="input" value={String(preset[shape.title] ?? "")} onChange={(e) => set(shape.title, e.target.value)} />
        </Field>
        {(group === "llm" || group === "embedding") && <MindChoice kind={group} preset={preset} onChange={onChange} />}
        {fields.filter((field) => !field.more).map(show)}
        {group === "llm" && <Fallback preset={preset} presets={presets} onChange={(id) => set("fallback_llm_preset_id", id)} />}
      </div>
      {more.length > 0 && (
        <details open={more.some((field) => problemWith(field, preset, refusal)) || undefined}>
          <summary>{t("nav.more")}</summary>
          <div className="fields">{more.map(show)}</div>
        </details>
      )}
    </div>
  );
}

interface InputProps {
  field: PresetField;
  value: unknown;
  problem: string;
  onChange: (value: unknown) => void;
}

function PresetInput({ field, value, problem, onChange }: InputProps) {
  const { t } = useSpeech();
  const text = value === null || value === undefined ? "" : String(value);
  const back = (next: string) => onChange(next === "" && field.optional ? null : next);
  if (field.kind === "secret") return <SecretInput label={t(field.label)} value={text} onChange={back} />;
  if (field.kind === "number") return <NumberInput label={t(field.label)} value={value} onChange={onChange} />;
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
  return (
    <Field label={t(field.label)}>
      <input className="input" type="text" autoComplete="off" spellCheck={false} value={text} aria-invalid={problem !== ""} onChange={(e) => back(e.target.value)} />
      {problem && (
        <span className="problem" role="alert">
          {problem}
        </span>
      )}
    </Field>
  );
}

interface NumberProps {
  label: string;
  value: unknown;
  min?: number;
  onChange: (value: number) => void;
}

/** May be empty while one types; only a number counts, and leaving it empty brings the old one back. */
export function NumberInput({ label, value, min = 1, onChange }: NumberProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <Field label={label}>
      <input
        className="input"
        type="number"
        min={min}
        value={typed ?? String(value ?? "")}
        onChange={(e) => {
          setTyped(e.target.value);
          const number = Math.trunc(Number(e.target.value));
          if (e.target.value !== "" && number >= min) onChange(number);
        }}
        onBlur={() => setTyped(null)}
      />
    </Field>
  );
}
