"""Quick to be there, smooth however much there is. Times are reported, not asserted: machines differ."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import House, Opener
from tests.conftest import Figures

pytestmark = pytest.mark.browser


def test_the_talk_is_soon_usable(lived_in: House, open_page: Opener, figures: Figures) -> None:
    page = open_page(lived_in)
    expect(page.locator(".turn").first).to_be_visible()
    page.reload(wait_until="commit")
    expect(page.get_by_label("話しかける")).to_be_focused()
    usable = page.evaluate("performance.now()")
    sent = page.evaluate(
        """performance.getEntriesByType('resource').filter(e => e.name.endsWith('.js')).length"""
    )
    figures("page", f"talk usable {usable:.0f} ms after the page was asked for, {sent} scripts")
    assert sent <= 6


def test_a_hundred_thousand_events_scroll_smoothly(
    lived_in: House, open_page: Opener, figures: Figures
) -> None:
    """The browser meets a server that has 100,000 events; only the answers of one call are stood in for."""
    page = open_page(lived_in)
    expect(page.get_by_label("話しかける")).to_be_visible()
    page.route(
        "**/api/memory/events?*", lambda route: route.fulfill(json=_hundred_thousand(route.request.url))
    )
    page.evaluate(
        """() => { window.__long = []; new PerformanceObserver(l => l.getEntries().forEach(e =>
        window.__long.push(e.duration))).observe({type: 'longtask', buffered: false}); }"""
    )
    page.evaluate("location.hash = '#/memory?tab=events'")
    rows = page.locator(".vlist")
    expect(rows).to_be_visible()
    for _ in range(60):
        rows.evaluate("el => el.scrollBy(0, 4000)")
        page.wait_for_timeout(50)
    deepest = int(page.locator(".vrow").last.get_attribute("aria-posinset") or 0)
    drawn = page.locator(".vrow").count()
    longest = max(page.evaluate("window.__long"), default=0)
    figures("page", f"memory browser: {deepest} rows deep, {drawn} drawn, longest task {longest:.0f} ms")
    assert deepest > 1000
    assert drawn < 80


def _hundred_thousand(url: str) -> dict[str, object]:
    found = re.search(r"cursor=(\d+)", url)
    top = int(found[1]) if found else 100_001
    items = [_event(number) for number in range(top - 1, max(0, top - 61), -1)]
    return {"items": items, "next_cursor": items[-1]["event_id"] if items and top > 61 else None}


def _event(number: int) -> dict[str, object]:
    return {
        "event_id": number,
        "created_at": 1_700_000_000 + number,
        "updated_at": 0,
        "source": "chat",
        "origin": "user",
        "status": "done",
        "conversation": "main",
        "searchable": True,
        "user_text": f"{number} 番目の話。" * (1 + number % 5),
        "assistant_text": "うん、覚えておくね。",
        "entities": [],
        "about": {"confidence": 0.0},
    }
