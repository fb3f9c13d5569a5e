/** Short names for the generated types, and the few shapes the document leaves open (traces, reminders, logs). */
import type { components } from "./schema";

type Schemas = components["schemas"];

export interface Page<T> {
  items: T[];
  next_cursor?: number | string | null;
  total?: number | null;
}

export type Vad = Schemas["VadOut"];
export type Entity = Schemas["EntityOut"];
export type EventRow = Schemas["EventOut"];
export type EventDetail = Schemas["EventDetail"];
export type AboutTime = Schemas["AboutOut"];
export type AffectRow = Schemas["AffectOut"];
export type StateRow = Schemas["StateOut"];
export type StateDetail = Schemas["StateDetail"];
export type StateLinkRow = Schemas["StateLinkOut"];
export type RevisionRow = Schemas["RevisionOut"];
export type PreferenceRow = Schemas["PreferenceOut"];
export type JobRow = Schemas["JobOut"];
export type MoodPoint = Schemas["MoodPoint"];
export type MoodHistory = Schemas["MoodHistory"];
export type MoodNow = Schemas["MoodDebugOut"];
export type RunRow = Schemas["RetrievalRunOut"];
export type RunDetail = Schemas["RetrievalRunDetail"];
export type RecallAnswer = Schemas["RecallOut"];
export type Recalled = Schemas["RecalledOut"];
export type GraphAnswer = Schemas["GraphOut"];
export type GraphNode = Schemas["GraphNode"];
export type GraphEdge = Schemas["GraphEdge"];
export type Timeline = Schemas["TimelineOut"];
export type TimelineBucket = Schemas["TimelineBucket"];
export type TidyRun = Schemas["TidyRunOut"];
export type Status = Schemas["StatusOut"];
export type WorkerStats = Schemas["WorkerStats"];
export type Settings = Schemas["SettingsOut"];
export type LlmPreset = Schemas["LlmPresetOut"];
export type TestAnswer = Schemas["TestOut"];
export type Usage = Schemas["UsageOut"];
export type Backup = Schemas["BackupOut"];
export type Forgotten = Schemas["ForgetOut"];

export type Forgetting = Schemas["ForgettingOut"];
export type Separation = Schemas["SeparationOut"];
export type Reminder = Schemas["ReminderOut"];
export type MissedFrame = Schemas["MissedFrame"];

export interface LogLine {
  ts: string | number;
  level: string;
  logger: string;
  msg: string;
}
