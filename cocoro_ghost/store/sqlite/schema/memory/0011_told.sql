-- What is due next and what was told, both read before every reply: out of an index, whatever there is beside it.

-- The kind stands in it, for without it the planner walks all open tasks by `state_active` and sorts them.
DROP INDEX state_due;
CREATE INDEX state_due ON state (kind, json_extract(payload_json, '$.due_ts'))
  WHERE kind = 'task' AND searchable = 1 AND valid_to_ts IS NULL;

CREATE INDEX state_told ON state (
  (json_extract(payload_json, '$.slot') IS NULL), (valid_to_ts IS NOT NULL), last_confirmed_at DESC, state_id DESC)
  WHERE kind NOT IN ('summary', 'long_mood_state') AND searchable = 1;
