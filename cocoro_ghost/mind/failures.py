"""A wire's errors as ours: what to wait for, what to ask differently, what a person has to mend and how."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from time import time

from cocoro_ghost.errors import BadAnswer, GhostError, NotConfigured, Outage
from cocoro_ghost.mind.call_log import without_secrets
from cocoro_ghost.mind.typed_answers import Format

_MENDED_BY_A_PERSON = {401, 402, 403, 404, 410}
_RETRY_AFTER_MENDING = 900.0
_FORMAT_WORDS = (
    "response_format",
    "json_schema",
    "json_object",
    "structured output",
    "json mode",
    "'format'",
)
_ROLE_WORDS = ("must alternate", "roles must", "jinja exception", "system role not supported", "invalid role",
               "last message must", "expected last role", "assistant message", "role order")  # fmt: skip
_OVERFLOW_WORDS = ("context length", "context_length", "context size", "context window", "too many tokens",
                   "prompt is too long", "exceed_context", "maximum context", "input too long")  # fmt: skip
_TOOL_WORDS = re.compile(
    r"not support (?:tool|function)|(?:tool|function)s?[^.]{0,40}not (?:supported|enabled)"
    r"|tool choice requires|tool use is not",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"\d[\d,]{2,}")

_MENDING = {
    401: ("llm_wrong_key", "The provider refused the key; enter it anew in the settings.",
          "プロバイダーがキーを受け付けませんでした。設定でキーを入れ直してください。"),
    402: ("llm_no_credit", "The provider asks for payment; look at the account's balance there.",
          "プロバイダーの残高が足りません。プロバイダーのページで残高を確かめてください。"),
    403: ("llm_wrong_key", "The key may not use this model; choose another model or another key.",
          "このキーではこのモデルを使えません。別のモデルか別のキーを選んでください。"),
    404: ("llm_no_such_model", "There is no such model here; choose one from the list in the settings.",
          "この接続先にそのモデルはありません。設定の一覧から選び直してください。"),
    410: ("llm_no_such_model", "The provider no longer offers this; choose another model in the settings.",
          "プロバイダーがこの機能を終了しました。設定で別のモデルを選んでください。"),
}  # fmt: skip

_NO_MODEL = (
    "What answered at this address is no model; check the address in the settings.",
    "この接続先から返ってきたのはモデルの答えではありません。設定の接続先を確かめてください。",
)


@dataclass(frozen=True, slots=True)
class Told:
    """What an endpoint answered instead of an answer."""

    status: int
    words: str
    retry_after: str | None = None


@dataclass(frozen=True, slots=True)
class Overflow:
    """The prompt did not fit; 0 where the endpoint did not say."""

    window: int = 0
    asked: int = 0


def as_ours(error: BaseException, key: str | None, *, asked: bool) -> GhostError | None:
    """None for what is no failure of the model. `asked`: a typed question, whose job can wait for mending."""
    import httpx2
    import openai

    from cocoro_ghost.outgoing.http_client import WebPage

    if isinstance(error, GhostError):
        return error
    if (told := told_by(error)) is not None:
        return _by_status(told, key, asked=asked)
    if isinstance(error, WebPage) or isinstance(error.__cause__, WebPage):
        return Outage(_NO_MODEL[0], code="llm_no_model_here", ja=_NO_MODEL[1])
    if isinstance(error, TimeoutError | openai.APIConnectionError | httpx2.HTTPError):
        return Outage(
            "The model cannot be reached or takes too long; see whether its server runs.",
            ja="モデルにつながらないか、返事に時間がかかりすぎています。サーバーが動いているか確かめてください。",
        )
    if isinstance(error, openai.APIError):
        return Outage(without_secrets(f"The model's stream broke off: {error}", key)[:300])
    if isinstance(error, ValueError):
        return BadAnswer(_NO_MODEL[0], code="llm_no_model_here", ja=_NO_MODEL[1])
    return None


def told_by(error: BaseException) -> Told | None:
    """Status and words of a refusal, from either wire."""
    import httpx2
    import openai

    if isinstance(error, openai.APIStatusError):
        words = f"{error.message} {error.body if error.body is not None else ''}"
        return Told(int(error.status_code), words, error.response.headers.get("retry-after"))
    if isinstance(error, httpx2.HTTPStatusError):
        response = error.response
        return Told(response.status_code, response.text[:2000], response.headers.get("retry-after"))
    return None


def refuses_format(error: BaseException, kind: Format) -> bool:
    """Whether a simpler way of asking is worth a try; endpoints word it in many ways."""
    told = told_by(error)
    if kind == "text" or told is None or told.status not in {400, 404, 415, 422, 501}:
        return False
    named = any(word in told.words.lower() for word in _FORMAT_WORDS)
    # A schema is what is most often refused, in words of every kind: a plainer way costs one call.
    return named or (kind == "schema" and told.status in {400, 422})


def refuses_roles(error: BaseException) -> bool:
    """Whether the order of roles is what it minds; templates in llama.cpp say so with a 500."""
    told = told_by(error)
    if told is None or told.status not in {400, 422, 500}:
        return False
    return any(word in told.words.lower() for word in _ROLE_WORDS)


def refuses_tools(error: BaseException) -> bool:
    """Whether tools are what it cannot take: Ollama, vLLM and others say it in these words."""
    told = told_by(error)
    return told is not None and told.status in {400, 404, 422, 501} and bool(_TOOL_WORDS.search(told.words))


def overflow(error: BaseException) -> Overflow | None:
    """Whether the prompt was too long, and what the window is where the endpoint says it."""
    told = told_by(error)
    if told is None or told.status not in {400, 413, 422, 500}:
        return None
    words = told.words.lower()
    if not any(word in words for word in _OVERFLOW_WORDS):
        return None
    # The window is the smaller of the numbers told, what was asked for the larger.
    numbers = sorted({int(number.replace(",", "")) for number in _NUMBERS.findall(words)})
    numbers = [number for number in numbers if 256 <= number <= 20_000_000]
    return Overflow(numbers[0], numbers[-1]) if len(numbers) >= 2 else Overflow(*numbers[:1])


def _by_status(told: Told, key: str | None, *, asked: bool) -> GhostError:
    words = without_secrets(f"The model's endpoint answered {told.status}: {told.words}", key)[:300]
    if told.status in _MENDED_BY_A_PERSON:
        code, english, japanese = _MENDING[told.status]
        english, japanese = f"{english} ({words})", f"{japanese}({words})"
        if asked:
            return Outage(english, retry_after=_RETRY_AFTER_MENDING, code=code, ja=japanese)
        return NotConfigured(english, code=code, ja=japanese)
    if told.status == 429:
        return Outage(
            f"The provider asks to wait: {words}",
            retry_after=_retry_after(told.retry_after),
            ja=f"プロバイダーが混み合っています。少し待ってください。({words})",
        )
    if told.status == 408 or told.status >= 500:
        return Outage(
            words, retry_after=_retry_after(told.retry_after), ja=f"モデルが応答できません。({words})"
        )
    if 300 <= told.status < 400:
        return Outage(
            f"The model's endpoint redirects ({told.status}); enter its own address instead.",
            ja=f"接続先が転送されます({told.status})。転送は追いません。本来の接続先を入れてください。",
        )
    return BadAnswer(words)


def _retry_after(value: str | None) -> float | None:
    if not value:
        return None
    try:
        # Seconds or a date: the header may be either.
        return min(3600.0, max(0.0, float(value)))
    except ValueError:
        pass
    try:
        return min(3600.0, max(0.0, parsedate_to_datetime(value).timestamp() - time()))
    except ValueError:
        return None
