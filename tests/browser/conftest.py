"""A real ghost on a free port with the embedded mind, and Chromium to look at it."""

from __future__ import annotations

import json
import os
import queue
import re
import shutil
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Dialog,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 60
expect.set_options(timeout=45_000)
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@dataclass
class House:
    """A running ghost: where it listens and how to get in."""

    url: str
    login_link: str
    token: str
    process: subprocess.Popen[str]

    def call(self, method: str, path: str, body: object = None) -> Any:
        """A client's call with the token, beside the browser: the JSON of the answer, or its text."""
        head = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, head, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read().decode()
            is_json = text and "json" in answer.headers.get("content-type", "")
            return json.loads(text) if is_json else text

    def talk(self, text: str) -> int:
        """One turn; returns the event's id once everything was learned from it."""
        for _ in range(300):
            answer = self.call("POST", "/api/chat", {"input_text": text})
            # The turn of the test before may still be spoken.
            if '"chat_busy"' not in answer:
                break
            self.settle()
        found = re.findall(r'"event_id":\s*(\d+)', answer)
        assert found, answer
        self.settle()
        return int(found[-1])

    def settle(self) -> None:
        """Waits until no job is pending or running."""
        for _ in range(300):
            stats = self.call("GET", "/api/control/worker-stats")
            if not stats["due_pending_count"] and not stats["running_count"]:
                return
            time.sleep(0.1)
        raise AssertionError(f"the worker did not come to rest: {stats}")


@dataclass
class Watch:
    """What went wrong or went out while pages were open."""

    troubles: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)

    def over(self, page: Page, origin: str) -> None:
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("console", self._line)
        page.on("dialog", self._dialog)
        own = (origin, origin.replace("http", "ws", 1), "data:", "blob:")
        page.on("request", lambda call: None if call.url.startswith(own) else self.strangers.append(call.url))

    def _line(self, line: ConsoleMessage) -> None:
        if line.type == "error":
            self.troubles.append(line.text)

    def _dialog(self, dialog: Dialog) -> None:
        self.troubles.append(f"dialog {dialog.message}")
        dialog.dismiss()


def start_house(data_dir: Path, language: str) -> House:
    environment = {**os.environ, "COCORO_GHOST_LANGUAGE": language, "COCORO_GHOST_USE_KEYRING": "false"}
    command = [sys.executable, "-m", "cocoro_ghost", "serve", "--data-dir", str(data_dir)]
    process = subprocess.Popen(
        [*command, "--http-port", "0", "--https-port", "0"],
        cwd=ROOT,
        env={**environment, "PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    lines: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_drain, args=(process, lines), daemon=True).start()
    seen: list[str] = []
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and (process.poll() is None or not lines.empty()):
        try:
            seen.append(lines.get(timeout=1))
        except queue.Empty:
            continue
        said = "".join(seen)
        ready = re.search(r"ready (http://\S+)", said)
        link = re.search(r"http://\S+/login#code=\S+", said)
        token = re.search(r"(?:クライアント用トークン|clients): (\S+)", said)
        if ready and link and token:
            return House(ready[1].rstrip("/"), link[0], token[1], process)
    process.kill()
    raise AssertionError("the ghost did not start:\n" + "".join(seen[-40:]))


def _drain(process: subprocess.Popen[str], lines: queue.Queue[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)


def stop_house(house: House) -> None:
    house.process.terminate()
    try:
        house.process.wait(20)
    except subprocess.TimeoutExpired:
        house.process.kill()


@pytest.fixture(scope="session")
def driver() -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(driver: Playwright) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium here: install the package `chromium` to run the browser tests")
    chromium = driver.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
    yield chromium
    chromium.close()


@pytest.fixture
def house(tmp_path: Path, browser: Browser) -> Iterator[House]:
    """A ghost that has never been talked to."""
    started = start_house(tmp_path / "ghost", "ja")
    yield started
    stop_house(started)


@pytest.fixture(scope="session")
def lived_in(tmp_path_factory: pytest.TempPathFactory, browser: Browser) -> Iterator[House]:
    """A ghost with a little past; tests may add to it but not count on being first."""
    started = start_house(tmp_path_factory.mktemp("lived_in") / "ghost", "ja")
    for text in (
        "はじめまして、みかです。抹茶が好きです。",
        "去年の夏、妹と京都に行ったんだ。すごく楽しかった!",
        "来週の金曜日に歯医者の予約があるよ。",
        "パクチーは苦手なんだ。",
        "妹とどこに行ったか覚えてる?",
    ):
        started.talk(text)
    yield started
    stop_house(started)


Opener = Callable[..., Page]


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def open_page(browser: Browser, watch: Watch) -> Iterator[Opener]:
    """Opens the page, logged in; `watch` collects troubles and requests that leave."""
    contexts: list[BrowserContext] = []

    def open_it(
        house: House, path: str = "", *, width: int = 1280, locale: str = "ja", dark: bool = False
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 844 if width < 700 else 820},
            locale=locale,
            color_scheme="dark" if dark else "light",
        )
        contexts.append(context)
        session = house.call("POST", "/api/auth/login", {"token": house.token})["session"]
        # As the page itself keeps it: in the tab, so that no other server on this machine is ever sent it.
        context.add_init_script(
            f"sessionStorage.getItem('out') || sessionStorage.setItem('cocoro_session', '{session}')"
        )
        page = context.new_page()
        page.set_default_timeout(45_000)
        watch.over(page, house.url)
        page.goto(f"{house.url}/{path}")
        return page

    yield open_it
    for context in contexts:
        context.close()
