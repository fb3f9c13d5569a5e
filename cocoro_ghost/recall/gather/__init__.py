"""The routes: each finds what it can on its own. The second set goes on from what the first found."""

from collections.abc import Mapping
from types import MappingProxyType

from cocoro_ghost.recall.gather import by_link, by_meaning, by_name, by_taste, by_time, by_words
from cocoro_ghost.recall.route import Gather

FIRST: Mapping[str, Gather] = MappingProxyType(
    {
        "recent": by_time.recent,
        "words": by_words.gather,
        "meaning": by_meaning.gather,
        "states": by_time.states,
        "about_time": by_time.gather,
        "replies": by_link.replies,
        "tastes": by_taste.gather,
    }
)
SECOND: Mapping[str, Gather] = MappingProxyType(
    {
        "threads": by_link.threads,
        "links": by_link.links,
        "entities": by_name.gather,
        "state_links": by_link.state_links,
    }
)
