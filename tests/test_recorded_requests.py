"""Requests as running programs sent them: each is told for what it is and has the right effect on memory.

The recordings lie beside the checkout where developers and CI have them; elsewhere nothing is replayed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cocoro_ghost.store import events
from cocoro_ghost.testing import ScriptedMind
from tests.conftest import Figures
from tests.serving import House, house
from tests.test_openai_face import log, token

RECORDED = Path(__file__).resolve().parents[2] / "shared" / "design"
SAID = "うん、聞いてるよ。"

pytestmark = pytest.mark.skipif(not RECORDED.is_dir(), reason="no recordings beside this checkout")


def requests(name: str) -> list[dict[str, Any]]:
    lines = (RECORDED / f"{name}_requests.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


async def replay(home: House, name: str) -> list[tuple[str, int]]:
    """What each request was, and how many events there were after it."""
    key, effects = await token(home), []
    for one in requests(name):
        body = {**one["body"], "model": "ghost", "tools": None}
        headers = {"Authorization": f"Bearer {key}", **one.get("headers", {})}
        async with home.client(secure=False, headers=headers) as client:
            answer = await client.post("/v1/chat/completions", json=body)
        assert answer.status_code == 200, (one["what"], answer.text)
        effects.append((one["what"], len(await log(home))))
    return effects


def is_a_turn(what: str) -> bool:
    return what.startswith("turn")


@pytest.mark.parametrize(("name", "turns"), [("openwebui", 4), ("sillytavern", 2)])
async def test_every_recorded_request_has_the_right_effect(
    tmp_path: Path, name: str, turns: int, figures: Figures
) -> None:
    async with house(tmp_path, mind=ScriptedMind(replies=[SAID])) as home:
        effects = await replay(home, name)
        before = 0
        for what, count in effects:
            assert count - before == (1 if is_a_turn(what) else 0), what
            before = count
        assert before == turns
        older = [
            await home.ghost.memory.read(lambda r, e=event: events.older_replies(r, e.event_id))  # type: ignore[misc]
            for event in await log(home)
        ]
        again = sum("regenerate" in what or "swipe" in what or "continue" in what for what, _ in effects)
        assert sum(len(one) for one in older) == again
    figures(
        "R44", f"{name}: {len(effects)} of {len(effects)} recorded requests told rightly, {turns} turns kept"
    )
