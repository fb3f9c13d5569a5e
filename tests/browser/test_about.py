"""What is known about the person, put right on one page; several memories at once; reminders out of plans."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import House, Opener, Watch

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [1280, 390])
def test_what_is_known_is_read_and_put_right(lived_in: House, open_page: Opener, width: int) -> None:
    lived_in.call("POST", "/api/memory/state", {"body_text": f"趣味は登山{width}", "kind": "fact"})
    page = open_page(lived_in, "#/about", width=width)
    expect(page.get_by_role("heading", name="好き嫌い")).to_be_visible()
    expect(page.locator(".linetext", has_text="抹茶").first).to_be_visible()
    page.get_by_role("button", name=f"編集: 趣味は登山{width}").click()
    page.locator(".lines").get_by_label("覚えておいてほしいこと").fill(f"趣味は釣り{width}")
    page.locator(".lines").get_by_role("button", name="保存").click()
    expect(page.locator(".linetext", has_text=f"趣味は釣り{width}").first).to_be_visible()
    expect(page.get_by_role("heading", name="最近変わったこと")).to_be_visible()
    page.get_by_label("覚えておいてほしいこと").last.fill(f"誕生日は五月{width}日")
    page.get_by_role("button", name="書き加える").click()
    expect(page.locator(".sections .linetext", has_text=f"五月{width}日")).to_be_visible()
    page.get_by_role("button", name=f"過去のことにする: 誕生日は五月{width}日").click()
    expect(page.locator(".sections .linetext", has_text=f"五月{width}日")).to_have_count(0)
    page.locator(".toast").last.get_by_role("button", name="元に戻す").click()
    expect(page.locator(".sections .linetext", has_text=f"五月{width}日")).to_be_visible()


@pytest.mark.parametrize("width", [1280, 390])
def test_a_dated_plan_becomes_a_reminder(lived_in: House, open_page: Opener, width: int) -> None:
    page = open_page(lived_in, "#/about", width=width)
    page.get_by_role("button", name=re.compile("リマインダーにする: .*歯医者")).first.click()
    expect(page.locator(".toast")).to_contain_text("お知らせします")
    found = lived_in.call("GET", "/api/reminders")["items"]
    texts = [one["content"] for one in found if "歯医者" in one["content"]]
    assert texts
    assert not any(re.match(r"\d+月\d+日", text) for text in texts), "it rings on that day: no need to say it"


@pytest.mark.parametrize("width", [1280, 390])
def test_several_memories_at_once_and_two_into_one(lived_in: House, open_page: Opener, width: int) -> None:
    texts = (f"週末は走る{width}", f"土曜に走っている{width}")
    for text in texts:
        lived_in.call("POST", "/api/memory/state", {"body_text": text, "kind": "fact"})
    page = open_page(lived_in, "#/memory?q=%E8%B5%B0", width=width)
    for text in texts:
        page.get_by_role("checkbox", name=f"選択: {text}").check()
    page.get_by_role("link", name=re.compile(texts[0])).click()
    if width == 390:
        page.get_by_role("link", name="戻る").click()
    expect(page.locator(".bulk")).to_contain_text("2 件を選択中")
    page.locator(".bulk").get_by_role("button", name="ピン留め").click()
    expect(page.locator(".toast").last).to_contain_text("2 件を変更しました")
    for text in texts:
        page.get_by_role("checkbox", name=f"選択: {text}").check()
    page.locator(".bulk").get_by_role("button", name="ふたつをひとつに").click()
    page.get_by_role("dialog").get_by_role("button", name="ふたつをひとつに").click()
    expect(page.locator(".toast").last).to_contain_text("ひとつにしました")


@pytest.mark.parametrize("width", [1280, 390])
def test_a_reminder_is_snoozed(lived_in: House, open_page: Opener, watch: Watch, width: int) -> None:
    what = f"体操{width}"
    body = {"repeat_kind": "daily", "content": what, "time_of_day": "09:30", "enabled": True}
    lived_in.call("POST", "/api/reminders", body)
    page = open_page(lived_in, "#/reminders", width=width)
    page.get_by_role("group", name=f"あとで: {what}").first.get_by_role("button", name="10 分後").click()
    expect(page.locator("li.card", has_text="一度だけ").filter(has_text=what)).to_be_visible()
    assert watch.troubles == []


@pytest.mark.parametrize("width", [1280, 390])
def test_a_path_between_two_memories(lived_in: House, open_page: Opener, width: int) -> None:
    page = open_page(lived_in, "#/graph/e1", width=width)
    page.get_by_label("道すじ").fill("抹茶")
    page.get_by_role("button", name="道すじを探す").click()
    expect(page.get_by_role("link", name="全体に戻る")).to_be_visible()
    expect(page.locator(".graphlist, .problem").first).to_be_visible()


def test_it_can_be_installed(lived_in: House, open_page: Opener) -> None:
    page = open_page(lived_in)
    manifest = page.request.get(f"{lived_in.url}/manifest.webmanifest")
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    for icon in manifest.json()["icons"]:
        assert page.request.get(f"{lived_in.url}/{icon['src']}").ok
    assert page.request.get(f"{lived_in.url}/sw.js").headers["cache-control"] == "no-cache"
