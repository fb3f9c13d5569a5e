"""Who has what in hand: an open turn, a running job. A lease lives as long as its holder's heart beats.

What a dead holder had is taken over by whoever notices. Nothing is taken because a directory is locked:
several processes may share one memory, and one that only pauses keeps what it has for `DEAD_SECONDS`.
"""

from __future__ import annotations

import os
import socket
import sys
import uuid

from cocoro_ghost.store.ports import Reader, Tx

BEAT_SECONDS = 10
# Three beats: a holder that misses two of them keeps what it has.
DEAD_SECONDS = 30


def new_holder() -> str:
    """A name for one who holds things: where it runs, and which one it is there."""
    return f"{socket.gethostname()}/{os.getpid()}/{uuid.uuid4().hex[:12]}"


def is_gone(holder: str) -> bool:
    """True where it is certain that the holder's process has ended, so that nobody needs to wait for it."""
    host, _, rest = holder.rpartition("/")[0].rpartition("/")
    # The number of a process means nothing on another machine.
    if host != socket.gethostname() or not rest.isdecimal():
        return False
    return not _runs(int(rest))


def turn_of(event_id: int) -> str:
    return f"turn:{event_id}"


def take(tx: Tx, what: str) -> None:
    """The thing is in this process's hand from now on."""
    tx.run("leases.take", what=what, holder=tx.holder, now=tx.clock.system_now())


def release(tx: Tx, what: str) -> None:
    tx.run("leases.release", what=what)


def release_all(tx: Tx) -> None:
    """This process lets everything go: it stops."""
    tx.run("leases.release_all", holder=tx.holder)


def beat(tx: Tx) -> None:
    """This process lives."""
    tx.run("leases.beat", holder=tx.holder, now=tx.clock.system_now())


def is_held(reader: Reader, what: str, now: int) -> bool:
    """Whether somebody who lives has it in hand."""
    row = reader.one("leases.get", what=what)
    return row is not None and row["beat_at"] > now - DEAD_SECONDS and not is_gone(row["holder"])


if sys.platform == "win32":  # pragma: no cover - run on Windows only

    def _runs(_: int) -> bool:
        # There asking after a process by its number can end it: a beat that stays away is proof enough.
        return True
else:

    def _runs(pid: int) -> bool:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        # It runs, as somebody else.
        except PermissionError:
            return True
        return True
