-- name: events_of
SELECT wanted.type AS entity_type_norm, wanted.norm AS entity_name_norm, ee.event_id, ee.confidence
FROM unnest(:types, :norms) AS wanted(type, norm)
CROSS JOIN LATERAL (
  SELECT one.id, one.event_id, one.confidence
  FROM event_entities AS one JOIN events AS e ON e.event_id = one.event_id
  WHERE one.entity_name_norm = wanted.norm AND one.entity_type_norm = wanted.type AND one.confidence >= :floor
    AND e.searchable = 1
  ORDER BY one.event_id DESC LIMIT :limit) AS ee
ORDER BY ee.event_id DESC, ee.id DESC;
