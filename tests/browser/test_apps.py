"""Apps that use the memory: connected in one click, used with that token, spoken to as chosen, taken back."""

from __future__ import annotations

import json
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import House, Opener, Watch
from tests.browser.test_story import WIDTHS

pytestmark = pytest.mark.browser


def completion(house: House, token: str, messages: list[dict[str, str]], stream: bool = False) -> int:
    """A call as a program with this token makes it: the status of its answer."""
    body = json.dumps({"model": "ghost", "messages": messages, "stream": stream}).encode()
    head = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{house.url}/v1/chat/completions", body, head)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            answer.read()
            return int(answer.status)
    except urllib.error.HTTPError as refused:
        return refused.code


@WIDTHS
def test_an_app_is_connected_used_and_taken_back(
    lived_in: House, open_page: Opener, watch: Watch, width: int
) -> None:
    name = f"台所の端末{width}"
    page = open_page(lived_in, "#/connections", width=width)
    page.get_by_label("アプリの名前").last.fill(name)
    page.get_by_role("button", name="トークンを作る").click()
    made = page.get_by_role("status", name=name)
    expect(made.locator("pre").first).to_have_text(f"{lived_in.url}/v1")
    token = made.locator("pre").nth(1).inner_text().strip()
    assert completion(lived_in, token, [{"role": "user", "content": "ただいま"}], stream=True) == 200
    made.get_by_role("button", name="終わりました").click()
    expect(page.get_by_text(token)).to_have_count(0)
    card = page.locator("li.card", has_text=name)
    card.get_by_text("できることと話し方").click()
    card.get_by_label("記憶を見る").check()
    card.get_by_label("返事に添える感情").select_option("face")
    card.get_by_role("button", name="保存").click()
    expect(page.locator(".toast")).to_contain_text("保存しました")
    stored = lived_in.call("GET", "/api/clients")["items"]
    found = next(one for one in stored if one["name"] == name)
    assert (sorted(found["scopes"]), found["emotion_tags"]) == (["memory:read", "talk"], "face")
    page.get_by_role("button", name=f"取り消す: {name}").click()
    page.get_by_role("dialog").get_by_role("button", name="取り消す").click()
    expect(card).to_contain_text("取り消し済み")
    assert completion(lived_in, token, [{"role": "user", "content": "まだいる?"}]) == 401
    assert watch.troubles == []
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0


@WIDTHS
def test_what_was_heard_and_not_remembered_is_taken_over(
    lived_in: House, open_page: Opener, width: int
) -> None:
    made = lived_in.call("POST", "/api/clients", {"name": f"題名アプリ{width}", "scopes": ["talk"]})
    text = f"この会話の短い題名を JSON で答えてください。{width}"
    assert completion(lived_in, made["token"], [{"role": "user", "content": text}]) == 200
    heard = lived_in.call("GET", "/api/clients-doubtful")["items"]
    if not any(one["text"] == text for one in heard):
        pytest.skip("this shape is known for certain by now: nothing stands in doubt")
    page = open_page(lived_in, "#/connections", width=width)
    page.get_by_role("button", name=f"わたしが言いました: {text}").click()
    expect(page.locator(".toast")).to_contain_text("覚えておきます")
    left = lived_in.call("GET", "/api/clients-doubtful")["items"]
    assert not any(one["text"] == text for one in left)
