"""Behind row level security index conditions stay usable: nothing that recall asks reads a whole tenant."""

from __future__ import annotations

import re
from collections.abc import Callable

import psycopg

from cocoro_ghost.store.queries import postgres_queries
from tests.a_house import House
from tests.conftest import Figures

_RECALL = (
    "candidates.", "entities.events_of", "entities.of_", "graph.neighbours", "graph.thread_", "words.rows",
    "words.places", "words.events_allowed", "words.states_allowed", "events.by_ids", "states.by_ids",
    "states.summary_of_scope", "events.last_chat", "vectors.by_ids", "blocks.of_terms", "blocks.terms_from",
)  # fmt: skip
_MANY = 20_000
_NAMED = "id, {owner}, entity_type_norm, entity_name_raw, entity_name_norm, confidence, created_at"
_NAMES = "i, i, 'person', 'n', 'n' || i % 400, 0.9, i"
_ROWS = {
    "events": (
        "event_id, created_at, updated_at, source, origin, user_text",
        "i, i * 60, i * 60, 'chat', 'user', 'x'",
    ),
    "state": (
        "state_id, kind, body_text, body_key, confidence, last_confirmed_at, created_at, updated_at",
        "i, (ARRAY['fact', 'task', 'summary'])[1 + i % 3], 'x', 'k' || i, 0.5, i, i, i",
    ),
    "event_entities": (_NAMED.format(owner="event_id"), _NAMES),
    "state_entities": (_NAMED.format(owner="state_id"), _NAMES),
    "word_rows": ("event_id, terms, size", "i, 'a', 1"),
    "event_threads": ("id, event_id, thread_key, confidence, created_at", "i, i, 't' || i % 200, 0.9, i"),
    "event_affects": (
        "id, event_id, created_at, moment_affect_text, vad_v, vad_a, vad_d, confidence",
        "i, i, i, 'x', 0, 0, 0, 0.9",
    ),
    "event_links": (
        "id, from_event_id, to_event_id, label, confidence, created_at",
        "i, i + 1, i, (ARRAY['reply_to', 'same_topic'])[1 + i % 2], 0.9, i",
    ),
    "vec_items": (
        "item_id, kind, entity_id, space, dimension, vector, ts, seq",
        "10000000000 + i, 1, i, 's', 2, '[0.5, 0.5]', i, i",
    ),
    "word_blocks": ("what, term, block, n, places", "'event', 't' || i, 1, 1, ''"),
}
_ALL_OF_IT = r"Cond: \(ghost_id = \(current_setting\('ghost\.id'::text\)\)::bigint\)$"
_WHOLE = re.compile(rf"Seq Scan on ({'|'.join(_ROWS)})\b|Recheck {_ALL_OF_IT}", re.MULTILINE)
_GIVEN = re.compile(r"%\((\w+)\)s")
_LOOPS = re.compile(r"Limit .* loops=(\d+)")


def _numbered(sql: str) -> str:
    for at, name in enumerate(dict.fromkeys(_GIVEN.findall(sql)), 1):
        sql = sql.replace(f"%({name})s", f"${at}")
    return sql.replace("%%", "%")


def _fill(house: House, ghosts: list[int]) -> None:
    with psycopg.connect(house.owner_url) as connection:
        # Rows as they lie, without the triggers: only how they are found is looked at.
        connection.execute("SET LOCAL session_replication_role = replica")
        for table, (columns, values) in _ROWS.items():
            of = f"FROM generate_series(1, {_MANY}) AS i, unnest(ARRAY{ghosts}) AS g"
            connection.execute(f"INSERT INTO {table} (ghost_id, {columns}) SELECT g, {values} {of}".encode())
        for table in _ROWS:
            connection.execute(f"ANALYZE {table}".encode())


def test_index_conditions_survive_rls(house: House, new_ghost: Callable[[], int], figures: Figures) -> None:
    ghosts = [new_ghost() for _ in range(3)]
    _fill(house, ghosts)
    asked = {name: sql for name, sql in postgres_queries().items() if name.startswith(_RECALL)}
    whole = {}
    with psycopg.connect(house.app_url) as connection:
        connection.execute("SELECT set_config('ghost.id', %s, false)", (str(ghosts[0]),))
        connection.execute("SELECT set_config('ghost.part', 'memory', false)")
        client = psycopg.ClientCursor(connection)
        for name, sql in asked.items():
            # The plan that serves every ghost and every list, as the servers have it made.
            told = client.execute(f"EXPLAIN (GENERIC_PLAN) {_numbered(sql)}".encode())
            text = "\n".join(str(row[0]) for row in told)
            if _WHOLE.search(text):
                whole[name] = text
    assert whole == {}
    figures("PG", f"{len(asked)} statements of a recall use an index behind the policy, at {_MANY:,} turns")


def test_each_name_is_asked_for_once(house: House, new_ghost: Callable[[], int]) -> None:
    """Two lists that belong together are never every pair of the two, whatever the planner guesses."""
    ghost, many = new_ghost(), 30
    lists = {"types": ["person"] * many, "norms": [f"n{i}" for i in range(many)]}
    lists["keys"] = lists["norms"]
    with psycopg.connect(house.app_url) as connection:
        connection.execute("SELECT set_config('ghost.id', %s, false)", (str(ghost),))
        client = psycopg.ClientCursor(connection)
        for name in ("candidates.states_named", "entities.events_of", "graph.thread_events"):
            given = {**lists, "floor": 0.0, "now": 1, "limit": 5}
            told = client.execute(f"EXPLAIN ANALYZE {postgres_queries()[name]}".encode(), given)
            loops = _LOOPS.findall("\n".join(str(row[0]) for row in told))
            assert loops == [str(many)], name
