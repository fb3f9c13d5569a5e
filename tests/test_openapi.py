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
EXAMPLES = 6


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


def test_every_call_keeps_its_word(tmp_path: Path, figures: Figures) -> None:
    document = create_app(None).openapi()
    schema = schemathesis.openapi.from_dict(document)
    calls = 0
    with served(tmp_path) as home:
        results: list[Any] = list(schema.get_all_operations())
        for result in results:
            calls += _tried(result.ok(), home)
    figures(
        "R20",
        f"{calls} generated requests over {len(document['paths'])} paths: 0 server errors, 0 undocumented",
    )


def _tried(operation: Any, home: House) -> int:
    calls = 0

    @given(data=st.data())
    @settings(
        max_examples=EXAMPLES,
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


@pytest.mark.parametrize(
    "path", ["/api/chat", "/api/settings", "/api/health", "/api/memory/events/{event_id}"]
)
def test_the_document_names_the_calls_of_the_wire(path: str) -> None:
    assert path in create_app(None).openapi()["paths"]


def test_every_call_is_described() -> None:
    for path, calls in create_app(None).openapi()["paths"].items():
        for method, call in calls.items():
            assert call.get("description"), (method, path)
            assert call["operationId"]
