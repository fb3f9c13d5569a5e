-- name: rename_thread
UPDATE event_threads AS t SET thread_key = :new_key WHERE t.thread_key = :old_key
  AND NOT EXISTS (SELECT 1 FROM event_threads AS o WHERE o.event_id = t.event_id AND o.thread_key = :new_key);

-- name: thread_events
SELECT wanted.thread_key, t.event_id, t.confidence
FROM unnest(:keys) AS wanted(thread_key)
CROSS JOIN LATERAL (
  SELECT one.id, one.event_id, one.confidence
  FROM event_threads AS one JOIN events AS e ON e.event_id = one.event_id
  WHERE one.thread_key = wanted.thread_key AND e.searchable = 1 ORDER BY one.event_id DESC LIMIT :limit) AS t
ORDER BY t.event_id DESC, t.id DESC;
