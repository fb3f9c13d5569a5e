"""The routes: each finds what it can on its own. The second set goes on from what the first found."""

from collections.abc import Mapping
from types import MappingProxyType

from cocoro_ghost.recall.gather import (
    about_time,
    entities,
    links,
    meaning,
    recent,
    replies,
    state_links,
    states,
    threads,
    words,
)
from cocoro_ghost.recall.route import Gather

FIRST: Mapping[str, Gather] = MappingProxyType(
    {
        "recent": recent.gather,
        "words": words.gather,
        "meaning": meaning.gather,
        "states": states.gather,
        "about_time": about_time.gather,
        "replies": replies.gather,
    }
)
SECOND: Mapping[str, Gather] = MappingProxyType(
    {
        "threads": threads.gather,
        "links": links.gather,
        "entities": entities.gather,
        "state_links": state_links.gather,
    }
)
