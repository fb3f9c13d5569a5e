-- Vectors follow the things they are derived from: hidden with them, dated with them, gone with them.
-- `seq` rises with every change, so that an open VectorIndex learns of it.

CREATE TRIGGER vectors_hide_with_events AFTER UPDATE OF searchable ON events
WHEN OLD.searchable IS NOT NEW.searchable
BEGIN
  UPDATE vec_items SET searchable = NEW.searchable, seq = (SELECT max(seq) + 1 FROM vec_items)
  WHERE item_id = 10000000000 + NEW.event_id AND vector IS NOT NULL;
END;

CREATE TRIGGER vectors_follow_states AFTER UPDATE OF searchable, last_confirmed_at ON state
WHEN OLD.searchable IS NOT NEW.searchable OR OLD.last_confirmed_at IS NOT NEW.last_confirmed_at
BEGIN
  UPDATE vec_items SET searchable = NEW.searchable, ts = NEW.last_confirmed_at,
    seq = (SELECT max(seq) + 1 FROM vec_items)
  WHERE item_id = 20000000000 + NEW.state_id AND vector IS NOT NULL;
END;

CREATE TRIGGER vectors_hide_with_affects AFTER UPDATE OF searchable ON event_affects
WHEN OLD.searchable IS NOT NEW.searchable
BEGIN
  UPDATE vec_items SET searchable = NEW.searchable, seq = (SELECT max(seq) + 1 FROM vec_items)
  WHERE item_id = 30000000000 + NEW.id AND vector IS NOT NULL;
END;

CREATE TRIGGER vectors_go_with_states AFTER DELETE ON state
BEGIN
  UPDATE vec_items SET vector = NULL, searchable = 0, seq = (SELECT max(seq) + 1 FROM vec_items)
  WHERE item_id = 20000000000 + OLD.state_id AND vector IS NOT NULL;
END;

CREATE TRIGGER vectors_go_with_affects AFTER DELETE ON event_affects
BEGIN
  UPDATE vec_items SET vector = NULL, searchable = 0, seq = (SELECT max(seq) + 1 FROM vec_items)
  WHERE item_id = 30000000000 + OLD.id AND vector IS NOT NULL;
END;

-- The count of a space is kept here, so that no way of writing can forget it.
CREATE TRIGGER vectors_are_counted_in AFTER INSERT ON vec_items WHEN NEW.vector IS NOT NULL
BEGIN UPDATE vec_spaces SET items = items + 1 WHERE space = NEW.space; END;

CREATE TRIGGER vectors_are_recounted AFTER UPDATE OF vector, space ON vec_items
WHEN OLD.space IS NOT NEW.space OR (OLD.vector IS NULL) <> (NEW.vector IS NULL)
BEGIN
  UPDATE vec_spaces SET items = items - 1 WHERE space = OLD.space AND OLD.vector IS NOT NULL;
  UPDATE vec_spaces SET items = items + 1 WHERE space = NEW.space AND NEW.vector IS NOT NULL;
END;

CREATE TRIGGER vectors_are_counted_out AFTER DELETE ON vec_items WHEN OLD.vector IS NOT NULL
BEGIN UPDATE vec_spaces SET items = items - 1 WHERE space = OLD.space; END;
