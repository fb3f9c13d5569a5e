-- name: events
SELECT events.event_id, created_at, searchable, life_stage, about_time_confidence,
  about_start_ts, about_end_ts, about_year_start, about_year_end,
  -- Only of a short message: a longer one tells something.
  CASE WHEN length(user_text) <= 120 THEN user_text END,
  CASE WHEN length(user_text) <= 120 THEN substr(assistant_text, 1, 160) END
FROM json_each(:ids) AS wanted JOIN events ON events.event_id = wanted.value;

-- name: states
SELECT state.state_id, kind, searchable, confidence, salience, pin, valid_from_ts, valid_to_ts, last_confirmed_at,
  created_at
FROM json_each(:ids) AS wanted JOIN state ON state.state_id = wanted.value;

-- name: bodies
SELECT state.state_id, state.body_text
FROM json_each(:ids) AS wanted JOIN state ON state.state_id = wanted.value;

-- name: affects
SELECT event_affects.id, event_affects.event_id, event_affects.created_at, event_affects.confidence,
  event_affects.searchable * events.searchable AS searchable
FROM json_each(:ids) AS wanted JOIN event_affects ON event_affects.id = wanted.value
JOIN events ON events.event_id = event_affects.event_id;

-- name: threads
SELECT event_threads.event_id, event_threads.thread_key FROM json_each(:ids) AS wanted
JOIN event_threads ON event_threads.event_id = wanted.value ORDER BY event_threads.confidence DESC;

-- name: newest
SELECT event_id FROM events
WHERE searchable = 1 AND event_id < :before AND event_id <> :except_id AND created_at <= :now
ORDER BY event_id DESC LIMIT :limit;

-- name: said_between
SELECT event_id FROM events
WHERE created_at >= :since AND created_at < :until AND searchable = 1 AND event_id < :before
ORDER BY created_at DESC, event_id DESC LIMIT :limit;

-- name: about_between
SELECT event_id FROM events
WHERE about_start_ts IS NOT NULL AND about_start_ts < :until AND coalesce(about_end_ts, about_start_ts) >= :since
  AND searchable = 1 AND event_id < :before
ORDER BY about_start_ts DESC, event_id DESC LIMIT :limit;

-- name: about_years
SELECT event_id FROM events
WHERE about_year_start IS NOT NULL AND about_year_start <= :last
  AND coalesce(about_year_end, about_year_start) >= :first AND searchable = 1 AND event_id < :before
ORDER BY about_year_start DESC, event_id DESC LIMIT :limit;

-- name: of_life_stage
SELECT event_id FROM events
WHERE life_stage = :life_stage AND searchable = 1 AND event_id < :before ORDER BY event_id DESC LIMIT :limit;

-- name: newest_states
SELECT state_id FROM state
WHERE searchable = 1 AND kind <> 'long_mood_state' AND (valid_to_ts IS NULL OR valid_to_ts > :now)
ORDER BY last_confirmed_at DESC, state_id DESC LIMIT :limit;

-- name: states_valid_between
SELECT state_id FROM state
WHERE valid_to_ts IS NOT NULL AND valid_to_ts >= :since AND coalesce(valid_from_ts, 0) < :until
  AND searchable = 1 AND kind <> 'long_mood_state' ORDER BY valid_to_ts, state_id LIMIT :limit;

-- name: open_tasks
-- By when they are due; then those without a date, and those that hold only until a moment to come.
SELECT state_id, kind, body_text, payload_json, confidence, salience, pin, searchable, valid_from_ts, valid_to_ts,
  last_confirmed_at, created_at, updated_at, entities_json, evidence_json, origin
FROM (
  SELECT * FROM (SELECT * FROM state WHERE kind = 'task' AND valid_to_ts IS NULL AND searchable = 1
    AND json_extract(payload_json, '$.due_ts') >= :since
    ORDER BY json_extract(payload_json, '$.due_ts'), state_id LIMIT :limit)
  UNION ALL
  SELECT * FROM (SELECT * FROM state WHERE kind = 'task' AND valid_to_ts IS NULL AND searchable = 1
    ORDER BY last_confirmed_at DESC, state_id DESC LIMIT :limit)
  UNION ALL
  SELECT * FROM (SELECT * FROM state WHERE valid_to_ts > :now AND +kind = 'task' AND searchable = 1
    ORDER BY valid_to_ts, state_id LIMIT :limit)
);

-- name: named
WITH kinds (type) AS (VALUES ('person'), ('org'), ('place'), ('project'), ('tool')),
-- Most of what looks like a name is none: asked once, before it is asked of every kind.
known (norm) AS MATERIALIZED (
  SELECT value FROM json_each(:names)
  WHERE EXISTS (SELECT 1 FROM event_entities WHERE entity_name_norm = value)
    OR EXISTS (SELECT 1 FROM state_entities WHERE entity_name_norm = value)
)
SELECT kinds.type, known.norm FROM known CROSS JOIN kinds
WHERE EXISTS (SELECT 1 FROM event_entities
    WHERE entity_name_norm = known.norm AND entity_type_norm = kinds.type)
  OR EXISTS (SELECT 1 FROM state_entities
    WHERE entity_name_norm = known.norm AND entity_type_norm = kinds.type)
UNION
SELECT entity_type_norm, name_norm FROM entity_aliases WHERE alias_norm IN (SELECT value FROM json_each(:names));

-- name: states_named
-- Each name by itself, in index order: a name that is named often costs no more than one that is not.
SELECT se.entity_type_norm, se.entity_name_norm, se.state_id, se.confidence
FROM json_each(:types) AS types JOIN json_each(:norms) AS norms ON norms.key = types.key
JOIN state_entities AS se ON se.id IN (
  SELECT one.id FROM state_entities AS one JOIN state AS s ON s.state_id = one.state_id
  WHERE one.entity_name_norm = norms.value AND one.entity_type_norm = types.value AND one.confidence >= :floor
    AND s.searchable = 1 AND (s.valid_to_ts IS NULL OR s.valid_to_ts > :now)
  ORDER BY one.state_id DESC LIMIT :limit)
ORDER BY se.state_id DESC, se.id DESC;

-- name: reply_chain
WITH RECURSIVE chain (event_id, depth) AS (
  SELECT :event_id, 0
  UNION
  SELECT event_links.to_event_id, chain.depth + 1 FROM chain
  JOIN event_links ON event_links.from_event_id = chain.event_id AND event_links.label = 'reply_to'
  WHERE chain.depth < :limit
)
SELECT chain.event_id, chain.depth FROM chain JOIN events ON events.event_id = chain.event_id
WHERE chain.depth > 0 AND events.searchable = 1;
