"""The day after a dated plan the ghost may ask once how it went: never in quiet hours, never twice."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable
from datetime import timedelta

from cocoro_ghost.clock import Clock, local
from cocoro_ghost.language.times import find_times
from cocoro_ghost.model.scene import Language
from cocoro_ghost.model.state import State
from cocoro_ghost.senses.looking import Looking
from cocoro_ghost.settings.page import stored_page_settings
from cocoro_ghost.store import events, states
from cocoro_ghost.store.ports import Database, Reader

log = logging.getLogger(__name__)
FIRST_HOUR = 9
DAYS_BACK = 3
"""A plan that nobody could be asked about for so long is let go."""
TICK_SECONDS = 60.0
_HEAD = re.compile(r"^[^:：]{1,12}[:：]\s*")
_DATE = re.compile(r"\s*[（(][^（）()]*\d{4}[^（）()]*[）)]")
_LINES = {Language.JA: "「{plan}」、どうだった？", Language.EN: "How did it go — {plan}?"}

Ask = Callable[[str, str, Language], Awaitable[object]]
"""Says a line once under a key."""


def plan_words(body_text: str, clock: Clock, language: Language) -> str:
    """What was planned without its label and its time words, which are wrong by the time it is asked."""
    plain = _DATE.sub("", _HEAD.sub("", body_text)).strip("。. ")
    # From the last: cutting one out moves everything behind it.
    for mention in reversed(find_times(plain, local(clock.domain_now(), clock.zone), language)):
        plain = plain[: mention.span[0]] + plain[mention.span[1] :].lstrip("にの、, ")
    return plain.strip("、,。. ") or body_text


class PlanFollowUp:
    """Looks now and then, on the domain clock."""

    def __init__(
        self,
        memory: Database,
        settings: Database,
        clock: Clock,
        ask: Ask,
        may_speak: Callable[[], bool],
        language_of: Callable[[str], Language],
    ) -> None:
        self._memory = memory
        self._settings = settings
        self._clock = clock
        self._ask = ask
        self._may_speak = may_speak
        self._language_of = language_of
        self.looking = Looking(self.look, TICK_SECONDS, "a plan could not be followed up")

    async def look(self) -> bool:
        """Asks about one plan at most; True when it did."""
        now = self._clock.domain_now()
        today = local(now, self._clock.zone).replace(hour=0, minute=0, second=0, microsecond=0)
        allowed = await self._settings.read(stored_page_settings)
        if not (
            allowed.follow_up_plans and local(now, self._clock.zone).hour >= FIRST_HOUR and self._may_speak()
        ):
            return False
        since = int((today - timedelta(days=DAYS_BACK)).timestamp())
        plan = await self._memory.read(lambda reader: _unasked(reader, since, int(today.timestamp())))
        if plan is None:
            return False
        language = self._language_of(plan.body_text)
        words = plan_words(plan.body_text, self._clock, language)
        await self._ask(_key(plan), _LINES[language].format(plan=words), language)
        return True


def _key(plan: State) -> str:
    return f"follow_up:{plan.state_id}"


def _unasked(reader: Reader, since: int, until: int) -> State | None:
    """The newest plan whose day is over, that was neither done, called off, forgotten nor asked about."""
    for plan in states.tasks_due(reader, since, until):
        over = "done_at" in plan.payload or _called_off(plan)
        if not over and events.find_external(reader, _key(plan)) is None:
            return plan
    return None


def _called_off(plan: State) -> bool:
    """Ended before its time came, and not because it had passed."""
    if plan.valid_to_ts is None or plan.payload.get("closed_because") == "expired":
        return False
    return plan.valid_to_ts < int(plan.payload["due_ts"])
