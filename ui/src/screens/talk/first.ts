/** What the three first answers make of the settings. */
import type { FoundMind, Settings } from "../../api/types";
import type { T } from "../../i18n";
import { blankPreset } from "../settings/presets";
import type { Card } from "./card";

export const TEMPLATES = ["keep", "calm", "lively", "butler"] as const;
export type Template = (typeof TEMPLATES)[number];

export interface Choices {
  name: string;
  template: Template | "card";
  card: Card | null;
  mind: FoundMind | "other" | null;
}

function character(choices: Choices, t: T): Card | null {
  if (choices.template === "card") return choices.card;
  if (choices.template === "keep") return null;
  return { name: t(`first.persona.${choices.template}`), text: t(`first.persona.${choices.template}.text`) };
}

/** The settings with the answers in them; `null` means skipped. Either way it is not asked again. */
export function finished(settings: Settings, choices: Choices | null, t: T): Settings {
  const next: Settings = { ...settings, page: { ...settings.page, first_run_done: true } };
  if (!choices) return next;
  const chosen = character(choices, t);
  const active = next.persona_preset.find((one) => one.persona_preset_id === next.active_persona_preset_id);
  const label = choices.name.trim() || (active?.second_person_label ?? "");
  if (chosen) {
    const made = blankPreset("persona", { persona_preset_name: chosen.name, persona_text: chosen.text, second_person_label: label });
    next.persona_preset = [...next.persona_preset, made as Settings["persona_preset"][number]];
    next.active_persona_preset_id = String(made.persona_preset_id);
  } else {
    next.persona_preset = next.persona_preset.map((one) => (one === active ? { ...one, second_person_label: label } : one));
  }
  return choices.mind && choices.mind !== "other" ? withMind(next, choices.mind) : next;
}

function withMind(settings: Settings, found: FoundMind): Settings {
  const model = found.models?.[0];
  if (!model) return settings;
  const server = found.kind === "local_server" ? { llm_base_url: found.detail } : {};
  const made = blankPreset("llm", { llm_preset_name: `${found.provider} ${model}`, llm_model: `${found.provider}/${model}`, ...server });
  return {
    ...settings,
    llm_preset: [...settings.llm_preset, made as Settings["llm_preset"][number]],
    active_llm_preset_id: String(made.llm_preset_id),
  };
}
