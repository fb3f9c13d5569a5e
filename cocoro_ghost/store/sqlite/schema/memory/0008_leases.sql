-- Who has what in hand, and when its heart beat last (system time): see store/leases.py.
CREATE TABLE leases (
  what TEXT PRIMARY KEY,
  holder TEXT NOT NULL,
  beat_at INTEGER NOT NULL
) STRICT;
CREATE INDEX leases_by_holder ON leases (holder);

-- How many vectors there are, and which were removed: without looking at every row with its vector in it.
CREATE INDEX vec_items_present ON vec_items (kind) WHERE vector IS NOT NULL;
CREATE INDEX vec_items_gone ON vec_items (seq) WHERE vector IS NULL;
