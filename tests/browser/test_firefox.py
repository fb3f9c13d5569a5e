"""The main story once more in Debian's Firefox, driven over WebDriver BiDi without any other driver."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

from tests.browser.conftest import START_SECONDS, House

pytestmark = pytest.mark.browser
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
PATIENCE_SECONDS = 20


class Firefox:
    """One window; commands are JSON over one socket."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._ids = itertools.count(1)
        self.command("session.new", {"capabilities": {}})
        self.context = self.command("browsingContext.getTree", {})["contexts"][0]["context"]

    def command(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        number = next(self._ids)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.recv(timeout=60))
            if answer.get("id") == number:
                assert answer.get("type") != "error", answer
                result: dict[str, Any] = answer["result"]
                return result

    def open(self, url: str) -> None:
        self.command("browsingContext.navigate", {"context": self.context, "url": url, "wait": "complete"})

    def ask(self, script: str) -> Any:
        answer = self.command(
            "script.evaluate",
            {"expression": script, "target": {"context": self.context}, "awaitPromise": True},
        )
        assert answer["type"] == "success", answer
        return answer["result"].get("value")

    def until(self, script: str) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self.ask(script):
            assert time.monotonic() < deadline, script
            time.sleep(0.1)

    def type(self, text: str) -> None:
        keys = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        actions = [{"type": "key", "id": "keyboard", "actions": keys}]
        self.command("input.performActions", {"context": self.context, "actions": actions})


@pytest.fixture
def firefox(tmp_path: Path) -> Iterator[Firefox]:
    if FIREFOX is None:
        pytest.skip("no Firefox here: install the package `firefox-esr` to run this test")
    command = [FIREFOX, "--headless", "--no-remote", "--remote-debugging-port", "0"]
    process = subprocess.Popen(
        [*command, "--profile", str(tmp_path)], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    )
    try:
        with connect(_address(process) + "/session", max_size=None, open_timeout=30) as socket:
            yield Firefox(socket)
    finally:
        process.terminate()
        process.wait(20)


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    deadline = time.monotonic() + START_SECONDS
    for line in process.stderr:
        if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
            return found[1]
        assert time.monotonic() < deadline, line
    raise AssertionError("Firefox did not start")


def test_from_the_link_to_a_reply_and_what_is_known(house: House, firefox: Firefox) -> None:
    firefox.open(house.login_link)
    firefox.until("document.querySelector('.composer textarea') !== null")
    assert "code=" not in str(firefox.ask("location.href"))
    firefox.ask("document.querySelector('.composer textarea').focus()")
    firefox.type("抹茶が好きです。\ue007")
    firefox.until("document.querySelector('.said .bubble:not(.wait):not(.live)') !== null")
    firefox.until("document.querySelector('[data-learned]') !== null")
    firefox.ask("location.hash = '#/about'")
    firefox.until("document.querySelector('.about .linetext')?.textContent.includes('抹茶') ?? false")
    for screen in ("memory", "heart", "graph", "settings"):
        firefox.ask(f"location.hash = '#/{screen}'")
        firefox.until("document.querySelector('main h1') !== null && !document.querySelector('.loading')")
        assert firefox.ask("document.querySelector('main [role=alert]') === null"), screen
