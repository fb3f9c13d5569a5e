"""A served house: every caller reaches his own ghost, and the host can do his work without reading a word."""

from __future__ import annotations

import asyncio
import base64
import json
import re
from pathlib import Path

import psycopg
import pytest

from cocoro_ghost.bootstrap import Stand, open_foundations
from cocoro_ghost.care.export import export_lines
from cocoro_ghost.cli import house as commands
from cocoro_ghost.clock import SystemClock
from cocoro_ghost.errors import Conflict, NotFound, StoreError
from cocoro_ghost.house.homes import MASTER_KEY
from cocoro_ghost.store import events, meta
from cocoro_ghost.store.postgres.ghosts import GhostRegister, url_as
from tests.a_hosted_house import ADMIN, CONFIG, KEY, a_new_ghost, a_server_of, client_of
from tests.a_house import House
from tests.serving import say

pytestmark = pytest.mark.anyio
CANARY = "紫陽花の合言葉"
FORGOTTEN = "勿忘草の合言葉"


async def test_every_caller_reaches_his_own_ghost(served_house: House) -> None:
    async with a_server_of(served_house.app_url) as server:
        (_, ao), (_, beni) = await a_new_ghost(server), await a_new_ghost(server)
        async with client_of(server, ao) as mine, client_of(server, beni) as theirs:
            assert (await say(mine, f"私の秘密は{CANARY}です"))[-1][0] == "done"
            assert (await say(theirs, "おはよう"))[-1][1]["event_id"] == 1
            assert CANARY in (await mine.get("/api/memory/events")).text
            assert CANARY not in (await theirs.get("/api/memory/events")).text
            status = (await mine.get("/api/status")).json()
            assert status["data_dir"] is None
            assert status["backups"] is None
            assert (await mine.post("/api/backup")).status_code == 403
            assert (await mine.post("/api/control", json={"action": "shutdown"})).status_code == 403


async def test_equal_words_of_two_ghosts_clients_are_two_turns(served_house: House) -> None:
    """A body that was just sent is answered once, but never with another ghost's answer."""
    async with a_server_of(served_house.app_url) as server:
        body = {"model": "ghost", "messages": [{"role": "user", "content": "今日は何を話そうか"}]}
        tokens = [(await a_new_ghost(server))[1] for _ in range(2)]

        async def ask(token: str) -> int:
            async with client_of(server, token) as client:
                assert (await client.post("/v1/chat/completions", json=body)).status_code == 200
                return len((await client.get("/api/memory/turns")).json()["items"])

        assert await asyncio.gather(*map(ask, tokens)) == [1, 1]


async def test_strangers_stay_outside(served_house: House) -> None:
    async with (
        a_server_of(served_house.app_url) as server,
        client_of(server, "no-token-of-anybody") as client,
    ):
        assert (await client.get("/api/health")).status_code == 200
        assert (await client.get("/readyz")).json() == {"ready": True}
        assert (await client.get("/")).status_code == 200
        refused = await client.get("/api/memory/events", headers={"Accept-Language": "ja"})
        assert refused.status_code == 401
        assert "トークン" in refused.json()["detail"]["message"]
        for path in ("/admin/ghosts", "/metrics"):
            assert (await client.get(path)).status_code == 401
        wrong = await client.post("/api/auth/login", json={"token": "guess"})
        assert wrong.status_code == 401
        assert (await client.post("/api/auth/login", content=b"[")).status_code == 401


async def test_a_browser_logs_in_at_one_server_and_goes_on_at_another(served_house: House) -> None:
    """Sessions and one-time tickets are in the database: no server needs to be the same one."""
    async with a_server_of(served_house.app_url) as one, a_server_of(served_house.app_url) as other:
        _, token = await a_new_ghost(one)
        async with client_of(one) as client:
            session = (await client.post("/api/auth/login", json={"token": token})).json()["session"]
        async with client_of(other, Authorization=f"Session {session}") as client:
            assert (await client.get("/api/memory/events")).status_code == 200
            ticket = (await client.post("/api/auth/ticket")).json()["ticket"]
        async with client_of(one) as client:
            assert (await client.get(f"/api/export?ticket={ticket}")).status_code == 200
            assert (await client.get(f"/api/export?ticket={ticket}")).status_code == 401


async def test_a_suspended_ghost_is_not_spoken_with_and_comes_back(served_house: House) -> None:
    async with a_server_of(served_house.app_url) as server:
        name, token = await a_new_ghost(server, language="en")
        async with client_of(server, token) as client:
            assert (await client.get("/api/memory/events")).status_code == 200
            await client.post(f"/admin/ghosts/{name}/suspend", headers=ADMIN)
            server.door.forget(0)  # as the notice does
            refused = await client.get("/api/memory/events")
            assert (refused.status_code, refused.json()["detail"]["code"]) == (403, "suspended")
            assert "suspended" in refused.json()["detail"]["message"]
            await client.post(f"/admin/ghosts/{name}/resume", headers=ADMIN)
            server.door.forget(0)
            assert (await client.get("/api/memory/events")).status_code == 200


async def test_a_day_has_an_end(served_house: House) -> None:
    """Turns, tokens and bytes of a day: 429 with a sentence in the ghost's language; reading goes on."""
    async with a_server_of(served_house.app_url) as server:
        name, token = await a_new_ghost(server, language="ja")
        quotas = f"/admin/ghosts/{name}/quotas"
        async with client_of(server, token) as client:
            await client.put(quotas, json={"turns_a_day": 1}, headers=ADMIN)
            await say(client, "おはよう")
            over = await client.post("/api/chat", json={"input_text": "もうひとつ"})
            assert (over.status_code, over.json()["detail"]["code"]) == (429, "quota")
            assert "今日のぶんの会話" in over.json()["detail"]["message"]
            assert (await client.get("/api/memory/events")).status_code == 200
            await client.put(quotas, json={"turns_a_day": None, "tokens_a_day": 0}, headers=ADMIN)
            over = await client.post("/api/chat", json={"input_text": "もうひとつ"})
            assert "トークン" in over.json()["detail"]["message"]
            await client.put(quotas, json={"tokens_a_day": None, "bytes_a_day": 10}, headers=ADMIN)
            assert (await client.post("/api/auth/ticket")).status_code == 429
            shown = (await client.get(f"/admin/ghosts/{name}", headers=ADMIN)).json()
            assert shown["ghost"]["bytes_a_day"] == 10
            assert shown["rows"]["events"] == 1


async def test_a_new_token_ends_the_old_one_and_names_are_taken_once(served_house: House) -> None:
    async with a_server_of(served_house.app_url) as server:
        name, old = await a_new_ghost(server)
        async with client_of(server, old) as client:
            assert (await client.get("/api/memory/events")).status_code == 200
            new = (await client.post(f"/admin/ghosts/{name}/token", headers=ADMIN)).json()["token"]
            server.door.forget(0)
            assert (await client.get("/api/memory/events")).status_code == 401
            again = await client.post("/admin/ghosts", json={"name": name}, headers=ADMIN)
            assert again.status_code == 409
            bad = await client.post("/admin/ghosts", json={"name": "x", "time_zone": "Mars"}, headers=ADMIN)
            assert bad.status_code == 400
            assert (await client.get("/admin/ghosts/nobody-of-that-name", headers=ADMIN)).status_code == 404
        async with client_of(server, new) as client:
            assert (await client.get("/api/memory/events")).status_code == 200


async def test_figures_name_nobody(served_house: House) -> None:
    async with a_server_of(served_house.app_url) as server:
        name, token = await a_new_ghost(server, name="紫陽花さん")
        async with client_of(server, token) as client:
            await say(client, CANARY)
            text = (await client.get("/metrics", headers=ADMIN)).text
            assert "cocoro_house_ghosts_awake " in text
            assert name not in text
            assert CANARY not in text
            await client.request("DELETE", f"/admin/ghosts/{name}", headers=ADMIN)


async def test_settings_changed_at_one_server_hold_at_the_other(served_house: House) -> None:
    async with a_server_of(served_house.app_url) as one, a_server_of(served_house.app_url) as other:
        _, token = await a_new_ghost(one)
        async with client_of(one, token) as here, client_of(other, token) as there:
            await here.get("/api/control/time")
            await there.get("/api/control/time")
            await here.post("/api/control/time/advance", json={"seconds": 86_400})
            other.door.forget(0)
            moved = (await there.get("/api/control/time")).json()
            assert moved["domain_offset_seconds"] == 86_400
            mood = {"vad": {"v": -1.0, "a": 0.0, "d": 0.0}, "note": "不機嫌"}
            assert (await here.put("/api/persona_mood", json=mood)).status_code == 200
            assert (await there.get("/api/persona_mood")).json()["override"]["note"] == "不機嫌"


def _dump(url: str) -> str:
    """Every row of every table, as its owner sees them: what a backup of this moment would hold."""
    with psycopg.connect(url) as connection:
        names = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        return "\n".join(
            str(connection.execute(f'SELECT t::text FROM "{name}" AS t'.encode()).fetchall())
            for (name,) in names
        )


async def test_no_trace(served_house: House) -> None:
    """After `erase`: no row, no hit for the ghost's words in a dump, nothing written any more."""
    async with a_server_of(served_house.app_url) as server:
        name, token = await a_new_ghost(server)
        async with client_of(server, token) as client:
            await say(client, f"合言葉は{FORGOTTEN}だよ。覚えておいて")
            await server.rounds.step()
            await server.rounds.settled()
            assert FORGOTTEN in _dump(served_house.owner_url)
            shown = (await client.get(f"/admin/ghosts/{name}", headers=ADMIN)).json()
            resident = server.house.if_awake(str(shown["ghost"]["ghost_id"]))
            assert resident is not None
            answer = await client.request("DELETE", f"/admin/ghosts/{name}", headers=ADMIN)
            assert answer.status_code == 200, answer.text
            proof = answer.json()
            assert proof["left"] == 0
            assert proof["deleted"] > 10
            assert FORGOTTEN not in _dump(served_house.owner_url)
            with pytest.raises(StoreError, match="erased"):
                await resident.ghost.memory.write(lambda tx: meta.put(tx, "late", FORGOTTEN))
            server.door.forget(0)
            assert (await client.get("/api/memory/events")).status_code == 401
        with pytest.raises(NotFound):
            GhostRegister(url_as(served_house.app_url, "ghost_admin"), SystemClock()).show(name)


def test_a_ghost_moves_between_the_engines_and_back(
    served_house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Directory → database → directory, by the commands: equal lines, equal ids."""
    monkeypatch.setenv(MASTER_KEY, base64.b64encode(KEY).decode())
    stand = Stand(config=CONFIG)
    with open_foundations(tmp_path / "a", stand=stand) as base:
        base.databases.memory.write_now(lambda tx: meta.put(tx, "told", CANARY))
        lines = list(export_lines(base.databases))
    (tmp_path / "a.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    commands.create("moved", served_house.app_url, time_zone="Asia/Tokyo", language="ja")
    commands.import_("moved", tmp_path / "a.jsonl", served_house.app_url)
    commands.export("moved", tmp_path / "b.jsonl", served_house.app_url)
    back = (tmp_path / "b.jsonl").read_text(encoding="utf-8").splitlines()
    assert sorted(map(_row, lines[1:])) == sorted(map(_row, back[1:]))
    with pytest.raises(Conflict):
        commands.create("moved", served_house.app_url)
    commands.list_(served_house.app_url)
    commands.show("moved", served_house.app_url)
    commands.suspend("moved", served_house.app_url)
    commands.suspend("moved", served_house.app_url, resume=True)
    commands.quotas("moved", served_house.app_url, turns=5, tokens=-1, size=None)
    commands.migrate(served_house.owner_url)
    commands.erase("moved", served_house.app_url, yes=True)
    said = capsys.readouterr().out
    assert "up to date" in said
    assert re.search(r"turns_a_day +5\n", said)
    assert "0 left in" in said


def _row(line: str) -> str:
    return json.dumps(json.loads(line), sort_keys=True, ensure_ascii=False)


async def test_events_of_a_sleeping_ghost_are_its_own(served_house: House) -> None:
    async with a_server_of(served_house.app_url, rounds=False) as server:
        _, token = await a_new_ghost(server)
        async with client_of(server, token) as client:
            await say(client, "おはよう")
        (resident,) = server.house.awake()
        await server.house.lay_down(resident.name)
        async with client_of(server, token) as client:
            assert (await client.get("/api/memory/events")).status_code == 200
        assert await server.house.awake()[0].ghost.memory.read(events.last_id) == 1
