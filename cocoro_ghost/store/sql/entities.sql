-- name: clear_event
DELETE FROM event_entities WHERE event_id = :owner_id;

-- name: add_event
INSERT INTO event_entities (event_id, entity_type_norm, entity_name_raw, entity_name_norm, confidence, created_at)
VALUES (:owner_id, :type, :raw, :norm, :confidence, :now)
ON CONFLICT DO NOTHING;

-- name: clear_state
DELETE FROM state_entities WHERE state_id = :owner_id;

-- name: add_state
INSERT INTO state_entities (state_id, entity_type_norm, entity_name_raw, entity_name_norm, confidence, created_at)
VALUES (:owner_id, :type, :raw, :norm, :confidence, :now)
ON CONFLICT DO NOTHING;

-- name: put_alias
INSERT INTO entity_aliases (entity_type_norm, alias_norm, name_norm, created_at)
VALUES (:type, :alias, :name, :now)
ON CONFLICT (entity_type_norm, alias_norm) DO UPDATE SET name_norm = excluded.name_norm;

-- name: canonical
SELECT name_norm FROM entity_aliases WHERE entity_type_norm = :type AND alias_norm = :alias;

-- name: aliases
SELECT entity_type_norm, alias_norm, name_norm, created_at FROM entity_aliases ORDER BY 1, 2;

-- name: known_names
SELECT entity_type_norm AS type, entity_name_norm AS norm, max(entity_name_raw) AS raw, count(*) AS n FROM (
  SELECT entity_type_norm, entity_name_norm, entity_name_raw FROM event_entities
  UNION ALL SELECT entity_type_norm, entity_name_norm, entity_name_raw FROM state_entities)
GROUP BY 1, 2 ORDER BY n DESC, 1, 2 LIMIT :limit;

-- name: matching
SELECT DISTINCT entity_type_norm AS type, entity_name_norm AS norm FROM (
  SELECT entity_type_norm, entity_name_norm FROM event_entities
  WHERE entity_name_norm IN (SELECT value FROM json_each(:names))
  UNION SELECT entity_type_norm, entity_name_norm FROM state_entities
  WHERE entity_name_norm IN (SELECT value FROM json_each(:names))
  UNION SELECT entity_type_norm, name_norm FROM entity_aliases
  WHERE alias_norm IN (SELECT value FROM json_each(:names)));

-- name: events_of
-- Each name by itself, in index order.
SELECT ee.entity_type_norm, ee.entity_name_norm, ee.event_id, ee.confidence
FROM json_each(:types) AS types JOIN json_each(:norms) AS norms ON norms.key = types.key
JOIN event_entities AS ee ON ee.id IN (
  SELECT one.id FROM event_entities AS one JOIN events AS e ON e.event_id = one.event_id
  WHERE one.entity_name_norm = norms.value AND one.entity_type_norm = types.value AND one.confidence >= :floor
    AND e.searchable = 1
  ORDER BY one.event_id DESC LIMIT :limit)
ORDER BY ee.event_id DESC, ee.id DESC;

-- name: states_of
SELECT se.state_id, se.confidence FROM state_entities AS se JOIN state AS s USING (state_id)
WHERE se.entity_name_norm = :norm AND se.entity_type_norm = :type AND se.confidence >= :floor AND s.searchable = 1
ORDER BY s.last_confirmed_at DESC, se.state_id DESC LIMIT :limit;

-- name: of_events
SELECT entity_type_norm AS type, entity_name_norm AS norm, max(confidence) AS confidence, count(*) AS n
FROM event_entities WHERE event_id IN (SELECT value FROM json_each(:ids)) AND confidence >= :floor
GROUP BY 1, 2 ORDER BY n DESC, confidence DESC, 1, 2 LIMIT :limit;

-- name: of_states
SELECT entity_type_norm AS type, entity_name_norm AS norm, max(confidence) AS confidence, count(*) AS n
FROM state_entities WHERE state_id IN (SELECT value FROM json_each(:ids)) AND confidence >= :floor
GROUP BY 1, 2 ORDER BY n DESC, confidence DESC, 1, 2 LIMIT :limit;

-- name: newest_states_of
SELECT se.state_id FROM state_entities AS se
WHERE se.entity_name_norm = :norm AND se.entity_type_norm = :type
ORDER BY se.state_id DESC LIMIT :limit;

-- name: remove_alias
DELETE FROM entity_aliases WHERE entity_type_norm = :type AND alias_norm = :alias AND name_norm = :name;

-- name: persons_since
SELECT ee.entity_name_norm AS norm, max(ee.entity_name_raw) AS raw, count(*) AS n
FROM event_entities AS ee JOIN events AS e USING (event_id)
WHERE ee.event_id > :after AND ee.entity_type_norm = 'person' AND e.source = 'chat' AND e.searchable = 1
GROUP BY 1 HAVING count(*) >= :at_least ORDER BY n DESC, norm LIMIT :limit;
