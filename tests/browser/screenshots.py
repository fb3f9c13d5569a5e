"""Renews docs/screenshots: every screen, empty and after a month, both languages, desk and phone.

`python -m tests.browser.screenshots` starts ghosts of its own and leaves nothing running.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.conftest import CHROMIUM, QUIET, ROOT, House, start_house, stop_house

OUT = ROOT / "docs" / "screenshots"
SCREENS = (
    "chat", "about", "memory", "memory/s1", "why", "heart", "timeline", "likes", "graph", "care",
    "reminders", "connections", "settings", "logs",
)  # fmt: skip
WIDTHS = {"1280": (1280, 820), "390": (390, 844)}
DAY = 86_400
MONTH = {
    "ja": (
        (0, "はじめまして、みかです。抹茶が好きです。"),
        (1, "私は川崎に住んでいます。猫のタマを飼っています。"),
        (3, "去年の夏、妹と京都に行ったんだ。すごく楽しかった!"),
        (6, "今日は仕事で失敗して、とても落ち込んでる。"),
        (9, "パクチーは苦手なんだ。"),
        (14, "友達の結婚式に出たよ。うれしくて泣いちゃった。"),
        (21, "来週の金曜日に歯医者の予約があるよ。"),
        (29, "妹とどこに行ったか覚えてる?"),
    ),
    "en": (
        (0, "Hi, I'm Mika. I love matcha."),
        (1, "I live in Kawasaki. I have a cat called Tama."),
        (3, "Last summer I went to Kyoto with my sister. It was wonderful!"),
        (6, "I made a mistake at work today and I feel awful."),
        (9, "I can't stand coriander."),
        (14, "I went to my friend's wedding. I was so happy I cried."),
        (21, "I have a dentist appointment next Friday."),
        (29, "Do you remember where I went with my sister?"),
    ),
}


def live_a_month(house: House, language: str) -> None:
    passed = 0
    for day, text in MONTH[language]:
        house.call("POST", "/api/control/time/advance", {"seconds": (day - passed) * DAY})
        passed = day
        house.talk(text)
    what = {"ja": "薬を飲む", "en": "Take the medicine"}[language]
    body = {"repeat_kind": "daily", "content": what, "time_of_day": "09:30", "enabled": True}
    house.call("POST", "/api/reminders", body)


def shoot(browser: Browser, house: House, language: str, name: str) -> int:
    session = house.call("POST", "/api/auth/login", {"token": house.token})["session"]
    taken = 0
    for width, size in WIDTHS.items():
        context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, locale={"ja": "ja-JP", "en": "en-US"}[language]
        )
        context.add_init_script(f"sessionStorage.setItem('cocoro_session', '{session}')")
        page = context.new_page()
        page.goto(house.url)
        page.locator(".composer").wait_for()
        for screen in SCREENS:
            page.evaluate("hash => { location.hash = hash }", f"#/{screen}")
            page.wait_for_load_state("networkidle")
            expect(page.locator(".loading")).to_have_count(0)
            page.wait_for_timeout(300)
            file = f"{screen.replace('/', '-')}-{name}-{language}-{width}.jpg"
            page.screenshot(path=OUT / file, type="jpeg", quality=72)
            taken += 1
        context.close()
    return taken


def main() -> int:
    if CHROMIUM is None:
        print("no Chromium here: install the package `chromium`")
        return 2
    OUT.mkdir(exist_ok=True)
    for old in OUT.glob("*.*"):
        old.unlink()
    taken = 0
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        for language in ("ja", "en"):
            house = start_house(Path(folder) / language, language)
            try:
                taken += shoot(browser, house, language, "empty")
                live_a_month(house, language)
                taken += shoot(browser, house, language, "month")
            finally:
                stop_house(house)
        browser.close()
    print(f"{taken} screenshots in {OUT.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
