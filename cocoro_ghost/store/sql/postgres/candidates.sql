-- name: states_named
-- Both lists in one step, then each name by itself: joined by hand, the planner asks for every pair of the two.
SELECT wanted.type AS entity_type_norm, wanted.norm AS entity_name_norm, se.state_id, se.confidence
FROM unnest(:types, :norms) AS wanted(type, norm)
CROSS JOIN LATERAL (
  SELECT one.id, one.state_id, one.confidence
  FROM state_entities AS one JOIN state AS s ON s.state_id = one.state_id
  WHERE one.entity_name_norm = wanted.norm AND one.entity_type_norm = wanted.type AND one.confidence >= :floor
    AND s.searchable = 1 AND (s.valid_to_ts IS NULL OR s.valid_to_ts > :now)
  ORDER BY one.state_id DESC LIMIT :limit) AS se
ORDER BY se.state_id DESC, se.id DESC;
