-- name: mood_steps
SELECT r.revision_id, a.created_at, a.confidence,
  ((r.before_json::jsonb ->> 'payload_json')::jsonb ->> 'at')::numeric::bigint AS before_at
FROM revisions AS r
JOIN event_affects AS a ON a.event_id = (r.evidence_event_ids_json::jsonb ->> 0)::bigint
WHERE r.entity_type = 'state' AND r.entity_id = :state_id AND r.actor = 'grow'
ORDER BY r.revision_id DESC;
