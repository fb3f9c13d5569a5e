"""What one turn costs in input tokens, by kind of call, after sixty turns of life, from recorded requests.

`python -m bench.tokens [turns]`: a ghost talks to a model server on loopback, once as a hosted model with a
wide window, once as a model at home with 8k. Tokens are estimated as the program does (language/tokens.py); a
schema is counted where a provider reads it, not where it becomes a grammar (llama.cpp).
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cocoro_ghost.bootstrap import Stand, open_ghost
from cocoro_ghost.language.tokens import count_tokens
from cocoro_ghost.model.heard import Heard
from cocoro_ghost.settings.file import Config
from cocoro_ghost.settings.preset_book import replace_book
from cocoro_ghost.testing import HashEmbedder
from cocoro_ghost.turn import take_turn
from tests.model_server import Request, model_server, says, streams

TALKS = Path(__file__).resolve().parent.parent / "eval" / "talks"
LAST = 10
"""Turns at the end of the life whose calls are counted."""
REPLY = "そうなんだ。話してくれてうれしいな。それで、そのあとはどうなったの? " * 2
KINDS = ("reply", "select", "write_plan", "state_links", "reply_summary", "other")
PROFILES = {"hosted": ("openai/gpt-5-mini", 0, 6000), "small (8k)": ("llamacpp/small", 8192, 3500)}


def kind_of(request: Request) -> str:
    """By its words: what a provider sees does not carry a name."""
    head = str(request["messages"][0]["content"])
    if request.get("stream"):
        return "reply"
    marks = {
        "selected": "select",
        "event_affect": "write_plan",
        "to_state_id": "state_links",
        "summary_text": "reply_summary",
    }
    return next((kind for mark, kind in marks.items() if mark in head), "other")


def cost(request: Request) -> int:
    words = sum(count_tokens(str(one["content"])) for one in request["messages"])
    form = (
        None if "chat_template_kwargs" in request else request.get("response_format", {}).get("json_schema")
    )
    return words + (count_tokens(json.dumps(form, separators=(",", ":"))) if form else 0)


async def answer(request: Request, writer: asyncio.StreamWriter) -> None:
    """Teaches one fact a turn, so that memory grows as a life's does."""
    kind = kind_of(request)
    if kind == "reply":
        return await streams(REPLY)(request, writer)
    said = str(request["messages"][-1]["content"]).rpartition('"they":"')[2].partition('"')[0]
    fact = {"kind": "fact", "op": "upsert", "body_text": said[:80] or "何もない日", "confidence": 0.8}
    plan = {"state_updates": [fact], "context_updates": {"threads": [{"thread_key": said[:8] or "日々"}]}}
    # A question that is answered badly is asked again: each kind gets an answer of its own.
    answers: dict[str, Any] = {
        "select": {"selected": []},
        "reply_summary": {"summary_text": "聞いた"},
        "state_links": {"links": []},
        "other": {"state_updates": [], "scope_type": "user", "scope_key": "", "body_text": "聞いたこと"},
    }
    await says(json.dumps(answers.get(kind, plan), ensure_ascii=False))(request, writer)


async def live(model: str, window: int, turns: int) -> dict[str, float]:
    """Input tokens a turn by kind, over the last turns."""
    lines = [one.strip() for one in (TALKS / "ja_thirty.txt").read_text(encoding="utf-8").splitlines()]
    said = [one for one in lines if one and not one.startswith(("#", "+"))]
    with TemporaryDirectory() as folder:
        async with model_server(answer) as server:
            if window:
                server.pages["/props"] = {"default_generation_settings": {"n_ctx": window}}
            stand = Stand(embedder=HashEmbedder(), config=Config(use_keyring=False, language="ja"))
            async with open_ghost(Path(folder), stand=stand) as ghost:
                book = ghost.book()
                preset = replace(book.llm[0], model=model, base_url=server.url, api_key="k")
                wanted = {**book.by_kind(), "llm": (preset,)}
                await ghost.settings_db.write(lambda tx: replace_book(tx, ghost.seal, wanted, book.active))
                await ghost.settings_changed()
                assert ghost.worker is not None
                for number in range(turns):
                    if number == turns - LAST:
                        server.requests.clear()
                    text = f"{said[number % len(said)]} ({number})"
                    async for _ in take_turn(ghost.turn_parts(text), Heard(text), asyncio.Event()):
                        pass
                    await ghost.worker.run_until_idle()
            counted: dict[str, float] = defaultdict(float)
            for request in server.requests:
                counted[kind_of(request)] += cost(request) / LAST
            return counted


def main() -> None:
    turns = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    for name, (model, window, aim) in PROFILES.items():
        found = asyncio.run(live(model, window, turns))
        whole = sum(found.values())
        by_kind = ", ".join(f"{kind} {found[kind]:,.0f}" for kind in KINDS if found[kind])
        print(f"{name}: {whole:,.0f} input tokens a turn at {turns} turns (aim {aim:,}): {by_kind}")


if __name__ == "__main__":
    main()
