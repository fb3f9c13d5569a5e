-- name: open_tasks
SELECT * FROM state WHERE kind = 'task' AND valid_to_ts IS NULL AND searchable = 1
ORDER BY last_confirmed_at DESC, state_id DESC LIMIT :limit;

-- name: newest_active
SELECT * FROM state
WHERE valid_to_ts IS NULL AND searchable = 1 AND kind IN ('fact', 'relation', 'summary')
ORDER BY last_confirmed_at DESC, state_id DESC LIMIT :limit;

-- name: mood_before
SELECT revision_id, after_json FROM revisions
WHERE entity_type = 'state' AND entity_id = :state_id AND created_at <= :ts AND after_json IS NOT NULL
ORDER BY revision_id DESC LIMIT 1;

-- name: mood_between
SELECT revision_id, after_json FROM revisions
WHERE entity_type = 'state' AND entity_id = :state_id AND created_at BETWEEN :start_ts AND :end_ts AND after_json IS NOT NULL
ORDER BY revision_id;

-- name: last_run_selection
SELECT selected_json FROM retrieval_runs WHERE event_id = :event_id ORDER BY run_id DESC LIMIT 1;

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

-- name: newest_revision
SELECT coalesce(max(revision_id), 0) FROM revisions;

-- name: revisions_between
SELECT * FROM revisions WHERE revision_id BETWEEN :first AND :last ORDER BY revision_id DESC;

-- name: history
SELECT * FROM revisions WHERE entity_type = :entity_type AND entity_id = :entity_id AND revision_id >= :since
ORDER BY revision_id;

-- name: remove_alias
DELETE FROM entity_aliases WHERE entity_type_norm = :type AND alias_norm = :alias AND name_norm = :name;
