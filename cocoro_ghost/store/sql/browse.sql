-- name: events
SELECT * FROM events
WHERE event_id < coalesce(:before, 9223372036854775807)
  AND (:source IS NULL OR source = :source)
  AND (:searchable IS NULL OR searchable = :searchable)
  AND (:life_stage IS NULL OR life_stage = :life_stage)
  AND (:year IS NULL OR :year BETWEEN about_year_start AND coalesce(about_year_end, about_year_start))
  AND (:entity IS NULL OR event_id IN (SELECT event_id FROM event_entities WHERE entity_name_norm = :entity))
  AND (:start_ts IS NULL OR created_at >= :start_ts) AND (:end_ts IS NULL OR created_at < :end_ts)
  AND (:about_from IS NULL OR about_start_ts >= :about_from) AND (:about_to IS NULL OR about_start_ts < :about_to)
  AND (:pattern IS NULL OR user_text LIKE :pattern ESCAPE '\' OR assistant_text LIKE :pattern ESCAPE '\'
    OR EXISTS (SELECT 1 FROM json_each(image_summaries_json) WHERE value LIKE :pattern ESCAPE '\'))
ORDER BY event_id DESC LIMIT :limit;

-- name: states
SELECT * FROM state
WHERE state_id < coalesce(:before, 9223372036854775807)
  AND (:kind IS NULL OR kind = :kind)
  AND (:searchable IS NULL OR searchable = :searchable)
  AND (:active_at IS NULL OR (coalesce(valid_from_ts, :active_at) <= :active_at
    AND (valid_to_ts IS NULL OR valid_to_ts > :active_at)))
  AND (:closed_at IS NULL OR valid_to_ts <= :closed_at)
  AND (:pin IS NULL OR pin = :pin) AND (:min_confidence IS NULL OR confidence >= :min_confidence)
  AND (:entity IS NULL OR state_id IN (SELECT state_id FROM state_entities WHERE entity_name_norm = :entity))
  AND (:pattern IS NULL OR body_text LIKE :pattern ESCAPE '\')
ORDER BY state_id DESC LIMIT :limit;

-- name: contradictions
SELECT l.from_state_id, l.to_state_id FROM state_links AS l
JOIN state AS a ON a.state_id = l.from_state_id JOIN state AS b ON b.state_id = l.to_state_id
WHERE l.label = 'contradicts' AND a.searchable = 1 AND b.searchable = 1
  AND (a.valid_to_ts IS NULL OR a.valid_to_ts > :now) AND (b.valid_to_ts IS NULL OR b.valid_to_ts > :now)
ORDER BY l.id DESC LIMIT :limit;

-- name: timeline_recorded
SELECT substr(strftime('%Y-%m-%d', created_at + :offset, 'unixepoch'), 1, :width) AS bucket, count(*) AS events,
  min(event_id) AS first_event_id, max(event_id) AS last_event_id
FROM events GROUP BY bucket ORDER BY bucket;

-- name: timeline_about
SELECT substr(strftime('%Y-%m-%d', about_start_ts + :offset, 'unixepoch'), 1, :width) AS bucket, count(*) AS events,
  min(event_id) AS first_event_id, max(event_id) AS last_event_id
FROM events WHERE about_start_ts IS NOT NULL GROUP BY bucket ORDER BY bucket;

-- name: undone
SELECT undoes FROM revisions WHERE undoes IN (SELECT value FROM json_each(:ids));

-- name: event_entities
SELECT entity_type_norm AS type, entity_name_norm AS norm, entity_name_raw AS raw, confidence
FROM event_entities WHERE event_id = :event_id ORDER BY confidence DESC, 1, 2;

-- name: state_entities
SELECT entity_type_norm AS type, entity_name_norm AS norm, entity_name_raw AS raw, confidence
FROM state_entities WHERE state_id = :state_id ORDER BY confidence DESC, 1, 2;

-- name: states_resting_on
SELECT * FROM state WHERE EXISTS (SELECT 1 FROM json_each(state.evidence_json) WHERE value = :event_id)
ORDER BY state_id DESC LIMIT :limit;

-- name: count_vectors
SELECT count(*) FROM vec_items WHERE kind = 1 AND vector IS NOT NULL;

-- name: count_states
SELECT count(*) FROM state;

-- name: count_affects
SELECT count(*) FROM event_affects;

-- name: mood_points
SELECT json_extract(after_json, '$.payload_json') AS payload_json,
  json_extract(after_json, '$.last_confirmed_at') AS at
FROM revisions WHERE entity_type = 'state' AND entity_id = :state_id AND after_json IS NOT NULL
ORDER BY revision_id DESC LIMIT :limit;
