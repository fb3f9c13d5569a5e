-- name: runs
SELECT event_id, run_id, selected_json FROM retrieval_runs
WHERE event_id IN (SELECT value FROM json_each(:ids)) ORDER BY run_id;

-- name: feelings
SELECT * FROM event_affects WHERE event_id IN (SELECT value FROM json_each(:ids));

-- name: taught
SELECT e.event_id AS taught_by, r.* FROM revision_evidence AS e JOIN revisions AS r USING (revision_id)
WHERE e.event_id IN (SELECT value FROM json_each(:ids)) AND r.entity_type IN ('state', 'user_preferences')
  AND r.undoes IS NULL AND r.actor <> 'tidy' ORDER BY r.revision_id;

-- name: jobs
SELECT CAST(json_extract(payload_json, '$.event_id') AS INTEGER) AS event_id, status FROM jobs
WHERE kind IN ('generate_write_plan', 'apply_write_plan')
  AND json_extract(payload_json, '$.event_id') IN (SELECT value FROM json_each(:ids)) ORDER BY job_id;

-- name: older_replies
SELECT event_id, assistant_text FROM reply_revisions
WHERE event_id IN (SELECT value FROM json_each(:ids)) ORDER BY reply_revision_id;

-- name: thumbnails
SELECT event_id, picture FROM event_thumbnails
WHERE event_id IN (SELECT value FROM json_each(:ids)) ORDER BY event_id, place;

-- name: clear_thumbnails
DELETE FROM event_thumbnails WHERE event_id = :event_id;

-- name: add_thumbnail
INSERT INTO event_thumbnails (event_id, place, picture) VALUES (:event_id, :place, :picture);

-- name: on_day
SELECT * FROM events
WHERE source = 'chat' AND forgotten_at IS NULL AND user_text IS NOT NULL
  AND ((created_at >= :start AND created_at < :end) OR (about_start_ts >= :start AND about_start_ts < :end
    AND coalesce(about_end_ts, about_start_ts) - about_start_ts <= 172800))
ORDER BY length(user_text) DESC, event_id DESC LIMIT :limit;
