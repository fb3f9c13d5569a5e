/** Settings: presets for speaking, searching and character; the page's own look; where everything is kept. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "../api/client";
import type { Settings as S, Status, Usage } from "../api/types";
import { useSpeech } from "../i18n";
import { blankPreset, GROUPS, type GroupName, type Preset } from "../lib/presets";
import { useRoute } from "../lib/router";
import { type Theme, useTheme } from "../lib/theme";
import { Field, PageHead, Segments } from "../parts/bits";
import { Loading, Problem, useFeedback } from "../parts/feedback";
import { PresetGroup } from "../parts/PresetGroup";

export default function Settings() {
  const { t } = useSpeech();
  const { say, fail } = useFeedback();
  const queries = useQueryClient();
  const { id, query } = useRoute();
  const stored = useQuery({ queryKey: ["settings"], queryFn: () => api.get<S>("/api/settings") });
  const status = useQuery({ queryKey: ["status"], queryFn: () => api.get<Status>("/api/status") }).data;
  const [draft, setDraft] = useState<S | null>(null);
  const [busy, setBusy] = useState(false);
  const current = draft ?? stored.data;
  const provider = query.get("provider");

  useEffect(() => {
    if (id && current) document.getElementById(`set-${id}`)?.scrollIntoView({ block: "start" });
  }, [id, current !== undefined]);
  useEffect(() => {
    // A key or a local server was found: offer it as a filled-in preset, unsaved.
    if (!provider || !stored.data || !status || draft) return;
    const found = status.found.find((one) => one.provider === provider);
    const server = found?.kind === "local_server" ? { llm_base_url: found.detail } : {};
    const preset = blankPreset("llm", { llm_preset_name: provider, llm_model: `${provider}/${found?.models[0] ?? ""}`, ...server });
    setDraft({ ...stored.data, llm_preset: [...stored.data.llm_preset, preset as S["llm_preset"][number]] });
  }, [provider, stored.data, status, draft]);

  const save = async () => {
    if (!draft) return;
    setBusy(true);
    try {
      queries.setQueryData(["settings"], await api.put<S>("/api/settings", draft));
      setDraft(null);
      void queries.invalidateQueries({ queryKey: ["status"] });
      say(t("done.saved"));
    } catch (error) {
      fail(error);
    } finally {
      setBusy(false);
    }
  };
  const replace = (group: GroupName, presets: Preset[], active?: string) => {
    if (!current) return;
    setDraft({ ...current, [GROUPS[group].list]: presets, ...(active ? { [GROUPS[group].active]: active } : {}) } as S);
  };
  return (
    <div className="page">
      <PageHead title={t("set.title")} lead={t("set.lead")} />
      <Look />
      {stored.isPending && <Loading />}
      {stored.error && <Problem error={stored.error} onRetry={stored.refetch} />}
      {current &&
        (Object.keys(GROUPS) as GroupName[]).map((group) => (
          <PresetGroup key={group} group={group} settings={current} saved={draft === null} onChange={replace} />
        ))}
      {current && <Watch settings={current} onChange={setDraft} />}
      {current && <Quiet settings={current} onChange={setDraft} />}
      <Place />
      {draft && (
        <div className="savebar card row" role="status">
          <span className="grow">{t("set.unsaved")}</span>
          <button type="button" className="btn" onClick={() => setDraft(null)}>
            {t("set.discard")}
          </button>
          <button type="button" className="btn main" disabled={busy} onClick={save}>
            {t("act.save")}
          </button>
        </div>
      )}
    </div>
  );
}

function Look() {
  const { t, language, setLanguage } = useSpeech();
  const [theme, setTheme] = useTheme();
  const { fail } = useFeedback();
  const leave = async () => {
    await api.post("/api/auth/logout").catch(fail);
    location.reload();
  };
  return (
    <section className="card" aria-labelledby="set-look">
      <h2 id="set-look">{t("set.look")}</h2>
      <div className="row">
        <Segments
          label={t("language.label")}
          value={language}
          options={[
            ["ja", "日本語"],
            ["en", "English"],
          ]}
          onChange={setLanguage}
        />
        <Segments<Theme>
          label={t("theme.label")}
          value={theme}
          options={[
            ["auto", t("theme.auto")],
            ["light", t("theme.light")],
            ["dark", t("theme.dark")],
          ]}
          onChange={setTheme}
        />
        <span className="grow" />
        <button type="button" className="btn quiet" onClick={leave}>
          {t("login.out")}
        </button>
      </div>
    </section>
  );
}

function Watch({ settings, onChange }: { settings: S; onChange: (next: S) => void }) {
  const { t } = useSpeech();
  return (
    <section className="card stack" aria-labelledby="set-watch">
      <h2 id="set-watch">{t("set.watch")}</h2>
      <label className="check">
        <input
          type="checkbox"
          checked={settings.desktop_watch_enabled}
          onChange={(e) => onChange({ ...settings, desktop_watch_enabled: e.target.checked })}
        />
        {t("set.desktop_watch_enabled")}
      </label>
      <div className="fields">
        <Field label={t("set.desktop_watch_interval_seconds")}>
          <input
            className="input"
            type="number"
            min={1}
            max={86_400}
            value={settings.desktop_watch_interval_seconds}
            onChange={(e) => onChange({ ...settings, desktop_watch_interval_seconds: Number(e.target.value) || 1 })}
          />
        </Field>
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

function Quiet({ settings, onChange }: { settings: S; onChange: (next: S) => void }) {
  const { t } = useSpeech();
  const set = (part: Partial<S["speech"]>) => onChange({ ...settings, speech: { ...settings.speech, ...part } });
  return (
    <section className="card stack" aria-labelledby="set-quiet">
      <h2 id="set-quiet">{t("set.quiet")}</h2>
      <p className="dim">{t("set.quiet.lead")}</p>
      <div className="fields">
        <Field label={t("set.quiet.from")}>
          <input
            className="input"
            type="time"
            value={settings.speech.quiet_from ?? ""}
            onChange={(e) => set({ quiet_from: e.target.value || null })}
          />
        </Field>
        <Field label={t("set.quiet.until")}>
          <input
            className="input"
            type="time"
            value={settings.speech.quiet_until ?? ""}
            onChange={(e) => set({ quiet_until: e.target.value || null })}
          />
        </Field>
        <Field label={t("set.quiet.cap")}>
          <input
            className="input"
            type="number"
            min={0}
            max={10_000}
            value={settings.speech.daily_cap}
            onChange={(e) => set({ daily_cap: Number(e.target.value) || 0 })}
          />
        </Field>
      </div>
    </section>
  );
}

function Place() {
  const { t } = useSpeech();
  const status = useQuery({ queryKey: ["status"], queryFn: () => api.get<Status>("/api/status") }).data;
  const usage = useQuery({ queryKey: ["usage"], queryFn: () => api.get<Usage>("/api/usage") }).data;
  const today = usage?.items.filter((row) => row.day === usage.items[0]?.day) ?? [];
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
      <h3>{t("set.usage")}</h3>
      {today.length === 0 ? (
        <p className="dim">{t("set.usage.none")}</p>
      ) : (
        <div className="scroller">
          <table className="plain">
            <thead>
              <tr>
                <th>{t("set.llm_model")}</th>
                <th />
                <th className="n">{t("set.usage.calls")}</th>
                <th className="n">{t("set.usage.in")}</th>
                <th className="n">{t("set.usage.out")}</th>
              </tr>
            </thead>
            <tbody>
              {today.map((row) => (
                <tr key={row.model + row.purpose}>
                  <td>{row.model}</td>
                  <td>{row.purpose}</td>
                  <td className="n">{row.calls}</td>
                  <td className="n">{row.input_tokens.toLocaleString()}</td>
                  <td className="n">{row.output_tokens.toLocaleString()}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <p>
        <a href="/docs" target="_blank" rel="noreferrer">
          {t("set.docs")}
        </a>
      </p>
    </section>
  );
}
