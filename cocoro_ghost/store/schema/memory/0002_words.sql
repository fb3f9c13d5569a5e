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
