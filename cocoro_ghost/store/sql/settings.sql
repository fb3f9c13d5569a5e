-- name: presets
SELECT * FROM presets WHERE kind = :kind AND (:archived = 1 OR archived_at IS NULL) ORDER BY position, created_at, preset_id;

-- name: put_preset
INSERT INTO presets (kind, preset_id, name, body_json, position, archived_at, created_at, updated_at)
VALUES (:kind, :preset_id, :name, :body_json, :position, NULL, :now, :now)
ON CONFLICT (kind, preset_id) DO UPDATE SET name = excluded.name, body_json = excluded.body_json,
  position = excluded.position, archived_at = NULL, updated_at = excluded.updated_at;

-- name: archive_preset
UPDATE presets SET archived_at = :now, updated_at = :now
WHERE kind = :kind AND preset_id = :preset_id AND archived_at IS NULL;

-- name: secret
SELECT sealed FROM secrets WHERE name = :name;

-- name: secrets
SELECT name, sealed FROM secrets ORDER BY name;

-- name: put_secret
INSERT INTO secrets (name, sealed, updated_at) VALUES (:name, :sealed, :now)
ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed, updated_at = excluded.updated_at;

-- name: drop_secret
DELETE FROM secrets WHERE name = :name;

-- name: put_session
INSERT INTO sessions (session_hash, created_at, expires_at) VALUES (:session_hash, :now, :expires_at)
ON CONFLICT (session_hash) DO UPDATE SET expires_at = excluded.expires_at;

-- name: session
SELECT expires_at FROM sessions WHERE session_hash = :session_hash AND expires_at > :now;

-- name: drop_session
DELETE FROM sessions WHERE session_hash = :session_hash;

-- name: drop_old_sessions
DELETE FROM sessions WHERE expires_at <= :now;

-- name: count_usage
INSERT INTO usage (day, purpose, model, calls, input_tokens, output_tokens, cached_tokens)
VALUES (:day, :purpose, :model, 1, :input_tokens, :output_tokens, :cached_tokens)
ON CONFLICT (day, purpose, model) DO UPDATE SET calls = usage.calls + 1,
  input_tokens = usage.input_tokens + excluded.input_tokens,
  output_tokens = usage.output_tokens + excluded.output_tokens,
  cached_tokens = usage.cached_tokens + excluded.cached_tokens;

-- name: usage_since
SELECT * FROM usage WHERE day >= :day ORDER BY day DESC, purpose, model;
