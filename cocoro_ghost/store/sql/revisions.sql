-- name: get
SELECT * FROM revisions WHERE revision_id = :revision_id;

-- name: of_entity
SELECT * FROM revisions WHERE entity_type = :entity_type AND entity_id = :entity_id
  AND revision_id < coalesce(:before, 9223372036854775807) AND (:actor IS NULL OR actor = :actor)
ORDER BY revision_id DESC LIMIT :limit;

-- name: newest
SELECT * FROM revisions WHERE revision_id < coalesce(:before, 9223372036854775807)
  AND (:entity_type IS NULL OR entity_type = :entity_type) AND (:actor IS NULL OR actor = :actor)
ORDER BY revision_id DESC LIMIT :limit;

-- name: resting_on
SELECT r.* FROM revision_evidence AS e JOIN revisions AS r USING (revision_id)
WHERE e.event_id = :event_id ORDER BY r.revision_id;

-- name: after
SELECT * FROM revisions WHERE revision_id > :after ORDER BY revision_id LIMIT :limit;

-- name: undone_by
SELECT revision_id FROM revisions WHERE undoes = :revision_id;

-- name: newest_id
SELECT coalesce(max(revision_id), 0) FROM revisions;

-- name: between
SELECT * FROM revisions WHERE revision_id BETWEEN :first AND :last ORDER BY revision_id DESC;

-- name: history
SELECT * FROM revisions WHERE entity_type = :entity_type AND entity_id = :entity_id AND revision_id >= :since
ORDER BY revision_id LIMIT :limit;

-- name: evidence_of
SELECT evidence_event_ids_json FROM revisions
WHERE entity_type = :entity_type AND entity_id = :entity_id AND revision_id >= :since AND model = :model;

-- name: first_resting_on
SELECT min(r.revision_id) FROM revision_evidence AS e JOIN revisions AS r USING (revision_id)
WHERE e.event_id = :event_id AND r.entity_type = :entity_type AND r.entity_id = :entity_id;

-- name: mood_steps
SELECT r.revision_id, a.created_at, a.confidence,
  json_extract(json_extract(r.before_json, '$.payload_json'), '$.at') AS before_at
FROM revisions AS r JOIN event_affects AS a ON a.event_id = json_extract(r.evidence_event_ids_json, '$[0]')
WHERE r.entity_type = 'state' AND r.entity_id = :state_id AND r.actor = 'grow'
ORDER BY r.revision_id DESC;
