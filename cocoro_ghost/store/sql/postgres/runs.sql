-- name: thin
UPDATE retrieval_runs SET candidates_json = (candidates_json::jsonb - 'seated')::text
WHERE run_id = :run_id AND mark IS NULL;
