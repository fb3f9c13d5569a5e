/** Reminders: write one in a line, see when it rings next, snooze it, switch it off, take a deletion back. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { Reminder, ReminderBody } from "../../api/types";
import { type Key, type T, useSpeech } from "../../i18n";
import { now } from "../../lib/now";
import { useRoute } from "../../lib/router";
import { full, inputValue, type Language, localIso } from "../../lib/time";
import { Field, PageHead, Segments } from "../../parts/bits";
import { Empty, Loading, Problem, useFeedback } from "../../parts/feedback";
import { Icon } from "../../parts/icons";
import "./words";

const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
type Day = (typeof DAYS)[number];
const path = (id: string) => ({ params: { path: { reminder_id: id } } });

/** What was set, in one sentence. */
function told(reminder: Reminder, t: T, language: Language): string {
  const when = reminder.next_fire_at_utc ? full(reminder.next_fire_at_utc, language) : t("rem.never");
  return t("rem.set", { text: reminder.content, when });
}

function useReminderActs() {
  const { t, language } = useSpeech();
  const { say, fail } = useFeedback();
  const queries = useQueryClient();
  const refresh = () => Promise.all([keys.reminders, keys.review].map((queryKey) => queries.invalidateQueries({ queryKey })));
  const options = {
    onError: fail,
    onSuccess: async (set: Reminder) => {
      await refresh();
      say(told(set, t, language));
    },
  };
  const add = useMutation({ mutationFn: (body: ReminderBody) => take(api.POST("/api/reminders", { body })), ...options });
  const confirm = useMutation({ mutationFn: (id: string) => take(api.POST("/api/reminders/{reminder_id}/confirm", path(id))), ...options });
  const snooze = useMutation({
    mutationFn: ({ id, minutes }: { id: string; minutes: number }) => take(api.POST("/api/reminders/{reminder_id}/snooze", { ...path(id), body: { minutes } })),
    ...options,
  });
  const toggle = useMutation({
    mutationFn: (one: Reminder) => take(api.PATCH("/api/reminders/{reminder_id}", { ...path(one.id), body: { enabled: !one.enabled } })),
    onSuccess: refresh,
    onError: fail,
  });
  const remove = async (one: Reminder) => {
    try {
      await take(api.DELETE("/api/reminders/{reminder_id}", path(one.id)));
      await refresh();
      const { enabled, repeat_kind, content, scheduled_at, time_of_day } = one;
      const body = { enabled, repeat_kind, content, scheduled_at, time_of_day, weekdays: one.weekdays as Day[] };
      say(t("rem.deleted"), { label: t("act.undo"), run: () => add.mutate(body) });
    } catch (error) {
      fail(error);
    }
  };
  return { add, confirm, snooze, toggle, remove };
}

type Acts = ReturnType<typeof useReminderActs>;

export default function Reminders() {
  const { t } = useSpeech();
  const acts = useReminderActs();
  const list = useQuery({ queryKey: keys.reminders, queryFn: () => take(api.GET("/api/reminders")) });
  return (
    <div className="page">
      <PageHead title={t("rem.title")} lead={t("rem.lead")} />
      <MainSwitch />
      <NewReminder onAdd={(body) => acts.add.mutateAsync(body)} />
      {list.isPending && <Loading />}
      {list.error && <Problem error={list.error} onRetry={list.refetch} />}
      {list.data?.items.length === 0 && <Empty>{t("rem.empty")}</Empty>}
      <ul className="stack">
        {list.data?.items.map((reminder) => (
          <Row key={reminder.id} reminder={reminder} acts={acts} />
        ))}
      </ul>
    </div>
  );
}

function MainSwitch() {
  const { t } = useSpeech();
  const { fail } = useFeedback();
  const queries = useQueryClient();
  const settings = useQuery({ queryKey: keys.reminderSwitch, queryFn: () => take(api.GET("/api/reminders/settings")) });
  const save = useMutation({
    mutationFn: (on: boolean) => take(api.PUT("/api/reminders/settings", { body: { reminders_enabled: on } })),
    onSettled: () => queries.invalidateQueries({ queryKey: keys.reminderSwitch }),
    onError: fail,
  });
  return (
    <label className="check">
      <input type="checkbox" checked={settings.data?.reminders_enabled ?? true} disabled={settings.isPending} onChange={(e) => save.mutate(e.target.checked)} />
      {t("rem.enabled")}
    </label>
  );
}

function inAnHour(): string {
  return inputValue(Math.ceil(now() / 3_600_000) * 3600);
}

interface Draft {
  content: string;
  kind: Reminder["repeat_kind"];
  at: string;
  time: string;
  days: Day[];
}

/** The draft as the server wants it; null while something is missing. */
export function bodyOf({ content, kind, at, time, days }: Draft): ReminderBody | null {
  const text = content.trim();
  if (!text || (kind === "once" ? !at : !time) || (kind === "weekly" && days.length === 0)) return null;
  const once = kind === "once";
  return {
    enabled: true,
    repeat_kind: kind,
    content: text,
    scheduled_at: once ? localIso(at) : null,
    time_of_day: once ? null : time,
    weekdays: kind === "weekly" ? days : [],
  };
}

function NewReminder({ onAdd }: { onAdd: (body: ReminderBody) => Promise<unknown> }) {
  const { t } = useSpeech();
  const { say } = useFeedback();
  const given = useRoute().query.get("text") ?? "";
  const [draft, setDraft] = useState<Draft>(() => ({ content: given, kind: "once", at: inAnHour(), time: "09:00", days: ["mon"] }));
  const set = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const body = bodyOf(draft);
    if (!body) return say(t("rem.need"));
    await onAdd(body).then(
      () => set({ content: "" }),
      () => undefined,
    );
  };
  return (
    <form className="card stack" onSubmit={submit} aria-label={t("rem.new")}>
      <Field label={t("rem.content")}>
        <input className="input" value={draft.content} maxLength={500} onChange={(e) => set({ content: e.target.value })} />
      </Field>
      <div className="row">
        <Segments
          label={t("rem.kind")}
          value={draft.kind}
          options={(["once", "daily", "weekly"] as const).map((one) => [one, t(`rem.${one}`)])}
          onChange={(kind) => set({ kind })}
        />
        <WhenInputs draft={draft} onChange={set} />
        <button type="submit" className="btn main">
          <Icon name="plus" />
          {t("rem.new")}
        </button>
      </div>
    </form>
  );
}

function WhenInputs({ draft, onChange }: { draft: Draft; onChange: (part: Partial<Draft>) => void }) {
  const { t } = useSpeech();
  const { days } = draft;
  const flip = (one: Day) => onChange({ days: days.includes(one) ? days.filter((d) => d !== one) : [...days, one] });
  if (draft.kind === "once") return <input className="input short" type="datetime-local" aria-label={t("rem.at")} value={draft.at} onChange={(e) => onChange({ at: e.target.value })} />;
  return (
    <>
      <input className="input short" type="time" aria-label={t("rem.time")} value={draft.time} onChange={(e) => onChange({ time: e.target.value })} />
      {draft.kind === "weekly" && (
        <div className="chips" role="group" aria-label={t("rem.days")}>
          {DAYS.map((one) => (
            <button type="button" key={one} className="btn small" aria-pressed={days.includes(one)} onClick={() => flip(one)}>
              {t(`day.${one}`)}
            </button>
          ))}
        </div>
      )}
    </>
  );
}

function Row({ reminder, acts }: { reminder: Reminder; acts: Acts }) {
  const { t, language } = useSpeech();
  const days = reminder.weekdays.map((d) => t(`day.${d}` as Key)).join(language === "ja" ? "・" : ", ");
  const rhythm = [t(`rem.${reminder.repeat_kind}`), days, reminder.time_of_day].filter(Boolean).join(" · ");
  return (
    <li className={`card row${reminder.enabled ? "" : " faded"}`}>
      <div className="grow">
        <p>
          <strong>{reminder.content}</strong>
        </p>
        <p className="dim">
          {rhythm} — {reminder.next_fire_at_utc ? t("rem.next", { when: full(reminder.next_fire_at_utc, language) }) : t("rem.never")}
        </p>
      </div>
      {reminder.confirmed ? <Snooze reminder={reminder} acts={acts} /> : <Agree reminder={reminder} acts={acts} />}
      <label className="check">
        <input type="checkbox" checked={reminder.enabled} onChange={() => acts.toggle.mutate(reminder)} aria-label={`${t("rem.on")}: ${reminder.content}`} />
        {t("rem.on")}
      </label>
      <button type="button" className="btn quiet icon" aria-label={`${t("act.delete")}: ${reminder.content}`} onClick={() => acts.remove(reminder)}>
        <Icon name="close" />
      </button>
    </li>
  );
}

function Agree({ reminder, acts }: { reminder: Reminder; acts: Acts }) {
  const { t } = useSpeech();
  return (
    <p className="row">
      <span className="chip lamp">{t("rem.heard")}</span>
      <button type="button" className="btn small main" onClick={() => acts.confirm.mutate(reminder.id)}>
        {t("rem.yes")}
      </button>
    </p>
  );
}

function Snooze({ reminder, acts }: { reminder: Reminder; acts: Acts }) {
  const { t } = useSpeech();
  return (
    <p className="chips" role="group" aria-label={`${t("rem.snooze")}: ${reminder.content}`}>
      <span className="dim">{t("rem.snooze")}</span>
      {([10, 60, 1440] as const).map((minutes) => (
        <button type="button" className="chip" key={minutes} onClick={() => acts.snooze.mutate({ id: reminder.id, minutes })}>
          {t(`rem.snooze.${minutes}`)}
        </button>
      ))}
    </p>
  );
}
