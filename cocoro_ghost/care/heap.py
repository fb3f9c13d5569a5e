"""A long life must not weigh more than what it holds: few heaps, and what is free goes back to the system.

glibc gives each thread that allocates a heap of its own and keeps freed memory in it. A ghost has many
threads that all handle short-lived rows and vectors, so the process would grow for days without holding more.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import sys

from cocoro_ghost.language import pages

_ARENA_MAX = -8
"""`M_ARENA_MAX` of malloc.h."""
HEAPS = 2
GIVE_BACK_SECONDS = 60.0


def bound_heaps() -> bool:
    """Before threads are made; whoever set `MALLOC_ARENA_MAX` knows better. False where there is no glibc."""
    libc = _glibc()
    if libc is None or "MALLOC_ARENA_MAX" in os.environ:
        return False
    return bool(libc.mallopt(_ARENA_MAX, HEAPS))


def give_back() -> bool:
    """True when something of the heap went back; pages of the dictionary come from its file again."""
    pages.give_back(".dic")
    libc = _glibc()
    return libc is not None and bool(libc.malloc_trim(0))


async def give_back_often(seconds: float = GIVE_BACK_SECONDS) -> None:
    """Until cancelled; on a thread, because a large heap takes some milliseconds."""
    while True:
        await asyncio.sleep(seconds)
        await asyncio.to_thread(give_back)


def _glibc() -> ctypes.CDLL | None:
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None)
    # musl has neither; its allocator gives back by itself.
    return libc if hasattr(libc, "malloc_trim") and hasattr(libc, "mallopt") else None
