"""One ghost on several servers: whose talk it is, who listens where, what it has used of its day."""

from __future__ import annotations

from dataclasses import dataclass

from psycopg_pool import ConnectionPool

from cocoro_ghost.store.postgres.attention import DEAD_SECONDS
from cocoro_ghost.store.postgres.connection import Connection
from cocoro_ghost.store.postgres.faults import translated

CHANNEL = "ghost"
_TAKE = """
INSERT INTO talks (server, beat_at) VALUES (%(server)s, %(now)s)
ON CONFLICT (ghost_id) DO UPDATE SET server = excluded.server, beat_at = excluded.beat_at,
  stop_asked = CASE WHEN talks.server = excluded.server AND talks.beat_at >= %(dead)s
    THEN talks.stop_asked ELSE 0 END
WHERE talks.server = excluded.server OR talks.beat_at < %(dead)s
RETURNING server
"""
_PRESENT = """
INSERT INTO presence (server, listeners, beat_at) VALUES (%(server)s, %(listeners)s, %(now)s)
ON CONFLICT (ghost_id, server) DO UPDATE SET listeners = excluded.listeners, beat_at = excluded.beat_at
"""
_USE = """
INSERT INTO used_today (day, turns, bytes) VALUES (%(day)s, %(turns)s, %(bytes)s)
ON CONFLICT (ghost_id, day) DO UPDATE SET turns = used_today.turns + excluded.turns,
  bytes = used_today.bytes + excluded.bytes
"""
_USED = """
SELECT coalesce((SELECT turns FROM used_today WHERE day = %(day)s), 0),
  coalesce((SELECT sum(input_tokens + output_tokens) FROM usage WHERE day = %(day)s), 0),
  coalesce((SELECT bytes FROM used_today WHERE day = %(day)s), 0)
"""


@dataclass(frozen=True, slots=True)
class Day:
    """What a ghost has used of a day, or may use; None does not bind."""

    turns: int | None
    tokens: int | None
    bytes: int | None


@dataclass(frozen=True, slots=True)
class GhostTalks:
    """As one ghost at a time; every call is one short transaction."""

    pool: ConnectionPool[Connection]
    server: str

    def take(self, ghost_id: int, now: int) -> bool:
        """The talk is this server's from now on; False while another one that lives has it."""
        given = {"server": self.server, "now": now, "dead": now - DEAD_SECONDS}
        with translated(), self.pool.connection() as connection:
            _as(connection, ghost_id)
            return connection.execute(_TAKE, given).fetchone() is not None

    def release(self, ghost_id: int) -> None:
        with translated(), self.pool.connection() as connection:
            _as(connection, ghost_id)
            connection.execute("DELETE FROM talks WHERE server = %s", (self.server,))

    def ask_to_stop(self, ghost_id: int) -> bool:
        """The server that has the talk is told; False when there is none elsewhere."""
        with translated(), self.pool.connection() as connection:
            _as(connection, ghost_id)
            asked = connection.execute("UPDATE talks SET stop_asked = 1 WHERE server <> %s", (self.server,))
            if asked.rowcount:
                connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, f"{ghost_id}:stop"))
            return bool(asked.rowcount)

    def stop_was_asked(self, ghost_id: int) -> bool:
        """Somebody asked at another server that the talk under way here be stopped."""
        asked = "SELECT 1 FROM talks WHERE server = %s AND stop_asked = 1"
        with translated(), self.pool.connection() as connection:
            _as(connection, ghost_id)
            return connection.execute(asked, (self.server,)).fetchone() is not None

    def listens(self, ghost_id: int, listeners: int, now: int) -> int:
        """So many listen here; what waits to be told is looked at once somebody does.

        Returns the newest event of that moment: what is said later is news to them.
        """
        given = {"server": self.server, "listeners": listeners, "now": now}
        with translated(), self.pool.connection() as connection:
            _as(connection, ghost_id)
            if listeners:
                connection.execute(_PRESENT, given)
                connection.execute("SELECT needs_attention(0)")
            else:
                connection.execute("DELETE FROM presence WHERE server = %s", (self.server,))
            newest = connection.execute("SELECT coalesce(max(event_id), 0) FROM events").fetchone()
        assert newest is not None
        return int(newest[0])

    def anyone_listens(self, ghost_id: int) -> bool:
        with translated(), self.pool.connection() as connection:
            _as(connection, ghost_id)
            return connection.execute("SELECT 1 FROM presence LIMIT 1").fetchone() is not None

    def tell(self, ghost_id: int, event_id: int) -> None:
        """A line was said: servers where somebody listens read it. A wake-up only; nothing rests on it."""
        with translated(), self.pool.connection() as connection:
            said = f"{ghost_id}:event:{event_id}:{self.server}"
            connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, said))

    def used(self, ghost_id: int, day: str) -> tuple[Day, Day]:
        """(used so far, allowed)."""
        with translated(), self.pool.connection() as connection:
            _as(connection, ghost_id)
            used = connection.execute(_USED, {"day": day}).fetchone()
            allowed = connection.execute("SELECT * FROM my_quotas()").fetchone()
        assert used is not None
        return Day(*map(int, used)), Day(*(allowed or (None, None, None)))

    def use(self, ghost_id: int, day: str, *, turns: int = 0, body_bytes: int = 0) -> None:
        with translated(), self.pool.connection() as connection:
            _as(connection, ghost_id)
            connection.execute(_USE, {"day": day, "turns": turns, "bytes": body_bytes})


def _as(connection: Connection, ghost_id: int) -> None:
    connection.execute("SELECT set_config('ghost.id', %s, true)", (str(ghost_id),))
