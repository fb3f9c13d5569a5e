-- name: add_separation
INSERT INTO separations (denial_event_id, ref, revision_id, created_at)
VALUES (:denial_event_id, :ref, :revision_id, :now)
ON CONFLICT (denial_event_id) DO NOTHING;

-- name: separation
SELECT * FROM separations WHERE separation_id = :separation_id;

-- name: separation_of
SELECT * FROM separations WHERE denial_event_id = :denial_event_id;

-- name: separations
SELECT * FROM separations WHERE separation_id < coalesce(:before, 9223372036854775807)
ORDER BY separation_id DESC LIMIT :limit;

-- name: separations_since
SELECT * FROM separations WHERE undone_at IS NULL OR undone_at >= :since;

-- name: undo_separation
UPDATE separations SET undone_at = :now WHERE separation_id = :separation_id AND undone_at IS NULL;

-- name: add_forgetting
INSERT INTO forgettings (kind, entity_id, first_revision_id, last_revision_id, memo_json, created_at)
VALUES (:kind, :entity_id, :first_revision_id, :last_revision_id, :memo_json, :now);

-- name: forgetting
SELECT * FROM forgettings WHERE forgetting_id = :forgetting_id;

-- name: forgettings
SELECT * FROM forgettings WHERE forgetting_id < coalesce(:before, 9223372036854775807)
ORDER BY forgetting_id DESC LIMIT :limit;

-- name: undo_forgetting
UPDATE forgettings SET undone_at = :now WHERE forgetting_id = :forgetting_id AND undone_at IS NULL;

-- name: forgetting_of
SELECT forgetting_id FROM forgettings
WHERE kind = :kind AND entity_id = :entity_id AND undone_at IS NULL ORDER BY forgetting_id DESC LIMIT 1;
