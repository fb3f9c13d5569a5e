/** What the ghost knows about the person, in the order one would tell it; each line can be put right. */
import "./about.css";
import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api, take } from "../../api/client";
import { keys } from "../../api/keys";
import type { AboutLine, AboutMe, AboutSection } from "../../api/types";
import { type Key, useSpeech } from "../../i18n";
import { link } from "../../lib/router";
import { Field, PageHead, When } from "../../parts/bits";
import { Empty, Loading, Problem, useFeedback } from "../../parts/feedback";
import { Icon } from "../../parts/icons";
import { useLineActs, useRefresh, useRemind } from "./acts";
import { WhichMemory } from "../talk/WhichMemory";
import { Waiting } from "./Waiting";
import "../likes/words";
import "../reminders/words";
import "./words";

export default function About() {
  const { t } = useSpeech();
  const about = useQuery({ queryKey: keys.about, queryFn: () => take(api.GET("/api/memory/about-me")) });
  const empty = about.data?.sections.length === 0;
  return (
    <div className="page about">
      <PageHead title={t("about.title")} lead={t("about.lead")}>
        <p>
          <button type="button" className="btn small" onClick={() => print()}>
            <Icon name="print" />
            {t("about.print")}
          </button>
        </p>
      </PageHead>
      <WhichMemory />
      <Waiting />
      {about.isPending && <Loading />}
      {about.error && <Problem error={about.error} onRetry={about.refetch} />}
      {empty && <Empty>{t("about.empty")}</Empty>}
      <div className="sections">
        {about.data?.sections.map((section) => (
          <Section key={section.name} section={section} />
        ))}
      </div>
      {about.data && <Changes changes={about.data.changes} />}
      <AddForm />
    </div>
  );
}

function Section({ section }: { section: AboutSection }) {
  const { t } = useSpeech();
  return (
    <section className="card stack" aria-labelledby={`about-${section.name}`}>
      <h2 id={`about-${section.name}`}>{t(`about.${section.name}` as Key)}</h2>
      <ul className="lines">
        {section.lines.map((line) => (
          <Line key={line.ref} line={line} />
        ))}
      </ul>
    </section>
  );
}

function Line({ line }: { line: AboutLine }) {
  const { t } = useSpeech();
  const { edit } = useLineActs(line);
  const [editing, setEditing] = useState(false);
  const save = (text: string) => {
    setEditing(false);
    if (text && text !== line.text) edit.mutate(text);
  };
  return (
    <li>
      {editing ? <LineForm text={line.text} onSave={save} onCancel={() => setEditing(false)} /> : <LineText line={line} />}
      {!editing && <LineButtons line={line} onEdit={() => setEditing(true)} />}
      {line.ask && <p className="still lamp-line">{t("about.still")}</p>}
    </li>
  );
}

function LineText({ line }: { line: AboutLine }) {
  const { t } = useSpeech();
  const href = line.ref.startsWith("s") ? link("memory", line.ref) : link("likes");
  const evidence = line.evidence_event_ids?.at(-1);
  return (
    <p>
      {line.polarity && <span className={line.polarity === "like" ? "chip lamp" : "chip rose"}>{t(line.polarity === "like" ? "like.like" : "like.dislike")}</span>}{" "}
      <a className="linetext" href={href}>
        {line.text}
      </a>{" "}
      <span className="dim">
        <When at={line.due_ts ?? line.last_confirmed_at} />
        {evidence !== undefined && (
          <>
            {" · "}
            <a href={link("chat", null, { turn: String(evidence) })}>{t("go.talk")}</a>
          </>
        )}
      </span>
    </p>
  );
}

function LineButtons({ line, onEdit }: { line: AboutLine; onEdit: () => void }) {
  const { t } = useSpeech();
  const { act } = useLineActs(line);
  const remind = useRemind();
  const name = (key: Key) => `${t(key)}: ${line.text}`;
  return (
    <div className="row line-acts">
      {line.ask && (
        <button type="button" className="btn small" aria-label={name("about.yes")} onClick={() => act.mutate("confirm")}>
          <Icon name="check" />
          {t("about.yes")}
        </button>
      )}
      {line.ref.startsWith("s") && (
        <button type="button" className="btn quiet small icon" aria-label={name("act.edit")} title={t("act.edit")} onClick={onEdit}>
          <Icon name="edit" />
        </button>
      )}
      {line.due_ts && (
        <button type="button" className="btn quiet small icon" aria-label={name("about.remind")} title={t("about.remind")} onClick={() => remind(line.text, line.due_ts)}>
          <Icon name="reminders" />
        </button>
      )}
      <button type="button" className="btn quiet small icon" aria-label={name("about.no")} title={t("about.no")} onClick={() => act.mutate("end")}>
        <Icon name="close" />
      </button>
    </div>
  );
}

function LineForm({ text, onSave, onCancel }: { text: string; onSave: (text: string) => void; onCancel: () => void }) {
  const { t } = useSpeech();
  const [words, setWords] = useState(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSave(words.trim());
  };
  return (
    <form className="row grow" onSubmit={submit}>
      <input className="input grow" aria-label={t("about.add.text")} value={words} maxLength={400} autoFocus onChange={(e) => setWords(e.target.value)} />
      <button type="submit" className="btn main small">
        {t("act.save")}
      </button>
      <button type="button" className="btn small" onClick={onCancel}>
        {t("act.cancel")}
      </button>
    </form>
  );
}

function Changes({ changes }: { changes: AboutMe["changes"] }) {
  const { t } = useSpeech();
  if (changes.length === 0) return null;
  return (
    <section className="card stack" aria-labelledby="about-changes">
      <h2 id="about-changes">{t("about.changes")}</h2>
      <ul className="lines">
        {changes.map((change, at) => (
          // newest first, and the same memory may have changed twice
          <li key={at}>
            <p>
              <a className="linetext" href={link("memory", `s${change.state_id}`)}>
                {change.text}
              </a>{" "}
              {change.ended && <span className="chip">{t("about.ended")}</span>}{" "}
              <span className="dim">
                {change.before && `${t("about.changed", { before: change.before })} · `}
                <When at={change.at} />
              </span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

const ABOUT: [string, Key][] = [
  ["name", "about.self"],
  ["residence", "about.home"],
  ["job", "about.work"],
  ["family", "about.family"],
  ["pet", "about.pets"],
  ["health", "about.health"],
  ["", "about.other"],
];

function AddForm() {
  const { t } = useSpeech();
  const { say, fail } = useFeedback();
  const refresh = useRefresh();
  const [text, setText] = useState("");
  const [slot, setSlot] = useState("");
  const add = useMutation({
    mutationFn: () => take(api.POST("/api/memory/state", { body: { body_text: text.trim(), kind: "fact", slot: slot || null, confidence: 1, reason: t("edit.reason") } })),
    onSuccess: async () => {
      await refresh();
      setText("");
      say(t("about.added"));
    },
    onError: fail,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim()) add.mutate();
  };
  return (
    <form className="card row addform" onSubmit={submit} aria-label={t("about.add")}>
      <span className="grow">
        <Field label={t("about.add.text")}>
          <input className="input" value={text} maxLength={400} onChange={(e) => setText(e.target.value)} />
        </Field>
      </span>
      <Field label={t("about.add.kind")}>
        <select className="input" value={slot} onChange={(e) => setSlot(e.target.value)}>
          {ABOUT.map(([value, key]) => (
            <option key={key} value={value}>
              {t(key)}
            </option>
          ))}
        </select>
      </Field>
      <button type="submit" className="btn main" disabled={add.isPending || !text.trim()}>
        <Icon name="plus" />
        {t("about.add")}
      </button>
    </form>
  );
}
