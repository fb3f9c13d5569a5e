"""The shared SQL on a real PostgreSQL: every statement is taken, no override stands without an original."""

from __future__ import annotations

import re

import psycopg
import pytest

from cocoro_ghost.store.dialect import to_postgres
from cocoro_ghost.store.queries import _read, postgres_queries, shared_queries
from tests.a_house import House
from tests.conftest import Figures

_OWN_TOPICS = ("blocks.", "nearest.")
"""What only this engine has: its word index, and the search for vectors in the database."""


def test_every_statement_prepares(house: House, figures: Figures) -> None:
    """As the app, with a ghost set: types, names and rights are all checked by the server."""
    refused = {}
    with psycopg.connect(house.app_url, autocommit=True) as connection:
        connection.execute(
            "SELECT set_config('ghost.id', '1', false), set_config('ghost.part', 'memory', false)"
        )
        for number, (name, sql) in enumerate(postgres_queries().items()):
            names = list(dict.fromkeys(re.findall(r"%\((\w+)\)s", sql)))
            numbered = re.sub(r"%\((\w+)\)s", lambda m, names=names: f"${names.index(m[1]) + 1}", sql)  # type: ignore[misc]
            plain = numbered.replace("%%", "%").rstrip().rstrip(";")
            try:
                connection.execute(f"PREPARE p{number} AS {plain}".encode())
            except psycopg.Error as error:
                refused[name] = str(error).splitlines()[0]
    assert refused == {}
    own = len(_read("postgres"))
    figures("PG", f"{len(postgres_queries())} statements prepare on PostgreSQL, {own} of them written for it")


def test_no_override_without_an_original() -> None:
    overrides = {name for name in _read("postgres") if not name.startswith(_OWN_TOPICS)}
    assert overrides <= set(shared_queries())
    assert len(overrides) <= 23


@pytest.mark.parametrize(
    ("shared", "expected"),
    [
        (
            "SELECT a FROM t WHERE id IN (SELECT value FROM json_each(:ids))",
            "SELECT a FROM t WHERE id = ANY(%(ids)s::bigint[])",
        ),
        (
            "FROM json_each(:names) AS wanted",
            "FROM unnest(%(names)s::text[]) WITH ORDINALITY AS wanted(value, key)",
        ),
        (
            "json_extract(state.payload_json, '$.scope.key') = :scope_key",
            "state.scope_key = %(scope_key)s::text",
        ),
        ("ON CONFLICT (event_id) DO NOTHING", "ON CONFLICT (ghost_id, event_id) DO NOTHING"),
        ("WHERE +kind = 'task' AND (+source = 'a')", "WHERE kind = 'task' AND (source = 'a')"),
        ("user_text LIKE :pattern ESCAPE '\\'", "user_text ILIKE %(pattern)s::text ESCAPE '\\'"),
        ("strftime('%Y')", "strftime('%%Y')"),
        (
            "confidence >= :floor AND n < :limit",
            "confidence >= %(floor)s::double precision AND n < %(limit)s::bigint",
        ),
    ],
)
def test_each_rule(shared: str, expected: str) -> None:
    assert to_postgres(shared) == expected
