-- What grow and tidy need: lookups that stay quick at any size, and records of what can be taken back.

CREATE INDEX state_by_slot ON state (kind, json_extract(payload_json, '$.slot'))
  WHERE json_extract(payload_json, '$.slot') IS NOT NULL;
CREATE INDEX state_by_expiry ON state (json_extract(payload_json, '$.expires_ts'))
  WHERE kind = 'task' AND valid_to_ts IS NULL;

-- A memory set apart because the user denied it; `ref` is e<id>, s<id> or a<id>.
CREATE TABLE separations (
  separation_id INTEGER PRIMARY KEY AUTOINCREMENT,
  denial_event_id INTEGER NOT NULL UNIQUE REFERENCES events (event_id),
  ref TEXT NOT NULL,
  revision_id INTEGER,
  created_at INTEGER NOT NULL,
  undone_at INTEGER
) STRICT;

-- One act of forgetting: the revisions it wrote are contiguous, so it can be undone as a whole.
CREATE TABLE forgettings (
  forgetting_id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('event', 'state', 'preference')),
  entity_id INTEGER NOT NULL,
  first_revision_id INTEGER NOT NULL,
  last_revision_id INTEGER NOT NULL,
  memo_json TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  undone_at INTEGER
) STRICT;
