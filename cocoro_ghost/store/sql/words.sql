-- name: event
SELECT event_id, created_at, conversation, source, user_text, assistant_text, image_summaries_json
FROM events WHERE event_id = :event_id;

-- name: turn_before
SELECT event_id, created_at FROM events
WHERE conversation = :conversation AND source = :source AND event_id < :event_id
ORDER BY event_id DESC LIMIT 1;

-- name: turn_after
SELECT event_id, created_at FROM events
WHERE conversation = :conversation AND source = :source AND event_id > :event_id
ORDER BY event_id LIMIT 1;

-- name: put_row
INSERT INTO word_rows (event_id, terms, size, before_id, after_id)
VALUES (:event_id, :lines, :size, :before_id, :after_id)
ON CONFLICT (event_id) DO UPDATE SET terms = excluded.terms, size = excluded.size,
  before_id = excluded.before_id, after_id = excluded.after_id;

-- name: set_before
UPDATE word_rows SET before_id = :before_id WHERE event_id = :event_id;

-- name: set_after
UPDATE word_rows SET after_id = :after_id WHERE event_id = :event_id;

-- name: row
SELECT * FROM word_rows WHERE event_id = :event_id;

-- name: rows
SELECT event_id, terms, size, before_id, after_id
FROM json_each(:ids) AS wanted JOIN word_rows ON word_rows.event_id = wanted.value;

-- name: places
SELECT event_id, size, before_id, after_id
FROM json_each(:ids) AS wanted JOIN word_rows ON word_rows.event_id = wanted.value;

-- name: drop_rows
DELETE FROM word_rows;

-- name: events_allowed
SELECT event_id FROM json_each(:ids) AS wanted JOIN events ON events.event_id = wanted.value
WHERE searchable = 1 AND event_id <> :except_id AND event_id < :before AND created_at >= :since
  AND created_at < :until AND (:source IS NULL OR source = :source);

-- name: states_allowed
SELECT state_id FROM json_each(:ids) AS wanted JOIN state ON state.state_id = wanted.value
WHERE searchable = 1 AND kind <> 'long_mood_state' AND (:closed = 1 OR valid_to_ts IS NULL OR valid_to_ts > :now);

-- name: pending
SELECT what, id FROM word_pending ORDER BY what, id LIMIT :limit;

-- name: pending_finished
SELECT count(*) FROM (
  SELECT 1 FROM word_pending LEFT JOIN events ON word_pending.what = 'event' AND events.event_id = word_pending.id
  WHERE events.status IS DISTINCT FROM 'open' ORDER BY word_pending.what, word_pending.id LIMIT :limit
);

-- name: pending_counts
SELECT what, count(*) AS n FROM word_pending GROUP BY what;

-- name: not_pending
DELETE FROM word_pending WHERE what = :what AND id = :id;

-- name: all_pending
INSERT INTO word_pending (what, id)
SELECT 'event', event_id FROM events UNION ALL SELECT 'state', state_id FROM state WHERE true
ON CONFLICT DO NOTHING;
