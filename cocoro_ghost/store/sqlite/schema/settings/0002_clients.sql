-- Clients with tokens of their own; only hashes of the tokens are kept.

CREATE TABLE clients (
  client_id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  scopes_json TEXT NOT NULL CHECK (json_valid(scopes_json)),
  speaks_for_others INTEGER NOT NULL DEFAULT 0,
  emotion_tags TEXT NOT NULL DEFAULT 'none',
  system_rule TEXT NOT NULL DEFAULT 'ignore',
  history_rule TEXT NOT NULL DEFAULT 'stored',
  created_at INTEGER NOT NULL,
  last_used_at INTEGER,
  revoked_at INTEGER
) STRICT;
