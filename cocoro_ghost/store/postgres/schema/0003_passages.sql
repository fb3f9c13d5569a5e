-- A long turn has beside its vector one for each of its passages (store/sqlite/schema/memory/0012_passages.sql).
CREATE TABLE vec_passages (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  item_id bigint NOT NULL,
  event_id bigint NOT NULL,
  vector halfvec NOT NULL,
  PRIMARY KEY (ghost_id, item_id),
  CHECK (item_id BETWEEN 40000000000 + event_id * 16 AND 40000000015 + event_id * 16)
);

-- Passages belong to the words their turn's vector was made of: made anew or removed, it takes them along. A server that
-- knows nothing of passages yet does so, too.
CREATE FUNCTION passages_go() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM vec_passages
  WHERE item_id BETWEEN 40000000000 + OLD.entity_id * 16 AND 40000000015 + OLD.entity_id * 16;
  RETURN NULL;
END $$;
CREATE TRIGGER passages_go_with_vectors AFTER UPDATE OF vector ON vec_items FOR EACH ROW
  WHEN (OLD.kind = 1) EXECUTE FUNCTION passages_go();
CREATE TRIGGER passages_go_with_rows AFTER DELETE ON vec_items FOR EACH ROW
  WHEN (OLD.kind = 1) EXECUTE FUNCTION passages_go();

ALTER TABLE vec_passages ENABLE ROW LEVEL SECURITY;
ALTER TABLE vec_passages FORCE ROW LEVEL SECURITY;
CREATE POLICY one_ghost ON vec_passages TO ghost_app USING (ghost_id = current_setting('ghost.id')::bigint);
CREATE POLICY erased ON vec_passages TO ghost_admin USING (ghost_id = current_setting('ghost.id')::bigint);
GRANT SELECT, INSERT, UPDATE, DELETE ON vec_passages TO ghost_app, ghost_admin;
