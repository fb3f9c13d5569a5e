-- Reminders and each moment one fell due. A firing row is unique, so no instant fires twice.

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE reminders (
  reminder_id TEXT PRIMARY KEY,
  enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
  repeat_kind TEXT NOT NULL CHECK (repeat_kind IN ('once', 'daily', 'weekly')),
  content TEXT NOT NULL,
  scheduled_at TEXT,
  time_of_day TEXT,
  weekdays_json TEXT NOT NULL DEFAULT '[]',
  next_fire_at INTEGER,
  confirmed INTEGER NOT NULL DEFAULT 1 CHECK (confirmed IN (0, 1)),
  source_event_id INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX reminders_due ON reminders (next_fire_at) WHERE enabled = 1 AND confirmed = 1;

CREATE TABLE firings (
  reminder_id TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('due', 'spoken', 'missed')),
  event_id INTEGER,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (reminder_id, due_at)
) STRICT;
