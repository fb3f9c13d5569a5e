"""Everyone can use it: axe finds nothing serious on any screen; the keyboard is enough."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ROOT, House, Opener

pytestmark = pytest.mark.browser
AXE = ROOT / "ui" / "node_modules" / "axe-core" / "axe.min.js"
SCREENS = (
    "chat", "memory", "memory?tab=events", "memory/s1", "memory/e1", "why", "why/1", "heart", "timeline",
    "likes", "graph/s1", "care", "about", "reminders", "connections", "settings", "logs",
)  # fmt: skip
LOOKS = ((1280, False), (1280, True), (390, False), (390, True))


def axe_source() -> str:
    if not AXE.exists():
        pytest.skip("axe-core is not installed: run `npm ci` in ui/")
    return Path(AXE).read_text(encoding="utf-8")


@pytest.mark.parametrize(("width", "dark"), LOOKS)
def test_axe_finds_nothing_serious(lived_in: House, open_page: Opener, width: int, dark: bool) -> None:
    source = axe_source()
    page = open_page(lived_in, width=width, dark=dark)
    expect(page.get_by_label("話しかける")).to_be_visible()
    page.evaluate(source)
    found: list[str] = []
    for screen in SCREENS:
        page.evaluate("hash => { location.hash = hash }", f"#/{screen}")
        page.wait_for_load_state("networkidle")
        expect(page.locator(".loading")).to_have_count(0)
        result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        for one in result["violations"]:
            if one["impact"] in ("serious", "critical"):
                where = [node["target"][0] for node in one["nodes"][:3]]
                why = one["nodes"][0].get("failureSummary", "")[:200]
                found.append(f"{screen}: {one['id']} at {where} {why}")
    assert found == []


def test_the_keyboard_is_enough(lived_in: House, open_page: Opener) -> None:
    page = open_page(lived_in)
    expect(page.get_by_label("話しかける")).to_be_focused()
    page.keyboard.type("こんにちは")
    page.keyboard.press("Enter")
    expect(page.locator(".turn.fresh .said .bubble")).to_be_visible()
    page.goto(f"{lived_in.url}/#/likes")
    page.reload()
    expect(page.get_by_role("heading", name="好き嫌い")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="本文へ移動")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


def test_enter_of_an_input_method_does_not_send(lived_in: House, open_page: Opener) -> None:
    page = open_page(lived_in)
    area = page.get_by_label("話しかける")
    area.fill("かんじへんかん")
    area.dispatch_event("keydown", {"key": "Enter", "keyCode": 229, "isComposing": True, "bubbles": True})
    expect(area).to_have_value("かんじへんかん")
    expect(page.locator(".turn.fresh")).to_have_count(0)
