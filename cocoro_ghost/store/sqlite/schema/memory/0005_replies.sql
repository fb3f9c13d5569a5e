-- A turn that a failing model left without words may be answered later: nothing that was said changes by it.

DROP TRIGGER events_keep_what_was_said;
CREATE TRIGGER events_keep_what_was_said BEFORE UPDATE OF assistant_text ON events
WHEN OLD.status <> 'open' AND OLD.assistant_text IS NOT NULL AND OLD.assistant_text IS NOT NEW.assistant_text
  AND NOT EXISTS (
    SELECT 1 FROM reply_revisions WHERE event_id = OLD.event_id AND assistant_text IS OLD.assistant_text)
BEGIN SELECT RAISE(ABORT, 'events are append-only: keep the old reply in reply_revisions first'); END;

-- "Was this change taken back?" is asked for every revision that is shown.
CREATE INDEX revisions_undoing ON revisions (undoes) WHERE undoes IS NOT NULL;
