-- name: get
SELECT value FROM meta WHERE key = :key;

-- name: beginning_with
SELECT key, value FROM meta WHERE substr(key, 1, length(:prefix)) = :prefix;

-- name: put
INSERT INTO meta (key, value) VALUES (:key, :value) ON CONFLICT (key) DO UPDATE SET value = excluded.value;
