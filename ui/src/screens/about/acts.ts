/** What a person does to one line of what is known: confirm, correct, end, be reminded. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { AboutLine } from "../../api/types";
import { useSpeech } from "../../i18n";
import { now } from "../../lib/now";
import { go, link } from "../../lib/router";
import { full, localIso, inputValue } from "../../lib/time";
import { useFeedback } from "../../parts/feedback";

const state = (id: number) => ({ params: { path: { state_id: id } } });
const like = (id: number) => ({ params: { path: { preference_id: id } } });

export type LineAct = "confirm" | "end" | "restore";

/** One act on a memory or a like, whichever the reference names. */
export function actOn(ref: string, act: LineAct, reason: string): Promise<unknown> {
  const id = Number(ref.slice(1));
  const body = { reason };
  if (ref.startsWith("p")) {
    const path = act === "end" ? "/api/memory/preferences/{preference_id}/revoke" : "/api/memory/preferences/{preference_id}/confirm";
    return take(api.POST(path, { ...like(id), body }));
  }
  if (act === "confirm") return take(api.POST("/api/memory/state/{state_id}/confirm", { ...state(id), body }));
  if (act === "restore") return take(api.POST("/api/memory/state/{state_id}/restore", { ...state(id), body }));
  return take(api.POST("/api/memory/state/{state_id}/close", { ...state(id), body }));
}

export function useRefresh() {
  const queries = useQueryClient();
  return () => Promise.all([keys.states, keys.likes, keys.reminders].map((queryKey) => queries.invalidateQueries({ queryKey })));
}

export function useLineActs(line: AboutLine) {
  const { t } = useSpeech();
  const { say, fail } = useFeedback();
  const refresh = useRefresh();
  const act = useMutation({
    mutationFn: (what: LineAct) => actOn(line.ref, what, t("edit.reason")),
    onSuccess: async (_data, what) => {
      await refresh();
      if (what === "end") say(t("done.saved"), { label: t("act.undo"), run: () => act.mutate("restore") });
      else say(t(what === "confirm" ? "about.confirmed" : "done.undone"));
    },
    onError: fail,
  });
  const edit = useMutation({
    mutationFn: (body_text: string) => take(api.PATCH("/api/memory/state/{state_id}", { ...state(Number(line.ref.slice(1))), body: { body_text, reason: t("edit.reason") } })),
    onSuccess: async () => {
      await refresh();
      say(t("done.saved"));
    },
    onError: fail,
  });
  return { act, edit };
}

/** A plan begins with its day (11月27日：… / Nov 27: …); a reminder that rings on that day need not say it. */
export function withoutDay(text: string): string {
  return text.replace(/^(?=[^:：]*\d)(?:[^:：]{2,14}：|[^:：]{3,14}: )\s*/, "") || text;
}

/** A dated plan becomes a reminder in one click: on its day at nine, or in good time when that has passed. */
export function useRemind() {
  const { t, language } = useSpeech();
  const { say, fail } = useFeedback();
  const refresh = useRefresh();
  return async (plan: string, due: number | null | undefined) => {
    const text = withoutDay(plan);
    if (!due || due * 1000 < now()) {
      say(t("about.remind.none"));
      return go(link("reminders", null, { text }));
    }
    const nine = new Date(due * 1000).setHours(9, 0, 0, 0);
    const at = nine > now() + 600_000 ? nine : Math.min(due * 1000, now() + 3_600_000);
    try {
      const body = { enabled: true, repeat_kind: "once" as const, content: text, scheduled_at: localIso(inputValue(at / 1000)), time_of_day: null, weekdays: [] };
      await take(api.POST("/api/reminders", { body }));
      await refresh();
      say(t("about.remind.set", { text, when: full(at / 1000, language) }));
    } catch (error) {
      fail(error);
    }
  };
}
