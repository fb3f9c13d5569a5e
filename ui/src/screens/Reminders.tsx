/** Reminders: write one in a line, see when it rings next, switch it off, take a deletion back. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "../api/client";
import type { Reminder } from "../api/types";
import { type Key, useSpeech } from "../i18n";
import { now } from "../lib/now";
import { full, inputValue, localIso } from "../lib/time";
import { Field, PageHead, Segments } from "../parts/bits";
import { Empty, Loading, Problem, useFeedback } from "../parts/feedback";
import { Icon } from "../parts/icons";

const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
type Draft = Omit<Reminder, "id" | "next_fire_at_utc" | "confirmed" | "source_event_id">;

export default function Reminders() {
  const { t } = useSpeech();
  const { say, fail } = useFeedback();
  const queries = useQueryClient();
  const list = useQuery({ queryKey: ["reminders"], queryFn: () => api.get<{ items: Reminder[] }>("/api/reminders") });
  const refresh = () => queries.invalidateQueries({ queryKey: ["reminders"] });
  const add = useMutation({
    mutationFn: (draft: Draft) => api.post<Reminder>("/api/reminders", draft),
    onSuccess: refresh,
    onError: fail,
  });
  const change = useMutation({
    mutationFn: ({ id, ...part }: Partial<Reminder> & { id: string }) => api.patch<Reminder>(`/api/reminders/${id}`, part),
    onSuccess: refresh,
    onError: fail,
  });
  const confirm = useMutation({
    mutationFn: (id: string) => api.post<Reminder>(`/api/reminders/${id}/confirm`),
    onSuccess: refresh,
    onError: fail,
  });
  const remove = async (reminder: Reminder) => {
    try {
      await api.delete(`/api/reminders/${reminder.id}`);
      await refresh();
      const { enabled, repeat_kind, content, scheduled_at, time_of_day, weekdays } = reminder;
      const draft = { enabled, repeat_kind, content, scheduled_at, time_of_day, weekdays };
      say(t("rem.deleted"), { label: t("act.undo"), run: () => add.mutate(draft) });
    } catch (error) {
      fail(error);
    }
  };
  return (
    <div className="page">
      <PageHead title={t("rem.title")} lead={t("rem.lead")} />
      <MainSwitch />
      <NewReminder onAdd={(draft) => add.mutateAsync(draft)} />
      {list.isPending && <Loading />}
      {list.error && <Problem error={list.error} onRetry={list.refetch} />}
      {list.data?.items.length === 0 && <Empty>{t("rem.empty")}</Empty>}
      <ul className="stack">
        {list.data?.items.map((reminder) => (
          <Row
            key={reminder.id}
            reminder={reminder}
            onToggle={() => change.mutate({ id: reminder.id, enabled: !reminder.enabled })}
            onRemove={() => remove(reminder)}
            onConfirm={() => confirm.mutate(reminder.id)}
          />
        ))}
      </ul>
    </div>
  );
}

function MainSwitch() {
  const { t } = useSpeech();
  const { fail } = useFeedback();
  const queries = useQueryClient();
  const key = ["reminders", "settings"];
  const settings = useQuery({ queryKey: key, queryFn: () => api.get<{ reminders_enabled: boolean }>("/api/reminders/settings") });
  const save = useMutation({
    mutationFn: (on: boolean) => api.put("/api/reminders/settings", { reminders_enabled: on }),
    onSettled: () => queries.invalidateQueries({ queryKey: key }),
    onError: fail,
  });
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={settings.data?.reminders_enabled ?? true}
        disabled={settings.isPending}
        onChange={(e) => save.mutate(e.target.checked)}
      />
      {t("rem.enabled")}
    </label>
  );
}

function inAnHour(): string {
  return inputValue(Math.ceil(now() / 3_600_000) * 3600);
}

function NewReminder({ onAdd }: { onAdd: (draft: Draft) => Promise<unknown> }) {
  const { t } = useSpeech();
  const { say } = useFeedback();
  const [content, setContent] = useState("");
  const [kind, setKind] = useState<Reminder["repeat_kind"]>("once");
  const [at, setAt] = useState(inAnHour);
  const [time, setTime] = useState("09:00");
  const [days, setDays] = useState<string[]>(["mon"]);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!content.trim() || (kind === "once" && !at) || (kind === "weekly" && days.length === 0)) return say(t("rem.need"));
    const once = kind === "once";
    await onAdd({
      enabled: true,
      repeat_kind: kind,
      content: content.trim(),
      scheduled_at: once ? localIso(at) : null,
      time_of_day: once ? null : time,
      weekdays: kind === "weekly" ? days : [],
    })
      .then(() => setContent(""))
      .catch(() => undefined);
  };
  const flip = (one: string) => setDays((all) => (all.includes(one) ? all.filter((d) => d !== one) : [...all, one]));
  return (
    <form className="card stack" onSubmit={submit} aria-label={t("rem.new")}>
      <Field label={t("rem.content")}>
        <input className="input" value={content} maxLength={500} onChange={(e) => setContent(e.target.value)} />
      </Field>
      <div className="row">
        <Segments
          label={t("rem.kind")}
          value={kind}
          options={[
            ["once", t("rem.once")],
            ["daily", t("rem.daily")],
            ["weekly", t("rem.weekly")],
          ]}
          onChange={setKind}
        />
        {kind === "once" ? (
          <input className="input short" type="datetime-local" aria-label={t("rem.at")} value={at} onChange={(e) => setAt(e.target.value)} />
        ) : (
          <input className="input short" type="time" aria-label={t("rem.time")} value={time} onChange={(e) => setTime(e.target.value)} />
        )}
        {kind === "weekly" && (
          <div className="chips" role="group" aria-label={t("rem.days")}>
            {DAYS.map((one) => (
              <button type="button" key={one} className="btn small" aria-pressed={days.includes(one)} onClick={() => flip(one)}>
                {t(`day.${one}`)}
              </button>
            ))}
          </div>
        )}
        <button type="submit" className="btn main">
          <Icon name="plus" />
          {t("rem.new")}
        </button>
      </div>
    </form>
  );
}

interface RowProps {
  reminder: Reminder;
  onToggle: () => void;
  onRemove: () => void;
  onConfirm: () => void;
}

function Row({ reminder, onToggle, onRemove, onConfirm }: RowProps) {
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
      {!reminder.confirmed && (
        <p className="row">
          <span className="chip lamp">{t("rem.heard")}</span>
          <button type="button" className="btn small main" onClick={onConfirm}>
            {t("rem.yes")}
          </button>
        </p>
      )}
      <label className="check">
        <input type="checkbox" checked={reminder.enabled} onChange={onToggle} aria-label={`${t("rem.on")}: ${reminder.content}`} />
        {t("rem.on")}
      </label>
      <button type="button" className="btn quiet icon danger" aria-label={`${t("act.delete")}: ${reminder.content}`} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </li>
  );
}
