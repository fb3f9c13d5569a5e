-- name: clear_tail_of
DELETE FROM word_tail WHERE what = :what AND id = :id;

-- name: add_tail
INSERT INTO word_tail (what, term, id, flags)
SELECT :what, term, :id, flags FROM unnest(:terms, :all_flags) AS new(term, flags);

-- name: mark_tailed
INSERT INTO word_tailed (what, id) VALUES (:what, :id) ON CONFLICT DO NOTHING;

-- name: mark_doc
INSERT INTO word_docs (what, id) VALUES (:what, :id) ON CONFLICT DO NOTHING;

-- name: tail_size
SELECT count(*) FROM word_tailed WHERE what = :what;

-- name: tailed
SELECT id FROM word_tailed WHERE what = :what;

-- name: tail
SELECT term, id, flags FROM word_tail WHERE what = :what;

-- name: clear_tail
DELETE FROM word_tail WHERE what = :what;

-- name: clear_tailed
DELETE FROM word_tailed WHERE what = :what;

-- name: of_terms
-- In one step: blocks (term, block, places), the tail (term, id, flags), and what stands in the tail (id).
SELECT term, block AS place, places, NULL::bigint AS flags FROM word_blocks WHERE what = :what AND term = ANY(:terms)
UNION ALL SELECT term, id, NULL, flags FROM word_tail WHERE what = :what AND term = ANY(:terms)
UNION ALL SELECT NULL, id, NULL, NULL FROM word_tailed WHERE what = :what;

-- name: terms_from
SELECT wanted.head, found.term FROM unnest(:heads, :behinds) AS wanted(head, behind)
CROSS JOIN LATERAL (
  SELECT term FROM word_blocks WHERE what = :what AND term >= wanted.head AND term < wanted.behind
  UNION SELECT term FROM word_tail WHERE what = :what AND term >= wanted.head AND term < wanted.behind) AS found;

-- name: of_block
SELECT term, places FROM word_blocks WHERE what = :what AND block = :block;

-- name: clear_block
DELETE FROM word_blocks WHERE what = :what AND block = :block;

-- name: put_block
INSERT INTO word_blocks (what, term, block, n, places)
SELECT :what, term, :block, n, places FROM unnest(:terms, :counts, :places_list) AS new(term, n, places);

-- name: drop_blocks
DELETE FROM word_blocks;

-- name: drop_tail
DELETE FROM word_tail;

-- name: drop_tailed
DELETE FROM word_tailed;

-- name: drop_docs
DELETE FROM word_docs;

-- name: event_unwritten
SELECT count(*) FROM events AS e
WHERE NOT EXISTS (SELECT 1 FROM word_docs AS d WHERE d.what = 'event' AND d.id = e.event_id)
  AND NOT EXISTS (SELECT 1 FROM word_pending AS p WHERE p.what = 'event' AND p.id = e.event_id);

-- name: state_unwritten
SELECT count(*) FROM state AS s
WHERE NOT EXISTS (SELECT 1 FROM word_docs AS d WHERE d.what = 'state' AND d.id = s.state_id)
  AND NOT EXISTS (SELECT 1 FROM word_pending AS p WHERE p.what = 'state' AND p.id = s.state_id);

-- name: strays
SELECT (SELECT count(*) FROM word_rows AS w
    WHERE NOT EXISTS (SELECT 1 FROM events AS e WHERE e.event_id = w.event_id))
  + (SELECT count(*) FROM word_docs AS d
    WHERE d.what = 'state' AND NOT EXISTS (SELECT 1 FROM state AS s WHERE s.state_id = d.id));
