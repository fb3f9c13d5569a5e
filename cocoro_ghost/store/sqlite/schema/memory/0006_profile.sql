-- Who someone is, read before every reply: in order out of an index, however many states there are.

CREATE INDEX state_profile ON state (
  pin DESC, (json_extract(payload_json, '$.slot') IS NULL), (salience + confidence) DESC, last_confirmed_at DESC)
  WHERE kind NOT IN ('task', 'summary', 'long_mood_state') AND searchable = 1 AND valid_to_ts IS NULL;
