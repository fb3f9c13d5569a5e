-- The word index. Derived from events and state: it may be dropped and made again at any time.
-- Texts come in already cut into terms (language/grams.py), so the tokenizer only splits at spaces.

-- What ranking needs of an event: its telling terms (user, reply, images: one line each), its length in words,
-- and which turns stand before and after it in the same talk.
CREATE TABLE word_rows (
  event_id INTEGER PRIMARY KEY,
  terms TEXT NOT NULL,
  size INTEGER NOT NULL,
  before_id INTEGER,
  after_id INTEGER
) STRICT;

CREATE VIRTUAL TABLE event_words USING fts5(own, near, content='', contentless_delete=1, tokenize='ascii');
CREATE VIRTUAL TABLE event_word_counts USING fts5vocab(event_words, 'row');

CREATE VIRTUAL TABLE state_words USING fts5(own, content='', contentless_delete=1, tokenize='ascii');
CREATE VIRTUAL TABLE state_word_counts USING fts5vocab(state_words, 'row');

-- What was written or changed and is not in the index yet. Whoever writes a text indexes it in the same
-- transaction (words.index_event, words.index_state); what is forgotten there waits here for words.catch_up.
CREATE TABLE word_pending (
  what TEXT NOT NULL CHECK (what IN ('event', 'state')),
  id INTEGER NOT NULL,
  PRIMARY KEY (what, id)
) STRICT, WITHOUT ROWID;
INSERT INTO word_pending (what, id) SELECT 'event', event_id FROM events;
INSERT INTO word_pending (what, id) SELECT 'state', state_id FROM state;

CREATE TRIGGER events_wait_for_words AFTER INSERT ON events
BEGIN INSERT OR IGNORE INTO word_pending (what, id) VALUES ('event', NEW.event_id); END;
CREATE TRIGGER changed_events_wait_for_words AFTER UPDATE OF assistant_text, image_summaries_json ON events
WHEN OLD.assistant_text IS NOT NEW.assistant_text OR OLD.image_summaries_json IS NOT NEW.image_summaries_json
BEGIN INSERT OR IGNORE INTO word_pending (what, id) VALUES ('event', NEW.event_id); END;
CREATE TRIGGER states_wait_for_words AFTER INSERT ON state
BEGIN INSERT OR IGNORE INTO word_pending (what, id) VALUES ('state', NEW.state_id); END;
CREATE TRIGGER changed_states_wait_for_words AFTER UPDATE OF body_text ON state
WHEN OLD.body_text IS NOT NEW.body_text
BEGIN INSERT OR IGNORE INTO word_pending (what, id) VALUES ('state', NEW.state_id); END;
CREATE TRIGGER deleted_states_leave_words AFTER DELETE ON state
BEGIN
  DELETE FROM state_words WHERE rowid = OLD.state_id;
  DELETE FROM word_pending WHERE what = 'state' AND id = OLD.state_id;
END;

-- Which closed states held in a period, and which open ones have an end: without looking at all of them.
CREATE INDEX state_by_end ON state (valid_to_ts) WHERE valid_to_ts IS NOT NULL;
