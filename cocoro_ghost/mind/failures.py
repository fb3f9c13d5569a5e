"""The SDK's errors as ours: what to wait for, what to ask again, what a person has to mend."""

from __future__ import annotations

from email.utils import parsedate_to_datetime
from time import time
from typing import Any

from cocoro_ghost.errors import BadAnswer, GhostError, NotConfigured, Outage
from cocoro_ghost.mind.call_log import without_secrets
from cocoro_ghost.mind.typed_answers import Format

_MENDED_BY_A_PERSON = {401, 402, 403, 404}
_RETRY_AFTER_MENDING = 900.0
_FORMAT_WORDS = ("response_format", "json_schema", "json_object", "structured output", "json mode")


def as_ours(error: BaseException, key: str | None, *, asked: bool) -> GhostError | None:
    """None for what is no failure of the model. `asked`: a typed question, whose job can wait for mending."""
    import httpx2
    import openai

    if isinstance(error, GhostError):
        return error
    if isinstance(error, TimeoutError | openai.APIConnectionError | httpx2.HTTPError):
        return Outage("The model cannot be reached or takes too long.")
    if isinstance(error, openai.APIStatusError):
        return _by_status(error, key, asked=asked)
    if isinstance(error, openai.APIError):
        return Outage(without_secrets(f"The model's stream broke off: {error}", key)[:300])
    return BadAnswer("The endpoint's answer cannot be read.") if isinstance(error, ValueError) else None


def refuses_format(error: BaseException, kind: Format) -> bool:
    """Whether a simpler way of asking is worth a try; endpoints word it in many ways."""
    import openai

    if kind == "text" or not isinstance(error, openai.APIStatusError):
        return False
    if error.status_code not in {400, 404, 415, 422, 501}:
        return False
    text = f"{error} {error.body}".lower()
    named = any(word in text for word in _FORMAT_WORDS)
    return named or (kind == "schema" and error.status_code in {400, 422})


def _by_status(error: Any, key: str | None, *, asked: bool) -> GhostError:
    status = int(error.status_code)
    words = without_secrets(f"The model's endpoint answered {status}: {error.message}", key)[:300]
    if status in _MENDED_BY_A_PERSON:
        return Outage(words, retry_after=_RETRY_AFTER_MENDING) if asked else NotConfigured(words)
    if status == 429 or status == 408 or status >= 500:
        return Outage(words, retry_after=_retry_after(error.response.headers.get("retry-after")))
    if 300 <= status < 400:
        return Outage(f"The model's endpoint redirects ({status}); redirects are not followed.")
    return BadAnswer(words)


def _retry_after(value: str | None) -> float | None:
    if not value:
        return None
    try:
        return min(3600.0, max(0.0, float(value)))
    except ValueError:
        pass
    try:
        return min(3600.0, max(0.0, parsedate_to_datetime(value).timestamp() - time()))
    except ValueError:
        return None
