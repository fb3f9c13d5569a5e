-- name: summary_of_scope
SELECT state.* FROM unnest(:types, :keys) AS scopes(type, key)
JOIN state ON state.scope_type = scopes.type AND state.scope_key = scopes.key
WHERE state.kind = 'summary' AND state.valid_to_ts IS NULL;
