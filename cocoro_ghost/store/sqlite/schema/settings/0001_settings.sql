-- Settings that people change: tokens, presets, keys (encrypted), sessions of the page, usage counters.

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE presets (
  kind TEXT NOT NULL CHECK (kind IN ('llm', 'embedding', 'persona', 'addon')),
  preset_id TEXT NOT NULL,
  name TEXT NOT NULL,
  body_json TEXT NOT NULL CHECK (json_valid(body_json)),
  position INTEGER NOT NULL DEFAULT 0,
  archived_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (kind, preset_id)
) STRICT;

-- `sealed` is encrypted with the key file or the key of the system's keyring.
CREATE TABLE secrets (name TEXT PRIMARY KEY, sealed BLOB NOT NULL, updated_at INTEGER NOT NULL) STRICT;

CREATE TABLE sessions (session_hash TEXT PRIMARY KEY, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL) STRICT;

CREATE TABLE usage (
  day TEXT NOT NULL,
  purpose TEXT NOT NULL,
  model TEXT NOT NULL,
  calls INTEGER NOT NULL DEFAULT 0,
  input_tokens INTEGER NOT NULL DEFAULT 0,
  output_tokens INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (day, purpose, model)
) STRICT;
