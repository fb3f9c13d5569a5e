"""The turn of the day, seen on the domain clock: what was talked about is summed up though nobody speaks."""

from __future__ import annotations

from cocoro_ghost.clock import Clock
from cocoro_ghost.grow.after_turn import begin_day, day_began
from cocoro_ghost.senses.looking import Looking
from cocoro_ghost.store.ports import Database

TICK_SECONDS = 60.0


class NewDay:
    """Looks once a minute, and whenever the clock may have jumped."""

    def __init__(self, memory: Database, clock: Clock) -> None:
        self._memory = memory
        self._clock = clock
        self.looking = Looking(self.look, TICK_SECONDS, "the new day could not be begun")

    async def look(self) -> bool:
        """True when a day has begun since the last look."""
        now, zone = self._clock.domain_now(), self._clock.zone
        # A read: a look each minute must not stand in line with those who write.
        if not await self._memory.read(lambda reader: day_began(reader, now, zone)):
            return False
        return await self._memory.write(begin_day)
