"""Every route asked as one ghost: nothing of another is shown, counted or changed, whatever is asked for."""

from __future__ import annotations

import re
from typing import Any

import psycopg
import pytest

from cocoro_ghost.house.serve_house import HouseServer
from tests.a_hosted_house import ADMIN, a_new_ghost, a_server_of, client_of
from tests.a_house import House
from tests.conftest import Figures
from tests.serving import say

pytestmark = pytest.mark.anyio
CANARY = "瑠璃色カナリア"
ENDS_THE_TALK = {"/api/events/stream", "/api/logs/stream"}
SECRET = f"{CANARY}の巣"
"""What is asked for is the beginning; only the other ghost knows how it goes on."""
GUESSES: dict[str, Any] = {"after": 0, "limit": 50, "q": CANARY, "query": CANARY, "text": CANARY, "key": "1"}
BODY = {"input_text": "やあ", "text": CANARY, "ids": [1], "name": "x"}


def _calls(server: HouseServer) -> list[tuple[str, str, dict[str, Any], dict[str, Any] | None]]:
    """(method, path, query, body) of every route in the document, ids guessed as 1."""
    found = []
    for path, methods in server.app.openapi()["paths"].items():
        for method, told in methods.items():
            asked = [one for one in told.get("parameters", ()) if one["in"] == "query"]
            names = [one["name"] for one in asked if one.get("required") or one["name"] in GUESSES]
            query = {name: GUESSES.get(name, 1) for name in names}
            body = BODY if "requestBody" in told else None
            found.append((method.upper(), re.sub(r"\{[^}]+\}", "1", path), query, body))
    return [call for call in found if call[1] not in ENDS_THE_TALK]


def _rows_of(house: House, name: str) -> dict[str, list[Any]]:
    """Everything one ghost has, as the owner of the database sees it; its sessions and beats may move."""
    moving = {"sessions", "attention", "talks", "presence", "leases", "jobs", "clients", "used_today"}
    with psycopg.connect(house.owner_url) as connection:
        tables = connection.execute(
            "SELECT table_name FROM information_schema.columns WHERE column_name = 'ghost_id'"
            " AND table_schema = 'public' AND table_name NOT IN ('ghosts', 'tokens') ORDER BY 1"
        ).fetchall()
        sql = 'SELECT t::text FROM "{}" AS t WHERE ghost_id = (SELECT ghost_id FROM ghosts WHERE name = %s)'
        return {
            table: sorted(connection.execute(sql.format(table).encode(), (name,)).fetchall())
            for (table,) in tables
            if table not in moving
        }


async def test_no_route_leaks(served_house: House, figures: Figures) -> None:
    async with a_server_of(served_house.app_url, rounds=False) as server:
        (_, mine), (other, theirs) = await a_new_ghost(server), await a_new_ghost(server)
        for token, secret in ((mine, "名前"), (theirs, SECRET)):
            async with client_of(server, token) as client:
                await say(client, f"私の合言葉は{secret}です。{secret}が好きです")
                await say(client, f"明日の10時に{secret}を思い出させて")
        while await server.rounds.step():
            await server.rounds.settled()
        before = _rows_of(served_house, other)
        asked = answered = 0
        async with client_of(server, mine) as client:
            for method, path, query, body in _calls(server):
                answer = await client.request(method, path, params=query, json=body)
                asked += 1
                answered += answer.status_code < 400
                assert SECRET not in answer.text, (method, path, answer.text[:300])
                assert answer.status_code != 500, (method, path, answer.text[:300])
        assert _rows_of(served_house, other) == before
        assert asked > 80
        figures("PG", f"{asked} routes as one ghost ({answered} answered) show and change nothing of another")
        async with client_of(server) as client:
            for path in ("/admin/ghosts", f"/admin/ghosts/{other}"):
                assert SECRET not in (await client.get(path, headers=ADMIN)).text
