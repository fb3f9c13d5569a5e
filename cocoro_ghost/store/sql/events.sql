-- name: append
INSERT INTO events (created_at, updated_at, searchable, status, conversation, client_id, source, origin, speaker,
  user_text, assistant_text, image_summaries_json, client_context_json, external_key)
VALUES (:created_at, :created_at, :searchable, :status, :conversation, :client_id, :source, :origin, :speaker,
  :user_text, :assistant_text, :image_summaries_json, :client_context_json, :external_key);

-- name: get
SELECT * FROM events WHERE event_id = :event_id;

-- name: by_ids
SELECT events.* FROM json_each(:ids) AS wanted JOIN events ON events.event_id = wanted.value;

-- name: by_external_key
SELECT * FROM events WHERE external_key = :external_key;

-- name: newest
SELECT * FROM events
WHERE searchable = 1 AND event_id < coalesce(:before, 9223372036854775807)
ORDER BY event_id DESC LIMIT :limit;

-- name: last_chat
SELECT * FROM events
WHERE conversation = :conversation AND source = 'chat' AND event_id < coalesce(:before, 9223372036854775807)
ORDER BY event_id DESC LIMIT 1;

-- name: last_chat_at
SELECT created_at FROM events
WHERE conversation = :conversation AND source = 'chat' AND event_id < coalesce(:before, 9223372036854775807)
ORDER BY event_id DESC LIMIT 1;

-- name: last_chat_of_client
SELECT * FROM events
WHERE client_id = :client_id AND conversation = :conversation AND source = 'chat'
ORDER BY event_id DESC LIMIT 1;

-- name: finished_chats
SELECT * FROM events
WHERE conversation = :conversation AND source = 'chat' AND status <> 'open' AND assistant_text <> ''
  AND forgotten_at IS NULL AND event_id < coalesce(:before, 9223372036854775807)
  AND event_id NOT IN (SELECT event_id FROM client_turns WHERE standing IN ('other_branch', 'superseded'))
ORDER BY event_id DESC LIMIT :limit;

-- name: recent_for_growth
SELECT * FROM (
  SELECT * FROM (SELECT * FROM events WHERE event_id < :before AND client_id = :client_id AND forgotten_at IS NULL
    ORDER BY event_id DESC LIMIT :limit)
  UNION
  SELECT * FROM (SELECT * FROM events WHERE event_id < :before AND forgotten_at IS NULL
    ORDER BY event_id DESC LIMIT :limit)
)
ORDER BY (client_id IS NOT DISTINCT FROM :client_id) DESC, event_id DESC LIMIT :limit;

-- name: after
SELECT * FROM events WHERE event_id > :after ORDER BY event_id LIMIT :limit;

-- name: spoken_after
SELECT * FROM events
WHERE event_id > :after AND status <> 'open'
  AND source IN ('notification', 'reminder', 'desktop_watch', 'meta_proactive')
ORDER BY event_id LIMIT :limit;

-- name: open_ones
SELECT * FROM events WHERE status = 'open' ORDER BY event_id;

-- name: checkpoint
UPDATE events SET assistant_text = :assistant_text, updated_at = :now WHERE event_id = :event_id;

-- name: describe_images
UPDATE events SET image_summaries_json = :image_summaries_json, updated_at = :now WHERE event_id = :event_id;

-- name: close
UPDATE events SET assistant_text = :assistant_text, status = :status, updated_at = :now WHERE event_id = :event_id;

-- name: keep_reply
INSERT INTO reply_revisions (event_id, assistant_text, created_at)
SELECT event_id, assistant_text, :now FROM events WHERE event_id = :event_id AND assistant_text IS NOT NULL;

-- name: replace_reply
UPDATE events SET assistant_text = :assistant_text, status = 'done', updated_at = :now WHERE event_id = :event_id;

-- name: older_replies
SELECT * FROM reply_revisions WHERE event_id = :event_id ORDER BY reply_revision_id;

-- name: annotate
UPDATE events SET about_start_ts = :about_start_ts, about_end_ts = :about_end_ts,
  about_year_start = :about_year_start, about_year_end = :about_year_end, life_stage = :life_stage,
  about_time_confidence = :about_time_confidence, entities_json = :entities_json, annotated_at = :annotated_at
WHERE event_id = :event_id;

-- name: set_searchable
UPDATE events SET searchable = :searchable WHERE event_id = :event_id;

-- name: set_forgotten
UPDATE events SET forgotten_at = :forgotten_at, searchable = :searchable WHERE event_id = :event_id;

-- name: count
SELECT count(*) FROM events;

-- name: last_id
SELECT coalesce(max(event_id), 0) FROM events;

-- name: put_summary
INSERT INTO event_assistant_summaries (event_id, summary_text, event_updated_at, created_at, updated_at)
VALUES (:event_id, :summary_text, :event_updated_at, :now, :now)
ON CONFLICT (event_id) DO UPDATE SET summary_text = excluded.summary_text,
  event_updated_at = excluded.event_updated_at, updated_at = excluded.updated_at;

-- name: fresh_summaries
SELECT s.event_id, s.summary_text FROM json_each(:ids) AS wanted
JOIN event_assistant_summaries AS s ON s.event_id = wanted.value
JOIN events AS e ON e.event_id = s.event_id AND e.updated_at = s.event_updated_at;

-- name: years
SELECT event_id, about_year_start, about_year_end FROM events
WHERE event_id IN (SELECT value FROM json_each(:ids)) AND about_year_start IS NOT NULL;

-- name: chats_since
-- The plus keeps the planner on the index by time: walking all chats would grow with the memory.
SELECT * FROM events WHERE +source = 'chat' AND searchable = 1 AND status <> 'open' AND created_at >= :since
ORDER BY created_at DESC, event_id DESC LIMIT :limit;

-- name: chats_between
SELECT * FROM events WHERE +source = 'chat' AND searchable = 1 AND status <> 'open'
  AND created_at >= :since AND created_at < :until ORDER BY created_at DESC, event_id DESC LIMIT :limit;

-- name: chat_span_since
SELECT min(created_at) AS first_at, max(created_at) AS last_at, count(*) AS n FROM events
WHERE event_id > :after AND source = 'chat' AND searchable = 1;

-- name: chats_by_ids
SELECT e.* FROM json_each(:ids) AS wanted JOIN events AS e ON e.event_id = wanted.value
WHERE e.source = 'chat' AND e.searchable = 1 ORDER BY e.event_id DESC;
