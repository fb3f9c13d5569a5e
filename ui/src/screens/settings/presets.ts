/** The four kinds of presets: which members they have and how each is edited. */
import type { Settings } from "../../api/types";
import type { Key } from "../../i18n";

export type GroupName = "llm" | "embedding" | "persona" | "addon";
export type Preset = Record<string, unknown>;
export type FieldKind = "text" | "secret" | "number" | "long" | "flag";

export interface PresetField {
  name: string;
  label: Key;
  kind: FieldKind;
  optional?: boolean;
  more?: boolean;
  /** Only where somebody else's server is asked. */
  hosted?: boolean;
}

interface Group {
  list: keyof Settings & `${string}_preset`;
  active: keyof Settings & `active_${string}`;
  id: string;
  title: string;
  heading: Key;
  lead?: Key;
  anchor: string;
  fields: PresetField[];
}

const HOSTED = new Set(["llm_model", "llm_api_key", "llm_base_url", "reasoning_effort", "max_tokens", "reply_web_search_enabled", "embedding_model", "embedding_model_api_key", "embedding_base_url", "embedding_dimension"]);

const f = (name: string, kind: FieldKind, optional = false, more = false): PresetField => ({
  name,
  label: `set.${name}` as Key,
  kind,
  optional,
  more,
  hosted: HOSTED.has(name),
});

export const GROUPS: Record<GroupName, Group> = {
  persona: {
    list: "persona_preset",
    active: "active_persona_preset_id",
    id: "persona_preset_id",
    title: "persona_preset_name",
    heading: "set.persona",
    anchor: "persona",
    fields: [f("second_person_label", "text"), f("persona_text", "long")],
  },
  llm: {
    list: "llm_preset",
    active: "active_llm_preset_id",
    id: "llm_preset_id",
    title: "llm_preset_name",
    heading: "set.model",
    lead: "set.model.lead",
    anchor: "model",
    fields: [
      f("llm_model", "text"),
      f("llm_api_key", "secret"),
      f("llm_base_url", "text", true),
      f("reasoning_effort", "text", true, true),
      f("max_turns_window", "number", false, true),
      f("max_tokens", "number", false, true),
      f("max_inject_tokens", "number", false, true),
      f("reply_web_search_enabled", "flag", false, true),
      f("image_model", "text", false, true),
      f("image_model_api_key", "secret", true, true),
      f("image_llm_base_url", "text", true, true),
      f("max_tokens_vision", "number", false, true),
      f("image_timeout_seconds", "number", false, true),
    ],
  },
  embedding: {
    list: "embedding_preset",
    active: "active_embedding_preset_id",
    id: "embedding_preset_id",
    title: "embedding_preset_name",
    heading: "set.embedding",
    lead: "set.embedding.lead",
    anchor: "embedding",
    fields: [
      f("embedding_model", "text"),
      f("embedding_model_api_key", "secret", true),
      f("embedding_base_url", "text", true),
      f("embedding_dimension", "number", false, true),
    ],
  },
  addon: {
    list: "addon_preset",
    active: "active_addon_preset_id",
    id: "addon_preset_id",
    title: "addon_preset_name",
    heading: "set.addon",
    anchor: "addon",
    fields: [f("addon_text", "long")],
  },
};

const NUMBERS: Record<string, number> = {
  max_turns_window: 10,
  max_tokens: 4096,
  max_inject_tokens: 1200,
  max_tokens_vision: 4096,
  image_timeout_seconds: 60,
  embedding_dimension: 384,
};

export function blankPreset(group: GroupName, given: Preset = {}): Preset {
  const made: Preset = { [GROUPS[group].id]: crypto.randomUUID(), [GROUPS[group].title]: "" };
  for (const field of GROUPS[group].fields) {
    made[field.name] = field.kind === "number" ? NUMBERS[field.name] : field.kind === "flag" ? false : field.optional ? null : "";
  }
  return { ...made, ...given };
}
