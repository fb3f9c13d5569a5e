-- name: event
SELECT event_id, created_at, conversation, source, user_text, assistant_text, image_summaries_json
FROM events WHERE event_id = :event_id;

-- name: events_after
SELECT event_id FROM events WHERE event_id > :after ORDER BY event_id LIMIT :limit;

-- name: states_after
SELECT state_id, body_text FROM state WHERE state_id > :after ORDER BY state_id LIMIT :limit;

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
VALUES (:event_id, :terms, :size, :before_id, :after_id)
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

-- name: put_event
INSERT OR REPLACE INTO event_words (rowid, own, near) VALUES (:event_id, :own, :near);

-- name: put_state
INSERT OR REPLACE INTO state_words (rowid, own) VALUES (:state_id, :own);

-- name: drop_rows
DELETE FROM word_rows;

-- name: drop_event_words
INSERT INTO event_words (event_words) VALUES ('delete-all');

-- name: drop_state_words
INSERT INTO state_words (state_words) VALUES ('delete-all');

-- name: event_counts
SELECT counts.term, counts.doc FROM json_each(:terms) AS wanted
JOIN event_word_counts AS counts ON counts.term = wanted.value;

-- name: state_counts
SELECT counts.term, counts.doc FROM json_each(:terms) AS wanted
JOIN state_word_counts AS counts ON counts.term = wanted.value;

-- name: event_prefix_count
SELECT coalesce(sum(doc), 0) FROM event_word_counts WHERE term >= :first AND term < :last;

-- name: state_prefix_count
SELECT coalesce(sum(doc), 0) FROM state_word_counts WHERE term >= :first AND term < :last;

-- name: events_holding
-- Each term is asked for by itself: an OR would look at every term again for every posting.
SELECT wanted.key, holding.rowid FROM json_each(:matches) AS wanted CROSS JOIN event_words AS holding
WHERE holding.event_words MATCH wanted.value;

-- name: states_holding
SELECT wanted.key, holding.rowid FROM json_each(:matches) AS wanted CROSS JOIN state_words AS holding
WHERE holding.state_words MATCH wanted.value;

-- name: events_allowed
SELECT event_id FROM json_each(:ids) AS wanted JOIN events ON events.event_id = wanted.value
WHERE searchable = 1 AND event_id <> :except_id AND event_id < :before AND created_at >= :since
  AND created_at < :until AND (:source IS NULL OR source = :source);

-- name: states_allowed
SELECT state_id FROM json_each(:ids) AS wanted JOIN state ON state.state_id = wanted.value
WHERE searchable = 1 AND kind <> 'long_mood_state' AND (:closed OR valid_to_ts IS NULL OR valid_to_ts > :now);

-- name: pending
SELECT what, id FROM word_pending ORDER BY what, id LIMIT :limit;

-- name: pending_finished
SELECT count(*) FROM (
  SELECT 1 FROM word_pending LEFT JOIN events ON word_pending.what = 'event' AND events.event_id = word_pending.id
  WHERE events.status IS NOT 'open' ORDER BY word_pending.what, word_pending.id LIMIT :limit
);

-- name: pending_counts
SELECT what, count(*) AS n FROM word_pending GROUP BY what;

-- name: not_pending
DELETE FROM word_pending WHERE what = :what AND id = :id;

-- name: none_pending
DELETE FROM word_pending;

-- name: all_pending
INSERT OR IGNORE INTO word_pending (what, id)
SELECT 'event', event_id FROM events UNION ALL SELECT 'state', state_id FROM state;

-- name: unwritten_events
SELECT count(*) FROM events LEFT JOIN event_words_docsize AS written ON written.id = events.event_id
LEFT JOIN word_pending ON word_pending.what = 'event' AND word_pending.id = events.event_id
WHERE written.id IS NULL AND word_pending.id IS NULL;

-- name: unwritten_states
SELECT count(*) FROM state LEFT JOIN state_words_docsize AS written ON written.id = state.state_id
LEFT JOIN word_pending ON word_pending.what = 'state' AND word_pending.id = state.state_id
WHERE written.id IS NULL AND word_pending.id IS NULL;

-- name: strays
SELECT (SELECT count(*) FROM word_rows WHERE event_id NOT IN (SELECT event_id FROM events))
  + (SELECT count(*) FROM state_words_docsize WHERE id NOT IN (SELECT state_id FROM state));
