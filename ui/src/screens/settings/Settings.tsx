/** Settings: presets for speaking, searching and character; what is kept; the page's own look; where everything is. */
import "./settings.css";
import { useQuery } from "@tanstack/react-query";
import { Fragment, useEffect, useState } from "react";
import { ApiError, api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { Settings as S } from "../../api/types";
import { useSpeech } from "../../i18n";
import { useDraft } from "../../lib/draft";
import { useRoute } from "../../lib/router";
import { Field, PageHead } from "../../parts/bits";
import { Loading, Problem, useFeedback } from "../../parts/feedback";
import { useSaveSettings, useSettings, useStatus } from "../../state/settings";
import { LocalModels } from "./LocalModels";
import { Look } from "./Look";
import { NumberInput, PresetGroup } from "./PresetGroup";
import { blankPreset, GROUPS, type GroupName, type Preset } from "./presets";
import { Usage } from "./Usage";
import "./words";

/** A key or a local server was found: offered as a filled-in preset, unsaved. */
function useOffered(stored: S | undefined, draft: S | null, setDraft: (next: S) => void) {
  const provider = useRoute().query.get("provider");
  const status = useStatus().data;
  useEffect(() => {
    if (!provider || !stored || !status || draft) return;
    const found = status.found.find((one) => one.provider === provider);
    const server = found?.kind === "local_server" ? { llm_base_url: found.detail } : {};
    const preset = blankPreset("llm", { llm_preset_name: provider, llm_model: `${provider}/${found?.models?.[0] ?? ""}`, ...server });
    setDraft({ ...stored, llm_preset: [...stored.llm_preset, preset as S["llm_preset"][number]] });
  }, [provider, stored, status, draft, setDraft]);
}

function useAnchor(ready: boolean) {
  const { id } = useRoute();
  useEffect(() => {
    if (id && ready) document.getElementById(`set-${id}`)?.scrollIntoView({ block: "start" });
  }, [id, ready]);
}

export default function Settings() {
  const { t } = useSpeech();
  const stored = useSettings();
  const [draft, setDraft] = useDraft<S | null>("settings", null);
  const current = draft ?? stored.data;
  useOffered(stored.data, draft, setDraft);
  useAnchor(current !== undefined);
  const [refusal, setRefusal] = useState("");
  const replace = (group: GroupName, presets: Preset[], active?: string) => {
    setRefusal("");
    if (current) setDraft({ ...current, [GROUPS[group].list]: presets, ...(active ? { [GROUPS[group].active]: active } : {}) } as S);
  };
  return (
    <div className="page">
      <PageHead title={t("set.title")} lead={t("set.lead")} />
      <Look />
      {stored.isPending && <Loading />}
      {stored.error && <Problem error={stored.error} onRetry={stored.refetch} />}
      {current && (
        <>
          {(Object.keys(GROUPS) as GroupName[]).map((group) => (
            <Fragment key={group}>
              <PresetGroup group={group} settings={current} saved={draft === null} refusal={refusal} onChange={replace} />
              {group === "llm" && <LocalModels unsaved={draft !== null} />}
            </Fragment>
          ))}
          <Watch settings={current} onChange={setDraft} />
          <Quiet settings={current} onChange={setDraft} />
          <Keeping settings={current} onChange={setDraft} />
        </>
      )}
      <Place />
      {draft && <SaveBar draft={draft} onDone={() => setDraft(null)} onRefused={setRefusal} />}
    </div>
  );
}

/** A model that leads nowhere is told beside its field, everything else as a line. */
function SaveBar({ draft, onDone, onRefused }: { draft: S; onDone: () => void; onRefused: (sentence: string) => void }) {
  const { t } = useSpeech();
  const { say, fail } = useFeedback();
  const save = useSaveSettings();
  const onSave = () =>
    save.mutate(draft, {
      onError: (error) => {
        fail(error);
        if (error instanceof ApiError && error.code === "unknown_prefix") onRefused(error.message);
      },
      onSuccess: () => {
        onRefused("");
        onDone();
        say(t("done.saved"));
      },
    });
  return (
    <div className="savebar card row" role="status">
      <span className="grow">{t("set.unsaved")}</span>
      <button type="button" className="btn" onClick={onDone}>
        {t("set.discard")}
      </button>
      <button type="button" className="btn main" disabled={save.isPending} onClick={onSave}>
        {t("act.save")}
      </button>
    </div>
  );
}

interface PartProps {
  settings: S;
  onChange: (next: S) => void;
}

function Watch({ settings, onChange }: PartProps) {
  const { t } = useSpeech();
  return (
    <section className="card stack" aria-labelledby="set-watch">
      <h2 id="set-watch">{t("set.watch")}</h2>
      <label className="check">
        <input type="checkbox" checked={settings.desktop_watch_enabled} onChange={(e) => onChange({ ...settings, desktop_watch_enabled: e.target.checked })} />
        {t("set.desktop_watch_enabled")}
      </label>
      <div className="fields">
        <NumberInput
          label={t("set.desktop_watch_interval_seconds")}
          value={settings.desktop_watch_interval_seconds}
          onChange={(seconds) => onChange({ ...settings, desktop_watch_interval_seconds: Math.min(86_400, seconds) })}
        />
        <Field label={t("set.desktop_watch_target_client_id")}>
          <input
            className="input"
            value={settings.desktop_watch_target_client_id ?? ""}
            onChange={(e) => onChange({ ...settings, desktop_watch_target_client_id: e.target.value || null })}
          />
        </Field>
      </div>
    </section>
  );
}

function Quiet({ settings, onChange }: PartProps) {
  const { t } = useSpeech();
  const set = (part: Partial<S["speech"]>) => onChange({ ...settings, speech: { ...settings.speech, ...part } });
  return (
    <section className="card stack" aria-labelledby="set-quiet">
      <h2 id="set-quiet">{t("set.quiet")}</h2>
      <p className="dim">{t("set.quiet.lead")}</p>
      <div className="fields">
        <Field label={t("set.quiet.from")}>
          <input className="input" type="time" value={settings.speech.quiet_from ?? ""} onChange={(e) => set({ quiet_from: e.target.value || null })} />
        </Field>
        <Field label={t("set.quiet.until")}>
          <input className="input" type="time" value={settings.speech.quiet_until ?? ""} onChange={(e) => set({ quiet_until: e.target.value || null })} />
        </Field>
        <NumberInput label={t("set.quiet.cap")} value={settings.speech.daily_cap} min={0} onChange={(daily_cap) => set({ daily_cap: Math.min(10_000, daily_cap) })} />
      </div>
    </section>
  );
}

function Keeping({ settings, onChange }: PartProps) {
  const { t } = useSpeech();
  const set = (part: Partial<S["page"]>) => onChange({ ...settings, page: { ...settings.page, ...part } });
  return (
    <section className="card stack" aria-labelledby="set-privacy">
      <h2 id="set-privacy">{t("set.privacy")}</h2>
      <label className="check">
        <input type="checkbox" checked={settings.page.keep_thumbnails} onChange={(e) => set({ keep_thumbnails: e.target.checked })} />
        {t("set.thumbnails")}
      </label>
      <p className="dim">{t("set.thumbnails.lead")}</p>
      <label className="check">
        <input type="checkbox" checked={settings.page.follow_up_plans} onChange={(e) => set({ follow_up_plans: e.target.checked })} />
        {t("set.follow_up")}
      </label>
    </section>
  );
}

function Place() {
  const { t } = useSpeech();
  const status = useStatus().data;
  const usage = useQuery({ queryKey: keys.usage, queryFn: () => take(api.GET("/api/usage")) }).data;
  return (
    <section className="card stack" aria-labelledby="set-place">
      <h2 id="set-place">{t("set.place")}</h2>
      <dl className="facts">
        <dt>{t("set.data_dir")}</dt>
        <dd>
          <code>{status?.data_dir ?? "…"}</code>
        </dd>
        <dt>{t("set.version")}</dt>
        <dd>{status?.version ?? "…"}</dd>
      </dl>
      <Usage rows={usage?.items ?? []} />
      <p>
        <a href="/docs" target="_blank" rel="noreferrer">
          {t("set.docs")}
        </a>
      </p>
    </section>
  );
}
