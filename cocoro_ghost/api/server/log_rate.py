"""Lines that strangers can cause come a few times a minute; the next one tells how many were left out."""

from __future__ import annotations

import contextlib
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator

LINES = 5
SECONDS = 60.0
KNOWN = 200
_CAUSED_BY_STRANGERS = (
    "uvicorn.error",
    "asyncio",
    "cocoro_ghost.api.server.connections",
    "cocoro_ghost.api.server.listener",
)


class RateLimited(logging.Filter):
    """Counts by the line's wording and the place its error comes from, not by what was filled in."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._seen: OrderedDict[tuple[str, str], tuple[float, int]] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        key = (str(record.msg), _origin(record))
        began, count = self._seen.get(key, (self._now(), 0))
        left_out = 0
        if self._now() - began >= SECONDS:
            began, left_out, count = self._now(), max(0, count - LINES), 0
        self._seen[key] = (began, count + 1)
        self._seen.move_to_end(key)
        if len(self._seen) > KNOWN:
            self._seen.popitem(last=False)
        if left_out:
            record.msg = f"{record.getMessage()} (and {left_out} more of these before)"
            record.args = None
        return count < LINES


@contextlib.contextmanager
def rate_limited_logs() -> Iterator[None]:
    limited = RateLimited()
    loggers = [logging.getLogger(name) for name in _CAUSED_BY_STRANGERS]
    for logger in loggers:
        logger.addFilter(limited)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(limited)


def _origin(record: logging.LogRecord) -> str:
    if not record.exc_info or record.exc_info[2] is None:
        return ""
    frame = record.exc_info[2]
    while frame.tb_next is not None:
        frame = frame.tb_next
    return f"{frame.tb_frame.f_code.co_filename}:{frame.tb_lineno}"
