"""What the owner sets for a client: who speaks there, which dialect, what it read and how often it may."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jwt
import pytest

from cocoro_ghost.api.server.pace import READS, WRITES, Pace, TooOften
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.connect.identity import speaker
from cocoro_ghost.errors import Refused
from cocoro_ghost.model.affect import Vad
from cocoro_ghost.model.client import Client, EmotionTags, Scope
from cocoro_ghost.model.event import Origin
from cocoro_ghost.reply.expression import dialect_asked_for
from cocoro_ghost.testing import ScriptedMind
from tests.serving import House, house, say
from tests.test_openai_face import log, post, reply, token, user

SECRET = "a secret that both sides know, long enough for SHA-256"
MANY = Client(
    "c1", "Open WebUI", frozenset({Scope.TALK}), speaks_for_others=True, owner_user="haru@example.org"
)
TOLD = {"x-openwebui-user-id": "u7", "x-openwebui-user-name": "%E3%83%9F%E3%82%AB", "x-ghost-user-email": ""}


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[House]:
    async with house(tmp_path, mind=ScriptedMind()) as served:
        yield served


def signed(secret: str = SECRET, **claims: Any) -> dict[str, str]:
    told = {"sub": "u7", "name": "ミカ", "iss": "open-webui", "exp": int(time.time()) + 300, **claims}
    return {"x-openwebui-user-jwt": jwt.encode(told, secret, algorithm="HS256")}


def test_whoever_is_named_is_believed_only_where_others_may_be_spoken_for() -> None:
    assert speaker(MANY, TOLD) == "ミカ"
    assert speaker(replace(MANY, speaks_for_others=False), TOLD) is None
    assert speaker(MANY, {**TOLD, "x-openwebui-user-email": "Haru@Example.org"}) is None
    assert speaker(MANY, {}) is None
    assert speaker(MANY, {"x-ghost-user-name": "{{USER_NAME}}"}) is None
    assert speaker(MANY, {"x-ghost-user-name": "a\u202eb" + "x" * 200}) == "ab" + "x" * 78


def test_with_a_secret_only_a_signed_token_counts() -> None:
    assert speaker(MANY, signed(), SECRET) == "ミカ"
    assert speaker(MANY, signed(email="haru@example.org"), SECRET) is None
    for bad in (
        TOLD,
        signed("another secret of the same length, which is not ours"),
        signed(exp=int(time.time()) - 600),
        signed(iss="elsewhere"),
        {"x-openwebui-user-jwt": "nonsense"},
    ):
        with pytest.raises(Refused):
            speaker(MANY, bad, SECRET)


async def test_another_persons_words_are_hearsay_and_talks_stay_apart(home: House) -> None:
    key = await token(home, speaks_for_others=True, owner_user="owner-id")
    mika, owner = {"X-Ghost-User-Name": "Mika", "X-Ghost-User": "m1"}, {"X-Ghost-User": "owner-id"}
    await post(home, key, [user("I live in Osaka")], headers=mika)
    await post(home, key, [user("I live in Osaka")], headers=owner)
    mine, hers = await log(home)
    assert (mine.origin, mine.speaker) == (Origin.USER, None)
    assert (hers.origin, hers.speaker) == (Origin.APP, "Mika")
    assert mine.conversation != hers.conversation


async def test_a_token_of_a_user_is_checked_with_the_kept_secret(home: House) -> None:
    key = await token(home, speaks_for_others=True, user_jwt_secret=SECRET)
    assert (await post(home, key, [user("hi")], headers=signed())).status_code == 200
    refused = await post(home, key, [user("hi")], headers={"X-Ghost-User-Name": "Mika"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (401, "unauthorized")
    async with home.client(secure=False) as owner:
        (listed,) = (await owner.get("/api/clients")).json()["items"]
        assert listed["knows_user_jwt"]
        assert SECRET not in str(listed)
        body = {"name": "x", "scopes": ["talk"], "speaks_for_others": True}
        kept = await owner.put(f"/api/clients/{listed['client_id']}", json=body)
        assert kept.json()["knows_user_jwt"]
        gone = await owner.put(f"/api/clients/{listed['client_id']}", json={**body, "user_jwt_secret": ""})
        assert not gone.json()["knows_user_jwt"]


@pytest.mark.parametrize(
    ("prompt", "dialect"),
    [
        ('Begin with <|ACT {"emotion":"happy"}|>', EmotionTags.AIRI),
        ("Use [face:Joy] or [anim:wave]", EmotionTags.FACE),
        ('Use <face name="joy" />', EmotionTags.XML),
        ("Expressions you may use: [neutral], [joy], [anger], [sadness]", EmotionTags.BRACKET),
        ("You may write [joy] of living", None),
        ("", None),
    ],
)
def test_a_dialect_is_read_off_the_clients_prompt(prompt: str, dialect: EmotionTags | None) -> None:
    assert dialect_asked_for(prompt) is dialect


async def test_a_dialect_is_offered_and_never_chosen(home: House) -> None:
    key = await token(home)
    system = {"role": "system", "content": "Begin each sentence with [face:Joy] or [face:Sorrow]."}
    await post(home, key, [system, user("hi")])
    async with home.client(secure=False) as owner:
        (listed,) = (await owner.get("/api/clients")).json()["items"]
    assert (listed["emotion_tags"], listed["offered_tags"]) == ("none", "face")


def test_reads_and_writes_are_counted_apart_and_come_back_after_a_minute() -> None:
    clock = FrozenClock()
    pace, reader = Pace(clock), replace(MANY, scopes=frozenset({Scope.READ, Scope.WRITE}))
    for _ in range(READS):
        pace.count(reader, Scope.READ)
    for _ in range(WRITES):
        pace.count(reader, Scope.FORGET)
    for scope in (Scope.READ, Scope.WRITE):
        with pytest.raises(TooOften, match="wait"):
            pace.count(reader, scope)
    pace.count(replace(reader, client_id="c2"), Scope.READ)
    pace.count(replace(reader, scopes=frozenset({Scope.ADMIN})), Scope.READ)
    clock.tick(61)
    pace.count(reader, Scope.READ)


async def test_who_looks_into_memory_is_written_down_and_bounded(home: House) -> None:
    key = await token(home, Scope.READ)
    async with home.client(secure=False, headers={"Authorization": f"Bearer {key}"}) as agent:
        answers = [await agent.get("/api/memory/events?limit=1") for _ in range(READS + 1)]
    assert [one.status_code for one in answers] == [200] * READS + [429]
    assert answers[-1].json()["detail"]["code"] == "throttled"
    await home.ghost.settings_db.write(lambda tx: None)
    async with home.client(secure=False) as owner:
        (listed,) = (await owner.get("/api/clients")).json()["items"]
        seen = (await owner.get(f"/api/clients/{listed['client_id']}/accesses")).json()["items"]
        assert (await owner.get("/api/clients/nobody/accesses")).status_code == 404
    assert len(seen) == READS
    assert (seen[0]["scope"], seen[0]["call"]) == ("memory:read", "GET /api/memory/events")


async def test_what_a_program_asked_leaves_the_list_for_good(home: House) -> None:
    await post(home, await token(home), [user("Answer in JSON: which tags fit?")])
    async with home.client(secure=False) as owner:
        (one,) = (await owner.get("/api/clients-doubtful")).json()["items"]
        assert one["client_name"] == "a client"
        path = f"/api/clients-doubtful/{one['event_id']}"
        assert (await owner.post(f"{path}/program")).status_code == 204
        assert (await owner.post(f"{path}/real")).status_code == 404
        assert (await owner.get("/api/clients-doubtful")).json()["items"] == []
    assert await log(home) == []


async def test_a_face_is_told_beside_the_reply(home: House) -> None:
    await home.ghost.memory.write(lambda tx: home.ghost.mood_shelf.put(tx, Vad(0.8, 0.5, 0.1)))
    async with home.client(secure=False) as owner:
        frames = await say(owner, "やあ")
    face = frames[-1][1]["expression"]
    assert (face["name"], face["vad"]["v"]) == ("happy", 0.8)


@pytest.mark.parametrize("path", ["/chat/completions", "/v1/responses", "/models"])
async def test_who_looks_in_the_wrong_place_is_told_the_right_one(home: House, path: str) -> None:
    key = await token(home)
    async with home.client(secure=False, headers={"Authorization": f"Bearer {key}"}) as client:
        answer = await client.post(path, json={"model": "ghost", "messages": [user("hi")]})
    assert answer.status_code == 404
    assert "/v1" in answer.json()["error"]["message"]
    assert await log(home) == []


async def test_a_lone_message_in_a_named_talk_adds_to_it(home: House) -> None:
    """A bot that sends no history must not have each message taken for an edit of the one before."""
    key = await token(home)
    for number, text in enumerate(("猫を飼ってる", "名前はモモ", "三歳だよ")):
        ids = {"X-Ghost-Chat": "discord-1", "X-Ghost-Message": str(number)}
        await post(home, key, [user(text)], headers=ids)
        await post(home, key, [user(f"{text}!")], headers={"X-Ghost-Chat": "kitchen"})
    found = await log(home)
    assert len(found) == 6
    assert all(event.forgotten_at is None for event in found)
    assert len({event.conversation for event in found}) == 2


async def test_two_messages_sent_at_once_wait_for_each_other(home: House) -> None:
    key = await token(home)
    said = (await post(home, key, [user("やあ")])).json()["choices"][0]["message"]["content"]
    again = await post(home, key, [user("やあ"), reply(said), user("元気？")])
    assert again.status_code == 200
    assert len(await log(home)) == 2
