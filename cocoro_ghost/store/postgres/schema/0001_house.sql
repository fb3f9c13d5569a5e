-- Many ghosts in one database. `ghost_id` leads every key; without `ghost.id` set every query fails: closed by default.
-- The tables are those of store/sqlite/schema, brought to one place; a test compares their columns.

CREATE EXTENSION IF NOT EXISTS vector;

-- Who lives here. Read by the app through `come_in` alone, which shows it the one ghost whose token it holds.
CREATE TABLE ghosts (
  ghost_id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text COLLATE "C" NOT NULL UNIQUE,
  created_at bigint NOT NULL,
  salt bytea NOT NULL DEFAULT uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()),
  time_zone text COLLATE "C",
  language text COLLATE "C" NOT NULL DEFAULT 'auto' CHECK (language IN ('auto', 'ja', 'en')),
  suspended_at bigint,
  clock_offset bigint NOT NULL DEFAULT 0,
  version bigint NOT NULL DEFAULT 1,
  turns_a_day bigint,
  tokens_a_day bigint,
  bytes_a_day bigint
);
-- Hashes only: owner's tokens, and those of clients, sessions and tickets beside their own tables.
CREATE TABLE tokens (
  hash text COLLATE "C" PRIMARY KEY,
  ghost_id bigint NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('owner', 'client', 'session')),
  expires_at bigint
);
CREATE INDEX tokens_by_ghost ON tokens (ghost_id);

-- Ids are counted for each ghost, as SQLite counts them: an id tells nothing about others.
CREATE TABLE counters (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  name text COLLATE "C" NOT NULL,
  seq bigint NOT NULL,
  PRIMARY KEY (ghost_id, name)
);
CREATE FUNCTION next_id(counted text) RETURNS bigint LANGUAGE sql AS $$
  INSERT INTO counters (name, seq) VALUES (counted, 1)
  ON CONFLICT (ghost_id, name) DO UPDATE SET seq = counters.seq + 1 RETURNING seq
$$;

CREATE TABLE meta (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  part text COLLATE "C" NOT NULL DEFAULT current_setting('ghost.part'),
  key text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  PRIMARY KEY (ghost_id, part, key)
);

CREATE TABLE events (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  event_id bigint NOT NULL DEFAULT next_id('events'),
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  searchable bigint NOT NULL DEFAULT 1 CHECK (searchable IN (0, 1)),
  status text COLLATE "C" NOT NULL DEFAULT 'done' CHECK (status IN ('open', 'done', 'interrupted')),
  conversation text COLLATE "C" NOT NULL DEFAULT 'main',
  client_id text COLLATE "C",
  source text COLLATE "C" NOT NULL CHECK (source IN ('chat', 'notification', 'reminder', 'desktop_watch', 'meta_proactive', 'vision_detail', 'import', 'lorebook')),
  origin text COLLATE "C" NOT NULL CHECK (origin IN ('user', 'ghost', 'app', 'screen', 'import')),
  speaker text COLLATE "C",
  user_text text COLLATE "C",
  assistant_text text COLLATE "C",
  image_summaries_json text COLLATE "C" CHECK (image_summaries_json IS NULL OR json_array_length(image_summaries_json::json) <= 5),
  about_start_ts bigint,
  about_end_ts bigint,
  about_year_start bigint,
  about_year_end bigint,
  life_stage text COLLATE "C" CHECK (life_stage IN ('elementary', 'middle', 'high', 'university', 'work', 'unknown')),
  about_time_confidence double precision CHECK (about_time_confidence BETWEEN 0.0 AND 1.0),
  entities_json text COLLATE "C" NOT NULL DEFAULT '[]',
  client_context_json text COLLATE "C",
  annotated_at bigint,
  forgotten_at bigint,
  external_key text COLLATE "C",
  PRIMARY KEY (ghost_id, event_id),
  UNIQUE (ghost_id, external_key)
);

CREATE TABLE reply_revisions (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  reply_revision_id bigint NOT NULL DEFAULT next_id('reply_revisions'),
  event_id bigint NOT NULL,
  assistant_text text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (ghost_id, reply_revision_id),
  FOREIGN KEY (ghost_id, event_id) REFERENCES events (ghost_id, event_id) DEFERRABLE
);

CREATE TABLE event_entities (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  id bigint NOT NULL DEFAULT next_id('event_entities'),
  event_id bigint NOT NULL,
  entity_type_norm text COLLATE "C" NOT NULL CHECK (entity_type_norm IN ('person', 'org', 'place', 'project', 'tool')),
  entity_name_raw text COLLATE "C" NOT NULL,
  entity_name_norm text COLLATE "C" NOT NULL,
  confidence double precision NOT NULL CHECK (confidence BETWEEN 0.0 AND 1.0),
  created_at bigint NOT NULL,
  PRIMARY KEY (ghost_id, id),
  FOREIGN KEY (ghost_id, event_id) REFERENCES events (ghost_id, event_id) ON DELETE CASCADE DEFERRABLE,
  UNIQUE (ghost_id, event_id, entity_type_norm, entity_name_norm)
);

CREATE TABLE event_assistant_summaries (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  event_id bigint NOT NULL,
  summary_text text COLLATE "C" NOT NULL,
  event_updated_at bigint NOT NULL,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (ghost_id, event_id),
  FOREIGN KEY (ghost_id, event_id) REFERENCES events (ghost_id, event_id) DEFERRABLE
);

CREATE TABLE event_threads (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  id bigint NOT NULL DEFAULT next_id('event_threads'),
  event_id bigint NOT NULL,
  thread_key text COLLATE "C" NOT NULL,
  confidence double precision NOT NULL CHECK (confidence BETWEEN 0.0 AND 1.0),
  evidence_json text COLLATE "C" NOT NULL DEFAULT '[]',
  created_at bigint NOT NULL,
  PRIMARY KEY (ghost_id, id),
  FOREIGN KEY (ghost_id, event_id) REFERENCES events (ghost_id, event_id) DEFERRABLE,
  UNIQUE (ghost_id, event_id, thread_key)
);

CREATE TABLE event_links (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  id bigint NOT NULL DEFAULT next_id('event_links'),
  from_event_id bigint NOT NULL,
  to_event_id bigint NOT NULL,
  label text COLLATE "C" NOT NULL CHECK (label IN ('reply_to', 'same_topic', 'caused_by', 'continuation')),
  confidence double precision NOT NULL CHECK (confidence BETWEEN 0.0 AND 1.0),
  evidence_json text COLLATE "C" NOT NULL DEFAULT '[]',
  created_at bigint NOT NULL,
  PRIMARY KEY (ghost_id, id),
  FOREIGN KEY (ghost_id, from_event_id) REFERENCES events (ghost_id, event_id) DEFERRABLE,
  FOREIGN KEY (ghost_id, to_event_id) REFERENCES events (ghost_id, event_id) DEFERRABLE,
  CHECK (from_event_id <> to_event_id),
  UNIQUE (ghost_id, from_event_id, to_event_id, label)
);

CREATE TABLE state (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  state_id bigint NOT NULL DEFAULT next_id('state'),
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('fact', 'relation', 'task', 'summary', 'long_mood_state')),
  body_text text COLLATE "C" NOT NULL,
  body_key text COLLATE "C" NOT NULL,
  payload_json text COLLATE "C" NOT NULL DEFAULT '{}' CHECK (payload_json IS JSON),
  confidence double precision NOT NULL CHECK (confidence BETWEEN 0.0 AND 1.0),
  salience double precision NOT NULL DEFAULT 0.5 CHECK (salience BETWEEN 0.0 AND 1.0),
  pin bigint NOT NULL DEFAULT 0 CHECK (pin IN (0, 1)),
  searchable bigint NOT NULL DEFAULT 1 CHECK (searchable IN (0, 1)),
  valid_from_ts bigint,
  valid_to_ts bigint,
  last_confirmed_at bigint NOT NULL,
  entities_json text COLLATE "C" NOT NULL DEFAULT '[]',
  evidence_json text COLLATE "C" NOT NULL DEFAULT '[]',
  origin text COLLATE "C" NOT NULL DEFAULT 'user',
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  slot text COLLATE "C" GENERATED ALWAYS AS (payload_json::jsonb ->> 'slot') STORED,
  scope_type text COLLATE "C" GENERATED ALWAYS AS (payload_json::jsonb #>> '{scope,type}') STORED,
  scope_key text COLLATE "C" GENERATED ALWAYS AS (payload_json::jsonb #>> '{scope,key}') STORED,
  expires_ts bigint GENERATED ALWAYS AS ((payload_json::jsonb ->> 'expires_ts')::numeric::bigint) STORED,
  due_ts bigint GENERATED ALWAYS AS ((payload_json::jsonb ->> 'due_ts')::numeric::bigint) STORED,
  closed_because text COLLATE "C" GENERATED ALWAYS AS (payload_json::jsonb ->> 'closed_because') STORED,
  PRIMARY KEY (ghost_id, state_id)
);

CREATE TABLE state_entities (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  id bigint NOT NULL DEFAULT next_id('state_entities'),
  state_id bigint NOT NULL,
  entity_type_norm text COLLATE "C" NOT NULL CHECK (entity_type_norm IN ('person', 'org', 'place', 'project', 'tool')),
  entity_name_raw text COLLATE "C" NOT NULL,
  entity_name_norm text COLLATE "C" NOT NULL,
  confidence double precision NOT NULL CHECK (confidence BETWEEN 0.0 AND 1.0),
  created_at bigint NOT NULL,
  PRIMARY KEY (ghost_id, id),
  FOREIGN KEY (ghost_id, state_id) REFERENCES state (ghost_id, state_id) ON DELETE CASCADE DEFERRABLE,
  UNIQUE (ghost_id, state_id, entity_type_norm, entity_name_norm)
);

CREATE TABLE entity_aliases (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  entity_type_norm text COLLATE "C" NOT NULL CHECK (entity_type_norm IN ('person', 'org', 'place', 'project', 'tool')),
  alias_norm text COLLATE "C" NOT NULL,
  name_norm text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (ghost_id, entity_type_norm, alias_norm)
);

CREATE TABLE state_links (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  id bigint NOT NULL DEFAULT next_id('state_links'),
  from_state_id bigint NOT NULL,
  to_state_id bigint NOT NULL,
  label text COLLATE "C" NOT NULL CHECK (label IN ('relates_to', 'derived_from', 'supports', 'contradicts')),
  confidence double precision NOT NULL CHECK (confidence BETWEEN 0.0 AND 1.0),
  evidence_json text COLLATE "C" NOT NULL DEFAULT '[]',
  created_at bigint NOT NULL,
  PRIMARY KEY (ghost_id, id),
  FOREIGN KEY (ghost_id, from_state_id) REFERENCES state (ghost_id, state_id) ON DELETE CASCADE DEFERRABLE,
  FOREIGN KEY (ghost_id, to_state_id) REFERENCES state (ghost_id, state_id) ON DELETE CASCADE DEFERRABLE,
  CHECK (from_state_id <> to_state_id),
  UNIQUE (ghost_id, from_state_id, to_state_id, label)
);

CREATE TABLE user_preferences (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  id bigint NOT NULL DEFAULT next_id('user_preferences'),
  domain text COLLATE "C" NOT NULL CHECK (domain IN ('food', 'topic', 'style')),
  polarity text COLLATE "C" NOT NULL CHECK (polarity IN ('like', 'dislike')),
  subject text COLLATE "C" NOT NULL,
  subject_key text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL CHECK (status IN ('candidate', 'confirmed', 'revoked')),
  note text COLLATE "C",
  confidence double precision NOT NULL CHECK (confidence BETWEEN 0.0 AND 1.0),
  evidence_json text COLLATE "C" NOT NULL DEFAULT '[]',
  first_seen_at bigint NOT NULL,
  last_seen_at bigint NOT NULL,
  confirmed_at bigint,
  revoked_at bigint,
  PRIMARY KEY (ghost_id, id),
  UNIQUE (ghost_id, domain, subject_key, polarity)
);

CREATE TABLE event_affects (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  id bigint NOT NULL DEFAULT next_id('event_affects'),
  event_id bigint NOT NULL,
  created_at bigint NOT NULL,
  moment_affect_text text COLLATE "C" NOT NULL,
  moment_affect_labels_json text COLLATE "C" NOT NULL DEFAULT '[]',
  inner_thought_text text COLLATE "C",
  vad_v double precision NOT NULL CHECK (vad_v BETWEEN -1.0 AND 1.0),
  vad_a double precision NOT NULL CHECK (vad_a BETWEEN -1.0 AND 1.0),
  vad_d double precision NOT NULL CHECK (vad_d BETWEEN -1.0 AND 1.0),
  confidence double precision NOT NULL CHECK (confidence BETWEEN 0.0 AND 1.0),
  searchable bigint NOT NULL DEFAULT 1 CHECK (searchable IN (0, 1)),
  PRIMARY KEY (ghost_id, id),
  FOREIGN KEY (ghost_id, event_id) REFERENCES events (ghost_id, event_id) DEFERRABLE,
  UNIQUE (ghost_id, event_id)
);

CREATE TABLE revisions (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  revision_id bigint NOT NULL DEFAULT next_id('revisions'),
  entity_type text COLLATE "C" NOT NULL CHECK (entity_type IN ('state', 'event_links', 'event_threads', 'event_affects', 'user_preferences', 'state_links')),
  entity_id bigint NOT NULL,
  before_json text COLLATE "C",
  after_json text COLLATE "C",
  actor text COLLATE "C" NOT NULL CHECK (actor IN ('grow', 'tidy', 'user', 'import', 'sync')),
  reason text COLLATE "C" NOT NULL,
  evidence_event_ids_json text COLLATE "C" NOT NULL DEFAULT '[]',
  job_id bigint,
  model text COLLATE "C",
  prompt_hash text COLLATE "C",
  undoes bigint,
  created_at bigint NOT NULL,
  PRIMARY KEY (ghost_id, revision_id)
);

CREATE TABLE revision_evidence (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  event_id bigint NOT NULL,
  revision_id bigint NOT NULL,
  FOREIGN KEY (ghost_id, revision_id) REFERENCES revisions (ghost_id, revision_id) DEFERRABLE,
  PRIMARY KEY (ghost_id, event_id, revision_id)
);

CREATE TABLE forgotten_claims (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  kind text COLLATE "C" NOT NULL,
  claim_key text COLLATE "C" NOT NULL,
  forgotten_at bigint NOT NULL,
  up_to_event_id bigint NOT NULL,
  PRIMARY KEY (ghost_id, kind, claim_key)
);

CREATE TABLE write_plans (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  plan_id bigint NOT NULL DEFAULT next_id('write_plans'),
  event_id bigint NOT NULL,
  model text COLLATE "C" NOT NULL,
  prompt_hash text COLLATE "C" NOT NULL,
  plan_json text COLLATE "C" NOT NULL,
  dropped_json text COLLATE "C" NOT NULL DEFAULT '[]',
  shown_json text COLLATE "C" NOT NULL DEFAULT '{}',
  created_at bigint NOT NULL,
  applied_at bigint,
  PRIMARY KEY (ghost_id, plan_id),
  FOREIGN KEY (ghost_id, event_id) REFERENCES events (ghost_id, event_id) DEFERRABLE
);

CREATE TABLE retrieval_runs (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  run_id bigint NOT NULL DEFAULT next_id('retrieval_runs'),
  event_id bigint,
  created_at bigint NOT NULL,
  plan_json text COLLATE "C" NOT NULL,
  candidates_json text COLLATE "C" NOT NULL,
  selected_json text COLLATE "C" NOT NULL,
  pack_json text COLLATE "C" NOT NULL DEFAULT '{}',
  mark text COLLATE "C" CHECK (mark IN ('good', 'bad')),
  PRIMARY KEY (ghost_id, run_id),
  FOREIGN KEY (ghost_id, event_id) REFERENCES events (ghost_id, event_id) DEFERRABLE
);

CREATE TABLE vec_items (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  item_id bigint NOT NULL,
  kind bigint NOT NULL CHECK (kind IN (1, 2, 3)),
  entity_id bigint NOT NULL,
  space text COLLATE "C" NOT NULL,
  dimension bigint NOT NULL,
  vector halfvec,
  ts bigint NOT NULL,
  searchable bigint NOT NULL DEFAULT 1,
  seq bigint NOT NULL,
  PRIMARY KEY (ghost_id, item_id),
  CHECK (item_id = kind * 10000000000 + entity_id)
);

CREATE TABLE vec_spaces (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  space text COLLATE "C" NOT NULL,
  dimension bigint NOT NULL,
  mean bytea,
  items bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (ghost_id, space)
);

CREATE TABLE jobs (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  job_id bigint NOT NULL DEFAULT next_id('jobs'),
  kind text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  payload_json text COLLATE "C" NOT NULL DEFAULT '{}',
  status text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'running', 'done', 'quarantined', 'dead')),
  run_after bigint NOT NULL,
  attempts bigint NOT NULL DEFAULT 0,
  snoozes bigint NOT NULL DEFAULT 0,
  owner text COLLATE "C",
  beat_at bigint,
  last_error text COLLATE "C",
  raw_answer text COLLATE "C",
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  finished_at bigint,
  about_event bigint GENERATED ALWAYS AS ((payload_json::jsonb ->> 'event_id')::numeric::bigint) STORED,
  PRIMARY KEY (ghost_id, job_id)
);

CREATE TABLE tidy_runs (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  tidy_run_id bigint NOT NULL DEFAULT next_id('tidy_runs'),
  started_at bigint NOT NULL,
  finished_at bigint NOT NULL,
  milliseconds bigint NOT NULL,
  trigger text COLLATE "C" NOT NULL,
  counts_json text COLLATE "C" NOT NULL,
  PRIMARY KEY (ghost_id, tidy_run_id)
);

CREATE TABLE word_rows (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  event_id bigint NOT NULL,
  terms text COLLATE "C" NOT NULL,
  size bigint NOT NULL,
  before_id bigint,
  after_id bigint,
  PRIMARY KEY (ghost_id, event_id)
);

CREATE TABLE word_pending (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  what text COLLATE "C" NOT NULL CHECK (what IN ('event', 'state')),
  id bigint NOT NULL,
  PRIMARY KEY (ghost_id, what, id)
);

CREATE TABLE separations (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  separation_id bigint NOT NULL DEFAULT next_id('separations'),
  denial_event_id bigint NOT NULL,
  ref text COLLATE "C" NOT NULL,
  revision_id bigint,
  created_at bigint NOT NULL,
  undone_at bigint,
  PRIMARY KEY (ghost_id, separation_id),
  FOREIGN KEY (ghost_id, denial_event_id) REFERENCES events (ghost_id, event_id) DEFERRABLE,
  UNIQUE (ghost_id, denial_event_id)
);

CREATE TABLE forgettings (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  forgetting_id bigint NOT NULL DEFAULT next_id('forgettings'),
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('event', 'state', 'preference')),
  entity_id bigint NOT NULL,
  first_revision_id bigint NOT NULL,
  last_revision_id bigint NOT NULL,
  memo_json text COLLATE "C" NOT NULL DEFAULT '{}',
  created_at bigint NOT NULL,
  undone_at bigint,
  PRIMARY KEY (ghost_id, forgetting_id)
);

CREATE TABLE event_thumbnails (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  event_id bigint NOT NULL,
  place bigint NOT NULL CHECK (place BETWEEN 0 AND 4),
  picture text COLLATE "C" NOT NULL,
  FOREIGN KEY (ghost_id, event_id) REFERENCES events (ghost_id, event_id) DEFERRABLE,
  PRIMARY KEY (ghost_id, event_id, place)
);

CREATE TABLE leases (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  what text COLLATE "C" NOT NULL,
  holder text COLLATE "C" NOT NULL,
  beat_at bigint NOT NULL,
  PRIMARY KEY (ghost_id, what)
);

CREATE TABLE client_turns (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  event_id bigint NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  conversation text COLLATE "C" NOT NULL,
  message_id text COLLATE "C",
  parent_id text COLLATE "C",
  reply_id text COLLATE "C",
  standing text COLLATE "C" NOT NULL DEFAULT 'current' CHECK (standing IN ('current', 'superseded', 'other_branch', 'doubtful')),
  edited_from bigint,
  PRIMARY KEY (ghost_id, event_id),
  FOREIGN KEY (ghost_id, event_id) REFERENCES events (ghost_id, event_id) DEFERRABLE,
  FOREIGN KEY (ghost_id, edited_from) REFERENCES events (ghost_id, event_id) DEFERRABLE
);

CREATE TABLE presets (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('llm', 'embedding', 'persona', 'addon')),
  preset_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  body_json text COLLATE "C" NOT NULL CHECK (body_json IS JSON),
  position bigint NOT NULL DEFAULT 0,
  archived_at bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (ghost_id, kind, preset_id)
);

CREATE TABLE secrets (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  name text COLLATE "C" NOT NULL,
  sealed bytea NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (ghost_id, name)
);

CREATE TABLE sessions (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  session_hash text COLLATE "C" NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  PRIMARY KEY (ghost_id, session_hash)
);

CREATE TABLE usage (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  day text COLLATE "C" NOT NULL,
  purpose text COLLATE "C" NOT NULL,
  model text COLLATE "C" NOT NULL,
  calls bigint NOT NULL DEFAULT 0,
  input_tokens bigint NOT NULL DEFAULT 0,
  output_tokens bigint NOT NULL DEFAULT 0,
  cached_tokens bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (ghost_id, day, purpose, model)
);

CREATE TABLE clients (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  client_id text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  token_hash text COLLATE "C" NOT NULL,
  scopes_json text COLLATE "C" NOT NULL CHECK (scopes_json IS JSON),
  speaks_for_others bigint NOT NULL DEFAULT 0,
  emotion_tags text COLLATE "C" NOT NULL DEFAULT 'none',
  system_rule text COLLATE "C" NOT NULL DEFAULT 'ignore',
  history_rule text COLLATE "C" NOT NULL DEFAULT 'stored',
  created_at bigint NOT NULL,
  last_used_at bigint,
  revoked_at bigint,
  tools bigint NOT NULL DEFAULT 0,
  owner_user text COLLATE "C",
  offered_tags text COLLATE "C",
  PRIMARY KEY (ghost_id, client_id),
  UNIQUE (ghost_id, token_hash)
);

CREATE TABLE client_accesses (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  access_id bigint NOT NULL DEFAULT next_id('client_accesses'),
  client_id text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  scope text COLLATE "C" NOT NULL,
  call text COLLATE "C" NOT NULL,
  PRIMARY KEY (ghost_id, access_id)
);

CREATE TABLE reminders (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  reminder_id text COLLATE "C" NOT NULL,
  enabled bigint NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
  repeat_kind text COLLATE "C" NOT NULL CHECK (repeat_kind IN ('once', 'daily', 'weekly')),
  content text COLLATE "C" NOT NULL,
  scheduled_at text COLLATE "C",
  time_of_day text COLLATE "C",
  weekdays_json text COLLATE "C" NOT NULL DEFAULT '[]',
  next_fire_at bigint,
  confirmed bigint NOT NULL DEFAULT 1 CHECK (confirmed IN (0, 1)),
  source_event_id bigint,
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL,
  PRIMARY KEY (ghost_id, reminder_id)
);

CREATE TABLE firings (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  reminder_id text COLLATE "C" NOT NULL,
  due_at bigint NOT NULL,
  status text COLLATE "C" NOT NULL CHECK (status IN ('due', 'spoken', 'missed')),
  event_id bigint,
  updated_at bigint NOT NULL,
  PRIMARY KEY (ghost_id, reminder_id, due_at)
);

-- When a ghost needs somebody to look after it (a job is due, a reminder, a turn whose server died), and who does now.
CREATE TABLE attention (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  due_at bigint NOT NULL,
  server text COLLATE "C",
  beat_at bigint,
  PRIMARY KEY (ghost_id)
);
-- The talk under way: at most one a ghost, on whichever server.
CREATE TABLE talks (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  server text COLLATE "C" NOT NULL,
  beat_at bigint NOT NULL,
  stop_asked bigint NOT NULL DEFAULT 0 CHECK (stop_asked IN (0, 1)),
  PRIMARY KEY (ghost_id)
);
-- Who listens where.
CREATE TABLE presence (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  server text COLLATE "C" NOT NULL,
  listeners bigint NOT NULL,
  beat_at bigint NOT NULL,
  PRIMARY KEY (ghost_id, server)
);
-- What a ghost has used of its day.
CREATE TABLE used_today (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  day text COLLATE "C" NOT NULL,
  turns bigint NOT NULL DEFAULT 0,
  tokens bigint NOT NULL DEFAULT 0,
  bytes bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (ghost_id, day)
);

CREATE INDEX events_by_time ON events (ghost_id, created_at);
CREATE INDEX events_by_conversation ON events (ghost_id, conversation, source, event_id);
CREATE INDEX events_by_source ON events (ghost_id, source, event_id);
CREATE INDEX events_by_client ON events (ghost_id, client_id, event_id) WHERE client_id IS NOT NULL;
CREATE INDEX events_by_about ON events (ghost_id, about_start_ts, about_end_ts) WHERE about_start_ts IS NOT NULL;
CREATE INDEX events_by_year ON events (ghost_id, about_year_start, about_year_end) WHERE about_year_start IS NOT NULL;
CREATE INDEX events_by_life_stage ON events (ghost_id, life_stage) WHERE life_stage IS NOT NULL;
CREATE INDEX events_open ON events (ghost_id, status) WHERE status = 'open';
CREATE INDEX reply_revisions_by_event ON reply_revisions (ghost_id, event_id);
CREATE INDEX event_entities_by_name ON event_entities (ghost_id, entity_name_norm, entity_type_norm, event_id);
CREATE INDEX event_threads_by_key ON event_threads (ghost_id, thread_key, event_id);
CREATE INDEX event_links_back ON event_links (ghost_id, to_event_id, label);
CREATE INDEX state_active ON state (ghost_id, kind, last_confirmed_at) WHERE valid_to_ts IS NULL;
CREATE INDEX state_by_confirmation ON state (ghost_id, last_confirmed_at);
CREATE INDEX state_by_body ON state (ghost_id, kind, body_key);
CREATE UNIQUE INDEX state_one_long_mood ON state (ghost_id, kind) WHERE kind = 'long_mood_state' AND valid_to_ts IS NULL;
CREATE UNIQUE INDEX state_one_summary_a_scope ON state (ghost_id, scope_type, scope_key) WHERE kind = 'summary' AND valid_to_ts IS NULL AND scope_key IS NOT NULL;
CREATE INDEX state_entities_by_name ON state_entities (ghost_id, entity_name_norm, entity_type_norm, state_id);
CREATE INDEX state_links_back ON state_links (ghost_id, to_state_id);
CREATE INDEX user_preferences_by_status ON user_preferences (ghost_id, status, domain);
CREATE INDEX event_affects_by_time ON event_affects (ghost_id, created_at);
CREATE INDEX revisions_by_entity ON revisions (ghost_id, entity_type, entity_id, revision_id);
CREATE INDEX write_plans_by_event ON write_plans (ghost_id, event_id);
CREATE INDEX retrieval_runs_by_event ON retrieval_runs (ghost_id, event_id);
CREATE INDEX vec_items_by_seq ON vec_items (ghost_id, seq);
CREATE UNIQUE INDEX jobs_one_at_a_time ON jobs (ghost_id, key) WHERE status IN ('pending', 'running');
CREATE INDEX jobs_due ON jobs (ghost_id, status, run_after, job_id);
CREATE INDEX jobs_by_event ON jobs (ghost_id, about_event);
CREATE INDEX state_by_end ON state (ghost_id, valid_to_ts) WHERE valid_to_ts IS NOT NULL;
CREATE INDEX state_by_slot ON state (ghost_id, kind, slot) WHERE slot IS NOT NULL;
CREATE INDEX state_by_expiry ON state (ghost_id, expires_ts) WHERE kind = 'task' AND valid_to_ts IS NULL;
CREATE INDEX revisions_undoing ON revisions (ghost_id, undoes) WHERE undoes IS NOT NULL;
CREATE INDEX state_profile ON state (ghost_id, pin DESC, (slot IS NULL), (salience + confidence) DESC, last_confirmed_at DESC) WHERE kind NOT IN ('task', 'summary', 'long_mood_state') AND searchable = 1 AND valid_to_ts IS NULL;
CREATE INDEX leases_by_holder ON leases (ghost_id, holder);
CREATE INDEX vec_items_present ON vec_items (ghost_id, kind) WHERE vector IS NOT NULL;
CREATE INDEX vec_items_gone ON vec_items (ghost_id, seq) WHERE vector IS NULL;
CREATE INDEX state_due ON state (ghost_id, kind, due_ts) WHERE kind = 'task' AND searchable = 1 AND valid_to_ts IS NULL;
CREATE INDEX state_told ON state (ghost_id, (slot IS NULL), (valid_to_ts IS NOT NULL), last_confirmed_at DESC, state_id DESC) WHERE kind NOT IN ('summary', 'long_mood_state') AND searchable = 1;
CREATE INDEX client_turns_by_conversation ON client_turns (ghost_id, conversation, event_id);
CREATE INDEX client_turns_by_client ON client_turns (ghost_id, client_id, event_id);
CREATE INDEX client_accesses_by_client ON client_accesses (ghost_id, client_id, access_id);
CREATE INDEX reminders_due ON reminders (ghost_id, next_fire_at) WHERE enabled = 1 AND confirmed = 1;

-- Words: postings in blocks of 512 events or states, one row for a term in a block; 16 bits a posting (place in the
-- block, then whether the term stands in the text itself and beside it). What was written since the last merge lies in
-- the tail and stands in for what the blocks say of it.
CREATE TABLE word_blocks (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  what text COLLATE "C" NOT NULL,
  term text COLLATE "C" NOT NULL,
  block bigint NOT NULL,
  n bigint NOT NULL,
  places bytea NOT NULL,
  PRIMARY KEY (ghost_id, what, term, block)
);
CREATE INDEX word_blocks_by_block ON word_blocks (ghost_id, what, block);
CREATE TABLE word_tail (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  what text COLLATE "C" NOT NULL,
  term text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  flags bigint NOT NULL,
  PRIMARY KEY (ghost_id, what, term, id)
);
CREATE INDEX word_tail_by_id ON word_tail (ghost_id, what, id);
CREATE TABLE word_tailed (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  what text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  PRIMARY KEY (ghost_id, what, id)
);
CREATE TABLE word_docs (
  ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint,
  what text COLLATE "C" NOT NULL,
  id bigint NOT NULL,
  PRIMARY KEY (ghost_id, what, id)
);

-- Grown memory is never changed without a cause, and never without a revision. One function for all six tables.
CREATE FUNCTION revise() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  cause jsonb := nullif(current_setting('ghost.cause', true), '')::jsonb;
  hidden text[] := ARRAY['ghost_id', 'slot', 'scope_type', 'scope_key', 'expires_ts', 'due_ts', 'closed_because'];
  was jsonb := CASE WHEN TG_OP <> 'INSERT' THEN to_jsonb(OLD) - hidden END;
  becomes jsonb := CASE WHEN TG_OP <> 'DELETE' THEN to_jsonb(NEW) - hidden END;
  made bigint;
BEGIN
  IF current_setting('ghost.loading', true) = 'on' OR was IS NOT DISTINCT FROM becomes THEN
    RETURN NULL;
  END IF;
  IF cause IS NULL THEN
    RAISE EXCEPTION 'grown memory was changed without naming a cause: use `with tx.because(...)`'
      USING ERRCODE = 'GH001';
  END IF;
  INSERT INTO revisions (entity_type, entity_id, before_json, after_json, actor, reason, evidence_event_ids_json,
    job_id, model, prompt_hash, undoes, created_at)
  VALUES (TG_TABLE_NAME, (coalesce(becomes, was) ->> TG_ARGV[0])::bigint, was::text, becomes::text,
    cause ->> 'actor', cause ->> 'reason', cause ->> 'evidence', (cause ->> 'job_id')::bigint, cause ->> 'model',
    cause ->> 'prompt_hash', (cause ->> 'undoes')::bigint, (cause ->> 'now')::bigint)
  RETURNING revision_id INTO made;
  RETURN NULL;
END $$;
CREATE TRIGGER is_revised AFTER INSERT OR UPDATE OR DELETE ON state
  FOR EACH ROW EXECUTE FUNCTION revise('state_id');
CREATE TRIGGER is_revised AFTER INSERT OR UPDATE OR DELETE ON event_links
  FOR EACH ROW EXECUTE FUNCTION revise('id');
CREATE TRIGGER is_revised AFTER INSERT OR UPDATE OR DELETE ON event_threads
  FOR EACH ROW EXECUTE FUNCTION revise('id');
CREATE TRIGGER is_revised AFTER INSERT OR UPDATE OR DELETE ON event_affects
  FOR EACH ROW EXECUTE FUNCTION revise('id');
CREATE TRIGGER is_revised AFTER INSERT OR UPDATE OR DELETE ON user_preferences
  FOR EACH ROW EXECUTE FUNCTION revise('id');
CREATE TRIGGER is_revised AFTER INSERT OR UPDATE OR DELETE ON state_links
  FOR EACH ROW EXECUTE FUNCTION revise('id');

CREATE FUNCTION index_evidence() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO revision_evidence (event_id, revision_id)
  SELECT DISTINCT value::bigint, NEW.revision_id FROM json_array_elements_text(NEW.evidence_event_ids_json::json)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER evidence_is_indexed AFTER INSERT ON revisions FOR EACH ROW EXECUTE FUNCTION index_evidence();

-- What was heard and said stays. Only an erasure by the owner passes.
CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('ghost.erasing', true) = 'on' AND current_user <> 'ghost_app' THEN
    RETURN coalesce(NEW, OLD);
  END IF;
  RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'check_violation';
END $$;
CREATE TRIGGER events_are_never_deleted BEFORE DELETE ON events FOR EACH ROW
  EXECUTE FUNCTION keep('events are append-only: they are never deleted');
CREATE TRIGGER events_keep_what_was_heard BEFORE UPDATE ON events FOR EACH ROW
  WHEN ((OLD.event_id, OLD.created_at, OLD.source, OLD.origin, OLD.speaker, OLD.conversation, OLD.client_id,
         OLD.user_text, OLD.client_context_json, OLD.external_key)
    IS DISTINCT FROM (NEW.event_id, NEW.created_at, NEW.source, NEW.origin, NEW.speaker, NEW.conversation,
         NEW.client_id, NEW.user_text, NEW.client_context_json, NEW.external_key)
    OR (OLD.image_summaries_json IS DISTINCT FROM NEW.image_summaries_json AND OLD.status <> 'open'))
  EXECUTE FUNCTION keep('events are append-only: what was heard cannot be changed');
CREATE TRIGGER events_do_not_reopen BEFORE UPDATE ON events FOR EACH ROW
  WHEN (OLD.status <> 'open' AND NEW.status = 'open')
  EXECUTE FUNCTION keep('events are append-only: a closed turn does not reopen');
CREATE FUNCTION keep_what_was_said() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM reply_revisions WHERE event_id = OLD.event_id
      AND assistant_text IS NOT DISTINCT FROM OLD.assistant_text) THEN
    RAISE EXCEPTION 'events are append-only: keep the old reply in reply_revisions first'
      USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER events_keep_what_was_said BEFORE UPDATE ON events FOR EACH ROW
  WHEN (OLD.status <> 'open' AND OLD.assistant_text IS NOT NULL
    AND OLD.assistant_text IS DISTINCT FROM NEW.assistant_text)
  EXECUTE FUNCTION keep_what_was_said();
CREATE TRIGGER revisions_are_never_deleted BEFORE DELETE ON revisions FOR EACH ROW
  EXECUTE FUNCTION keep('revisions are append-only');
CREATE TRIGGER revisions_are_never_changed BEFORE UPDATE ON revisions FOR EACH ROW
  EXECUTE FUNCTION keep('revisions are append-only');

-- What was written or changed waits to be taken into the word index.
CREATE FUNCTION wait_for_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO word_pending (what, id) VALUES (TG_ARGV[0], (to_jsonb(NEW) ->> TG_ARGV[1])::bigint)
  ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER wait_for_words AFTER INSERT ON events FOR EACH ROW
  EXECUTE FUNCTION wait_for_words('event', 'event_id');
CREATE TRIGGER changed_wait_for_words AFTER UPDATE ON events FOR EACH ROW
  WHEN (OLD.assistant_text IS DISTINCT FROM NEW.assistant_text
    OR OLD.image_summaries_json IS DISTINCT FROM NEW.image_summaries_json)
  EXECUTE FUNCTION wait_for_words('event', 'event_id');
CREATE TRIGGER wait_for_words AFTER INSERT ON state FOR EACH ROW
  EXECUTE FUNCTION wait_for_words('state', 'state_id');
CREATE TRIGGER changed_wait_for_words AFTER UPDATE ON state FOR EACH ROW
  WHEN (OLD.body_text IS DISTINCT FROM NEW.body_text) EXECUTE FUNCTION wait_for_words('state', 'state_id');
CREATE FUNCTION leave_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('ghost.erasing', true) = 'on' THEN
    RETURN NULL;
  END IF;
  DELETE FROM word_pending WHERE what = 'state' AND id = OLD.state_id;
  DELETE FROM word_tail WHERE what = 'state' AND id = OLD.state_id;
  DELETE FROM word_docs WHERE what = 'state' AND id = OLD.state_id;
  INSERT INTO word_tailed (what, id) VALUES ('state', OLD.state_id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER leave_words AFTER DELETE ON state FOR EACH ROW EXECUTE FUNCTION leave_words();

CREATE FUNCTION forget_thumbnails() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM event_thumbnails WHERE event_id = NEW.event_id;
  RETURN NULL;
END $$;
CREATE TRIGGER thumbnails_are_forgotten AFTER UPDATE ON events FOR EACH ROW
  WHEN (OLD.forgotten_at IS NULL AND NEW.forgotten_at IS NOT NULL) EXECUTE FUNCTION forget_thumbnails();

-- Vectors follow the things they are derived from; `seq` rises with every change, so that an open index learns of it.
CREATE FUNCTION vectors_follow() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  item bigint := TG_ARGV[0]::bigint * 10000000000 + (to_jsonb(coalesce(NEW, OLD)) ->> TG_ARGV[1])::bigint;
BEGIN
  IF TG_OP = 'DELETE' THEN
    UPDATE vec_items SET vector = NULL, searchable = 0, seq = (SELECT max(seq) + 1 FROM vec_items)
    WHERE item_id = item AND vector IS NOT NULL;
  ELSE
    UPDATE vec_items SET searchable = NEW.searchable, seq = (SELECT max(seq) + 1 FROM vec_items),
      ts = coalesce((to_jsonb(NEW) ->> 'last_confirmed_at')::bigint, ts)
    WHERE item_id = item AND vector IS NOT NULL;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER vectors_hide AFTER UPDATE ON events FOR EACH ROW
  WHEN (OLD.searchable <> NEW.searchable) EXECUTE FUNCTION vectors_follow('1', 'event_id');
CREATE TRIGGER vectors_follow AFTER UPDATE ON state FOR EACH ROW
  WHEN (OLD.searchable <> NEW.searchable OR OLD.last_confirmed_at <> NEW.last_confirmed_at)
  EXECUTE FUNCTION vectors_follow('2', 'state_id');
CREATE TRIGGER vectors_hide AFTER UPDATE ON event_affects FOR EACH ROW
  WHEN (OLD.searchable <> NEW.searchable) EXECUTE FUNCTION vectors_follow('3', 'id');
CREATE TRIGGER vectors_go AFTER DELETE ON state FOR EACH ROW EXECUTE FUNCTION vectors_follow('2', 'state_id');
CREATE TRIGGER vectors_go AFTER DELETE ON event_affects FOR EACH ROW EXECUTE FUNCTION vectors_follow('3', 'id');

CREATE FUNCTION count_vectors() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('ghost.erasing', true) = 'on' THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'INSERT' AND OLD.vector IS NOT NULL THEN
    UPDATE vec_spaces SET items = items - 1 WHERE space = OLD.space;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.vector IS NOT NULL THEN
    UPDATE vec_spaces SET items = items + 1 WHERE space = NEW.space;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER vectors_are_counted AFTER INSERT OR DELETE ON vec_items FOR EACH ROW EXECUTE FUNCTION count_vectors();
CREATE TRIGGER vectors_are_recounted AFTER UPDATE ON vec_items FOR EACH ROW
  WHEN (OLD.space <> NEW.space OR (OLD.vector IS NULL) <> (NEW.vector IS NULL)) EXECUTE FUNCTION count_vectors();

-- What is due is told to whoever looks after ghosts. A row that is in somebody's hand keeps its server.
CREATE FUNCTION needs_attention(at bigint) RETURNS void LANGUAGE sql AS $$
  INSERT INTO attention (due_at) VALUES (at)
  ON CONFLICT (ghost_id) DO UPDATE SET due_at = least(attention.due_at, excluded.due_at)
$$;
CREATE FUNCTION job_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM needs_attention(NEW.run_after);
  RETURN NULL;
END $$;
CREATE TRIGGER job_is_due AFTER INSERT OR UPDATE OF status, run_after ON jobs FOR EACH ROW
  WHEN (NEW.status = 'pending') EXECUTE FUNCTION job_is_due();
CREATE FUNCTION reminder_is_due() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM needs_attention(NEW.next_fire_at - my_clock_offset());
  RETURN NULL;
END $$;
CREATE TRIGGER reminder_is_due AFTER INSERT OR UPDATE OF next_fire_at, enabled, confirmed ON reminders FOR EACH ROW
  WHEN (NEW.enabled = 1 AND NEW.confirmed = 1 AND NEW.next_fire_at IS NOT NULL)
  EXECUTE FUNCTION reminder_is_due();

-- The door: a hash is looked up by the owner's right, and only what the ghost itself may know comes back.
CREATE FUNCTION come_in(asked text, at bigint) RETURNS TABLE (ghost_id bigint, kind text, name text, salt bytea,
  time_zone text, language text, suspended boolean, clock_offset bigint, version bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT g.ghost_id, t.kind, g.name, g.salt, g.time_zone, g.language, g.suspended_at IS NOT NULL, g.clock_offset,
    g.version
  FROM tokens AS t JOIN ghosts AS g ON g.ghost_id = t.ghost_id
  WHERE t.hash = asked AND coalesce(t.expires_at > at, true)
$$;
-- The same of the ghost that is set, for whoever looks after it without a token.
CREATE FUNCTION my_ghost() RETURNS TABLE (ghost_id bigint, kind text, name text, salt bytea,
  time_zone text, language text, suspended boolean, clock_offset bigint, version bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT g.ghost_id, 'owner', g.name, g.salt, g.time_zone, g.language, g.suspended_at IS NOT NULL, g.clock_offset,
    g.version
  FROM ghosts AS g WHERE g.ghost_id = current_setting('ghost.id')::bigint
$$;
CREATE FUNCTION my_quotas() RETURNS TABLE (turns_a_day bigint, tokens_a_day bigint, bytes_a_day bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT turns_a_day, tokens_a_day, bytes_a_day FROM ghosts WHERE ghost_id = current_setting('ghost.id')::bigint
$$;
CREATE FUNCTION my_clock_offset() RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT clock_offset FROM ghosts WHERE ghost_id = current_setting('ghost.id')::bigint
$$;
-- Nothing is written for a ghost that was erased while it was awake somewhere. Looked up anew, after the lock.
CREATE FUNCTION i_live_here() RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM ghosts WHERE ghost_id = current_setting('ghost.id')::bigint) THEN
    RAISE EXCEPTION 'this ghost was erased' USING ERRCODE = 'GH002';
  END IF;
END $$;
-- Settings or the clock have changed: whoever holds the ghost in memory reads them again.
CREATE FUNCTION i_changed(new_offset bigint) RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE ghosts SET version = version + 1, clock_offset = coalesce(new_offset, clock_offset)
  WHERE ghost_id = current_setting('ghost.id')::bigint RETURNING version
$$;
CREATE FUNCTION know_client() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM tokens WHERE hash = OLD.token_hash AND ghost_id = OLD.ghost_id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.revoked_at IS NULL THEN
    INSERT INTO tokens (hash, ghost_id, kind) VALUES (NEW.token_hash, NEW.ghost_id, 'client');
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER know_client AFTER INSERT OR DELETE OR UPDATE OF token_hash, revoked_at ON clients
  FOR EACH ROW EXECUTE FUNCTION know_client();
CREATE FUNCTION know_session() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM tokens WHERE hash = OLD.session_hash AND ghost_id = OLD.ghost_id;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    INSERT INTO tokens (hash, ghost_id, kind, expires_at)
    VALUES (NEW.session_hash, NEW.ghost_id, 'session', NEW.expires_at);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER know_session AFTER INSERT OR DELETE OR UPDATE ON sessions
  FOR EACH ROW EXECUTE FUNCTION know_session();

-- Who may do what. The owner makes the tables. The app lives as one ghost at a time and owns nothing. The worker sees
-- of all ghosts which of them need somebody, and no word. The administrator sees who lives here, and may erase.
DO $$
DECLARE
  one text;
BEGIN
  FOREACH one IN ARRAY ARRAY['ghost_app', 'ghost_worker', 'ghost_admin'] LOOP
    IF NOT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = one) THEN
      EXECUTE format('CREATE ROLE %I LOGIN NOSUPERUSER NOBYPASSRLS', one);
    END IF;
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO %I', current_schema(), one);
  END LOOP;
  FOR one IN SELECT tablename FROM pg_tables WHERE schemaname = current_schema()
      AND tablename NOT IN ('ghosts', 'house_schema', 'tokens') LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', one);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', one);
    EXECUTE format('CREATE POLICY one_ghost ON %I TO ghost_app USING (ghost_id = current_setting(''ghost.id'')::bigint'
      || CASE WHEN one = 'meta' THEN ' AND part = current_setting(''ghost.part'')' ELSE '' END || ')', one);
    EXECUTE format('CREATE POLICY erased ON %I TO ghost_admin USING (ghost_id = current_setting(''ghost.id'')::bigint)',
      one);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO ghost_app', one);
    -- Deleting fires triggers, which write to other tables of the same ghost.
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO ghost_admin', one);
  END LOOP;
  FOREACH one IN ARRAY ARRAY['attention', 'talks', 'presence', 'leases'] LOOP
    EXECUTE format('CREATE POLICY all_ghosts ON %I TO ghost_worker USING (true)', one);
    EXECUTE format('GRANT SELECT, UPDATE, DELETE ON %I TO ghost_worker', one);
  END LOOP;
  GRANT INSERT ON attention TO ghost_worker;
  GRANT SELECT ON house_schema TO ghost_app, ghost_worker, ghost_admin;
  GRANT SELECT, INSERT, UPDATE, DELETE ON ghosts, tokens TO ghost_admin;
  REVOKE EXECUTE ON FUNCTION come_in(text, bigint), my_ghost(), i_live_here(), my_quotas(), my_clock_offset(), i_changed(bigint),
    know_client(), know_session() FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION come_in(text, bigint), my_ghost(), i_live_here(), my_quotas(), my_clock_offset(), i_changed(bigint)
    TO ghost_app;
END $$;
