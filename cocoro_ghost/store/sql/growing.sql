-- name: open_tasks
SELECT * FROM state WHERE kind = 'task' AND valid_to_ts IS NULL AND searchable = 1
ORDER BY last_confirmed_at DESC, state_id DESC LIMIT :limit;

-- name: newest_active
-- One ordered walk per kind: a single query over all kinds would sort every active state.
SELECT * FROM (
  SELECT * FROM (SELECT * FROM state WHERE kind = 'fact' AND valid_to_ts IS NULL AND searchable = 1
    ORDER BY last_confirmed_at DESC, state_id DESC LIMIT :limit)
  UNION ALL
  SELECT * FROM (SELECT * FROM state WHERE kind = 'relation' AND valid_to_ts IS NULL AND searchable = 1
    ORDER BY last_confirmed_at DESC, state_id DESC LIMIT :limit)
  UNION ALL
  SELECT * FROM (SELECT * FROM state WHERE kind = 'summary' AND valid_to_ts IS NULL AND searchable = 1
    ORDER BY last_confirmed_at DESC, state_id DESC LIMIT :limit))
ORDER BY last_confirmed_at DESC, state_id DESC LIMIT :limit;

-- name: newest_states_of
SELECT se.state_id FROM state_entities AS se
WHERE se.entity_name_norm = :norm AND se.entity_type_norm = :type
ORDER BY se.state_id DESC LIMIT :limit;

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

-- name: forgetting_of
SELECT forgetting_id FROM forgettings
WHERE kind = :kind AND entity_id = :entity_id AND undone_at IS NULL ORDER BY forgetting_id DESC LIMIT 1;

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

-- name: active_for_tidying
SELECT * FROM state
WHERE valid_to_ts IS NULL AND searchable = 1 AND kind <> 'long_mood_state'
ORDER BY last_confirmed_at DESC, state_id DESC LIMIT :limit;

-- name: state_vectors
SELECT v.entity_id, v.vector FROM json_each(:ids) AS wanted
JOIN vec_items AS v ON v.item_id = 20000000000 + wanted.value
WHERE v.vector IS NOT NULL AND v.space = :space;

-- name: evidence_years
SELECT event_id, about_year_start, about_year_end FROM events
WHERE event_id IN (SELECT value FROM json_each(:ids)) AND about_year_start IS NOT NULL;

-- name: evidence_threads
SELECT event_id, thread_key FROM event_threads WHERE event_id IN (SELECT value FROM json_each(:ids));

-- name: tidy_run_of
SELECT tidy_run_id FROM tidy_runs WHERE trigger = :trigger;

-- name: chats_since
-- The plus keeps the planner on the index by time: walking all chats would grow with the memory.
SELECT * FROM events WHERE +source = 'chat' AND searchable = 1 AND status <> 'open' AND created_at >= :since
ORDER BY created_at DESC, event_id DESC LIMIT :limit;

-- name: chats_between
SELECT * FROM events WHERE +source = 'chat' AND searchable = 1 AND status <> 'open'
  AND created_at >= :since AND created_at < :until ORDER BY created_at DESC, event_id DESC LIMIT :limit;

-- name: persons_since
SELECT ee.entity_name_norm AS norm, max(ee.entity_name_raw) AS raw, count(*) AS n
FROM event_entities AS ee JOIN events AS e USING (event_id)
WHERE ee.event_id > :after AND ee.entity_type_norm = 'person' AND e.source = 'chat' AND e.searchable = 1
GROUP BY 1 HAVING n >= :at_least ORDER BY n DESC, norm LIMIT :limit;

-- name: threads_since
SELECT t.thread_key, count(*) AS n FROM event_threads AS t JOIN events AS e USING (event_id)
WHERE t.event_id > :after AND e.source = 'chat' AND e.searchable = 1
GROUP BY 1 HAVING n >= :at_least ORDER BY n DESC, t.thread_key LIMIT :limit;

-- name: chat_span_since
SELECT min(created_at) AS first_at, max(created_at) AS last_at, count(*) AS n FROM events
WHERE event_id > :after AND source = 'chat' AND searchable = 1;

-- name: chats_by_ids
SELECT e.* FROM json_each(:ids) AS wanted JOIN events AS e ON e.event_id = wanted.value
WHERE e.source = 'chat' AND e.searchable = 1 ORDER BY e.event_id DESC;

-- name: valences
SELECT vad_v FROM event_affects WHERE event_id IN (SELECT value FROM json_each(:ids)) ORDER BY event_id;

-- name: set_state_searchable
UPDATE state SET searchable = :searchable WHERE state_id = :state_id;

-- name: first_resting_on
SELECT min(r.revision_id) FROM revision_evidence AS e JOIN revisions AS r USING (revision_id)
WHERE e.event_id = :event_id AND r.entity_type = :entity_type AND r.entity_id = :entity_id;

-- name: mood_steps
SELECT r.revision_id, a.created_at, a.confidence,
  json_extract(json_extract(r.before_json, '$.payload_json'), '$.at') AS before_at
FROM revisions AS r JOIN event_affects AS a ON a.event_id = json_extract(r.evidence_event_ids_json, '$[0]')
WHERE r.entity_type = 'state' AND r.entity_id = :state_id AND r.actor = 'grow'
ORDER BY r.revision_id DESC;
