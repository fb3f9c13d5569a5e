/** A whole page round one part, and a server that answers from a table. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, vi } from "vitest";
import { SpeechProvider } from "../src/i18n";
import { FeedbackProvider } from "../src/parts/feedback";
import { TalkProvider } from "../src/state/talk";

export interface Call {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
}

type Answer = unknown | ((call: Call) => unknown);
export type Table = Record<string, Answer>;

// A busy machine is slow, not wrong.
configure({ asyncUtilTimeout: 10_000 });

export const calls: Call[] = [];
let table: Table = {};

class QuietSocket {
  static OPEN = 1;
  static CONNECTING = 0;
  readyState = 1;
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  constructor() {
    sockets.push(this);
  }
  send() {}
  close() {}
}

export const sockets: QuietSocket[] = [];

/** jsdom lays nothing out: lists are told that they have a window of 600 and rows of 80. */
class Rulers {
  constructor(private readonly told: (entries: object[], self: Rulers) => void) {}
  observe(target: Element) {
    const blockSize = target.classList.contains("vrow") ? 80 : 600;
    queueMicrotask(() => this.told([{ target, borderBoxSize: [{ inlineSize: 800, blockSize }] }], this));
  }
  unobserve() {}
  disconnect() {}
}

const EMPTY = { items: [], next_cursor: null };
const BASE: Table = {
  "GET /api/control/time": { domain_offset_seconds: 0 },
  "GET /api/mood/debug": { mood: null, recent_affects: [], limits: {} },
};

async function answer(request: Request): Promise<Response> {
  const url = new URL(request.url);
  const text = request.method === "GET" ? "" : await request.text();
  const call: Call = { method: request.method, path: url.pathname, query: url.searchParams, body: text ? JSON.parse(text) : null };
  calls.push(call);
  const known = { ...BASE, ...table }[`${call.method} ${call.path}`];
  if (known === undefined) return Response.json({ detail: { code: "not_found", message: "no such call" } }, { status: 404 });
  const said = typeof known === "function" ? (known as (call: Call) => unknown)(call) : known;
  if (said instanceof Response) return said;
  return said === null ? new Response(null, { status: 204 }) : Response.json(said);
}

export function serve(next: Table): void {
  table = next;
}

export function nothing(): typeof EMPTY {
  return EMPTY;
}

beforeEach(() => {
  calls.length = 0;
  sockets.length = 0;
  table = {};
  localStorage.clear();
  localStorage.setItem("language", "en");
  location.hash = "";
  vi.stubGlobal("fetch", (request: Request) => answer(request));
  vi.stubGlobal("WebSocket", QuietSocket);
  vi.stubGlobal("ResizeObserver", Rulers);
  window.ResizeObserver = Rulers as never;
  vi.stubGlobal("matchMedia", () => ({ matches: false, addEventListener: () => undefined, removeEventListener: () => undefined }));
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function () {
    this.open = false;
  };
  Element.prototype.scrollTo = () => undefined;
  Element.prototype.scrollIntoView = () => undefined;
  // jsdom lays nothing out; the virtual lists need a window to show rows in.
  Object.defineProperty(HTMLElement.prototype, "offsetHeight", { configurable: true, value: 600 });
  Object.defineProperty(HTMLElement.prototype, "offsetWidth", { configurable: true, value: 800 });
});

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** The part with everything round it that a screen expects. */
export function show(part: ReactNode, hash = "") {
  location.hash = hash;
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <SpeechProvider>
      <FeedbackProvider>
        <QueryClientProvider client={client}>
          <TalkProvider>{part}</TalkProvider>
        </QueryClientProvider>
      </FeedbackProvider>
    </SpeechProvider>,
  );
}

export const called = (method: string, path: string) => calls.filter((call) => call.method === method && call.path === path);

export function stream(...frames: [string, object][]): Response {
  const text = frames.map(([event, data]) => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`).join("");
  return new Response(text, { headers: { "Content-Type": "text/event-stream" } });
}

export const event = (id: number, part: object = {}) => ({
  event_id: id,
  created_at: 1_790_000_000 + id,
  updated_at: 0,
  source: "chat",
  origin: "user",
  status: "done",
  conversation: "main",
  searchable: true,
  user_text: `said ${id}`,
  assistant_text: `reply ${id}`,
  about: { confidence: 0 },
  entities: [],
  forgotten_at: null,
  ...part,
});

export const turn = (id: number, part: object = {}) => ({
  ...event(id),
  run_id: null,
  recalled: [],
  lessons: [],
  learning: "nothing",
  feeling: null,
  older_replies: [],
  thumbnails: [],
  ...part,
});

export const state = (id: number, part: object = {}) => ({
  state_id: id,
  kind: "fact",
  body_text: `fact ${id}`,
  payload: {},
  confidence: 0.9,
  salience: 0.5,
  pin: false,
  searchable: true,
  active: true,
  valid_from_ts: null,
  valid_to_ts: null,
  last_confirmed_at: 1_790_000_000,
  created_at: 1_790_000_000,
  updated_at: 1,
  entities: [],
  evidence_event_ids: [],
  origin: "user",
  ...part,
});

export const settings = (part: object = {}) => ({
  memory_enabled: true,
  desktop_watch_enabled: false,
  desktop_watch_interval_seconds: 300,
  desktop_watch_target_client_id: null,
  active_llm_preset_id: "l1",
  active_embedding_preset_id: "m1",
  active_persona_preset_id: "p1",
  active_addon_preset_id: "a1",
  llm_preset: [{ llm_preset_id: "l1", llm_preset_name: "Keeper", llm_api_key: "sk-…1234", llm_model: "embedded/ghost", llm_base_url: null, max_tokens: 4096, max_turns_window: 10 }],
  embedding_preset: [{ embedding_preset_id: "m1", embedding_preset_name: "Meaning", embedding_model: "embedded/use", embedding_dimension: 512 }],
  persona_preset: [{ persona_preset_id: "p1", persona_preset_name: "Ghost", persona_text: "kind", second_person_label: "you" }],
  addon_preset: [{ addon_preset_id: "a1", addon_preset_name: "None", addon_text: "" }],
  speech: { quiet_from: null, quiet_until: null, daily_cap: 200 },
  page: { first_run_done: true, keep_thumbnails: false, follow_up_plans: true },
  ...part,
});

export const status = (part: object = {}) => ({
  version: "1",
  data_dir: "/data",
  mind: { model: "embedded/ghost", embedded: true },
  found: [],
  index: { events: 4, words: 4, vectors: 2 },
  embedding: { model: "embedded/use", dimension: 512, available: true, message: "" },
  ...part,
});
