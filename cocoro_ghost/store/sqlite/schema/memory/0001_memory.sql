-- The memory of one ghost: an append-only log, the state grown from it, and why each change was made.
-- Times are UTC seconds. Numbered files are never edited after a release; a change is a new file.

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE events (
  event_id INTEGER PRIMARY KEY AUTOINCREMENT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  searchable INTEGER NOT NULL DEFAULT 1 CHECK (searchable IN (0, 1)),
  status TEXT NOT NULL DEFAULT 'done' CHECK (status IN ('open', 'done', 'interrupted')),
  conversation TEXT NOT NULL DEFAULT 'main',
  client_id TEXT,
  source TEXT NOT NULL CHECK (source IN ('chat', 'notification', 'reminder', 'desktop_watch', 'meta_proactive', 'vision_detail', 'import', 'lorebook')),
  origin TEXT NOT NULL CHECK (origin IN ('user', 'ghost', 'app', 'screen', 'import')),
  speaker TEXT,
  user_text TEXT,
  assistant_text TEXT,
  image_summaries_json TEXT CHECK (image_summaries_json IS NULL OR json_array_length(image_summaries_json) <= 5),
  about_start_ts INTEGER,
  about_end_ts INTEGER,
  about_year_start INTEGER,
  about_year_end INTEGER,
  life_stage TEXT CHECK (life_stage IN ('elementary', 'middle', 'high', 'university', 'work', 'unknown')),
  about_time_confidence REAL CHECK (about_time_confidence BETWEEN 0.0 AND 1.0),
  entities_json TEXT NOT NULL DEFAULT '[]',
  client_context_json TEXT,
  annotated_at INTEGER,
  forgotten_at INTEGER,
  external_key TEXT UNIQUE
) STRICT;
CREATE INDEX events_by_time ON events (created_at);
CREATE INDEX events_by_conversation ON events (conversation, source, event_id);
CREATE INDEX events_by_source ON events (source, event_id);
CREATE INDEX events_by_client ON events (client_id, event_id) WHERE client_id IS NOT NULL;
CREATE INDEX events_by_about ON events (about_start_ts, about_end_ts) WHERE about_start_ts IS NOT NULL;
CREATE INDEX events_by_year ON events (about_year_start, about_year_end) WHERE about_year_start IS NOT NULL;
CREATE INDEX events_by_life_stage ON events (life_stage) WHERE life_stage IS NOT NULL;
CREATE INDEX events_open ON events (status) WHERE status = 'open';

CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events
BEGIN SELECT RAISE(ABORT, 'events are append-only: they are never deleted'); END;

CREATE TRIGGER events_keep_what_was_heard BEFORE UPDATE ON events
WHEN OLD.event_id IS NOT NEW.event_id OR OLD.created_at IS NOT NEW.created_at
  OR OLD.source IS NOT NEW.source OR OLD.origin IS NOT NEW.origin OR OLD.speaker IS NOT NEW.speaker
  OR OLD.conversation IS NOT NEW.conversation OR OLD.client_id IS NOT NEW.client_id
  OR OLD.user_text IS NOT NEW.user_text OR OLD.client_context_json IS NOT NEW.client_context_json
  OR OLD.external_key IS NOT NEW.external_key
  OR (OLD.image_summaries_json IS NOT NEW.image_summaries_json AND OLD.status <> 'open')
BEGIN SELECT RAISE(ABORT, 'events are append-only: what was heard cannot be changed'); END;

CREATE TRIGGER events_keep_what_was_said BEFORE UPDATE OF assistant_text ON events
WHEN OLD.status <> 'open' AND OLD.assistant_text IS NOT NEW.assistant_text AND NOT EXISTS (
  SELECT 1 FROM reply_revisions WHERE event_id = OLD.event_id AND assistant_text IS OLD.assistant_text)
BEGIN SELECT RAISE(ABORT, 'events are append-only: keep the old reply in reply_revisions first'); END;

CREATE TRIGGER events_do_not_reopen BEFORE UPDATE OF status ON events
WHEN OLD.status <> 'open' AND NEW.status = 'open'
BEGIN SELECT RAISE(ABORT, 'events are append-only: a closed turn does not reopen'); END;

-- Replies that a regeneration replaced; the newest stands in events.assistant_text.
CREATE TABLE reply_revisions (
  reply_revision_id INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id INTEGER NOT NULL REFERENCES events (event_id),
  assistant_text TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX reply_revisions_by_event ON reply_revisions (event_id);

CREATE TABLE event_entities (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id INTEGER NOT NULL REFERENCES events (event_id) ON DELETE CASCADE,
  entity_type_norm TEXT NOT NULL CHECK (entity_type_norm IN ('person', 'org', 'place', 'project', 'tool')),
  entity_name_raw TEXT NOT NULL,
  entity_name_norm TEXT NOT NULL,
  confidence REAL NOT NULL CHECK (confidence BETWEEN 0.0 AND 1.0),
  created_at INTEGER NOT NULL,
  UNIQUE (event_id, entity_type_norm, entity_name_norm)
) STRICT;
CREATE INDEX event_entities_by_name ON event_entities (entity_name_norm, entity_type_norm, event_id);

CREATE TABLE event_assistant_summaries (
  event_id INTEGER PRIMARY KEY REFERENCES events (event_id),
  summary_text TEXT NOT NULL,
  event_updated_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE event_threads (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id INTEGER NOT NULL REFERENCES events (event_id),
  thread_key TEXT NOT NULL,
  confidence REAL NOT NULL CHECK (confidence BETWEEN 0.0 AND 1.0),
  evidence_json TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL,
  UNIQUE (event_id, thread_key)
) STRICT;
CREATE INDEX event_threads_by_key ON event_threads (thread_key, event_id);

CREATE TABLE event_links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  from_event_id INTEGER NOT NULL REFERENCES events (event_id),
  to_event_id INTEGER NOT NULL REFERENCES events (event_id),
  label TEXT NOT NULL CHECK (label IN ('reply_to', 'same_topic', 'caused_by', 'continuation')),
  confidence REAL NOT NULL CHECK (confidence BETWEEN 0.0 AND 1.0),
  evidence_json TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL,
  CHECK (from_event_id <> to_event_id),
  UNIQUE (from_event_id, to_event_id, label)
) STRICT;
CREATE INDEX event_links_back ON event_links (to_event_id, label);

CREATE TABLE state (
  state_id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('fact', 'relation', 'task', 'summary', 'long_mood_state')),
  body_text TEXT NOT NULL,
  body_key TEXT NOT NULL,
  payload_json TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(payload_json)),
  confidence REAL NOT NULL CHECK (confidence BETWEEN 0.0 AND 1.0),
  salience REAL NOT NULL DEFAULT 0.5 CHECK (salience BETWEEN 0.0 AND 1.0),
  pin INTEGER NOT NULL DEFAULT 0 CHECK (pin IN (0, 1)),
  searchable INTEGER NOT NULL DEFAULT 1 CHECK (searchable IN (0, 1)),
  valid_from_ts INTEGER,
  valid_to_ts INTEGER,
  last_confirmed_at INTEGER NOT NULL,
  entities_json TEXT NOT NULL DEFAULT '[]',
  evidence_json TEXT NOT NULL DEFAULT '[]',
  origin TEXT NOT NULL DEFAULT 'user',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX state_active ON state (kind, last_confirmed_at) WHERE valid_to_ts IS NULL;
CREATE INDEX state_by_confirmation ON state (last_confirmed_at);
CREATE INDEX state_by_body ON state (kind, body_key);
CREATE UNIQUE INDEX state_one_long_mood ON state (kind) WHERE kind = 'long_mood_state' AND valid_to_ts IS NULL;
CREATE UNIQUE INDEX state_one_summary_a_scope
  ON state (json_extract(payload_json, '$.scope.type'), json_extract(payload_json, '$.scope.key'))
  WHERE kind = 'summary' AND valid_to_ts IS NULL AND json_extract(payload_json, '$.scope.key') IS NOT NULL;

CREATE TABLE state_entities (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  state_id INTEGER NOT NULL REFERENCES state (state_id) ON DELETE CASCADE,
  entity_type_norm TEXT NOT NULL CHECK (entity_type_norm IN ('person', 'org', 'place', 'project', 'tool')),
  entity_name_raw TEXT NOT NULL,
  entity_name_norm TEXT NOT NULL,
  confidence REAL NOT NULL CHECK (confidence BETWEEN 0.0 AND 1.0),
  created_at INTEGER NOT NULL,
  UNIQUE (state_id, entity_type_norm, entity_name_norm)
) STRICT;
CREATE INDEX state_entities_by_name ON state_entities (entity_name_norm, entity_type_norm, state_id);

CREATE TABLE entity_aliases (
  entity_type_norm TEXT NOT NULL CHECK (entity_type_norm IN ('person', 'org', 'place', 'project', 'tool')),
  alias_norm TEXT NOT NULL,
  name_norm TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (entity_type_norm, alias_norm)
) STRICT;

CREATE TABLE state_links (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  from_state_id INTEGER NOT NULL REFERENCES state (state_id) ON DELETE CASCADE,
  to_state_id INTEGER NOT NULL REFERENCES state (state_id) ON DELETE CASCADE,
  label TEXT NOT NULL CHECK (label IN ('relates_to', 'derived_from', 'supports', 'contradicts')),
  confidence REAL NOT NULL CHECK (confidence BETWEEN 0.0 AND 1.0),
  evidence_json TEXT NOT NULL DEFAULT '[]',
  created_at INTEGER NOT NULL,
  CHECK (from_state_id <> to_state_id),
  UNIQUE (from_state_id, to_state_id, label)
) STRICT;
CREATE INDEX state_links_back ON state_links (to_state_id);

CREATE TABLE user_preferences (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  domain TEXT NOT NULL CHECK (domain IN ('food', 'topic', 'style')),
  polarity TEXT NOT NULL CHECK (polarity IN ('like', 'dislike')),
  subject TEXT NOT NULL,
  subject_key TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('candidate', 'confirmed', 'revoked')),
  note TEXT,
  confidence REAL NOT NULL CHECK (confidence BETWEEN 0.0 AND 1.0),
  evidence_json TEXT NOT NULL DEFAULT '[]',
  first_seen_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  confirmed_at INTEGER,
  revoked_at INTEGER,
  UNIQUE (domain, subject_key, polarity)
) STRICT;
CREATE INDEX user_preferences_by_status ON user_preferences (status, domain);

CREATE TABLE event_affects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id INTEGER NOT NULL UNIQUE REFERENCES events (event_id),
  created_at INTEGER NOT NULL,
  moment_affect_text TEXT NOT NULL,
  moment_affect_labels_json TEXT NOT NULL DEFAULT '[]',
  inner_thought_text TEXT,
  vad_v REAL NOT NULL CHECK (vad_v BETWEEN -1.0 AND 1.0),
  vad_a REAL NOT NULL CHECK (vad_a BETWEEN -1.0 AND 1.0),
  vad_d REAL NOT NULL CHECK (vad_d BETWEEN -1.0 AND 1.0),
  confidence REAL NOT NULL CHECK (confidence BETWEEN 0.0 AND 1.0),
  searchable INTEGER NOT NULL DEFAULT 1 CHECK (searchable IN (0, 1))
) STRICT;
CREATE INDEX event_affects_by_time ON event_affects (created_at);

-- Written by the triggers at the end of this file and by nothing else.
CREATE TABLE revisions (
  revision_id INTEGER PRIMARY KEY AUTOINCREMENT,
  entity_type TEXT NOT NULL CHECK (entity_type IN ('state', 'event_links', 'event_threads', 'event_affects', 'user_preferences', 'state_links')),
  entity_id INTEGER NOT NULL,
  before_json TEXT,
  after_json TEXT,
  actor TEXT NOT NULL CHECK (actor IN ('grow', 'tidy', 'user', 'import', 'sync')),
  reason TEXT NOT NULL,
  evidence_event_ids_json TEXT NOT NULL DEFAULT '[]',
  job_id INTEGER,
  model TEXT,
  prompt_hash TEXT,
  undoes INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX revisions_by_entity ON revisions (entity_type, entity_id, revision_id);
CREATE TRIGGER revisions_are_never_deleted BEFORE DELETE ON revisions
BEGIN SELECT RAISE(ABORT, 'revisions are append-only'); END;
CREATE TRIGGER revisions_are_never_changed BEFORE UPDATE ON revisions
BEGIN SELECT RAISE(ABORT, 'revisions are append-only'); END;

-- Which events a revision rests on, for "what did this turn teach?" and for forgetting.
CREATE TABLE revision_evidence (
  event_id INTEGER NOT NULL,
  revision_id INTEGER NOT NULL REFERENCES revisions (revision_id),
  PRIMARY KEY (event_id, revision_id)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER revisions_index_evidence AFTER INSERT ON revisions
BEGIN
  INSERT OR IGNORE INTO revision_evidence (event_id, revision_id)
  SELECT value, NEW.revision_id FROM json_each(NEW.evidence_event_ids_json);
END;

-- Claims the user asked to forget: they do not come back by reading the same events again.
CREATE TABLE forgotten_claims (
  kind TEXT NOT NULL,
  claim_key TEXT NOT NULL,
  forgotten_at INTEGER NOT NULL,
  up_to_event_id INTEGER NOT NULL,
  PRIMARY KEY (kind, claim_key)
) STRICT;

CREATE TABLE write_plans (
  plan_id INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id INTEGER NOT NULL REFERENCES events (event_id),
  model TEXT NOT NULL,
  prompt_hash TEXT NOT NULL,
  plan_json TEXT NOT NULL,
  dropped_json TEXT NOT NULL DEFAULT '[]',
  shown_json TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  applied_at INTEGER
) STRICT;
CREATE INDEX write_plans_by_event ON write_plans (event_id);

CREATE TABLE retrieval_runs (
  run_id INTEGER PRIMARY KEY AUTOINCREMENT,
  event_id INTEGER REFERENCES events (event_id),
  created_at INTEGER NOT NULL,
  plan_json TEXT NOT NULL,
  candidates_json TEXT NOT NULL,
  selected_json TEXT NOT NULL,
  pack_json TEXT NOT NULL DEFAULT '{}',
  mark TEXT CHECK (mark IN ('good', 'bad'))
) STRICT;
CREATE INDEX retrieval_runs_by_event ON retrieval_runs (event_id);

-- Vectors are derived: `vector` is float16 little endian of unit length, NULL once removed.
CREATE TABLE vec_items (
  item_id INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL CHECK (kind IN (1, 2, 3)),
  entity_id INTEGER NOT NULL,
  space TEXT NOT NULL,
  dimension INTEGER NOT NULL,
  vector BLOB,
  ts INTEGER NOT NULL,
  searchable INTEGER NOT NULL DEFAULT 1,
  seq INTEGER NOT NULL,
  CHECK (item_id = kind * 10000000000 + entity_id)
) STRICT;
CREATE INDEX vec_items_by_seq ON vec_items (seq);
CREATE TABLE vec_spaces (
  space TEXT PRIMARY KEY,
  dimension INTEGER NOT NULL,
  mean BLOB,
  items INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE jobs (
  job_id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  payload_json TEXT NOT NULL DEFAULT '{}',
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'running', 'done', 'quarantined', 'dead')),
  run_after INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  snoozes INTEGER NOT NULL DEFAULT 0,
  owner TEXT,
  beat_at INTEGER,
  last_error TEXT,
  raw_answer TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
CREATE UNIQUE INDEX jobs_one_at_a_time ON jobs (key) WHERE status IN ('pending', 'running');
CREATE INDEX jobs_due ON jobs (status, run_after, job_id);
CREATE INDEX jobs_by_event ON jobs (json_extract(payload_json, '$.event_id'));

CREATE TABLE tidy_runs (
  tidy_run_id INTEGER PRIMARY KEY AUTOINCREMENT,
  started_at INTEGER NOT NULL,
  finished_at INTEGER NOT NULL,
  milliseconds INTEGER NOT NULL,
  trigger TEXT NOT NULL,
  counts_json TEXT NOT NULL
) STRICT;

-- Revisions: no write to grown memory passes without one. ghost_cause() fails when no cause was named.

CREATE TRIGGER state_insert_is_revised AFTER INSERT ON state
BEGIN
  INSERT INTO revisions (entity_type, entity_id, before_json, after_json, actor, reason, evidence_event_ids_json, job_id, model, prompt_hash, undoes, created_at)
  VALUES ('state', NEW.state_id,
    NULL,
    json_object('state_id', NEW.state_id, 'kind', NEW.kind, 'body_text', NEW.body_text, 'body_key', NEW.body_key, 'payload_json', NEW.payload_json, 'confidence', NEW.confidence, 'salience', NEW.salience, 'pin', NEW.pin, 'searchable', NEW.searchable, 'valid_from_ts', NEW.valid_from_ts, 'valid_to_ts', NEW.valid_to_ts, 'last_confirmed_at', NEW.last_confirmed_at, 'entities_json', NEW.entities_json, 'evidence_json', NEW.evidence_json, 'origin', NEW.origin, 'created_at', NEW.created_at, 'updated_at', NEW.updated_at),
    ghost_cause('actor'), ghost_cause('reason'), ghost_cause('evidence'), ghost_cause('job_id'),
    ghost_cause('model'), ghost_cause('prompt_hash'), ghost_cause('undoes'), ghost_now());
END;

CREATE TRIGGER state_update_is_revised AFTER UPDATE ON state
WHEN OLD.state_id IS NOT NEW.state_id OR OLD.kind IS NOT NEW.kind OR OLD.body_text IS NOT NEW.body_text OR
OLD.body_key IS NOT NEW.body_key OR OLD.payload_json IS NOT NEW.payload_json OR OLD.confidence IS NOT
NEW.confidence OR OLD.salience IS NOT NEW.salience OR OLD.pin IS NOT NEW.pin OR OLD.searchable IS NOT
NEW.searchable OR OLD.valid_from_ts IS NOT NEW.valid_from_ts OR OLD.valid_to_ts IS NOT NEW.valid_to_ts OR
OLD.last_confirmed_at IS NOT NEW.last_confirmed_at OR OLD.entities_json IS NOT NEW.entities_json OR
OLD.evidence_json IS NOT NEW.evidence_json OR OLD.origin IS NOT NEW.origin OR OLD.created_at IS NOT
NEW.created_at OR OLD.updated_at IS NOT NEW.updated_at
BEGIN
  INSERT INTO revisions (entity_type, entity_id, before_json, after_json, actor, reason, evidence_event_ids_json, job_id, model, prompt_hash, undoes, created_at)
  VALUES ('state', NEW.state_id,
    json_object('state_id', OLD.state_id, 'kind', OLD.kind, 'body_text', OLD.body_text, 'body_key', OLD.body_key, 'payload_json', OLD.payload_json, 'confidence', OLD.confidence, 'salience', OLD.salience, 'pin', OLD.pin, 'searchable', OLD.searchable, 'valid_from_ts', OLD.valid_from_ts, 'valid_to_ts', OLD.valid_to_ts, 'last_confirmed_at', OLD.last_confirmed_at, 'entities_json', OLD.entities_json, 'evidence_json', OLD.evidence_json, 'origin', OLD.origin, 'created_at', OLD.created_at, 'updated_at', OLD.updated_at),
    json_object('state_id', NEW.state_id, 'kind', NEW.kind, 'body_text', NEW.body_text, 'body_key', NEW.body_key, 'payload_json', NEW.payload_json, 'confidence', NEW.confidence, 'salience', NEW.salience, 'pin', NEW.pin, 'searchable', NEW.searchable, 'valid_from_ts', NEW.valid_from_ts, 'valid_to_ts', NEW.valid_to_ts, 'last_confirmed_at', NEW.last_confirmed_at, 'entities_json', NEW.entities_json, 'evidence_json', NEW.evidence_json, 'origin', NEW.origin, 'created_at', NEW.created_at, 'updated_at', NEW.updated_at),
    ghost_cause('actor'), ghost_cause('reason'), ghost_cause('evidence'), ghost_cause('job_id'),
    ghost_cause('model'), ghost_cause('prompt_hash'), ghost_cause('undoes'), ghost_now());
END;

CREATE TRIGGER state_delete_is_revised AFTER DELETE ON state
BEGIN
  INSERT INTO revisions (entity_type, entity_id, before_json, after_json, actor, reason, evidence_event_ids_json, job_id, model, prompt_hash, undoes, created_at)
  VALUES ('state', OLD.state_id,
    json_object('state_id', OLD.state_id, 'kind', OLD.kind, 'body_text', OLD.body_text, 'body_key', OLD.body_key, 'payload_json', OLD.payload_json, 'confidence', OLD.confidence, 'salience', OLD.salience, 'pin', OLD.pin, 'searchable', OLD.searchable, 'valid_from_ts', OLD.valid_from_ts, 'valid_to_ts', OLD.valid_to_ts, 'last_confirmed_at', OLD.last_confirmed_at, 'entities_json', OLD.entities_json, 'evidence_json', OLD.evidence_json, 'origin', OLD.origin, 'created_at', OLD.created_at, 'updated_at', OLD.updated_at),
    NULL,
    ghost_cause('actor'), ghost_cause('reason'), ghost_cause('evidence'), ghost_cause('job_id'),
    ghost_cause('model'), ghost_cause('prompt_hash'), ghost_cause('undoes'), ghost_now());
END;

CREATE TRIGGER event_links_insert_is_revised AFTER INSERT ON event_links
BEGIN
  INSERT INTO revisions (entity_type, entity_id, before_json, after_json, actor, reason, evidence_event_ids_json, job_id, model, prompt_hash, undoes, created_at)
  VALUES ('event_links', NEW.id,
    NULL,
    json_object('id', NEW.id, 'from_event_id', NEW.from_event_id, 'to_event_id', NEW.to_event_id, 'label', NEW.label, 'confidence', NEW.confidence, 'evidence_json', NEW.evidence_json, 'created_at', NEW.created_at),
    ghost_cause('actor'), ghost_cause('reason'), ghost_cause('evidence'), ghost_cause('job_id'),
    ghost_cause('model'), ghost_cause('prompt_hash'), ghost_cause('undoes'), ghost_now());
END;

CREATE TRIGGER event_links_update_is_revised AFTER UPDATE ON event_links
WHEN OLD.id IS NOT NEW.id OR OLD.from_event_id IS NOT NEW.from_event_id OR OLD.to_event_id IS NOT
NEW.to_event_id OR OLD.label IS NOT NEW.label OR OLD.confidence IS NOT NEW.confidence OR OLD.evidence_json
IS NOT NEW.evidence_json OR OLD.created_at IS NOT NEW.created_at
BEGIN
  INSERT INTO revisions (entity_type, entity_id, before_json, after_json, actor, reason, evidence_event_ids_json, job_id, model, prompt_hash, undoes, created_at)
  VALUES ('event_links', NEW.id,
    json_object('id', OLD.id, 'from_event_id', OLD.from_event_id, 'to_event_id', OLD.to_event_id, 'label', OLD.label, 'confidence', OLD.confidence, 'evidence_json', OLD.evidence_json, 'created_at', OLD.created_at),
    json_object('id', NEW.id, 'from_event_id', NEW.from_event_id, 'to_event_id', NEW.to_event_id, 'label', NEW.label, 'confidence', NEW.confidence, 'evidence_json', NEW.evidence_json, 'created_at', NEW.created_at),
    ghost_cause('actor'), ghost_cause('reason'), ghost_cause('evidence'), ghost_cause('job_id'),
    ghost_cause('model'), ghost_cause('prompt_hash'), ghost_cause('undoes'), ghost_now());
END;

CREATE TRIGGER event_links_delete_is_revised AFTER DELETE ON event_links
BEGIN
  INSERT INTO revisions (entity_type, entity_id, before_json, after_json, actor, reason, evidence_event_ids_json, job_id, model, prompt_hash, undoes, created_at)
  VALUES ('event_links', OLD.id,
    json_object('id', OLD.id, 'from_event_id', OLD.from_event_id, 'to_event_id', OLD.to_event_id, 'label', OLD.label, 'confidence', OLD.confidence, 'evidence_json', OLD.evidence_json, 'created_at', OLD.created_at),
    NULL,
    ghost_cause('actor'), ghost_cause('reason'), ghost_cause('evidence'), ghost_cause('job_id'),
    ghost_cause('model'), ghost_cause('prompt_hash'), ghost_cause('undoes'), ghost_now());
END;

CREATE TRIGGER event_threads_insert_is_revised AFTER INSERT ON event_threads
BEGIN
  INSERT INTO revisions (entity_type, entity_id, before_json, after_json, actor, reason, evidence_event_ids_json, job_id, model, prompt_hash, undoes, created_at)
  VALUES ('event_threads', NEW.id,
    NULL,
    json_object('id', NEW.id, 'event_id', NEW.event_id, 'thread_key', NEW.thread_key, 'confidence', NEW.confidence, 'evidence_json', NEW.evidence_json, 'created_at', NEW.created_at),
    ghost_cause('actor'), ghost_cause('reason'), ghost_cause('evidence'), ghost_cause('job_id'),
    ghost_cause('model'), ghost_cause('prompt_hash'), ghost_cause('undoes'), ghost_now());
END;

CREATE TRIGGER event_threads_update_is_revised AFTER UPDATE ON event_threads
WHEN OLD.id IS NOT NEW.id OR OLD.event_id IS NOT NEW.event_id OR OLD.thread_key IS NOT NEW.thread_key OR
OLD.confidence IS NOT NEW.confidence OR OLD.evidence_json IS NOT NEW.evidence_json OR OLD.created_at IS NOT
NEW.created_at
BEGIN
  INSERT INTO revisions (entity_type, entity_id, before_json, after_json, actor, reason, evidence_event_ids_json, job_id, model, prompt_hash, undoes, created_at)
  VALUES ('event_threads', NEW.id,
    json_object('id', OLD.id, 'event_id', OLD.event_id, 'thread_key', OLD.thread_key, 'confidence', OLD.confidence, 'evidence_json', OLD.evidence_json, 'created_at', OLD.created_at),
    json_object('id', NEW.id, 'event_id', NEW.event_id, 'thread_key', NEW.thread_key, 'confidence', NEW.confidence, 'evidence_json', NEW.evidence_json, 'created_at', NEW.created_at),
    ghost_cause('actor'), ghost_cause('reason'), ghost_cause('evidence'), ghost_cause('job_id'),
    ghost_cause('model'), ghost_cause('prompt_hash'), ghost_cause('undoes'), ghost_now());
END;

CREATE TRIGGER event_threads_delete_is_revised AFTER DELETE ON event_threads
BEGIN
  INSERT INTO revisions (entity_type, entity_id, before_json, after_json, actor, reason, evidence_event_ids_json, job_id, model, prompt_hash, undoes, created_at)
  VALUES ('event_threads', OLD.id,
    json_object('id', OLD.id, 'event_id', OLD.event_id, 'thread_key', OLD.thread_key, 'confidence', OLD.confidence, 'evidence_json', OLD.evidence_json, 'created_at', OLD.created_at),
    NULL,
    ghost_cause('actor'), ghost_cause('reason'), ghost_cause('evidence'), ghost_cause('job_id'),
    ghost_cause('model'), ghost_cause('prompt_hash'), ghost_cause('undoes'), ghost_now());
END;

CREATE TRIGGER event_affects_insert_is_revised AFTER INSERT ON event_affects
BEGIN
  INSERT INTO revisions (entity_type, entity_id, before_json, after_json, actor, reason, evidence_event_ids_json, job_id, model, prompt_hash, undoes, created_at)
  VALUES ('event_affects', NEW.id,
    NULL,
    json_object('id', NEW.id, 'event_id', NEW.event_id, 'created_at', NEW.created_at, 'moment_affect_text', NEW.moment_affect_text, 'moment_affect_labels_json', NEW.moment_affect_labels_json, 'inner_thought_text', NEW.inner_thought_text, 'vad_v', NEW.vad_v, 'vad_a', NEW.vad_a, 'vad_d', NEW.vad_d, 'confidence', NEW.confidence, 'searchable', NEW.searchable),
    ghost_cause('actor'), ghost_cause('reason'), ghost_cause('evidence'), ghost_cause('job_id'),
    ghost_cause('model'), ghost_cause('prompt_hash'), ghost_cause('undoes'), ghost_now());
END;

CREATE TRIGGER event_affects_update_is_revised AFTER UPDATE ON event_affects
WHEN OLD.id IS NOT NEW.id OR OLD.event_id IS NOT NEW.event_id OR OLD.created_at IS NOT NEW.created_at OR
OLD.moment_affect_text IS NOT NEW.moment_affect_text OR OLD.moment_affect_labels_json IS NOT
NEW.moment_affect_labels_json OR OLD.inner_thought_text IS NOT NEW.inner_thought_text OR OLD.vad_v IS NOT
NEW.vad_v OR OLD.vad_a IS NOT NEW.vad_a OR OLD.vad_d IS NOT NEW.vad_d OR OLD.confidence IS NOT
NEW.confidence OR OLD.searchable IS NOT NEW.searchable
BEGIN
  INSERT INTO revisions (entity_type, entity_id, before_json, after_json, actor, reason, evidence_event_ids_json, job_id, model, prompt_hash, undoes, created_at)
  VALUES ('event_affects', NEW.id,
    json_object('id', OLD.id, 'event_id', OLD.event_id, 'created_at', OLD.created_at, 'moment_affect_text', OLD.moment_affect_text, 'moment_affect_labels_json', OLD.moment_affect_labels_json, 'inner_thought_text', OLD.inner_thought_text, 'vad_v', OLD.vad_v, 'vad_a', OLD.vad_a, 'vad_d', OLD.vad_d, 'confidence', OLD.confidence, 'searchable', OLD.searchable),
    json_object('id', NEW.id, 'event_id', NEW.event_id, 'created_at', NEW.created_at, 'moment_affect_text', NEW.moment_affect_text, 'moment_affect_labels_json', NEW.moment_affect_labels_json, 'inner_thought_text', NEW.inner_thought_text, 'vad_v', NEW.vad_v, 'vad_a', NEW.vad_a, 'vad_d', NEW.vad_d, 'confidence', NEW.confidence, 'searchable', NEW.searchable),
    ghost_cause('actor'), ghost_cause('reason'), ghost_cause('evidence'), ghost_cause('job_id'),
    ghost_cause('model'), ghost_cause('prompt_hash'), ghost_cause('undoes'), ghost_now());
END;

CREATE TRIGGER event_affects_delete_is_revised AFTER DELETE ON event_affects
BEGIN
  INSERT INTO revisions (entity_type, entity_id, before_json, after_json, actor, reason, evidence_event_ids_json, job_id, model, prompt_hash, undoes, created_at)
  VALUES ('event_affects', OLD.id,
    json_object('id', OLD.id, 'event_id', OLD.event_id, 'created_at', OLD.created_at, 'moment_affect_text', OLD.moment_affect_text, 'moment_affect_labels_json', OLD.moment_affect_labels_json, 'inner_thought_text', OLD.inner_thought_text, 'vad_v', OLD.vad_v, 'vad_a', OLD.vad_a, 'vad_d', OLD.vad_d, 'confidence', OLD.confidence, 'searchable', OLD.searchable),
    NULL,
    ghost_cause('actor'), ghost_cause('reason'), ghost_cause('evidence'), ghost_cause('job_id'),
    ghost_cause('model'), ghost_cause('prompt_hash'), ghost_cause('undoes'), ghost_now());
END;

CREATE TRIGGER user_preferences_insert_is_revised AFTER INSERT ON user_preferences
BEGIN
  INSERT INTO revisions (entity_type, entity_id, before_json, after_json, actor, reason, evidence_event_ids_json, job_id, model, prompt_hash, undoes, created_at)
  VALUES ('user_preferences', NEW.id,
    NULL,
    json_object('id', NEW.id, 'domain', NEW.domain, 'polarity', NEW.polarity, 'subject', NEW.subject, 'subject_key', NEW.subject_key, 'status', NEW.status, 'note', NEW.note, 'confidence', NEW.confidence, 'evidence_json', NEW.evidence_json, 'first_seen_at', NEW.first_seen_at, 'last_seen_at', NEW.last_seen_at, 'confirmed_at', NEW.confirmed_at, 'revoked_at', NEW.revoked_at),
    ghost_cause('actor'), ghost_cause('reason'), ghost_cause('evidence'), ghost_cause('job_id'),
    ghost_cause('model'), ghost_cause('prompt_hash'), ghost_cause('undoes'), ghost_now());
END;

CREATE TRIGGER user_preferences_update_is_revised AFTER UPDATE ON user_preferences
WHEN OLD.id IS NOT NEW.id OR OLD.domain IS NOT NEW.domain OR OLD.polarity IS NOT NEW.polarity OR OLD.subject
IS NOT NEW.subject OR OLD.subject_key IS NOT NEW.subject_key OR OLD.status IS NOT NEW.status OR OLD.note IS
NOT NEW.note OR OLD.confidence IS NOT NEW.confidence OR OLD.evidence_json IS NOT NEW.evidence_json OR
OLD.first_seen_at IS NOT NEW.first_seen_at OR OLD.last_seen_at IS NOT NEW.last_seen_at OR OLD.confirmed_at
IS NOT NEW.confirmed_at OR OLD.revoked_at IS NOT NEW.revoked_at
BEGIN
  INSERT INTO revisions (entity_type, entity_id, before_json, after_json, actor, reason, evidence_event_ids_json, job_id, model, prompt_hash, undoes, created_at)
  VALUES ('user_preferences', NEW.id,
    json_object('id', OLD.id, 'domain', OLD.domain, 'polarity', OLD.polarity, 'subject', OLD.subject, 'subject_key', OLD.subject_key, 'status', OLD.status, 'note', OLD.note, 'confidence', OLD.confidence, 'evidence_json', OLD.evidence_json, 'first_seen_at', OLD.first_seen_at, 'last_seen_at', OLD.last_seen_at, 'confirmed_at', OLD.confirmed_at, 'revoked_at', OLD.revoked_at),
    json_object('id', NEW.id, 'domain', NEW.domain, 'polarity', NEW.polarity, 'subject', NEW.subject, 'subject_key', NEW.subject_key, 'status', NEW.status, 'note', NEW.note, 'confidence', NEW.confidence, 'evidence_json', NEW.evidence_json, 'first_seen_at', NEW.first_seen_at, 'last_seen_at', NEW.last_seen_at, 'confirmed_at', NEW.confirmed_at, 'revoked_at', NEW.revoked_at),
    ghost_cause('actor'), ghost_cause('reason'), ghost_cause('evidence'), ghost_cause('job_id'),
    ghost_cause('model'), ghost_cause('prompt_hash'), ghost_cause('undoes'), ghost_now());
END;

CREATE TRIGGER user_preferences_delete_is_revised AFTER DELETE ON user_preferences
BEGIN
  INSERT INTO revisions (entity_type, entity_id, before_json, after_json, actor, reason, evidence_event_ids_json, job_id, model, prompt_hash, undoes, created_at)
  VALUES ('user_preferences', OLD.id,
    json_object('id', OLD.id, 'domain', OLD.domain, 'polarity', OLD.polarity, 'subject', OLD.subject, 'subject_key', OLD.subject_key, 'status', OLD.status, 'note', OLD.note, 'confidence', OLD.confidence, 'evidence_json', OLD.evidence_json, 'first_seen_at', OLD.first_seen_at, 'last_seen_at', OLD.last_seen_at, 'confirmed_at', OLD.confirmed_at, 'revoked_at', OLD.revoked_at),
    NULL,
    ghost_cause('actor'), ghost_cause('reason'), ghost_cause('evidence'), ghost_cause('job_id'),
    ghost_cause('model'), ghost_cause('prompt_hash'), ghost_cause('undoes'), ghost_now());
END;

CREATE TRIGGER state_links_insert_is_revised AFTER INSERT ON state_links
BEGIN
  INSERT INTO revisions (entity_type, entity_id, before_json, after_json, actor, reason, evidence_event_ids_json, job_id, model, prompt_hash, undoes, created_at)
  VALUES ('state_links', NEW.id,
    NULL,
    json_object('id', NEW.id, 'from_state_id', NEW.from_state_id, 'to_state_id', NEW.to_state_id, 'label', NEW.label, 'confidence', NEW.confidence, 'evidence_json', NEW.evidence_json, 'created_at', NEW.created_at),
    ghost_cause('actor'), ghost_cause('reason'), ghost_cause('evidence'), ghost_cause('job_id'),
    ghost_cause('model'), ghost_cause('prompt_hash'), ghost_cause('undoes'), ghost_now());
END;

CREATE TRIGGER state_links_update_is_revised AFTER UPDATE ON state_links
WHEN OLD.id IS NOT NEW.id OR OLD.from_state_id IS NOT NEW.from_state_id OR OLD.to_state_id IS NOT
NEW.to_state_id OR OLD.label IS NOT NEW.label OR OLD.confidence IS NOT NEW.confidence OR OLD.evidence_json
IS NOT NEW.evidence_json OR OLD.created_at IS NOT NEW.created_at
BEGIN
  INSERT INTO revisions (entity_type, entity_id, before_json, after_json, actor, reason, evidence_event_ids_json, job_id, model, prompt_hash, undoes, created_at)
  VALUES ('state_links', NEW.id,
    json_object('id', OLD.id, 'from_state_id', OLD.from_state_id, 'to_state_id', OLD.to_state_id, 'label', OLD.label, 'confidence', OLD.confidence, 'evidence_json', OLD.evidence_json, 'created_at', OLD.created_at),
    json_object('id', NEW.id, 'from_state_id', NEW.from_state_id, 'to_state_id', NEW.to_state_id, 'label', NEW.label, 'confidence', NEW.confidence, 'evidence_json', NEW.evidence_json, 'created_at', NEW.created_at),
    ghost_cause('actor'), ghost_cause('reason'), ghost_cause('evidence'), ghost_cause('job_id'),
    ghost_cause('model'), ghost_cause('prompt_hash'), ghost_cause('undoes'), ghost_now());
END;

CREATE TRIGGER state_links_delete_is_revised AFTER DELETE ON state_links
BEGIN
  INSERT INTO revisions (entity_type, entity_id, before_json, after_json, actor, reason, evidence_event_ids_json, job_id, model, prompt_hash, undoes, created_at)
  VALUES ('state_links', OLD.id,
    json_object('id', OLD.id, 'from_state_id', OLD.from_state_id, 'to_state_id', OLD.to_state_id, 'label', OLD.label, 'confidence', OLD.confidence, 'evidence_json', OLD.evidence_json, 'created_at', OLD.created_at),
    NULL,
    ghost_cause('actor'), ghost_cause('reason'), ghost_cause('evidence'), ghost_cause('job_id'),
    ghost_cause('model'), ghost_cause('prompt_hash'), ghost_cause('undoes'), ghost_now());
END;
