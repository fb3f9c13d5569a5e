-- name: rename_thread
UPDATE event_threads AS t SET thread_key = :new_key WHERE t.thread_key = :old_key
  AND NOT EXISTS (SELECT 1 FROM event_threads AS o WHERE o.event_id = t.event_id AND o.thread_key = :new_key);
