-- Small copies of pictures that were shown, where the owner lets them be kept; at most five a turn.

CREATE TABLE event_thumbnails (
  event_id INTEGER NOT NULL REFERENCES events (event_id),
  place INTEGER NOT NULL CHECK (place BETWEEN 0 AND 4),
  picture TEXT NOT NULL,
  PRIMARY KEY (event_id, place)
) STRICT, WITHOUT ROWID;

-- A forgotten turn keeps no picture.
CREATE TRIGGER thumbnails_are_forgotten AFTER UPDATE OF forgotten_at ON events WHEN NEW.forgotten_at IS NOT NULL
BEGIN DELETE FROM event_thumbnails WHERE event_id = NEW.event_id; END;
