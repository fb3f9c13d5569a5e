/** Which service, which model, with a hidden key; tried before it is saved. */
import { useId, useState } from "react";
import { useSpeech } from "../../i18n";
import { Field } from "../../parts/bits";
import { explain } from "../../parts/feedback";
import { type Check, type Kind, MEMBERS, type Provider, providerOf, type Tested, useModels, useProviders, useTest, useTestEmbedding } from "./minds";
import type { Preset } from "./presets";

interface MindProps {
  kind: Kind;
  preset: Preset;
  onChange: (next: Preset) => void;
}

const OTHER = "…";
/** Always there, and nothing of it is to be chosen or paid. */
const KEEPER: Provider = { name: "embedded", label: "", needs_key: false, local: true };
/** Put to use from the list of models below, not chosen here; named where it is in use. */
const HERE: Provider = { name: "local", label: "", needs_key: false, local: true };

export function MindChoice({ kind, preset, onChange }: MindProps) {
  const { t } = useSpeech();
  const { model, url, builtIn } = MEMBERS[kind];
  const asked = useProviders();
  const listed = (asked.data?.items ?? []).filter((one) => kind === "llm" || one.embeddings);
  const chosen = providerOf(preset, kind);
  if (asked.isPending) return null;
  const unlisted = (one: Provider) => listed.every((other) => other.name !== one.name);
  const providers = [...[KEEPER, HERE].filter((one) => unlisted(one) && (one === KEEPER || chosen === one.name)), ...listed];
  const known = providers.find((one) => one.name === chosen);
  const choose = (name: string) => {
    if (name === OTHER) return onChange({ ...preset, [model]: "" });
    const provider = providers.find((one) => one.name === name);
    onChange({ ...preset, ...(name === "embedded" ? builtIn : { [model]: `${name}/` }), [url]: provider?.local ? (provider.base_url ?? null) : null });
  };
  return (
    <>
      <Field label={t("set.provider")}>
        <select className="input" value={known ? chosen : OTHER} onChange={(e) => choose(e.target.value)}>
          {providers.map((one) => (
            <option key={one.name} value={one.name}>
              {one.name === "embedded" ? t("set.provider.keeper") : one === HERE ? t("local.title") : one.label}
            </option>
          ))}
          <option value={OTHER}>{t("set.provider.other")}</option>
        </select>
        {known?.key_page && (
          <a className="help" href={known.key_page} target="_blank" rel="noreferrer noopener">
            {known.key_page}
          </a>
        )}
      </Field>
      {known && known !== HERE && known.name !== "embedded" && <Models kind={kind} preset={preset} onChange={onChange} />}
    </>
  );
}

/** The endpoint's own list; a name can always be written by hand beside it. */
function Models({ kind, preset, onChange }: MindProps) {
  const { t } = useSpeech();
  const { model } = MEMBERS[kind];
  const models = useModels(preset, kind);
  const provider = providerOf(preset, kind);
  const items = models.data?.items ?? [];
  return (
    <div className="field">
      <span>{t("set.models.list")}</span>
      {items.length > 0 ? (
        <select className="input" aria-label={t("set.models.list")} value={String(preset[model]).slice(provider.length + 1)} onChange={(e) => onChange({ ...preset, [model]: `${provider}/${e.target.value}` })}>
          <option value="">…</option>
          {items.map((one) => (
            <option key={one.id} value={one.id}>
              {one.id}
            </option>
          ))}
        </select>
      ) : (
        <button type="button" className="btn small" disabled={models.isPending} onClick={() => models.mutate()}>
          {models.isPending ? t("state.loading") : t("set.models")}
        </button>
      )}
      <span role="status" className="help">
        {models.error ? `${explain(models.error, t)} ${t("set.models.none")}` : models.data && items.length === 0 ? t("set.models.none") : ""}
      </span>
    </div>
  );
}

/** Hidden, for this product may watch the screen; a button shows it for a moment of need. */
export function SecretInput({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  const { t } = useSpeech();
  const help = useId();
  const [shown, setShown] = useState(false);
  return (
    <label className="field">
      <span>{label}</span>
      <span className="row secret">
        <input
          className="input grow"
          type={shown ? "text" : "password"}
          autoComplete="off"
          spellCheck={false}
          value={value}
          aria-describedby={help}
          onChange={(e) => onChange(e.target.value)}
        />
        <button type="button" className="btn small quiet" aria-pressed={shown} onClick={() => setShown(!shown)}>
          {t(shown ? "set.key.hide" : "set.key.show")}
        </button>
      </span>
      <span className="help" id={help}>
        {t("set.key.hint")}
      </span>
    </label>
  );
}

export function TestButton({ preset, saved }: { preset: Preset; saved: boolean }) {
  const { t } = useSpeech();
  const test = useTest(preset, saved);
  return (
    <>
      <button type="button" className="btn small" disabled={test.isPending} onClick={() => test.mutate()}>
        {test.isPending ? t("set.testing") : t("set.test")}
      </button>
      <div role="status" className="tested">
        {test.data && <Result tested={test.data} />}
        {test.error && <p className="problem">{explain(test.error, t)}</p>}
      </div>
    </>
  );
}

/** Tried with two sentences; the length of its vectors is found by that and need not be known. */
export function TestEmbedding({ preset, onFound }: { preset: Preset; onFound: (dimension: number) => void }) {
  const { t, language } = useSpeech();
  const test = useTestEmbedding(preset, onFound);
  const tried = test.data;
  return (
    <>
      <button type="button" className="btn small" disabled={test.isPending} onClick={() => test.mutate()}>
        {test.isPending ? t("set.testing") : t("set.test")}
      </button>
      <div role="status" className="tested">
        {tried && <p className={tried.ok ? "chip moss" : "problem"}>{t(tried.ok ? "set.test.ok" : "set.test.bad", { message: language === "ja" ? tried.words_ja : tried.words_en, ms: tried.milliseconds })}</p>}
        {test.error && <p className="problem">{explain(test.error, t)}</p>}
      </div>
    </>
  );
}

function Result({ tested }: { tested: Tested }) {
  const { t, language, word } = useSpeech();
  const said = language === "ja" ? tested.words_ja : tested.words_en;
  const cost = tested.cost_per_1000_turns_usd;
  const line = t(tested.ok ? "set.test.ok" : "set.test.bad", { message: said || tested.message || "", ms: tested.milliseconds });
  return (
    <>
      <p className={tested.ok ? "chip moss" : "problem"}>{line}</p>
      <ul>
        {(tested.checks ?? []).map((check: Check) => (
          <li key={check.name}>
            <span className={check.ok ? "chip moss" : "chip rose"}>{word("set.test", check.name)}</span> {language === "ja" ? check.words_ja : check.words_en}
          </li>
        ))}
      </ul>
      {typeof cost === "number" && <p className="dim">{t("set.test.cost", { cost: new Intl.NumberFormat(language, { style: "currency", currency: "USD" }).format(cost) })}</p>}
    </>
  );
}
