-- What a client may do beside talking, who the owner is there, which dialect it seems to speak; and what it read.

ALTER TABLE clients ADD COLUMN tools INTEGER NOT NULL DEFAULT 0;
ALTER TABLE clients ADD COLUMN owner_user TEXT;
ALTER TABLE clients ADD COLUMN offered_tags TEXT;

CREATE TABLE client_accesses (
  access_id INTEGER PRIMARY KEY AUTOINCREMENT,
  client_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  scope TEXT NOT NULL,
  call TEXT NOT NULL
) STRICT;
CREATE INDEX client_accesses_by_client ON client_accesses (client_id, access_id);
