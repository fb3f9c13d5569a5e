"""When things go wrong: a reply that fails, a ghost that goes away, a screen that could not be loaded."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import House, Opener
from tests.browser.test_story import say

pytestmark = pytest.mark.browser
WIDTHS = (1280, 390)
LONG = "あ" * 200


@pytest.mark.parametrize("width", WIDTHS)
def test_a_lost_message_comes_back_and_is_sent_again(lived_in: House, open_page: Opener, width: int) -> None:
    page = open_page(lived_in, width=width)
    expect(page.locator(".turn").first).to_be_visible()
    page.route("**/api/chat", lambda route: route.abort())
    say(page, "届くかな。")
    problem = page.locator(".turn.fresh .problem")
    expect(problem).to_contain_text("つながっていません")
    expect(page.get_by_label("話しかける")).to_have_value("届くかな。")
    expect(page.get_by_label("話しかける")).to_be_in_viewport()
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    page.unroute("**/api/chat")
    problem.get_by_role("button", name="もう一度送る").click()
    expect(page.locator(".turn.fresh .said .bubble")).to_be_visible()
    expect(page.get_by_label("話しかける")).to_have_value("")


@pytest.mark.parametrize("width", WIDTHS)
def test_a_screen_recovers_when_the_ghost_does(lived_in: House, open_page: Opener, width: int) -> None:
    page = open_page(lived_in, width=width)
    expect(page.get_by_label("話しかける")).to_be_visible()
    away = {"on": True}

    def gate(route: Route) -> None:
        if away["on"]:
            route.abort()
        else:
            route.continue_()

    page.route("**/*", gate)
    page.evaluate("location.hash = '#/likes'")
    expect(page.get_by_role("alert")).to_be_visible()
    away["on"] = False
    page.get_by_role("alert").get_by_role("button").click()
    expect(page.locator(".like").first).to_be_visible()


def test_one_token_redraws_one_turn(lived_in: House, open_page: Opener) -> None:
    page = open_page(lived_in)
    expect(page.locator(".turn").first).to_be_visible()
    count = page.locator(".turn").count()
    tokens = "".join(f'event: token\ndata: {{"text":"{at} "}}\n\n' for at in range(20))
    done = 'event: done\ndata: {"event_id":0,"reply_text":"ok"}\n\n'
    page.route(
        "**/api/chat", lambda route: route.fulfill(body=tokens + done, content_type="text/event-stream")
    )
    page.evaluate("window.__turnsDrawn = 0")
    say(page, "数えて")
    expect(page.locator(".turn.fresh .bubble").last).to_have_text(re.compile("ok"))
    drawn = page.evaluate("window.__turnsDrawn")
    assert drawn < 20 + count + 20, f"{drawn} drawings of {count} turns for 20 tokens"


@pytest.mark.parametrize("width", WIDTHS)
def test_markdown_is_shown_and_html_stays_text(lived_in: House, open_page: Opener, width: int) -> None:
    page = open_page(lived_in, width=width)
    reply = (
        "# 見出し\\n**太字** <b>そのまま</b>\\n\\n| a | b |\\n|---|---|\\n| 1 | 2 |\\n\\n"
        "```py\\nprint(1)\\n```\\n[x](javascript:alert(1)) ![p](http://evil.invalid/p.png)"
    )
    body = f'event: done\ndata: {{"event_id":0,"reply_text":"{reply}"}}\n\n'
    page.route("**/api/chat", lambda route: route.fulfill(body=body, content_type="text/event-stream"))
    say(page, "書いて")
    bubble = page.locator(".turn.fresh .said .bubble")
    expect(bubble.locator("strong")).to_have_text("太字")
    expect(bubble).to_contain_text("<b>そのまま</b>")
    expect(bubble.locator("table td").first).to_have_text("1")
    expect(bubble.locator("pre")).to_contain_text("print(1)")
    expect(bubble.get_by_role("button", name="コピー")).to_have_count(1)
    assert bubble.locator("img, b, a[href^=javascript]").count() == 0


def test_long_words_and_unknown_commands(lived_in: House, open_page: Opener) -> None:
    page = open_page(lived_in, width=390)
    area = page.get_by_label("話しかける")
    area.fill(f"{LONG} {'長い言葉' * 20}")
    width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0
    box = page.locator(".composer > form").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
    area.fill("/nonsense")
    area.press("Enter")
    expect(page.locator(".toast")).to_contain_text("/nonsense")
    expect(area).to_have_value("/nonsense")


@pytest.mark.parametrize("width", WIDTHS)
def test_the_last_message_is_said_differently(lived_in: House, open_page: Opener, width: int) -> None:
    lived_in.talk("犬の名前はポコです。")
    page = open_page(lived_in, width=width)
    page.get_by_role("button", name="自分の言葉を書き直す").click()
    page.get_by_role("textbox", name="自分の言葉を書き直す").fill("犬の名前はコロです。")
    page.get_by_role("button", name="こう言い直す").click()
    expect(page.locator(".turn.fresh .bubble.you")).to_have_text(re.compile("コロ"))
    expect(page.locator(".gone-line").last).to_be_visible()


def test_buttons_stay_readable_under_the_mouse(lived_in: House, open_page: Opener) -> None:
    page = open_page(lived_in, "#/care")
    button = page.get_by_role("button", name="いま手入れする")
    button.hover()
    page.wait_for_timeout(250)
    ground, ink = button.evaluate("el => [getComputedStyle(el).backgroundColor, getComputedStyle(el).color]")
    assert contrast(page.evaluate(RGB, ground), page.evaluate(RGB, ink)) > 4.5


RGB = """text => { const c = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
c.fillStyle = text; c.fillRect(0, 0, 1, 1); return [...c.getImageData(0, 0, 1, 1).data].slice(0, 3); }"""


def contrast(one: list[int], other: list[int]) -> float:
    def light(colour: list[int]) -> float:
        parts = [c / 255 for c in colour]
        red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)
