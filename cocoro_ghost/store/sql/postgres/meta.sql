-- name: put
INSERT INTO meta (key, value) VALUES (:key, :value)
ON CONFLICT (ghost_id, part, key) DO UPDATE SET value = excluded.value;
