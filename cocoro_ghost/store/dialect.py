"""The shared SQL as PostgreSQL takes it: a few mechanical rules, and the type of each parameter by its name.

What these rules cannot turn is written anew in `sql/postgres/`, under the same name.
"""

from __future__ import annotations

import re

_BIG = "bigint"
_FLOATS = {
    "confidence", "floor", "salience", "v", "a", "d", "vad_v", "vad_a", "vad_d", "min_confidence",
    "about_time_confidence",
}  # fmt: skip
_BYTES = {"mean", "sealed"}
_NUMBERS = {
    "now", "limit", "before", "after", "since", "until", "start", "end", "first", "last", "seen",
    "step", "offset", "searchable", "closed", "archived", "pin", "enabled", "confirmed", "size",
    "depth", "up_to", "year", "seq", "dimension", "ts", "milliseconds", "position", "place",
    "run_after", "later_than", "stale_before", "at_least", "max_attempts", "input_tokens", "cached_tokens",
    "output_tokens", "undoes", "created_at", "about_year_start", "about_year_end", "id", "block",
    "n", "flags", "about_from", "edited_from", "speaks_for_others", "tools",
    "about_to", "skip", "vector_kind", "width", "item_id", "long_turn",
}  # fmt: skip
_LISTS = {
    "ids": "bigint[]", "held": "bigint[]", "names": "text[]", "labels": "text[]", "kinds": "text[]",
    "types": "text[]", "norms": "text[]", "keys": "text[]", "gone": "text[]", "terms": "text[]",
    "heads": "text[]", "behinds": "text[]",
    "vector_kinds": "bigint[]", "counts": "bigint[]", "all_flags": "bigint[]", "places_list": "bytea[]",
}  # fmt: skip
_TEXT = {"reminder_id", "preset_id", "client_id", "message_id", "parent_id", "reply_id", "scheduled_at"}
_MEMBERS = {
    "$.slot": "slot", "$.scope.type": "scope_type", "$.scope.key": "scope_key", "$.expires_ts": "expires_ts",
    "$.due_ts": "due_ts", "$.closed_because": "closed_because", "$.event_id": "about_event",
}  # fmt: skip
HIDDEN = frozenset({"ghost_id", "part", *_MEMBERS.values()})
"""Columns that only PostgreSQL has: whose row it is, and members of JSON that are looked up."""

_IN_LIST = re.compile(r"\bIN \(SELECT value FROM json_each\(:(\w+)\)\)")
# Each of a list by itself and by its key (OFFSET 0 keeps it so): the planner knows no list's length, takes it
# for short, and would compare every row of a small or new table with every one of the list.
_BY_KEY = re.compile(r"json_each\(:(\w+)\) AS wanted\s+JOIN (\w+)(?: AS (\w+))? ON ([\w.]+) = wanted\.value")
_EACH = re.compile(r"json_each\(:(\w+)\)(?: AS (\w+))?")
_LISTED = re.compile(r"json_each\((\w+_json)\)")
_MEMBER = re.compile(r"json_extract\((\w+\.)?payload_json, '([^']+)'\)")
_HINT = re.compile(r"(?<=[\s(])\+(?=[a-z])")
_PARAMETER = re.compile(r"(?<!:):([a-z]\w*)")


def to_postgres(sql: str) -> str:
    """One shared statement in psycopg's form, every parameter typed."""
    sql = sql.replace("%", "%%")
    sql = _IN_LIST.sub(lambda m: f"= ANY(:{m[1]})", sql)
    sql = _BY_KEY.sub(_each_by_key, sql)
    sql = _EACH.sub(lambda m: f"unnest(:{m[1]}) WITH ORDINALITY AS {m[2] or 'listed'}(value, key)", sql)
    sql = _LISTED.sub(lambda m: f"jsonb_array_elements_text({m[1]}::jsonb) AS listed(value)", sql)
    sql = _MEMBER.sub(lambda m: (m[1] or "") + _MEMBERS[m[2]], sql)
    sql = re.sub(r"ON CONFLICT \((?!ghost_id)", "ON CONFLICT (ghost_id, ", sql)
    sql = _HINT.sub("", sql).replace(" LIKE ", " ILIKE ")
    return typed(sql)


def _each_by_key(found: re.Match[str]) -> str:
    ids, table, alias, key = found.groups()
    name = alias or table
    one = f"SELECT * FROM {table} AS {name} WHERE {key} = wanted.value OFFSET 0"
    return f"unnest(:{ids}) AS wanted(value) CROSS JOIN LATERAL ({one}) AS {name}"


def typed(sql: str) -> str:
    """Named parameters with their types: PostgreSQL must know what a NULL would be."""
    return _PARAMETER.sub(lambda m: f"%({m[1]})s::{type_of(m[1])}", sql)


def type_of(name: str) -> str:
    if name in _LISTS:
        return _LISTS[name]
    if name in _FLOATS:
        return "double precision"
    if name in _BYTES:
        return "bytea"
    if name == "vector":
        return "halfvec"
    if name in _NUMBERS or (name.endswith(("_id", "_ts", "_at")) and name not in _TEXT):
        return _BIG
    return "text"
