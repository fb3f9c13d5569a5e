"""A server of a house in a process of its own, to be killed: `python -m tests.house_target URL`."""

from __future__ import annotations

import asyncio
import signal
import sys

from cocoro_ghost.bootstrap import Stand
from cocoro_ghost.house.serve_house import HouseOptions, serve_house
from tests.a_hosted_house import CONFIG, KEY, shared_faculties


async def main(database: str) -> None:
    stopping, loop = asyncio.Event(), asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTERM, stopping.set)
    options = HouseOptions(database, KEY, "the-administrator", CONFIG, port=0, connections=6)
    await serve_house(
        options,
        on_ready=lambda at: print(f"ready {at}", flush=True),
        stopping=stopping,
        shared=shared_faculties(),
        stand=Stand(config=CONFIG),
    )


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
