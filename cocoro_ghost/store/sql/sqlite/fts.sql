-- name: put_event
INSERT OR REPLACE INTO event_words (rowid, own, near) VALUES (:item_id, :own, :near);

-- name: put_state
INSERT OR REPLACE INTO state_words (rowid, own) VALUES (:item_id, :own);

-- name: drop_event
INSERT INTO event_words (event_words) VALUES ('delete-all');

-- name: drop_state
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

-- name: event_holding
-- Each term is asked for by itself: an OR would look at every term again for every posting.
SELECT (SELECT group_concat(rowid) FROM event_words WHERE event_words MATCH wanted.value)
FROM json_each(:matches) AS wanted;

-- name: state_holding
SELECT (SELECT group_concat(rowid) FROM state_words WHERE state_words MATCH wanted.value)
FROM json_each(:matches) AS wanted;

-- name: event_unwritten
SELECT count(*) FROM events LEFT JOIN event_words_docsize AS written ON written.id = events.event_id
LEFT JOIN word_pending ON word_pending.what = 'event' AND word_pending.id = events.event_id
WHERE written.id IS NULL AND word_pending.id IS NULL;

-- name: state_unwritten
SELECT count(*) FROM state LEFT JOIN state_words_docsize AS written ON written.id = state.state_id
LEFT JOIN word_pending ON word_pending.what = 'state' AND word_pending.id = state.state_id
WHERE written.id IS NULL AND word_pending.id IS NULL;

-- name: strays
SELECT (SELECT count(*) FROM word_rows WHERE event_id NOT IN (SELECT event_id FROM events))
  + (SELECT count(*) FROM state_words_docsize WHERE id NOT IN (SELECT state_id FROM state));

-- name: event_pieces
SELECT count(DISTINCT segid) FROM event_words_idx;

-- name: state_pieces
SELECT count(DISTINCT segid) FROM state_words_idx;

-- name: settle_event
INSERT INTO event_words (event_words, rank) VALUES ('merge', :pages);

-- name: settle_state
INSERT INTO state_words (state_words, rank) VALUES ('merge', :pages);
