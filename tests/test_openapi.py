"""R20: schemathesis on the whole OpenAPI document against a served ghost."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    response_schema_conformance,
    status_code_conformance,
)

from cocoro_ghost.api.app import create_app
from tests.conftest import Figures
from tests.serving import House, house

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
    ignored_auth,
]
EXAMPLES, NIGHTLY_EXAMPLES = 3, 40


@contextmanager
def served(folder: Path) -> Iterator[House]:
    """A house on a loop of its own, so that a blocking client can call it; `shutdown` is only noted."""
    ready, done = threading.Event(), threading.Event()
    found: list[House] = []

    async def live() -> None:
        async with house(folder, shutdown=lambda _: None) as home:
            found.append(home)
            ready.set()
            await asyncio.to_thread(done.wait)

    thread = threading.Thread(target=asyncio.run, args=(live(),))
    thread.start()
    try:
        assert ready.wait(60)
        yield found[0]
    finally:
        done.set()
        thread.join(60)


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    return create_app(None).openapi()


def test_every_call_keeps_its_word(tmp_path: Path, document: dict[str, Any], figures: Figures) -> None:
    calls = _try_all(tmp_path, document, EXAMPLES)
    figures("R20", f"{calls} requests over {len(document['paths'])} paths: 0 server errors, 0 undocumented")


@pytest.mark.nightly
def test_every_call_keeps_its_word_longer(tmp_path: Path, document: dict[str, Any], figures: Figures) -> None:
    calls = _try_all(tmp_path, document, NIGHTLY_EXAMPLES)
    figures("R20", f"{calls} requests over {len(document['paths'])} paths: 0 server errors, 0 undocumented")


@pytest.mark.parametrize(
    "path", ["/api/chat", "/api/settings", "/api/health", "/api/memory/events/{event_id}"]
)
def test_the_document_names_the_calls_of_the_wire(document: dict[str, Any], path: str) -> None:
    assert path in document["paths"]


def test_every_call_is_described(document: dict[str, Any]) -> None:
    for path, calls in document["paths"].items():
        for method, call in calls.items():
            assert call.get("description"), (method, path)
            assert call["operationId"]


def _try_all(folder: Path, document: dict[str, Any], examples: int) -> int:
    results: list[Any] = list(schemathesis.openapi.from_dict(document).get_all_operations())
    with served(folder) as home:
        return sum(_tried(result.ok(), home, examples) for result in results)


def _tried(operation: Any, home: House, examples: int) -> int:
    calls = 0

    @given(data=st.data())
    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def tried(data: st.DataObject) -> None:
        nonlocal calls
        case = data.draw(operation.as_strategy())
        case.call_and_validate(base_url=home.addresses.http, headers=home.bearer, checks=CHECKS, timeout=30)
        calls += 1

    tried()
    return calls
