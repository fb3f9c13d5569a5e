-- name: put
INSERT INTO write_plans (event_id, model, prompt_hash, plan_json, dropped_json, shown_json, created_at)
VALUES (:event_id, :model, :prompt_hash, :plan_json, :dropped_json, :shown_json, :now);

-- name: get
SELECT * FROM write_plans WHERE plan_id = :plan_id;

-- name: of_event
SELECT * FROM write_plans WHERE event_id = :event_id ORDER BY plan_id;

-- name: mark_applied
UPDATE write_plans SET applied_at = :now, dropped_json = :dropped_json WHERE plan_id = :plan_id AND applied_at IS NULL;

-- name: forget_claim
INSERT INTO forgotten_claims (kind, claim_key, forgotten_at, up_to_event_id)
VALUES (:kind, :claim_key, :now, :up_to)
ON CONFLICT (kind, claim_key) DO UPDATE SET forgotten_at = excluded.forgotten_at, up_to_event_id = excluded.up_to_event_id;

-- name: is_forgotten
SELECT 1 FROM forgotten_claims WHERE kind = :kind AND claim_key = :claim_key AND up_to_event_id >= :event_id;

-- name: unforget_claim
DELETE FROM forgotten_claims WHERE kind = :kind AND claim_key = :claim_key;

-- name: add_tidy_run
INSERT INTO tidy_runs (started_at, finished_at, milliseconds, trigger, counts_json)
VALUES (:started_at, :finished_at, :milliseconds, :trigger, :counts_json);

-- name: tidy_runs
SELECT * FROM tidy_runs WHERE tidy_run_id < coalesce(:before, 9223372036854775807)
ORDER BY tidy_run_id DESC LIMIT :limit;

-- name: tidy_run_of
SELECT tidy_run_id FROM tidy_runs WHERE trigger = :trigger;
