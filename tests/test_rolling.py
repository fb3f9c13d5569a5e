"""Servers are renewed one by one: version N on schema N and N+1, turns all through."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from cocoro_ghost.errors import ConfigError, SchemaTooNew
from cocoro_ghost.store.postgres import engine as engines
from cocoro_ghost.store.postgres.engine import PostgresEngine, check_schema, migrate
from tests.a_hosted_house import a_new_ghost, a_server_of, client_of
from tests.a_house import House, make_house
from tests.serving import say

pytestmark = pytest.mark.anyio
NEXT = """
ALTER TABLE events ADD COLUMN weather text;
CREATE TABLE pictures (ghost_id bigint NOT NULL DEFAULT current_setting('ghost.id')::bigint, id bigint,
  PRIMARY KEY (ghost_id, id));
"""


@pytest.fixture
def fresh(house: House) -> Iterator[House]:
    """A database of its own: its schema changes under the servers."""
    yield make_house(house.owner_url, "ghost_rolling")
    with psycopg.connect(house.owner_url, autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS ghost_rolling WITH (FORCE)")


async def test_old_and_new_together(fresh: House, monkeypatch: pytest.MonkeyPatch) -> None:
    known = engines.migrations()
    newer = [*known, (known[-1][0] + 1, NEXT)]
    async with a_server_of(fresh.app_url) as old:
        _, token = await a_new_ghost(old)
        async with client_of(old, token) as client:
            assert (await say(client, "ひとつめ"))[-1][0] == "done"
            monkeypatch.setattr(engines, "migrations", lambda: newer)
            assert migrate(fresh.owner_url) == [newer[-1][0]]
            assert (await say(client, "ふたつめ"))[-1][0] == "done"
            async with a_server_of(fresh.app_url) as new, client_of(new, token) as there:
                for number in range(2):
                    assert (await say(client, f"古い方 {number}"))[-1][0] == "done"
                    assert (await say(there, f"新しい方 {number}"))[-1][0] == "done"
                while await new.rounds.step():
                    await new.rounds.settled()
                turns = (await there.get("/api/memory/turns")).json()
                assert len(turns["items"]) == 6


async def test_a_server_says_which_schema_it_needs(fresh: House, monkeypatch: pytest.MonkeyPatch) -> None:
    known = engines.migrations()
    engine = PostgresEngine(fresh.app_url, connections=1)
    check_schema(engine.pool)
    monkeypatch.setattr(engines, "migrations", lambda: [*known, (known[-1][0] + 1, NEXT)])
    with pytest.raises(ConfigError, match="migrate"):
        check_schema(engine.pool)
    monkeypatch.undo()
    with psycopg.connect(fresh.owner_url) as connection:
        connection.execute("INSERT INTO house_schema VALUES (%s)", (known[-1][0] + 2,))
    with pytest.raises(SchemaTooNew):
        check_schema(engine.pool)
    engine.close()
