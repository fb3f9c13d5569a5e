"""Everything that can go wrong, on one page.

GhostError
├── BadInput             the caller's words are wrong; says what to do (400, 422)
│   ├── TooLarge         over a stated limit (413)
│   └── NoTools          a client's tools, with a model that takes none
├── NotFound             no such thing (404)
├── Conflict             it cannot be done in this state (409)
├── Refused              not allowed (401, 403)
├── ConfigError          settings or environment are wrong; the program exits 2 with one sentence
├── StoreError           the database could not do it
│   ├── DiskFull         no room left; reading goes on (507)
│   ├── SchemaTooNew     the file was written by a newer version
│   ├── ForeignFile      a database that this program did not make lies where ours belongs
│   ├── DatabaseCorrupt  the file is damaged: it was moved aside, or is only read from now on
│   ├── MemoryLost       a file that was lived in is gone or holds less than it did
│   └── DataDirBusy      another process uses this data directory
├── Outage               network, 5xx, 429, time-out: try later, uses no attempt
├── BadAnswer            the model answered what cannot be used: at most three attempts
│   ├── CutOff           it was stopped by its own limit; what it said so far stands, marked as cut
│   └── Declined         it would not answer: a filter, a refusal, a call for tools instead of words
└── NotConfigured        no model or key where one is needed
"""

from __future__ import annotations

import asyncio


class GhostError(Exception):
    """Base of all errors the program raises on purpose; `str(error)` is a sentence for people."""

    code = "error"

    def __init__(self, message: str, *, code: str | None = None, ja: str = "") -> None:
        super().__init__(message)
        self.ja = ja
        """The same sentence in Japanese, where a person may meet it."""
        if code is not None:
            self.code = code

    def told(self, *, japanese: bool) -> str:
        return self.ja if japanese and self.ja else str(self)


class BadInput(GhostError):
    code = "invalid_request"


class TooLarge(BadInput):
    code = "too_large"


class NoTools(BadInput):
    code = "tools_unsupported"

    def __init__(self) -> None:
        # Clients look for these very words and then ask again without tools.
        words = "does not support tools"
        super().__init__(f"The ghost's model {words}.", ja=f"いまのモデルはツールを使えません ({words})。")


class NotFound(GhostError):
    code = "not_found"


class Conflict(GhostError):
    code = "conflict"


class Refused(GhostError):
    code = "refused"


class ConfigError(GhostError):
    code = "config"


class StoreError(GhostError):
    code = "store"


class DiskFull(StoreError):
    code = "disk_full"


class SchemaTooNew(StoreError):
    code = "schema_too_new"


class ForeignFile(StoreError):
    code = "foreign_file"


class DatabaseCorrupt(StoreError):
    code = "database_corrupt"


class MemoryLost(StoreError):
    code = "memory_lost"


class DataDirBusy(StoreError):
    code = "data_dir_busy"


class Outage(GhostError):
    code = "llm_unavailable"

    def __init__(
        self, message: str, *, retry_after: float | None = None, code: str | None = None, ja: str = ""
    ) -> None:
        super().__init__(message, code=code, ja=ja)
        self.retry_after = retry_after


class BadAnswer(GhostError):
    code = "bad_answer"

    def __init__(self, message: str, *, raw: str = "", code: str | None = None, ja: str = "") -> None:
        super().__init__(_storable(message), code=code, ja=ja)
        self.raw = _storable(raw)


class CutOff(BadAnswer):
    code = "llm_cut_off"


class Declined(BadAnswer):
    code = "llm_declined"


class NotConfigured(GhostError):
    code = "llm_not_configured"


def _storable(text: str) -> str:
    """A model's words may hold lone surrogates, which no database takes."""
    return text.encode("utf-8", "replace").decode("utf-8")


def ended_from_outside() -> bool:
    """True when the running task itself is being cancelled, rather than something it waits for."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
