-- What is due next, read before every reply: in order out of an index, however many tasks there are.

CREATE INDEX state_due ON state (json_extract(payload_json, '$.due_ts'))
  WHERE kind = 'task' AND searchable = 1 AND valid_to_ts IS NULL;
