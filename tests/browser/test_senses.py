"""Other ways of being with it: by voice, without the server, without motion, from elsewhere in the system."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import House, Opener, stop_house
from tests.browser.test_story import WIDTHS, say, turn_to

pytestmark = pytest.mark.browser
EAR = """
localStorage.setItem('voice', '1');
window.spoken = [];
window.SpeechRecognition = class {
  start() { window.ear = this; }
  stop() { this.onend?.(); }
};
const speak = (words) => window.spoken.push([words.text, words.lang]);
Object.defineProperty(window, 'speechSynthesis', { value: { speak, cancel: () => undefined } });
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
"""
BADGE = """
window.badges = [];
navigator.setAppBadge = (n) => { window.badges.push(n); return Promise.resolve(); };
navigator.clearAppBadge = () => { window.badges.push(0); return Promise.resolve(); };
"""


def reopened(page: Page, script: str) -> None:
    """The same page with something of the browser replaced."""
    page.context.add_init_script(script)
    page.reload()
    expect(page.get_by_label("話しかける")).to_be_visible()


@WIDTHS
def test_words_are_spoken_and_read_aloud(lived_in: House, open_page: Opener, width: int) -> None:
    page = open_page(lived_in, width=width)
    expect(page.get_by_role("button", name="声で話す")).to_have_count(0)
    reopened(page, EAR)
    page.get_by_role("button", name="声で話す").click()
    page.wait_for_function("window.ear?.lang === 'ja-JP'")
    page.evaluate("window.ear.onresult({ results: [[{ transcript: 'いい天気だね' }]] })")
    expect(page.get_by_label("話しかける")).to_have_value("いい天気だね")
    page.get_by_role("button", name="聞き取りを止める").click()
    expect(page.get_by_role("button", name="声で話す")).to_be_visible()
    page.get_by_label("話しかける").press("Enter")
    reply = page.locator(".turn.fresh .said .md")
    expect(reply).to_be_visible()
    page.locator(".turn.last").get_by_role("button", name="読み上げる").click()
    assert page.evaluate("window.spoken") == [[reply.inner_text(), "ja-JP"]]


def test_voice_is_switched_on_by_its_owner_alone(lived_in: House, open_page: Opener) -> None:
    page = open_page(lived_in, "#/settings")
    box = page.get_by_label("声で話す・読み上げ")
    expect(box).not_to_be_checked()
    box.check()
    expect(page.get_by_text("音声が提供元へ送られます")).to_be_visible()
    page.wait_for_function("localStorage.getItem('voice') === '1'")


@WIDTHS
def test_without_the_ghost_the_shell_says_that_it_is_away(
    house: House, open_page: Opener, width: int
) -> None:
    page = open_page(house, width=width)
    expect(page.get_by_role("button", name="とばす")).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.reload()
    expect(page.get_by_role("button", name="とばす")).to_be_visible()
    stop_house(house)
    expect(page.get_by_role("status").filter(has_text="お出かけ中")).to_be_visible()
    expect(page.get_by_label("話しかける")).to_be_in_viewport(ratio=1)
    page.reload()
    expect(page.get_by_role("heading", name="ゴーストはお出かけ中です")).to_be_visible()


@WIDTHS
def test_a_line_that_came_unseen_is_counted_until_it_is_read(
    lived_in: House, open_page: Opener, width: int
) -> None:
    page = open_page(lived_in, width=width)
    reopened(page, BADGE)
    turn_to(page, "likes")
    expect(page.get_by_role("heading", name="好き嫌い").first).to_be_visible()
    told = {"source_system": "ベル", "text": f"荷物が届きました{width}"}
    lived_in.call("POST", "/api/v2/notification", told)
    expect(page.locator(".unread:visible")).to_have_text("1")
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    page.wait_for_function("window.badges.includes(1)")
    turn_to(page, "chat")
    expect(page.locator(".unread:visible")).to_have_count(0)
    page.wait_for_function("window.badges.at(-1) === 0")


def test_nothing_moves_for_who_wants_no_motion(lived_in: House, open_page: Opener) -> None:
    page = open_page(lived_in)
    page.emulate_media(reduced_motion="reduce")
    page.route("**/api/chat", lambda route: None)
    say(page, "待ってみる")
    expect(page.locator(".bubble.wait")).to_be_visible()
    moving = page.evaluate(
        "document.getAnimations().filter(one => one.effect.getComputedTiming().activeDuration > 50).length"
    )
    assert moving == 0


def test_the_whole_way_by_keys(lived_in: House, open_page: Opener) -> None:
    """To the settings, through a choice and a question, and back, without a pointer."""
    page = open_page(lived_in, "#/connections")
    expect(page.get_by_role("heading", name="アプリをつなぐ")).to_be_visible()
    page.get_by_role("main").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "SillyTavern":
            break
    page.keyboard.press("Enter")
    made = page.get_by_role("status", name="SillyTavern")
    expect(made).to_contain_text(f"{lived_in.url}/v1")
    page.get_by_role("button", name="取り消す: SillyTavern").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("取り消し済み").first).to_be_visible()
