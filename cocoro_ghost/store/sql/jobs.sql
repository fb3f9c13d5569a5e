-- name: enqueue
INSERT INTO jobs (kind, key, payload_json, run_after, created_at, updated_at)
VALUES (:kind, :key, :payload_json, :run_after, :now, :now)
ON CONFLICT (key) WHERE status IN ('pending', 'running') DO NOTHING;

-- name: claim
UPDATE jobs SET status = 'running', owner = :owner, beat_at = :now, updated_at = :now
WHERE job_id = (
  SELECT job_id FROM jobs WHERE status = 'pending' AND run_after <= :now
    AND (:kinds IS NULL OR kind IN (SELECT value FROM json_each(:kinds)))
  ORDER BY run_after, job_id LIMIT 1)
RETURNING *;

-- name: claim_more
UPDATE jobs SET status = 'running', owner = :owner, beat_at = :now, updated_at = :now
WHERE job_id IN (
  SELECT job_id FROM jobs WHERE status = 'pending' AND run_after <= :now AND kind = :kind
  ORDER BY run_after, job_id LIMIT :limit)
RETURNING *;

-- name: any_due
SELECT 1 WHERE EXISTS (SELECT 1 FROM jobs
  WHERE status IN ('pending', 'running') AND run_after <= :now
    AND kind IN (SELECT value FROM json_each(:kinds)));

-- name: get
SELECT * FROM jobs WHERE job_id = :job_id;

-- name: beat
UPDATE jobs SET beat_at = :now
WHERE status = 'running' AND owner = :owner
  AND (:held IS NULL OR job_id IN (SELECT value FROM json_each(:held)));

-- name: finish
UPDATE jobs SET status = 'done', finished_at = :now, updated_at = :now, owner = NULL, last_error = NULL
WHERE job_id = :job_id AND status = 'running' AND owner = :owner;

-- name: drop_done
DELETE FROM jobs WHERE job_id <= :up_to AND status = 'done';

-- name: snooze
UPDATE jobs SET status = 'pending', run_after = :run_after, snoozes = snoozes + 1, owner = NULL, last_error = :error,
  updated_at = :now
WHERE job_id = :job_id AND status = 'running' AND owner = :owner;

-- name: hold_line
UPDATE jobs SET run_after = :until
WHERE status = 'pending' AND kind = :kind AND job_id > :job_id AND run_after < :until;

-- name: line_waits_until
SELECT max(run_after) FROM jobs
WHERE status = 'pending' AND run_after > :now AND kind = :kind AND attempts + snoozes < :max_attempts;

-- name: attempt_failed
UPDATE jobs SET status = CASE WHEN attempts + 1 >= :max_attempts THEN 'quarantined' ELSE 'pending' END,
  attempts = attempts + 1, run_after = :run_after, owner = NULL, last_error = :error, raw_answer = :raw_answer,
  updated_at = :now, finished_at = CASE WHEN attempts + 1 >= :max_attempts THEN :now END
WHERE job_id = :job_id AND status = 'running' AND owner = :owner;

-- name: bury
UPDATE jobs SET status = 'dead', attempts = attempts + 1, owner = NULL, last_error = :error, updated_at = :now,
  finished_at = :now
WHERE job_id = :job_id AND status = 'running' AND owner = :owner;

-- name: release
UPDATE jobs SET status = 'pending', owner = NULL, updated_at = :now WHERE status = 'running' AND owner = :owner;

-- name: rescue
UPDATE jobs SET status = 'pending', owner = NULL, updated_at = :now
WHERE status = 'running' AND (owner IN (SELECT value FROM json_each(:gone)) OR beat_at < :stale_before);

-- name: owners
SELECT DISTINCT owner FROM jobs WHERE status = 'running';

-- name: requeue
UPDATE jobs SET status = 'pending', attempts = 0, run_after = :now, finished_at = NULL, updated_at = :now
WHERE job_id = :job_id AND status IN ('quarantined', 'dead')
  AND NOT EXISTS (SELECT 1 FROM jobs AS other WHERE other.key = jobs.key AND other.status IN ('pending', 'running'));

-- name: requeue_all
UPDATE jobs SET status = 'pending', attempts = 0, run_after = :now, finished_at = NULL, updated_at = :now
WHERE job_id IN (
  SELECT max(job_id) FROM jobs AS j WHERE status IN ('quarantined', 'dead')
    AND NOT EXISTS (SELECT 1 FROM jobs AS other WHERE other.key = j.key AND other.status IN ('pending', 'running'))
  GROUP BY key);

-- name: hasten
UPDATE jobs SET run_after = :now
WHERE status = 'pending' AND run_after > :later_than
  AND (:kinds IS NULL OR kind IN (SELECT value FROM json_each(:kinds)));

-- name: next_due
SELECT min(run_after) FROM jobs WHERE status = 'pending';

-- name: stats
SELECT
  (SELECT count(*) FROM jobs WHERE status = 'pending') AS pending_count,
  (SELECT count(*) FROM jobs WHERE status = 'pending' AND run_after <= :now) AS due_pending_count,
  (SELECT count(*) FROM jobs WHERE status = 'running') AS running_count,
  (SELECT count(*) FROM jobs WHERE status = 'running' AND beat_at < :stale_before) AS stale_running_count,
  (SELECT count(*) FROM jobs WHERE status = 'done') AS done_count,
  (SELECT count(*) FROM jobs WHERE status IN ('quarantined', 'dead')) AS failed_count;

-- name: listed
SELECT * FROM jobs
WHERE (:status IS NULL OR status = :status) AND (:kind IS NULL OR kind = :kind)
  AND job_id < coalesce(:before, 9223372036854775807)
ORDER BY job_id DESC LIMIT :limit;

-- name: of_event
SELECT * FROM jobs WHERE json_extract(payload_json, '$.event_id') = :event_id ORDER BY job_id;

-- name: under_way
SELECT count(*) FROM jobs WHERE kind = :kind AND status IN ('pending', 'running');

-- name: first_unlearned
SELECT min(json_extract(payload_json, '$.event_id')) FROM jobs
WHERE kind IN ('generate_write_plan', 'apply_write_plan') AND status IN ('pending', 'running');

-- name: unfinished
SELECT count(*) FROM jobs WHERE status IN ('pending', 'running');
