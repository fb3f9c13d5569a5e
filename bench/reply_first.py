"""How soon a reply begins while plans wait, beside how soon it begins alone: `python -m bench.reply_first`.

A server on loopback with one slot reads for a while before it answers, as llama.cpp does; half of the replies
are asked for alone, half while twenty WritePlans wait for the same slot, in turns within one run.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from statistics import median

from cocoro_ghost.mind.client import SpeakRequest
from cocoro_ghost.mind.line import Line, Shared
from cocoro_ghost.mind.openai_compatible import OpenAICompatibleMind
from cocoro_ghost.mind.providers import PROVIDERS, Endpoint
from cocoro_ghost.model.answers import ReplySummary
from tests.asking import QUESTION, SPEECH
from tests.model_server import Request, model_server, says, streams

AIM = 1.2
PLANS = 20
READS_SECONDS = 0.3
PLAN_SECONDS = 3.0
TOKEN_SECONDS = 0.02


async def measured(rounds: int) -> tuple[float, float]:
    """Median seconds until the first word, alone and among waiting plans."""
    slot, planning = asyncio.Lock(), asyncio.Event()

    async def one_slot(request: Request, writer: asyncio.StreamWriter) -> None:
        async with slot:
            if request.get("stream"):
                await asyncio.sleep(READS_SECONDS)
                await streams("うん")(request, writer)
                return
            planning.set()
            # As llama.cpp does: a question that nobody waits for any more is not begun, and gives its slot
            # back at its next token.
            for _ in range(int(PLAN_SECONDS / TOKEN_SECONDS)):
                if writer.transport.is_closing():
                    return
                await asyncio.sleep(TOKEN_SECONDS)
            await says('{"summary_text": "x"}')(request, writer)

    alone: list[float] = []
    among: list[float] = []
    async with model_server(one_slot) as server:
        place = Endpoint(PROVIDERS["llamacpp"], server.url, "m")
        mind = OpenAICompatibleMind(Line(place, None), Shared())
        await _first_word(mind, SPEECH)
        for _ in range(rounds):
            alone.append(await _first_word(mind, SPEECH))
            planning.clear()
            plans = [asyncio.create_task(mind.plan(QUESTION, ReplySummary)) for _ in range(PLANS)]
            # The first of them has the slot.
            await planning.wait()
            among.append(await _first_word(mind, SPEECH))
            for plan in plans:
                plan.cancel()
            await asyncio.gather(*plans, return_exceptions=True)
        await mind.close()
    return median(alone), median(among)


async def _first_word(mind: OpenAICompatibleMind, request: SpeakRequest) -> float:
    began = time.monotonic()
    async with contextlib.aclosing(mind.speak(request)) as spoken:  # type: ignore[type-var]
        async for piece in spoken:
            if isinstance(piece, str):
                return time.monotonic() - began
    raise AssertionError("no word came")


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 15
    alone, among = asyncio.run(measured(rounds))
    ratio = among / alone
    told = "ok" if ratio <= AIM else "MISSED"
    print(
        f"first word: alone {alone * 1000:.0f} ms, among {PLANS} waiting plans {among * 1000:.0f} ms, "
        f"ratio {ratio:.2f} (aim {AIM}) {told}"
    )


if __name__ == "__main__":
    main()
