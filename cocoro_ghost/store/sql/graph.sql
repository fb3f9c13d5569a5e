-- name: link
INSERT INTO event_links (from_event_id, to_event_id, label, confidence, evidence_json, created_at)
VALUES (:from_id, :to_id, :label, :confidence, :evidence_json, :now)
ON CONFLICT (from_event_id, to_event_id, label) DO UPDATE SET confidence = excluded.confidence,
  evidence_json = excluded.evidence_json;

-- name: unlink
DELETE FROM event_links WHERE id = :id;

-- name: links_of
SELECT * FROM event_links WHERE from_event_id = :event_id OR to_event_id = :event_id ORDER BY id;

-- name: neighbours
SELECT l.from_event_id, l.to_event_id, l.confidence FROM event_links AS l
WHERE l.label IN (SELECT value FROM json_each(:labels))
  AND (l.from_event_id IN (SELECT value FROM json_each(:ids)) OR l.to_event_id IN (SELECT value FROM json_each(:ids)))
ORDER BY l.confidence DESC, l.id DESC LIMIT :limit;

-- name: join_thread
INSERT INTO event_threads (event_id, thread_key, confidence, evidence_json, created_at)
VALUES (:event_id, :thread_key, :confidence, :evidence_json, :now)
ON CONFLICT (event_id, thread_key) DO UPDATE SET confidence = excluded.confidence,
  evidence_json = excluded.evidence_json;

-- name: leave_thread
DELETE FROM event_threads WHERE event_id = :event_id AND thread_key = :thread_key;

-- name: rename_thread
UPDATE OR IGNORE event_threads SET thread_key = :new_key WHERE thread_key = :old_key;

-- name: drop_thread
DELETE FROM event_threads WHERE thread_key = :thread_key;

-- name: threads_of
SELECT * FROM event_threads WHERE event_id = :event_id ORDER BY confidence DESC, id;

-- name: threads_of_events
SELECT thread_key, max(confidence) AS confidence, count(*) AS n FROM event_threads
WHERE event_id IN (SELECT value FROM json_each(:ids)) GROUP BY thread_key ORDER BY n DESC, confidence DESC, thread_key
LIMIT :limit;

-- name: thread_events
-- The newest of each thread.
SELECT t.thread_key, t.event_id, t.confidence FROM json_each(:keys) AS wanted
JOIN event_threads AS t ON t.id IN (
  SELECT one.id FROM event_threads AS one JOIN events AS e ON e.event_id = one.event_id
  WHERE one.thread_key = wanted.value AND e.searchable = 1 ORDER BY one.event_id DESC LIMIT :limit)
ORDER BY t.event_id DESC, t.id DESC;

-- name: threads
SELECT thread_key, count(*) AS events, max(event_id) AS last_event_id, min(event_id) AS first_event_id
FROM event_threads JOIN events USING (event_id) WHERE searchable = 1
GROUP BY thread_key ORDER BY last_event_id DESC, thread_key LIMIT :limit OFFSET :skip;

-- name: recent_threads
SELECT thread_key, max(event_id) AS last_event_id FROM (
  SELECT thread_key, event_id FROM event_threads ORDER BY id DESC LIMIT 400)
GROUP BY thread_key ORDER BY last_event_id DESC, thread_key LIMIT :limit;

-- name: link_states
INSERT INTO state_links (from_state_id, to_state_id, label, confidence, evidence_json, created_at)
VALUES (:from_id, :to_id, :label, :confidence, :evidence_json, :now);

-- name: weigh_state_link
UPDATE state_links SET confidence = :confidence, evidence_json = :evidence_json
WHERE from_state_id = :from_id AND to_state_id = :to_id AND label = :label;

-- name: state_links_of
SELECT * FROM state_links WHERE from_state_id = :state_id OR to_state_id = :state_id ORDER BY confidence DESC, id;

-- name: state_neighbours
SELECT from_state_id, to_state_id, confidence FROM state_links
WHERE from_state_id IN (SELECT value FROM json_each(:ids)) OR to_state_id IN (SELECT value FROM json_each(:ids))
ORDER BY confidence DESC, id LIMIT :limit;

-- name: thread_keys
SELECT event_id, thread_key FROM event_threads WHERE event_id IN (SELECT value FROM json_each(:ids));

-- name: threads_since
SELECT t.thread_key, count(*) AS n FROM event_threads AS t JOIN events AS e USING (event_id)
WHERE t.event_id > :after AND e.source = 'chat' AND e.searchable = 1
GROUP BY 1 HAVING count(*) >= :at_least ORDER BY n DESC, t.thread_key LIMIT :limit;
