-- name: all
SELECT * FROM clients ORDER BY revoked_at IS NOT NULL, created_at DESC, client_id;

-- name: get
SELECT * FROM clients WHERE client_id = :client_id;

-- name: by_token
SELECT * FROM clients WHERE token_hash = :token_hash AND revoked_at IS NULL;

-- name: add
INSERT INTO clients (client_id, name, token_hash, scopes_json, speaks_for_others, emotion_tags, system_rule,
  history_rule, tools, owner_user, created_at)
VALUES (:client_id, :name, :token_hash, :scopes_json, :speaks_for_others, :emotion_tags, :system_rule,
  :history_rule, :tools, :owner_user, :now);

-- name: change
UPDATE clients SET name = :name, scopes_json = :scopes_json, speaks_for_others = :speaks_for_others,
  emotion_tags = :emotion_tags, system_rule = :system_rule, history_rule = :history_rule,
  tools = :tools, owner_user = :owner_user
WHERE client_id = :client_id;

-- name: rotate
UPDATE clients SET token_hash = :token_hash WHERE client_id = :client_id AND revoked_at IS NULL;

-- name: revoke
UPDATE clients SET revoked_at = :now WHERE client_id = :client_id AND revoked_at IS NULL;

-- name: used
UPDATE clients SET last_used_at = :now WHERE client_id = :client_id;

-- name: offer_tags
UPDATE clients SET offered_tags = :tags WHERE client_id = :client_id;

-- name: note_access
INSERT INTO client_accesses (client_id, at, scope, call) VALUES (:client_id, :now, :scope, :call);

-- name: drop_old_accesses
DELETE FROM client_accesses WHERE access_id <= :up_to;

-- name: accesses
SELECT at, scope, call FROM client_accesses WHERE client_id = :client_id ORDER BY access_id DESC LIMIT :limit;
