"""How many connections are open, and whose: when the house is full, the one that waited longest makes room.

A connection waits while no whole request of it is being answered. Somebody who opens two thousand sockets and
says nothing only pushes out his own; a real client that speaks at once is served.
"""

from __future__ import annotations

import ipaddress
import logging
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

log = logging.getLogger(__name__)
MOST = 500
OF_ONE_MACHINE = 100


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Numbers and times; a limit far below what the system allows leaves descriptors for files and models."""

    total: int = MOST
    per_machine: int = OF_ONE_MACHINE
    """For other machines; programs on this one share one address and only the total."""
    head_seconds: float = 10.0
    body_seconds: float = 60.0
    unread_seconds: float = 60.0
    """How long an answer may lie unread before its reader is given up."""
    head_bytes: int = 64_000


def connection_limits() -> ConnectionLimits:
    try:
        import resource
    except ImportError:
        # Windows counts handles, and allows far more of them.
        return ConnectionLimits()
    descriptors, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    # Half of what the system allows: files, models and outgoing calls need some, too.
    return ConnectionLimits(total=MOST if descriptors < 0 else max(16, min(MOST, descriptors // 2)))


@dataclass(eq=False, slots=True)
class Connection:
    """One accepted socket; `drop` closes it at once, whatever it is doing."""

    address: str
    drop: Callable[[], object] = field(default=lambda: None)


class Connections:
    """Both listeners count in one place."""

    def __init__(self, limits: ConnectionLimits | None = None) -> None:
        self.limits = limits or connection_limits()
        self._open: set[Connection] = set()
        self._of: Counter[str] = Counter()
        self._waiting: OrderedDict[Connection, None] = OrderedDict()

    @property
    def count(self) -> int:
        return len(self._open)

    def admit(self, address: str) -> Connection | None:
        """A place for a newcomer, waiting at first; None when everyone is at work."""
        if not _is_loopback(address) and self._of[address] >= self.limits.per_machine:
            if not self._make_room(address):
                return None
        elif len(self._open) >= self.limits.total and not self._make_room():
            return None
        connection = Connection(address)
        self._open.add(connection)
        self._of[address] += 1
        self._waiting[connection] = None
        return connection

    def waits(self, connection: Connection) -> None:
        if connection in self._open:
            self._waiting[connection] = None
            self._waiting.move_to_end(connection)

    def works(self, connection: Connection) -> None:
        self._waiting.pop(connection, None)

    def gone(self, connection: Connection) -> None:
        """May be told twice: by whoever drops it and by its end."""
        if connection not in self._open:
            return
        self._open.discard(connection)
        self._waiting.pop(connection, None)
        self._of[connection.address] -= 1
        if not self._of[connection.address]:
            del self._of[connection.address]

    def _make_room(self, address: str | None = None) -> bool:
        oldest = next((one for one in self._waiting if address in (None, one.address)), None)
        if oldest is None:
            log.warning("a connection was refused: all %d are at work", len(self._open))
            return False
        log.warning("a waiting connection was closed to make room for another")
        self.gone(oldest)
        oldest.drop()
        return True


def _is_loopback(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
