/** Open models for this machine: downloaded with progress, used with one click, removed again; no key, no network after. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError, api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { components } from "../../api/schema";
import { useSpeech } from "../../i18n";
import { Bar } from "../../parts/bits";
import { Problem, useFeedback } from "../../parts/feedback";

type LocalModel = components["schemas"]["LocalModelOut"];
type Act = "download" | "cancel" | "use" | "leave" | "delete";

const KINDS = ["chat", "embedding", "rerank"] as const;
const MOVING = new Set(["downloading", "checking"]);
const SECOND = 1_000;

function useLocalModels() {
  return useQuery({
    queryKey: keys.localModels,
    queryFn: () => take(api.GET("/api/minds/local")),
    retry: 0,
    refetchInterval: (query) => (query.state.data?.items.some((one) => MOVING.has(one.state) || one.child === "starting") ? SECOND : false),
  });
}

/** Sizes as one reads them: 1.9 GB, 320 MB. */
function size(bytes: number, language: string): string {
  const [value, unit] = bytes >= 1e9 ? [bytes / 1e9, "gigabyte"] : [bytes / 1e6, "megabyte"];
  return new Intl.NumberFormat(language, { style: "unit", unit, maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
}

/** "ja en +100" in words: Japanese, English, +100. */
function spoken(languages: string, language: string): string {
  const names = new Intl.DisplayNames(language, { type: "language" });
  return languages.split(/[\s,]+/).map((one) => (/^[a-z]{2,3}$/.test(one) ? names.of(one) : one)).join(language === "ja" ? "・" : ", ");
}

/** `unsaved`: using a model changes the settings, which a draft saved later would take back. */
export function LocalModels({ unsaved }: { unsaved: boolean }) {
  const { t } = useSpeech();
  const list = useLocalModels();
  const items = list.data?.items ?? [];
  // A ghost in somebody's house has no machine of its own to load models onto.
  if (list.isPending || (list.error instanceof ApiError && list.error.status === 404)) return null;
  return (
    <section className="card stack" id="set-local" aria-labelledby="h-local">
      <h2 id="h-local">{t("local.title")}</h2>
      <p className="dim">{t("local.lead")}</p>
      {list.error && <Problem error={list.error} onRetry={list.refetch} />}
      {list.data && !list.data.runnable && <p className="problem">{t("local.missing")}</p>}
      {KINDS.map((kind) => (
        <Group key={kind} kind={kind} items={items.filter((one) => one.kind === kind)} unsaved={unsaved} />
      ))}
    </section>
  );
}

function Group({ kind, items, unsaved }: { kind: (typeof KINDS)[number]; items: LocalModel[]; unsaved: boolean }) {
  const { t } = useSpeech();
  if (items.length === 0) return null;
  return (
    <details open={items.some((one) => one.state !== "absent")}>
      <summary>
        {t(`local.kind.${kind}`)} <span className="dim">{t(`local.about.${kind}`)}</span>
      </summary>
      <ul className="stack">
        {items.map((one) => (
          <Row key={one.id} model={one} unsaved={unsaved} />
        ))}
      </ul>
    </details>
  );
}

function useActs(model: LocalModel) {
  const { t } = useSpeech();
  const { say, fail, ask } = useFeedback();
  const queries = useQueryClient();
  const act = useMutation({
    mutationFn: (what: Act) => {
      const given = { params: { path: { model_id: model.id } } };
      if (what === "delete") return take(api.DELETE("/api/minds/local/{model_id}", given));
      return take(api.POST(`/api/minds/local/{model_id}/${what}`, given));
    },
    onError: fail,
    onSuccess: async (_, what) => {
      if (what === "use") say(t("local.used", { name: model.name }));
      await Promise.all([keys.localModels, keys.settings, keys.status].map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  const remove = async () => {
    if (await ask(t("local.delete.ask", { name: model.name }), t("local.delete"))) act.mutate("delete");
  };
  return { act, remove };
}

function Row({ model, unsaved }: { model: LocalModel; unsaved: boolean }) {
  const { t, language } = useSpeech();
  const problem = language === "ja" ? model.problem_ja : model.problem_en;
  return (
    <li className="card stack">
      <div className="row">
        <strong className="grow">{model.name}</strong>
        {model.in_use && <span className="chip moss">{t("set.active")}</span>}
        {model.child === "starting" && <span className="chip">{t("local.starting")}</span>}
        {model.fits && model.state !== "ready" && <span className="chip moss">{t("local.fits")}</span>}
        {!model.fits && <span className="chip lamp">{t("local.large", { size: size(model.memory_bytes, language) })}</span>}
      </div>
      <p className="dim">
        {size(model.size_bytes, language)} · {spoken(model.languages, language)} · {model.licence} ·{" "}
        <a href={model.source} target="_blank" rel="noreferrer noopener">
          {t("local.source")}
        </a>
      </p>
      {problem && <p className="problem">{problem}</p>}
      <Coming model={model} />
      <Buttons model={model} unsaved={unsaved} />
    </li>
  );
}

function Coming({ model }: { model: LocalModel }) {
  const { t, language } = useSpeech();
  if (!MOVING.has(model.state) && model.state !== "partial") return null;
  const whole = model.whole_bytes || model.size_bytes;
  const part = whole ? model.have_bytes / whole : 0;
  const told = t(model.state === "checking" ? "local.checking" : "local.have", { have: size(model.have_bytes, language), whole: size(whole, language) });
  return (
    <div className="row" role="progressbar" aria-label={model.name} aria-valuenow={Math.round(part * 100)} aria-valuetext={told}>
      <span className="grow">
        <Bar part={part} />
      </span>
      <span className="dim num">{told}</span>
    </div>
  );
}

function Buttons({ model, unsaved }: { model: LocalModel; unsaved: boolean }) {
  const { t } = useSpeech();
  const { act, remove } = useActs(model);
  const button = (what: Act, look = "btn small") => {
    const text = t(what === "download" && model.state === "partial" ? "local.resume" : `local.${what}`);
    const waits = unsaved && what === "use";
    return (
      <button type="button" className={look} disabled={act.isPending || waits} title={waits ? t("local.first") : undefined} aria-label={`${text}: ${model.name}`} onClick={() => (what === "delete" ? void remove() : act.mutate(what))}>
        {text}
      </button>
    );
  };
  const ready = model.state === "ready";
  return (
    <div className="row">
      {(model.state === "absent" || model.state === "partial") && button("download", "btn small main")}
      {MOVING.has(model.state) && button("cancel")}
      {ready && !model.in_use && button("use", "btn small main")}
      {ready && model.in_use && model.kind === "rerank" && button("leave")}
      {(ready || model.state === "partial") && !model.in_use && button("delete", "btn small quiet")}
    </div>
  );
}
