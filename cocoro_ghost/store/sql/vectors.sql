-- name: put
INSERT INTO vec_items (item_id, kind, entity_id, space, dimension, vector, ts, searchable, seq)
VALUES (:item_id, :vector_kind, :entity_id, :space, :dimension, :vector, :ts, :searchable,
  (SELECT coalesce(max(seq), 0) + 1 FROM vec_items))
ON CONFLICT (item_id) DO UPDATE SET space = excluded.space, dimension = excluded.dimension,
  vector = excluded.vector, ts = excluded.ts, searchable = excluded.searchable, seq = excluded.seq;

-- name: event_searchable
SELECT searchable FROM events WHERE event_id = :id;

-- name: state_searchable
SELECT searchable FROM state WHERE state_id = :id;

-- name: affect_searchable
SELECT searchable FROM event_affects WHERE id = :id;

-- name: remove
UPDATE vec_items SET vector = NULL, searchable = 0, seq = (SELECT max(seq) + 1 FROM vec_items)
WHERE item_id = :item_id AND vector IS NOT NULL;

-- name: set_searchable
UPDATE vec_items SET searchable = :searchable, seq = (SELECT max(seq) + 1 FROM vec_items)
WHERE item_id = :item_id AND searchable <> :searchable AND vector IS NOT NULL;

-- name: space
SELECT * FROM vec_spaces WHERE space = :space;

-- name: add_space
INSERT INTO vec_spaces (space, dimension) VALUES (:space, :dimension);

-- name: recount
UPDATE vec_spaces SET items = (SELECT count(*) FROM vec_items WHERE vec_items.space = vec_spaces.space AND vector IS NOT NULL);

-- name: set_mean
UPDATE vec_spaces SET mean = :mean WHERE space = :space;

-- name: newest_seq
SELECT coalesce(max(seq), 0) FROM vec_items;

-- name: news
-- Up to where changes can be followed row by row, and from where they can: what was compacted left no trace.
SELECT coalesce(max(seq), 0), coalesce((SELECT CAST(value AS BIGINT) FROM meta WHERE key = 'vectors_compacted'), 0)
FROM vec_items;

-- name: page
SELECT item_id, ts, vector, searchable FROM vec_items
WHERE item_id > :after AND space = :space AND vector IS NOT NULL ORDER BY item_id LIMIT :limit;

-- name: changed
SELECT item_id, ts, vector, searchable, seq, space FROM vec_items
WHERE seq >= :seen AND (seq > :seen OR item_id > :after) ORDER BY seq, item_id LIMIT :limit;

-- name: by_ids
SELECT vec_items.item_id, vec_items.vector
FROM json_each(:ids) AS wanted JOIN vec_items ON vec_items.item_id = wanted.value
WHERE vec_items.searchable = 1 AND vec_items.vector IS NOT NULL AND vec_items.space = :space;

-- name: put_passage
INSERT INTO vec_passages (item_id, event_id, vector) VALUES (:item_id, :event_id, :vector);

-- name: passages_page
SELECT p.item_id, v.ts, p.vector, v.searchable
FROM vec_passages AS p JOIN vec_items AS v ON v.item_id = 10000000000 + p.event_id
WHERE p.item_id > :after AND v.space = :space ORDER BY p.item_id LIMIT :limit;

-- name: passages_of
SELECT p.item_id, v.ts, p.vector, v.searchable
FROM json_each(:ids) AS wanted JOIN vec_items AS v ON v.item_id = wanted.value
JOIN vec_passages AS p ON p.item_id BETWEEN 40000000000 + v.entity_id * 16 AND 40000000015 + v.entity_id * 16
WHERE v.kind = 1 AND v.space = :space ORDER BY p.item_id;

-- name: passages_by_ids
SELECT p.item_id, p.vector
FROM json_each(:ids) AS wanted JOIN vec_passages AS p ON p.item_id = wanted.value
JOIN vec_items AS v ON v.item_id = 10000000000 + p.event_id
WHERE v.searchable = 1 AND v.space = :space;

-- name: sample
SELECT vector FROM vec_items WHERE space = :space AND vector IS NOT NULL AND seq % :step = 0 ORDER BY item_id LIMIT :limit;

-- name: retire_other_spaces
UPDATE vec_items SET vector = NULL, searchable = 0, seq = (SELECT max(seq) + 1 FROM vec_items)
WHERE space <> :space AND vector IS NOT NULL;

-- name: drop_other_spaces
DELETE FROM vec_spaces WHERE space <> :space;

-- name: drop_tombstones
-- Those of one statement share a `seq`; one row must stay, because `seq` may never fall.
DELETE FROM vec_items WHERE vector IS NULL
  AND item_id <> (SELECT item_id FROM vec_items ORDER BY seq DESC, item_id DESC LIMIT 1);

-- name: newest_gone
SELECT coalesce(max(seq), 0) FROM vec_items WHERE vector IS NULL;

-- name: drop_all
UPDATE vec_items SET vector = NULL, searchable = 0, seq = (SELECT max(seq) + 1 FROM vec_items)
WHERE vector IS NOT NULL;

-- name: elsewhere
SELECT count(*) FROM vec_items WHERE space <> :space AND vector IS NOT NULL;

-- name: missing_events
SELECT 1 AS kind, event_id AS entity_id FROM events
WHERE status <> 'open' AND searchable = 1 AND forgotten_at IS NULL
  AND (coalesce(user_text, '') <> '' OR coalesce(assistant_text, '') <> '' OR coalesce(image_summaries_json, '[]') <> '[]')
  AND (NOT EXISTS (SELECT 1 FROM vec_items WHERE item_id = 10000000000 + events.event_id AND space = :space AND vector IS NOT NULL)
    OR (octet_length(coalesce(user_text, '')) + octet_length(coalesce(assistant_text, '')) >= :long_turn
      AND NOT EXISTS (SELECT 1 FROM vec_passages WHERE item_id = 40000000000 + events.event_id * 16)))
ORDER BY event_id DESC LIMIT :limit;

-- name: missing_states
SELECT 2 AS kind, state_id AS entity_id FROM state
WHERE searchable = 1
  AND NOT EXISTS (SELECT 1 FROM vec_items WHERE item_id = 20000000000 + state.state_id AND space = :space AND vector IS NOT NULL)
ORDER BY state_id DESC LIMIT :limit;

-- name: missing_affects
SELECT 3 AS kind, id AS entity_id FROM event_affects
WHERE searchable = 1
  AND NOT EXISTS (SELECT 1 FROM vec_items WHERE item_id = 30000000000 + event_affects.id AND space = :space AND vector IS NOT NULL)
ORDER BY id DESC LIMIT :limit;

-- name: of_states
SELECT v.entity_id, v.vector FROM json_each(:ids) AS wanted
JOIN vec_items AS v ON v.item_id = 20000000000 + wanted.value
WHERE v.vector IS NOT NULL AND v.space = :space;
