/** The first minutes: what this is, what to say, who speaks, and how to add a model. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { api } from "../api/client";
import type { Settings, Status, TestAnswer } from "../api/types";
import { type Key, useSpeech } from "../i18n";
import { link } from "../lib/router";
import { explain } from "./feedback";
import { Ghost } from "./Ghost";

const SAYS: Key[] = ["first.say.1", "first.say.2", "first.say.3"];

export function FirstRun({ onSay }: { onSay: (text: string) => void }) {
  const { t } = useSpeech();
  return (
    <div className="first">
      <Ghost mood="happy" />
      <h2>{t("first.title")}</h2>
      <p className="lead">{t("first.lead")}</p>
      <div className="says">
        <p className="dim">{t("first.try")}</p>
        {SAYS.map((key) => (
          <button type="button" key={key} onClick={() => onSay(t(key))}>
            {t(key)}
          </button>
        ))}
      </div>
      <div className="two">
        <PersonaCard />
        <ModelCard />
      </div>
    </div>
  );
}

function useSettings() {
  return useQuery({ queryKey: ["settings"], queryFn: () => api.get<Settings>("/api/settings") });
}

function PersonaCard() {
  const { t } = useSpeech();
  const settings = useSettings().data;
  const persona = settings?.persona_preset.find((p) => p.persona_preset_id === settings.active_persona_preset_id);
  return (
    <div className="card">
      <h3>{t("first.persona")}</h3>
      {persona && (
        <p>
          <strong>{persona.persona_preset_name}</strong>
          <br />
          <span className="dim">{persona.persona_text.slice(0, 120)}</span>
        </p>
      )}
      <p>
        <a className="btn small" href={link("settings", "persona")}>
          {t("first.persona.edit")}
        </a>
      </p>
    </div>
  );
}

function ModelCard() {
  const { t } = useSpeech();
  const settings = useSettings().data;
  const status = useQuery({ queryKey: ["status"], queryFn: () => api.get<Status>("/api/status") }).data;
  const test = useMutation({
    mutationFn: () => api.post<TestAnswer>("/api/settings/test", { llm_preset_id: settings?.active_llm_preset_id }),
  });
  const model = status?.mind.model ?? "";
  return (
    <div className="card">
      <h3>{t("first.model")}</h3>
      <p>{status?.mind.embedded !== false ? t("first.model.embedded") : t("first.model.set", { model })}</p>
      {status && status.found.length > 0 && (
        <div>
          <p className="dim">{t("first.detected")}</p>
          <p className="chips">
            {status.found.map((d) => (
              <a className="chip accent" key={d.provider + d.detail} href={link("settings", "model", { provider: d.provider })}>
                {d.provider} · {d.detail}
              </a>
            ))}
          </p>
        </div>
      )}
      <div className="row">
        <a className="btn small" href={link("settings", "model")}>
          {t("first.model.add")}
        </a>
        <button type="button" className="btn small" disabled={test.isPending || !settings} onClick={() => test.mutate()}>
          {t("first.test")}
        </button>
      </div>
      <p role="status" className="dim">
        {test.data && t(test.data.ok ? "set.test.ok" : "set.test.bad", { message: `${test.data.message} ${test.data.milliseconds} ms` })}
        {test.error && explain(test.error, t)}
      </p>
    </div>
  );
}
