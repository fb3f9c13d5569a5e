/** What a turn taught, in words: revisions as lines a person can read. */
import type { RevisionRow } from "../api/types";

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
