"""Which ghosts need somebody, shared out among the servers: claimed, beaten for, taken over from the dead.

Works as `ghost_worker`, who sees of all ghosts only these rows and no word of any of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from psycopg_pool import ConnectionPool

from cocoro_ghost.clock import Clock
from cocoro_ghost.store.postgres.connection import Connection
from cocoro_ghost.store.postgres.faults import translated

BEAT_SECONDS = 5
DEAD_SECONDS = 20
NEVER = 1 << 62
_CLAIM = """
UPDATE attention SET server = %(server)s, beat_at = %(now)s, due_at = %(never)s
WHERE ghost_id IN (SELECT ghost_id FROM attention WHERE due_at <= %(now)s AND server IS NULL
  ORDER BY due_at, ghost_id LIMIT %(limit)s FOR UPDATE SKIP LOCKED)
RETURNING ghost_id
"""
_BEAT = ("attention", "talks", "presence")
_TAKE_OVER = """
UPDATE attention SET server = NULL, beat_at = NULL, due_at = 0
WHERE server IS NOT NULL
  AND (beat_at < %(dead)s OR (server = %(server)s AND NOT ghost_id = ANY(%(held)s::bigint[])))
"""
_ORPHANED = """
INSERT INTO attention (ghost_id, due_at) SELECT DISTINCT ghost_id, 0 FROM leases WHERE beat_at < %(dead)s
ON CONFLICT (ghost_id) DO UPDATE SET due_at = 0
"""
_GIVE_BACK = """
UPDATE attention SET server = NULL, beat_at = NULL, due_at = greatest(%(earliest)s, least(due_at,
  (SELECT coalesce(min(run_after), %(never)s) FROM jobs WHERE status = 'pending'),
  (SELECT coalesce(min(next_fire_at) - my_clock_offset(), %(never)s) FROM reminders
    WHERE enabled = 1 AND confirmed = 1)))
WHERE server = %(server)s
"""


@dataclass(frozen=True, slots=True)
class Beat:
    taken: int
    """What dead servers had, or this one let slip."""
    present: int
    """Ghosts somebody listens to here, as the others know it."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """How the work of the whole house stands, without saying whose it is."""

    due: int
    in_hand: int
    oldest_seconds: int


class Claims:
    """`worker` is the pool of `ghost_worker`, `app` that of `ghost_app`; `server` names this process."""

    def __init__(
        self, worker: ConnectionPool[Connection], app: ConnectionPool[Connection], server: str, clock: Clock
    ) -> None:
        self._worker = worker
        self._app = app
        self._server = server
        self._clock = clock

    def claim(self, limit: int) -> list[int]:
        """Ghosts that are due and in nobody's hand; they are this server's until they are given back."""
        given = {"server": self._server, "now": self._clock.system_now(), "limit": limit, "never": NEVER}
        with translated(), self._worker.connection() as connection:
            return [int(row[0]) for row in connection.execute(_CLAIM, given).fetchall()]

    def give_back(self, ghost_id: int, pause_seconds: int = 1) -> None:
        """Whatever became due meanwhile is not lost: the row's own time stands if it is earlier.

        What is due and was not done is not tried again before the pause is over.
        """
        earliest = self._clock.system_now() + pause_seconds
        given = {"server": self._server, "never": NEVER, "earliest": earliest}
        with translated(), self._app.connection() as connection:
            connection.execute("SELECT set_config('ghost.id', %s, true)", (str(ghost_id),))
            connection.execute(_GIVE_BACK, given)

    def beat(self, held: list[int]) -> Beat:
        """This server lives; what dead ones had, or it let slip itself, is due now."""
        now = self._clock.system_now()
        given = {"server": self._server, "now": now, "dead": now - DEAD_SECONDS, "held": held}
        with translated(), self._worker.connection() as connection:
            beaten = {
                table: connection.execute(
                    f"UPDATE {table} SET beat_at = %(now)s WHERE server = %(server)s".encode(), given
                ).rowcount
                for table in _BEAT
            }
            connection.execute("UPDATE leases SET beat_at = %(now)s WHERE holder = %(server)s", given)
            taken = connection.execute(_TAKE_OVER, given).rowcount
            taken += connection.execute(_ORPHANED, given).rowcount
            for table in ("talks", "presence"):
                connection.execute(f"DELETE FROM {table} WHERE beat_at < %(dead)s".encode(), given)
        return Beat(taken, beaten["presence"])

    def leave(self) -> None:
        """This server stops: nobody waits for it."""
        given = {"server": self._server}
        with translated(), self._worker.connection() as connection:
            connection.execute(
                "UPDATE attention SET server = NULL, due_at = 0 WHERE server = %(server)s", given
            )
            for table in ("talks", "presence"):
                connection.execute(f"DELETE FROM {table} WHERE server = %(server)s".encode(), given)

    def waiting(self) -> Waiting:
        now = self._clock.system_now()
        asked = (
            "SELECT count(*) FILTER (WHERE due_at <= %(now)s AND server IS NULL),"
            " count(*) FILTER (WHERE server IS NOT NULL),"
            " coalesce(max(%(now)s - due_at)"
            "   FILTER (WHERE due_at BETWEEN 1 AND %(now)s AND server IS NULL), 0)"
            " FROM attention"
        )
        with translated(), self._worker.connection() as connection:
            row = connection.execute(asked.encode(), {"now": now}).fetchone()
        assert row is not None
        return Waiting(int(row[0]), int(row[1]), int(row[2]))
