/** Choosing a mind: which services there are, which models each has, and whether one works before it is saved. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { api, guarded, posted, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { TestAnswer } from "../../api/types";
import type { Preset } from "./presets";

export interface Provider {
  name: string;
  label: string;
  needs_key: boolean;
  key_page?: string | null;
  local: boolean;
  key_found?: boolean;
  base_url?: string | null;
}

export interface ModelRow {
  id: string;
  vision?: boolean | null;
  context_tokens?: number | null;
}

export interface Check {
  name: string;
  ok: boolean;
  milliseconds: number;
  words_ja: string;
  words_en: string;
}

export type Tested = TestAnswer & {
  checks?: Check[];
  cost_per_1000_turns_usd?: number | null;
  words_ja?: string;
  words_en?: string;
};

async function json<V>(request: Request): Promise<V> {
  return (await (await guarded(request)).json()) as V;
}

export function useProviders() {
  return useQuery({
    queryKey: keys.minds,
    queryFn: () => json<{ items: Provider[] }>(new Request(new URL("/api/minds/providers", location.origin))),
    retry: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function providerOf(preset: Preset): string {
  return String(preset.llm_model ?? "").split("/", 1)[0] ?? "";
}

/** What is asked of the endpoint: its models, with the key as it stands in the form. */
export function useModels(preset: Preset) {
  return useMutation({
    mutationFn: () =>
      json<{ items: ModelRow[] }>(
        posted("/api/minds/models", {
          provider: providerOf(preset),
          api_key: preset.llm_api_key || null,
          base_url: preset.llm_base_url || null,
          llm_preset_id: preset.llm_preset_id,
        }),
      ),
  });
}

export function useTest(preset: Preset, saved: boolean) {
  return useMutation<Tested>({
    mutationFn: () =>
      saved
        ? take(api.POST("/api/settings/test", { body: { llm_preset_id: String(preset.llm_preset_id) } as never }))
        : json<Tested>(posted("/api/settings/test", { preset })),
  });
}
