"""What the page may keep and has asked already; in settings.db, so that every browser finds it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields

from cocoro_ghost.store import meta
from cocoro_ghost.store.ports import Reader, Tx

_KEY = "page_settings"


@dataclass(frozen=True, slots=True)
class PageSettings:
    first_run_done: bool = False
    keep_thumbnails: bool = False
    """Off: of a picture only its description is kept."""
    follow_up_plans: bool = True


def stored_page_settings(reader: Reader) -> PageSettings:
    stored: dict[str, bool] = json.loads(meta.get(reader, _KEY) or "{}")
    # A newer or older version may have stored members that this one does not know.
    known = {one.name for one in fields(PageSettings)}
    return PageSettings(**{name: value for name, value in stored.items() if name in known})


def store_page_settings(tx: Tx, page: PageSettings) -> None:
    meta.put(tx, _KEY, json.dumps(asdict(page)))
