-- A long turn has beside its vector one for each of its passages: up to sixteen, numbered by their turn. Time, space
-- and whether it may be found are the turn's own, in `vec_items`.
CREATE TABLE vec_passages (
  item_id INTEGER PRIMARY KEY,
  event_id INTEGER NOT NULL,
  vector BLOB NOT NULL,
  CHECK (item_id BETWEEN 40000000000 + event_id * 16 AND 40000000015 + event_id * 16)
) STRICT;

-- Passages belong to the words their turn's vector was made of: made anew or removed, it takes them along, whoever does it.
CREATE TRIGGER passages_go_with_vectors AFTER UPDATE OF vector ON vec_items WHEN OLD.kind = 1
BEGIN
  DELETE FROM vec_passages WHERE item_id BETWEEN 40000000000 + OLD.entity_id * 16 AND 40000000015 + OLD.entity_id * 16;
END;

CREATE TRIGGER passages_go_with_rows AFTER DELETE ON vec_items WHEN OLD.kind = 1
BEGIN
  DELETE FROM vec_passages WHERE item_id BETWEEN 40000000000 + OLD.entity_id * 16 AND 40000000015 + OLD.entity_id * 16;
END;
