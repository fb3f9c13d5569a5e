-- Turns that came through another client: which messages of it they are, and whether they stand.

CREATE TABLE client_turns (
  event_id INTEGER PRIMARY KEY REFERENCES events (event_id),
  client_id TEXT NOT NULL,
  conversation TEXT NOT NULL,
  message_id TEXT,
  parent_id TEXT,
  reply_id TEXT,
  standing TEXT NOT NULL DEFAULT 'current' CHECK (standing IN ('current', 'superseded', 'other_branch', 'doubtful')),
  edited_from INTEGER REFERENCES events (event_id)
) STRICT;
CREATE INDEX client_turns_by_conversation ON client_turns (conversation, event_id);
CREATE INDEX client_turns_by_client ON client_turns (client_id, event_id);
