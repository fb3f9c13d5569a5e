-- name: timeline_recorded
SELECT substr(to_char(to_timestamp(created_at + :offset) AT TIME ZONE 'UTC', 'YYYY-MM-DD'), 1, :width::integer) AS bucket, count(*) AS events,
  min(event_id) AS first_event_id, max(event_id) AS last_event_id
FROM events GROUP BY bucket ORDER BY bucket;

-- name: timeline_about
SELECT substr(to_char(to_timestamp(about_start_ts + :offset) AT TIME ZONE 'UTC', 'YYYY-MM-DD'), 1, :width::integer) AS bucket, count(*) AS events,
  min(event_id) AS first_event_id, max(event_id) AS last_event_id
FROM events WHERE about_start_ts IS NOT NULL GROUP BY bucket ORDER BY bucket;

-- name: states_resting_on
SELECT * FROM state WHERE evidence_json::jsonb @> to_jsonb(:event_id) ORDER BY state_id DESC LIMIT :limit;

-- name: mood_points
SELECT after_json::jsonb ->> 'payload_json' AS payload_json, (after_json::jsonb ->> 'last_confirmed_at')::bigint AS at
FROM revisions WHERE entity_type = 'state' AND entity_id = :state_id AND after_json IS NOT NULL
ORDER BY revision_id DESC LIMIT :limit;
