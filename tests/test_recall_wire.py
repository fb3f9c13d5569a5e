"""`POST /api/memory/recall` at the ends of time: answered or refused, never a server error."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.serving import house, say

pytestmark = pytest.mark.anyio
WORDS = "三十年前の夏と去年と昨日、two hundred years ago and next summer, 小学校のころ"


async def test_now_may_be_any_time_that_calendars_show(tmp_path: Path) -> None:
    async with house(tmp_path) as home, home.client() as client:
        await say(client, "昨日は海へ行った")
        for now in (-30_610_224_000, 0, 32_503_680_000):
            answer = await client.post("/api/memory/recall", json={"text": WORDS, "now": now})
            assert answer.status_code == 200, answer.text
        for now in (-160_000_000_000, -30_610_224_001, 32_503_680_001, 10**30):
            answer = await client.post("/api/memory/recall", json={"text": WORDS, "now": now})
            assert (answer.status_code, answer.json()["detail"]["code"]) == (422, "invalid_request")
