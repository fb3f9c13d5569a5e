-- name: create
INSERT INTO state (kind, body_text, body_key, payload_json, confidence, salience, pin, searchable, valid_from_ts,
  valid_to_ts, last_confirmed_at, entities_json, evidence_json, origin, created_at, updated_at)
VALUES (:kind, :body_text, :body_key, :payload_json, :confidence, :salience, :pin, :searchable, :valid_from_ts,
  :valid_to_ts, :last_confirmed_at, :entities_json, :evidence_json, :origin, :now, :now);

-- name: get
SELECT * FROM state WHERE state_id = :state_id;

-- name: by_ids
SELECT state.* FROM json_each(:ids) AS wanted JOIN state ON state.state_id = wanted.value;

-- name: these_or_tasks
SELECT state.* FROM json_each(:ids) AS wanted JOIN state ON state.state_id = wanted.value
WHERE state.kind = 'task' OR state.state_id IN (SELECT value FROM json_each(:held));

-- name: replace
UPDATE state SET body_text = :body_text, body_key = :body_key, payload_json = :payload_json, confidence = :confidence,
  salience = :salience, pin = :pin, searchable = :searchable, valid_from_ts = :valid_from_ts,
  valid_to_ts = :valid_to_ts, last_confirmed_at = :last_confirmed_at, entities_json = :entities_json,
  evidence_json = :evidence_json, updated_at = :now
WHERE state_id = :state_id;

-- name: newest_confirmed
SELECT * FROM state
WHERE searchable = 1 AND kind <> 'long_mood_state' AND (valid_to_ts IS NULL OR valid_to_ts > :now)
ORDER BY last_confirmed_at DESC, state_id DESC LIMIT :limit;

-- name: same_body
SELECT * FROM state
WHERE kind = :kind AND body_key = :body_key AND (valid_to_ts IS NULL OR valid_to_ts > :now)
ORDER BY last_confirmed_at DESC, state_id DESC;

-- name: past_twin
SELECT * FROM state
WHERE kind = :kind AND body_key = :body_key AND origin = :origin AND valid_to_ts = :until
ORDER BY state_id LIMIT 1;

-- name: in_slot
SELECT * FROM state
WHERE kind = :kind AND json_extract(payload_json, '$.slot') = :slot AND (valid_to_ts IS NULL OR valid_to_ts > :now)
ORDER BY last_confirmed_at DESC, state_id DESC;

-- name: summary_of_scope
-- Several scopes at once: a list of types beside a list of keys.
SELECT state.* FROM json_each(:types) AS scope_types JOIN json_each(:keys) AS scope_keys
  ON scope_keys.key = scope_types.key
JOIN state ON json_extract(state.payload_json, '$.scope.type') = scope_types.value
  AND json_extract(state.payload_json, '$.scope.key') = scope_keys.value
WHERE state.kind = 'summary' AND state.valid_to_ts IS NULL;

-- name: long_mood
SELECT * FROM state WHERE kind = 'long_mood_state' AND valid_to_ts IS NULL;

-- name: expired_tasks
SELECT * FROM state
WHERE kind = 'task' AND valid_to_ts IS NULL AND json_extract(payload_json, '$.expires_ts') <= :now
ORDER BY json_extract(payload_json, '$.expires_ts'), state_id LIMIT :limit;

-- name: tasks_due
SELECT * FROM state
WHERE kind = 'task' AND searchable = 1 AND origin = 'user'
  AND json_extract(payload_json, '$.due_ts') >= :since AND json_extract(payload_json, '$.due_ts') < :until
ORDER BY json_extract(payload_json, '$.due_ts') DESC, state_id DESC LIMIT :limit;

-- name: unmentioned_tasks
SELECT * FROM state
WHERE kind = 'task' AND valid_to_ts IS NULL AND pin = 0 AND last_confirmed_at <= :before
  AND json_extract(payload_json, '$.due_ts') IS NULL AND json_extract(payload_json, '$.expires_ts') IS NULL
ORDER BY last_confirmed_at, state_id LIMIT :limit;

-- name: expired_twin
SELECT * FROM state
WHERE kind = 'task' AND body_key = :body_key AND origin = :origin AND valid_to_ts IS NOT NULL
  AND json_extract(payload_json, '$.closed_because') = 'expired'
ORDER BY valid_to_ts DESC, state_id DESC LIMIT 1;

-- name: count_active_by_kind
SELECT kind, count(*) AS n FROM state WHERE valid_to_ts IS NULL OR valid_to_ts > :now GROUP BY kind;

-- name: profile
-- What has no end, in order out of its index; beside it what holds only until a moment to come.
SELECT state_id, kind, body_text, payload_json, confidence, salience, pin, searchable, valid_from_ts, valid_to_ts,
  last_confirmed_at, created_at, updated_at, entities_json, evidence_json, origin
FROM (
  SELECT * FROM (SELECT * FROM state
    WHERE kind NOT IN ('task', 'summary', 'long_mood_state') AND searchable = 1 AND valid_to_ts IS NULL
    ORDER BY pin DESC, json_extract(payload_json, '$.slot') IS NULL, salience + confidence DESC,
      last_confirmed_at DESC, state_id LIMIT :limit)
  UNION ALL
  SELECT * FROM (SELECT * FROM state WHERE valid_to_ts > :now AND searchable = 1
    AND +kind NOT IN ('task', 'summary', 'long_mood_state')
    ORDER BY valid_to_ts, state_id LIMIT :limit)
);

-- name: told
SELECT state_id, kind, body_text, payload_json, confidence, salience, pin, searchable, valid_from_ts, valid_to_ts,
  last_confirmed_at, created_at, updated_at, entities_json, evidence_json, origin
FROM state WHERE kind NOT IN ('summary', 'long_mood_state') AND searchable = 1
ORDER BY json_extract(payload_json, '$.slot') IS NULL, valid_to_ts IS NOT NULL, last_confirmed_at DESC, state_id DESC
LIMIT :limit;

-- name: open_tasks
SELECT * FROM state WHERE kind = 'task' AND valid_to_ts IS NULL AND searchable = 1
ORDER BY last_confirmed_at DESC, state_id DESC LIMIT :limit;

-- name: newest_active
-- One ordered walk per kind: a single query over all kinds would sort every active state.
SELECT * FROM (
  SELECT * FROM (SELECT * FROM state WHERE kind = 'fact' AND valid_to_ts IS NULL AND searchable = 1
    ORDER BY last_confirmed_at DESC, state_id DESC LIMIT :limit)
  UNION ALL
  SELECT * FROM (SELECT * FROM state WHERE kind = 'relation' AND valid_to_ts IS NULL AND searchable = 1
    ORDER BY last_confirmed_at DESC, state_id DESC LIMIT :limit)
  UNION ALL
  SELECT * FROM (SELECT * FROM state WHERE kind = 'summary' AND valid_to_ts IS NULL AND searchable = 1
    ORDER BY last_confirmed_at DESC, state_id DESC LIMIT :limit))
ORDER BY last_confirmed_at DESC, state_id DESC LIMIT :limit;

-- name: active_for_tidying
SELECT * FROM state
WHERE valid_to_ts IS NULL AND searchable = 1 AND kind <> 'long_mood_state'
ORDER BY last_confirmed_at DESC, state_id DESC LIMIT :limit;

-- name: set_searchable
UPDATE state SET searchable = :searchable WHERE state_id = :state_id;
