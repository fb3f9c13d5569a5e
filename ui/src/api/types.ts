/** Short names for the generated types, and the one shape the document leaves open (log lines). */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Vad = Schemas["VadOut"];
export type Entity = Schemas["EntityOut"];
export type EventRow = Schemas["EventOut"];
export type EventDetail = Schemas["EventDetail"];
export type TurnRow = Schemas["TurnOut"];
export type Lesson = Schemas["LessonOut"];
export type RecalledRef = Schemas["RecalledRef"];
export type AboutTime = Schemas["AboutOut"];
export type AffectRow = Schemas["AffectOut"];
export type DayMood = Schemas["DayMoodOut"];
export type StateRow = Schemas["StateOut"];
export type StateDetail = Schemas["StateDetail"];
export type RevisionRow = Schemas["RevisionOut"];
export type PreferenceRow = Schemas["PreferenceOut"];
export type JobRow = Schemas["JobOut"];
export type MoodPoint = Schemas["MoodPoint"];
export type MoodNow = Schemas["MoodDebugOut"];
export type RunRow = Schemas["RetrievalRunOut"];
export type RunDetail = Schemas["RetrievalRunDetail"];
export type RecallAnswer = Schemas["RecallOut"];
export type GraphAnswer = Schemas["GraphOut"];
export type GraphNode = Schemas["GraphNode"];
export type TimelineBucket = Schemas["TimelineBucket"];
export type Status = Schemas["StatusOut"];
export type Settings = Schemas["SettingsOut"];
export type LlmPreset = Schemas["LlmPresetOut"];
export type TestAnswer = Schemas["TestOut"];
export type UsageRow = Schemas["UsageRow"];
export type Separation = Schemas["SeparationOut"];
export type Reminder = Schemas["ReminderOut"];
export type ReminderBody = Schemas["ReminderBody"];
export type MissedFrame = Schemas["MissedFrame"];
export type AboutMe = Schemas["AboutMeOut"];
export type AboutLine = Schemas["AboutLine"];
export type AboutSection = Schemas["AboutSection"];
export type BulkAct = Schemas["BulkBody"]["act"];
export type Review = Schemas["ReviewOut"];
export type FoundMind = Schemas["FoundMind"];

export interface LogLine {
  ts: string | number;
  level: string;
  logger: string;
  msg: string;
}
