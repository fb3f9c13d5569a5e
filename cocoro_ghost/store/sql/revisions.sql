-- name: get
SELECT * FROM revisions WHERE revision_id = :revision_id;

-- name: of_entity
SELECT * FROM revisions WHERE entity_type = :entity_type AND entity_id = :entity_id
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
