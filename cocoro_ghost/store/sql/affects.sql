-- name: put
INSERT INTO event_affects (event_id, created_at, moment_affect_text, moment_affect_labels_json, inner_thought_text,
  vad_v, vad_a, vad_d, confidence)
VALUES (:event_id, :created_at, :text, :labels_json, :inner_thought, :v, :a, :d, :confidence)
ON CONFLICT (event_id) DO UPDATE SET moment_affect_text = excluded.moment_affect_text,
  moment_affect_labels_json = excluded.moment_affect_labels_json, inner_thought_text = excluded.inner_thought_text,
  vad_v = excluded.vad_v, vad_a = excluded.vad_a, vad_d = excluded.vad_d, confidence = excluded.confidence;

-- name: of_event
SELECT * FROM event_affects WHERE event_id = :event_id;

-- name: get
SELECT * FROM event_affects WHERE id = :id;

-- name: by_ids
SELECT event_affects.* FROM json_each(:ids) AS wanted JOIN event_affects ON event_affects.id = wanted.value;

-- name: newest
SELECT * FROM event_affects WHERE id < coalesce(:before, 9223372036854775807) ORDER BY id DESC LIMIT :limit;

-- name: between
SELECT * FROM event_affects WHERE created_at BETWEEN :start_ts AND :end_ts ORDER BY created_at, id;

-- name: set_searchable
UPDATE event_affects SET searchable = :searchable WHERE id = :id;

-- name: valences
SELECT vad_v FROM event_affects WHERE event_id IN (SELECT value FROM json_each(:ids)) ORDER BY event_id;
