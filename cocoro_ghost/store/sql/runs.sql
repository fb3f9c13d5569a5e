-- name: add
INSERT INTO retrieval_runs (event_id, created_at, plan_json, candidates_json, selected_json, pack_json)
VALUES (:event_id, :created_at, :plan_json, :candidates_json, :selected_json, :pack_json);

-- name: thin
UPDATE retrieval_runs SET candidates_json = json_remove(candidates_json, '$.seated')
WHERE run_id = :run_id AND mark IS NULL;

-- name: get
SELECT * FROM retrieval_runs WHERE run_id = :run_id;

-- name: newest
SELECT retrieval_runs.*, events.user_text FROM retrieval_runs JOIN events USING (event_id)
WHERE events.user_text IS NOT NULL AND events.forgotten_at IS NULL
  AND retrieval_runs.run_id < coalesce(:before, 9223372036854775807)
ORDER BY retrieval_runs.run_id DESC LIMIT :limit;

-- name: last_selection
SELECT selected_json FROM retrieval_runs WHERE event_id = :event_id ORDER BY run_id DESC LIMIT 1;

-- name: listed
SELECT r.*, coalesce(e.user_text, e.assistant_text) AS user_text
FROM retrieval_runs AS r LEFT JOIN events AS e USING (event_id)
WHERE r.run_id < coalesce(:before, 9223372036854775807) ORDER BY r.run_id DESC LIMIT :limit;

-- name: of_event
SELECT run_id FROM retrieval_runs WHERE event_id = :event_id ORDER BY run_id DESC LIMIT 1;

-- name: mark
UPDATE retrieval_runs SET mark = :mark WHERE run_id = :run_id;
