/** Choosing a mind: which services there are, which models each has, and whether one works before it is saved. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { api, guarded, posted, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { TestAnswer } from "../../api/types";
import type { Preset } from "./presets";

/** What speaks, and what turns words into meaning: chosen the same way, kept under other names. */
export type Kind = "llm" | "embedding";

export const MEMBERS = {
  llm: { model: "llm_model", key: "llm_api_key", url: "llm_base_url", id: "llm_preset_id", builtIn: { llm_model: "embedded/ghost" } },
  embedding: { model: "embedding_model", key: "embedding_model_api_key", url: "embedding_base_url", id: "embedding_preset_id", builtIn: { embedding_model: "embedded/use", embedding_dimension: 512 } },
} as const;

export interface Provider {
  name: string;
  label: string;
  needs_key: boolean;
  key_page?: string | null;
  local: boolean;
  key_found?: boolean;
  base_url?: string | null;
  embeddings?: boolean;
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

export function providerOf(preset: Preset, kind: Kind = "llm"): string {
  return String(preset[MEMBERS[kind].model] ?? "").split("/", 1)[0] ?? "";
}

/** What is asked of the endpoint: its models, with the key as it stands in the form. */
export function useModels(preset: Preset, kind: Kind) {
  const { key, url, id } = MEMBERS[kind];
  return useMutation({
    mutationFn: () =>
      json<{ items: ModelRow[] }>(
        posted("/api/minds/models", {
          provider: providerOf(preset, kind),
          api_key: preset[key] || null,
          base_url: preset[url] || null,
          [id]: preset[id],
          kind: kind === "llm" ? "talk" : "embedding",
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

/** Whether it turns words into meaning, and into vectors of which length. */
export function useTestEmbedding(preset: Preset, onFound: (dimension: number) => void) {
  return useMutation({
    mutationFn: () => take(api.POST("/api/settings/test-embedding", { body: { preset } as never })),
    onSuccess: (tried) => tried.ok && onFound(tried.dimension),
  });
}
