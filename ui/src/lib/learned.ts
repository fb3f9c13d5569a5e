/** What a turn taught, in words: revisions as lines a person can read. */
import type { EventDetail, JobRow, RevisionRow } from "../api/types";

const TEACHING = new Set(["generate_write_plan", "apply_write_plan"]);
const OVER = new Set(["done", "dead", "quarantined", "failed"]);

export type LearnState = "learning" | "learned" | "nothing" | "failed";

export function stillLearning(jobs: readonly JobRow[]): boolean {
  return jobs.some((job) => TEACHING.has(job.kind) && !OVER.has(job.status));
}

export function learnState(detail: Pick<EventDetail, "jobs" | "learned">): LearnState {
  if (lessons(detail.learned).length > 0) return "learned";
  if (stillLearning(detail.jobs)) return "learning";
  if (detail.jobs.some((job) => TEACHING.has(job.kind) && (job.status === "dead" || job.status === "quarantined"))) return "failed";
  return "nothing";
}

// A feeling or a link is how a turn is filed, not something it taught.
const LESSONS = new Set(["state", "states", "user_preferences", "preference", "preferences"]);

export function lessons(revisions: readonly RevisionRow[]): RevisionRow[] {
  return revisions.filter((r) => {
    if (!LESSONS.has(r.entity_type) || r.undoes) return false;
    const kind = (r.after ?? r.before)?.kind;
    return kind !== "long_mood_state" && !(r.actor === "tidy");
  });
}

/** One line for a revision: the text it is about. */
export function lessonText(revision: RevisionRow): string {
  const snapshot = revision.after ?? revision.before ?? {};
  const text = snapshot.body_text ?? snapshot.subject ?? snapshot.thread_key ?? snapshot.moment_affect_text ?? snapshot.text;
  return typeof text === "string" ? text : revision.reason;
}
