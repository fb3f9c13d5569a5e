"""What an endpoint answers instead of an answer, as a person and a job understand it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx2
import pytest

from cocoro_ghost.errors import BadAnswer, GhostError, NotConfigured, Outage
from cocoro_ghost.mind.failures import (
    Overflow,
    as_ours,
    overflow,
    refuses_format,
    refuses_roles,
    refuses_tools,
)
from cocoro_ghost.outgoing.http_client import WebPage

KEY = "sk-verysecret-1234567890"
ASKED = httpx2.Request("POST", "http://127.0.0.1:9/v1/chat/completions")


def told(status: int, words: str = "", **headers: str) -> httpx2.HTTPStatusError:
    answer = httpx2.Response(status, text=words, headers=headers, request=ASKED)
    return httpx2.HTTPStatusError(f"{status}", request=ASKED, response=answer)


def ours(error: BaseException, *, asked: bool = False) -> GhostError:
    found = as_ours(error, KEY, asked=asked)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (401, "llm_wrong_key"),
        (402, "llm_no_credit"),
        (403, "llm_wrong_key"),
        (404, "llm_no_such_model"),
        (410, "llm_no_such_model"),
    ],
)
def test_what_a_person_has_to_mend_says_so_in_both_languages(status: int, code: str) -> None:
    spoken, learning = ours(told(status, "no")), ours(told(status, "no"), asked=True)
    assert isinstance(spoken, NotConfigured)
    assert isinstance(learning, Outage), "a job waits for it instead of being buried"
    assert learning.retry_after == 900
    assert spoken.code == learning.code == code
    assert spoken.told(japanese=True) != spoken.told(japanese=False)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 529])
def test_what_passes_by_itself_is_waited_for(status: int) -> None:
    found = ours(told(status, "busy", **{"retry-after": "12"}))
    assert isinstance(found, Outage)
    assert found.retry_after == 12
    assert found.ja


def test_a_wait_may_be_told_as_a_date_as_nonsense_or_as_a_year() -> None:
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=600), usegmt=True)
    by_date = ours(told(429, **{"retry-after": soon}))
    assert isinstance(by_date, Outage)
    assert by_date.retry_after is not None
    assert 500 < by_date.retry_after <= 600
    nonsense, a_year = ours(told(503, **{"retry-after": "later"})), ours(told(503, **{"retry-after": "3e7"}))
    assert isinstance(nonsense, Outage)
    assert nonsense.retry_after is None
    assert isinstance(a_year, Outage)
    assert a_year.retry_after == 3600, "asked again within the hour"


@pytest.mark.parametrize("status", [301, 307, 308])
def test_a_redirect_is_not_followed_and_says_what_to_enter(status: int) -> None:
    found = ours(told(status))
    assert isinstance(found, Outage)
    assert "address" in str(found)
    assert "接続先" in found.ja


def test_no_key_gets_into_a_sentence() -> None:
    for status in (400, 401, 404, 429, 500):
        found = ours(told(status, f"the key {KEY} may not do this"))
        assert KEY not in str(found)
        assert KEY not in found.ja


def test_a_web_page_is_no_model() -> None:
    for asked in (True, False):
        found = ours(WebPage("a login page", request=ASKED), asked=asked)
        assert found.code == "llm_no_model_here"
        assert isinstance(found, Outage), "the network may let us through later"


def test_what_is_ours_stays_and_what_is_a_bug_is_not_the_models() -> None:
    own = BadAnswer("no JSON in it", raw="…")
    assert as_ours(own, KEY, asked=True) is own
    assert as_ours(KeyError("a bug"), KEY, asked=True) is None
    assert isinstance(ours(httpx2.ConnectError("refused")), Outage)
    assert isinstance(ours(TimeoutError()), Outage)
    assert isinstance(ours(ValueError("not JSON")), BadAnswer)
    assert isinstance(ours(told(418, "a teapot")), BadAnswer)


@pytest.mark.parametrize(
    ("words", "window", "asked"),
    [
        ("This model's maximum context length is 8192 tokens, your messages resulted in 9001", 8192, 9001),
        ("the request exceeds the available context size: 4,096, got 12,345", 4096, 12345),
        ("prompt is too long", 0, 0),
        ("Too many tokens: at most 32768", 32768, 0),
    ],
)
def test_a_prompt_that_was_too_long_tells_the_window(words: str, window: int, asked: int) -> None:
    assert overflow(told(400, words)) == Overflow(window, asked)
    assert overflow(told(401, words)) is None, "a wrong key is no matter of length"


def test_other_refusals_are_not_taken_for_length() -> None:
    assert overflow(told(400, "temperature must be at most 2")) is None
    assert overflow(ValueError("context length")) is None, "only an endpoint can say it"


@pytest.mark.parametrize(
    "words", ["response_format is not supported", "unknown field 'format'", "JSON mode is off"]
)
def test_a_refused_form_is_asked_for_more_plainly(words: str) -> None:
    assert refuses_format(told(400, words), "schema")
    assert refuses_format(told(400, words), "object")
    assert not refuses_format(told(400, words), "text"), "there is nothing plainer than words"
    assert not refuses_format(told(500, words), "object")


def test_a_schema_is_given_up_for_any_complaint_an_object_only_for_its_own() -> None:
    assert refuses_format(told(422, "bad request"), "schema")
    assert not refuses_format(told(422, "bad request"), "object")


@pytest.mark.parametrize(
    ("status", "words", "roles", "tools"),
    [
        (400, "Conversation roles must alternate user/assistant", True, False),
        (500, "Jinja Exception: System role not supported", True, False),
        (400, "llama3 does not support tools", False, True),
        (422, "tool use is not enabled for this model", False, True),
        (401, "roles must alternate; does not support tools", False, False),
        (400, "temperature is too high", False, False),
    ],
)
def test_roles_and_tools_are_known_by_what_servers_say(
    status: int, words: str, roles: bool, tools: bool
) -> None:
    assert refuses_roles(told(status, words)) is roles
    assert refuses_tools(told(status, words)) is tools
