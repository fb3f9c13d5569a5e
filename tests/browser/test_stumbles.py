"""What new users stumbled over: forgetting that looked like a mishap, messages over the tabs, a wrong key."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import House, Opener
from tests.browser.test_story import WIDTHS, say, turn_to

pytestmark = pytest.mark.browser


class Refusing(BaseHTTPRequestHandler):
    """A model's server that knows no such key."""

    def do_GET(self) -> None:
        error = {"message": "Incorrect API key provided", "type": "invalid_request_error"}
        body = json.dumps({"error": error}).encode()
        self.send_response(401)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", "0")))
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Says nothing."""


@pytest.fixture
def refusing() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    thread.join()


def lowest(one: Locator) -> float:
    box = one.bounding_box()
    assert box is not None
    return box["y"] + box["height"]


def highest(one: Locator) -> float:
    box = one.bounding_box()
    assert box is not None
    return box["y"]


@WIDTHS
def test_a_forgotten_memory_is_no_mishap(lived_in: House, open_page: Opener, width: int) -> None:
    body = {"body_text": f"靴は{width}号", "kind": "fact"}
    state = lived_in.call("POST", "/api/memory/state", body)["state_id"]
    page = open_page(lived_in, f"#/memory/s{state}", width=width)
    page.get_by_role("button", name="忘れる", exact=True).click()
    page.get_by_role("dialog").get_by_role("button", name="忘れる").click()
    expect(page.get_by_text("この記憶は忘れました。")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    page.get_by_role("button", name="また思い出せるようにする").click()
    expect(page.locator(".statement")).to_contain_text(f"靴は{width}号")


@WIDTHS
def test_messages_stand_above_what_one_taps_next(lived_in: House, open_page: Opener, width: int) -> None:
    page = open_page(lived_in, "#/about", width=width)
    page.get_by_label("覚えておいてほしいこと").last.fill(f"傘は青い{width}")
    page.get_by_role("button", name="書き加える").click()
    expect(page.locator(".toast").last).to_contain_text("覚えました")
    if width == 390:
        assert lowest(page.locator(".toast").last) <= highest(page.locator("nav.tabs"))
    turn_to(page, "chat")
    page.get_by_label("話しかける").fill("/nonsense")
    page.get_by_label("話しかける").press("Enter")
    told = page.locator(".toast", has_text="/nonsense")
    expect(told).to_be_visible()
    assert lowest(told) <= highest(page.locator(".composer > form"))


def test_the_sheet_of_a_phone_has_names_beside_its_signs_and_a_whole_button(
    lived_in: House, open_page: Opener
) -> None:
    page = open_page(lived_in, width=390)
    # The talk comes after the bar, and what was learned from it may say "ほか 1 件".
    expect(page.locator(".turn").first).to_be_visible()
    page.locator("nav.tabs").get_by_role("button", name="ほか", exact=True).click()
    sheet = page.locator("dialog.more")
    expect(sheet).to_be_visible()
    close = sheet.get_by_role("button", name="閉じる").bounding_box()
    assert close is not None
    assert close["width"] > 300
    link = sheet.get_by_role("link", name="設定")
    sign, name = link.locator("svg").bounding_box(), link.locator("span").first.bounding_box()
    assert sign is not None
    assert name is not None
    assert sign["x"] + sign["width"] <= name["x"]


@WIDTHS
def test_a_wrong_key_is_told_before_saving_and_in_the_talk(
    house: House, open_page: Opener, refusing: str, width: int
) -> None:
    page = open_page(house, width=width)
    page.get_by_role("button", name="とばす").click()
    turn_to(page, "settings")
    mind = page.locator("#set-model")
    mind.get_by_label(re.compile("^サービス")).select_option("openai")
    mind.get_by_label("モデル", exact=True).last.fill("openai/some-model")
    secret = mind.locator("input[type=password]").first
    secret.fill("sk-wrong")
    mind.get_by_label("アドレス（任意）").first.fill(refusing)
    mind.get_by_role("button", name="モデルの一覧を取得").click()
    expect(mind.locator(".help[role=status]")).to_contain_text("名前を書いてください")
    mind.get_by_role("button", name="保存する前に試す").click()
    expect(mind.locator(".tested")).to_contain_text("キー")
    assert house.call("GET", "/api/settings")["llm_preset"][0]["llm_model"].startswith("embedded/")
    page.get_by_role("button", name="保存", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("保存しました")
    turn_to(page, "chat")
    say(page, "元気？")
    told = page.locator(".turn.fresh .problem")
    expect(told).to_contain_text("API キーが受け付けられませんでした")
    expect(told.get_by_role("button", name="もう一度送る")).to_be_visible()
    assert house.call("GET", "/api/memory/events?limit=1")["items"][0]["user_text"] == "元気？"
