"""`/metrics`: only for those who ask for it, only with the token, counts and never words."""

from __future__ import annotations

from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.serving import house, say

pytestmark = pytest.mark.anyio


async def test_who_did_not_ask_gets_none(tmp_path: Path) -> None:
    async with house(tmp_path) as home, home.client() as client:
        answer = await client.get("/metrics")
        assert (answer.status_code, answer.json()["detail"]["code"]) == (404, "not_found")


async def test_who_asked_gets_counts_with_the_token(tmp_path: Path) -> None:
    async with house(tmp_path, metrics=True) as home:
        async with home.client(headers={}) as stranger:
            assert (await stranger.get("/metrics")).status_code == 401
        async with home.client() as client:
            await say(client, "秘密の話をする")
            answer = await client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    values = {
        (one.name, *sorted(one.labels.values())): one.value
        for family in text_string_to_metric_families(answer.text)
        for one in family.samples
    }
    assert values["cocoro_ghost_rows", "events"] == 1
    assert values["cocoro_ghost_jobs", "pending"] >= 3
    assert values["cocoro_ghost_stream", "clients", "events"] == 0
    assert values[("cocoro_ghost_talking",)] == 0
    assert "秘密" not in answer.text
