/** The first minutes: three small questions on one screen, then something to say; skipped once, never asked again. */
import { type FormEvent, useRef, useState } from "react";
import type { FoundMind, Settings } from "../../api/types";
import { type Key, useSpeech } from "../../i18n";
import { go, link } from "../../lib/router";
import { useFeedback } from "../../parts/feedback";
import { Ghost } from "../../parts/Ghost";
import { useSaveSettings, useStatus } from "../../state/settings";
import { readCard } from "./card";
import { type Choices, finished, TEMPLATES, type Template } from "./first";

const SAYS: Key[] = ["first.say.1", "first.say.2", "first.say.3"];

/** Examples fill the box: what is said is always the person's own word. */
export function Starters({ onSay }: { onSay: (text: string) => void }) {
  const { t } = useSpeech();
  const fill = (text: string) => {
    onSay(text);
    document.querySelector<HTMLTextAreaElement>(".composer textarea")?.focus();
  };
  return (
    <div className="first">
      <Hello />
      <div className="says">
        <p className="dim">{t("first.try")}</p>
        {SAYS.map((key) => (
          <button type="button" key={key} onClick={() => fill(t(key))}>
            {t(key)}
          </button>
        ))}
      </div>
    </div>
  );
}

export function FirstRun({ settings }: { settings: Settings }) {
  const { t } = useSpeech();
  const { fail } = useFeedback();
  const save = useSaveSettings();
  const [choices, setChoices] = useState<Choices>({ name: "", template: "keep", card: null, mind: null });
  const set = (part: Partial<Choices>) => setChoices((before) => ({ ...before, ...part }));
  const end = (made: Choices | null, then?: () => void) => save.mutate(finished(settings, made, t), { onError: fail, onSuccess: then });
  const begin = (event: FormEvent) => {
    event.preventDefault();
    end(choices, choices.mind === "other" ? () => go(link("settings", "model")) : undefined);
  };
  return (
    <div className="first">
      <Hello />
      <form className="card steps" onSubmit={begin} aria-label={t("first.steps")}>
        <p className="dim">{t("first.steps")}</p>
        <label className="field">
          <span>{t("first.name")}</span>
          <input className="input" value={choices.name} maxLength={40} placeholder={t("first.name.hint")} onChange={(e) => set({ name: e.target.value })} />
        </label>
        <Character choices={choices} onChange={set} />
        <Minds value={choices.mind} onChange={(mind) => set({ mind })} />
        <div className="row">
          <button type="submit" className="btn main" disabled={save.isPending}>
            {t("first.done")}
          </button>
          <button type="button" className="btn quiet" onClick={() => end(null)}>
            {t("first.skip")}
          </button>
        </div>
      </form>
    </div>
  );
}

function Hello() {
  const { t } = useSpeech();
  return (
    <div className="hello">
      <Ghost mood="happy" />
      <div>
        <h2>{t("first.title")}</h2>
        <p className="lead">{t("first.lead")}</p>
      </div>
    </div>
  );
}

function Character({ choices, onChange }: { choices: Choices; onChange: (part: Partial<Choices>) => void }) {
  const { t } = useSpeech();
  const { say } = useFeedback();
  const picker = useRef<HTMLInputElement>(null);
  const read = async (file: File | undefined) => {
    const card = file ? await readCard(file) : null;
    if (card) onChange({ card, template: "card" });
    else if (file) say(t("first.persona.card.bad"));
  };
  return (
    <fieldset>
      <legend>{t("first.persona")}</legend>
      {TEMPLATES.map((one: Template) => (
        <Pick key={one} group="persona" label={t(`first.persona.${one}`)} on={choices.template === one} onPick={() => onChange({ template: one })} />
      ))}
      {choices.card && <Pick group="persona" label={choices.card.name} on={choices.template === "card"} onPick={() => onChange({ template: "card" })} />}
      <button type="button" className="btn small quiet" onClick={() => picker.current?.click()}>
        {t("first.persona.card")}
      </button>
      <input ref={picker} type="file" hidden accept="application/json,.json,image/png" aria-label={t("first.persona.card")} onChange={(e) => void read(e.target.files?.[0])} />
    </fieldset>
  );
}

function Minds({ value, onChange }: { value: Choices["mind"]; onChange: (mind: Choices["mind"]) => void }) {
  const { t } = useSpeech();
  const found = useStatus().data?.found ?? [];
  return (
    <fieldset>
      <legend>{t("first.model")}</legend>
      <Pick group="mind" label={t("first.model.keeper")} on={value === null} onPick={() => onChange(null)} />
      {found.map((one: FoundMind) => (
        <Pick
          key={one.provider + one.detail}
          group="mind"
          label={t("first.model.found", { provider: `${one.provider} ${one.models?.[0] ?? ""}`.trim() })}
          on={value === one}
          onPick={() => onChange(one)}
        />
      ))}
      <Pick group="mind" label={t("first.model.other")} on={value === "other"} onPick={() => onChange("other")} />
    </fieldset>
  );
}

function Pick({ group, label, on, onPick }: { group: string; label: string; on: boolean; onPick: () => void }) {
  return (
    <label className="check">
      <input type="radio" name={`first-${group}`} checked={on} onChange={onPick} />
      {label}
    </label>
  );
}
