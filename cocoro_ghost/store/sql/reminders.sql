-- name: all
SELECT * FROM reminders ORDER BY (next_fire_at IS NULL), next_fire_at, created_at, reminder_id;

-- name: get
SELECT * FROM reminders WHERE reminder_id = :reminder_id;

-- name: put
INSERT INTO reminders (reminder_id, enabled, repeat_kind, content, scheduled_at, time_of_day, weekdays_json,
  next_fire_at, confirmed, source_event_id, created_at, updated_at)
VALUES (:reminder_id, :enabled, :repeat_kind, :content, :scheduled_at, :time_of_day, :weekdays_json,
  :next_fire_at, :confirmed, :source_event_id, :now, :now)
ON CONFLICT (reminder_id) DO UPDATE SET enabled = excluded.enabled, repeat_kind = excluded.repeat_kind,
  content = excluded.content, scheduled_at = excluded.scheduled_at, time_of_day = excluded.time_of_day,
  weekdays_json = excluded.weekdays_json, next_fire_at = excluded.next_fire_at, confirmed = excluded.confirmed,
  updated_at = excluded.updated_at;

-- name: remove
DELETE FROM reminders WHERE reminder_id = :reminder_id;

-- name: due
SELECT * FROM reminders
WHERE enabled = 1 AND confirmed = 1 AND next_fire_at <= :now ORDER BY next_fire_at, created_at, reminder_id LIMIT :limit;

-- name: next_due
SELECT min(next_fire_at) FROM reminders WHERE enabled = 1 AND confirmed = 1;

-- name: add_firing
INSERT INTO firings (reminder_id, due_at, status, updated_at) VALUES (:reminder_id, :due_at, :status, :now)
ON CONFLICT (reminder_id, due_at) DO NOTHING;

-- name: mark_firing
UPDATE firings SET status = :status, event_id = :event_id, updated_at = :now
WHERE reminder_id = :reminder_id AND due_at = :due_at;

-- name: unspoken
SELECT * FROM firings WHERE status = 'due' ORDER BY due_at, reminder_id;

-- name: firings_of
SELECT * FROM firings WHERE reminder_id = :reminder_id ORDER BY due_at;

-- name: fired_after
SELECT DISTINCT reminder_id FROM firings WHERE due_at > :now;

-- name: drop_firings_after
DELETE FROM firings WHERE due_at > :now;
