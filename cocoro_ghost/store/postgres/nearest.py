"""Nearest vectors by the database itself: an exact scan of one ghost, while no index is held in memory."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import ArrayLike

from cocoro_ghost.store.ports import Reader
from cocoro_ghost.store.vectors import ALL_KINDS, unit_row


def search(
    reader: Reader,
    space: str,
    query: ArrayLike,
    *,
    kinds: Collection[int] = ALL_KINDS,
    limit: int = 20,
    since: int | None = None,
    until: int | None = None,
) -> list[tuple[int, float]]:
    """The nearest searchable items, best first, as (item_id, cosine); since <= ts < until."""
    rows = reader.tuples(
        "nearest.search",
        space=space,
        vector=unit_row(query).astype(np.dtype("<f2")).tobytes(),
        vector_kinds=[int(kind) for kind in kinds],
        since=since,
        until=until,
        limit=limit,
    )
    return [(int(item), float(cosine)) for item, cosine in rows]
