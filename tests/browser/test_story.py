"""A person's way through the page on the embedded mind: talk, understand, correct, take back."""

from __future__ import annotations

import re
import struct
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import House, Opener, Watch

pytestmark = pytest.mark.browser
WIDTHS = pytest.mark.parametrize("width", [1280, 390])
"""Every story is lived at a desk and on a phone."""


def say(page: Page, text: str) -> None:
    page.get_by_label("話しかける").fill(text)
    page.get_by_label("話しかける").press("Enter")


def small_png(path: Path) -> Path:
    rows = b"".join(b"\x00" + b"\xc0\x80\xf0" * 16 for _ in range(16))

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    head = struct.pack(">IIBBBBB", 16, 16, 8, 2, 0, 0, 0)
    picture = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + picture)
    return path


def turn_to(page: Page, screen: str) -> None:
    """Another screen, as a link would: the links themselves stand elsewhere on a phone."""
    page.evaluate("hash => { location.hash = hash }", f"#/{screen}")


def sign_out(page: Page) -> None:
    page.evaluate("sessionStorage.clear(); sessionStorage.setItem('out', '1')")


@WIDTHS
def test_first_run_from_the_door_to_the_trace(
    house: House, open_page: Opener, watch: Watch, width: int
) -> None:
    page = open_page(house, width=width)
    expect(page.get_by_role("heading", name="はじめまして。")).to_be_visible()
    sign_out(page)
    page.goto(house.login_link)
    expect(page.get_by_role("heading", name="はじめまして。")).to_be_visible()
    assert "code=" not in page.url
    expect(page.get_by_role("button", name="はじめる")).to_be_in_viewport(ratio=1)
    box = page.locator(".composer").bounding_box()
    begin = page.get_by_role("button", name="はじめる").bounding_box()
    assert box is not None
    assert begin is not None
    assert begin["y"] + begin["height"] <= box["y"], "nothing lies over the button"
    page.get_by_label("なんとお呼びしましょう？").fill("みか")
    page.get_by_label("元気な友だち").check()
    page.get_by_role("button", name="はじめる").click()
    expect(page.locator("form.steps")).to_have_count(0)
    page.get_by_role("button", name="歯医者の予約").click()
    expect(page.get_by_label("話しかける")).to_have_value(re.compile("歯医者"))
    expect(page.locator(".turn")).to_have_count(0)
    stored = house.call("GET", "/api/settings")
    assert stored["persona_preset"][-1]["second_person_label"] == "みか"
    assert stored["page"]["first_run_done"] is True
    say(page, "はじめまして、みかです。抹茶と散歩が好きです。")
    expect(page.locator(".said .bubble").first).not_to_have_class(re.compile("wait|live"))
    chip = page.locator("[data-learned]").first
    expect(chip).to_contain_text("覚えた")
    chip.click()
    expect(page.locator(".learned")).to_contain_text("抹茶")
    say(page, "抹茶のこと、覚えてる?")
    recalled = page.locator(".turn").nth(1).locator("[data-recalled]")
    expect(recalled).to_have_attribute("data-recalled", re.compile("[1-9]"))
    recalled.click()
    expect(page.locator(".quotes")).to_contain_text("抹茶")
    page.locator(".quotes").get_by_role("link", name="くわしく見る").click()
    expect(page.locator(".detail .statement")).to_contain_text("抹茶")
    page.locator(".detail summary", has_text="くわしく").click()
    expect(page.get_by_role("heading", name="探した場所")).to_be_visible()
    assert watch.strangers == []
    assert [line for line in watch.troubles if "401" not in line] == []


def test_the_first_run_is_skipped_for_good(house: House, open_page: Opener) -> None:
    page = open_page(house, width=390, locale="en-US")
    page.get_by_role("button", name="Skip").click()
    expect(page.locator("form.steps")).to_have_count(0)
    page.reload()
    expect(page.get_by_role("heading", name="Hello. I'm new here.")).to_be_visible()
    expect(page.locator("form.steps")).to_have_count(0)


@WIDTHS
def test_the_door_opens_to_the_token_only(lived_in: House, open_page: Opener, width: int) -> None:
    page = open_page(lived_in, width=width)
    sign_out(page)
    page.goto(lived_in.url + "/login#code=guessed")
    page.reload()
    expect(page.get_by_label("話しかける")).not_to_be_visible()
    page.get_by_label("トークン").fill("wrong")
    page.get_by_role("button", name="開く").click()
    expect(page.get_by_role("alert")).to_contain_text("トークンが違う")
    page.get_by_label("トークン").fill(lived_in.token)
    page.get_by_role("button", name="開く").click()
    expect(page.get_by_label("話しかける")).to_be_visible()


@WIDTHS
def test_what_was_learned_is_taken_back_from_the_talk(lived_in: House, open_page: Opener, width: int) -> None:
    turn = lived_in.talk({1280: "納豆が好きです。", 390: "たくあんが好きです。"}[width])
    page = open_page(lived_in, width=width)
    row = page.locator(f"#turn-{turn}")
    row.locator("[data-learned]").click()
    row.get_by_role("button", name="元に戻す").first.click()
    expect(row.locator(".learned s").first).to_be_visible()


@WIDTHS
def test_a_fact_is_corrected_and_the_correction_undone(
    lived_in: House, open_page: Opener, width: int
) -> None:
    lived_in.talk("私は川崎に住んでいます。")
    page = open_page(lived_in, "#/memory", width=width)
    page.locator(".mrow a", has_text="川崎").first.click()
    page.get_by_role("button", name="編集").click()
    text = page.get_by_label("内容")
    text.fill(text.input_value().replace("川崎", "横浜"))
    page.get_by_label("変更の理由").fill("引っ越しました")
    page.get_by_role("button", name="保存").click()
    expect(page.locator(".statement")).to_contain_text("横浜")
    change = page.locator(".revisions > li").first
    expect(change).to_contain_text("引っ越しました")
    expect(change.locator("del").first).to_contain_text("川崎")
    expect(change.locator("ins").first).to_contain_text("横浜")
    before = page.locator(".revisions > li").count()
    change.get_by_role("button").click()
    page.get_by_role("dialog").get_by_role("button", name="元に戻す").click()
    expect(page.locator(".statement")).to_contain_text("川崎")
    expect(page.locator(".revisions > li")).to_have_count(before + 1)


def show_picture(page: Page, path: Path) -> None:
    page.locator("input[type=file]").set_input_files(small_png(path))
    expect(page.locator(".composer .picture")).to_have_count(1)
    say(page, "これ、見える?")
    expect(page.locator(".turn.fresh .said .bubble").last).not_to_have_class(re.compile("wait|live"))


@WIDTHS
def test_a_picture_stays_only_if_the_owner_says_so(
    lived_in: House, open_page: Opener, tmp_path: Path, width: int
) -> None:
    settings = lived_in.call("GET", "/api/settings")
    settings["page"]["keep_thumbnails"] = False
    lived_in.call("PUT", "/api/settings", settings)
    page = open_page(lived_in, width=width)
    show_picture(page, tmp_path / "cat.png")
    expect(page.locator(".turn.fresh .picture img")).to_have_count(1)
    page.reload()
    expect(page.locator(".seen").last).to_contain_text("残していません")
    expect(page.locator(".turn").last.locator(".picture img")).to_have_count(0)
    settings = lived_in.call("GET", "/api/settings")
    settings["page"]["keep_thumbnails"] = True
    lived_in.call("PUT", "/api/settings", settings)
    with page.expect_response(lambda answer: "/thumbnails" in answer.url):
        show_picture(page, tmp_path / "cat.png")
    page.reload()
    expect(page.locator(".turn .picture img").last).to_be_visible()
    page.locator("input[type=file]").set_input_files(
        {"name": "bad.svg", "mimeType": "image/svg+xml", "buffer": b"<svg/>"}
    )
    expect(page.locator(".toast")).to_contain_text("bad.svg")


@WIDTHS
def test_incognito_leaves_nothing(lived_in: House, open_page: Opener, width: int) -> None:
    before = lived_in.call("GET", "/api/memory/events?limit=1")["items"][0]["event_id"]
    page = open_page(lived_in, width=width)
    page.get_by_role("button", name="ないしょ話").click()
    say(page, "これは秘密だよ。")
    expect(page.locator(".turn .chip", has_text="保存されません")).to_be_visible()
    assert lived_in.call("GET", "/api/memory/events?limit=1")["items"][0]["event_id"] == before


@WIDTHS
def test_a_reminder_is_made_and_arrives(lived_in: House, open_page: Opener, width: int) -> None:
    tea = f"お茶の時間{width}"
    page = open_page(lived_in, "#/reminders", width=width)
    page.get_by_label("何をお知らせしますか？").fill(tea)
    page.get_by_role("button", name="新しいリマインダー").click()
    expect(page.locator("li.card", has_text=tea)).to_be_visible()
    expect(page.locator(".toast")).to_contain_text(f"お知らせします：{tea}")
    turn_to(page, "chat")
    expect(page.get_by_label("話しかける")).to_be_visible()
    lived_in.call("POST", "/api/control/time/advance", {"seconds": 2 * 3600})
    expect(page.locator(".turn", has_text=tea)).to_be_visible()


@WIDTHS
def test_another_reply_keeps_the_earlier_one(lived_in: House, open_page: Opener, width: int) -> None:
    turn = lived_in.talk("今日は天気がいいね。")
    page = open_page(lived_in, width=width)
    # Of this turn alone: the talk may hold other turns that were answered anew.
    row = page.locator(f"#turn-{turn}")
    row.get_by_role("button", name="別の返事").click()
    earlier = row.get_by_role("button", name="前の返事 1 件")
    expect(earlier).to_be_visible()
    earlier.click()
    expect(row.locator("ol.learned li")).to_have_count(1)
    expect(row.locator(".bubble.wait, .problem")).to_have_count(0)


@WIDTHS
def test_a_turn_is_forgotten_and_remembered_again(lived_in: House, open_page: Opener, width: int) -> None:
    turn = lived_in.talk("弟の誕生日は五月です。")
    page = open_page(lived_in, width=width)
    row = page.locator(f"#turn-{turn}")
    row.get_by_role("button", name="このやりとりを忘れる").click()
    page.get_by_role("dialog").get_by_role("button", name="このやりとりを忘れる").click()
    expect(row.locator(".chip", has_text="忘れたやりとり")).to_be_visible()
    assert lived_in.call("GET", f"/api/memory/events/{turn}")["forgotten_at"] is not None
    page.locator(".toast").get_by_role("button", name="元に戻す").click()
    expect(row.locator(".bubble.you")).to_be_visible()
    assert lived_in.call("GET", f"/api/memory/events/{turn}")["forgotten_at"] is None


@WIDTHS
def test_the_heart_shows_the_mood(lived_in: House, open_page: Opener, watch: Watch, width: int) -> None:
    page = open_page(lived_in, "#/heart", width=width)
    expect(page.locator(".plot canvas")).to_be_visible()
    expect(page.locator(".moment").first).to_be_visible()
    expect(page.locator(".now .statement")).to_contain_text("気分")
    page.locator(".moment a").first.click()
    expect(page.locator(".turn.found")).to_be_visible()
    assert watch.troubles == []


@WIDTHS
def test_likes_are_revoked_and_confirmed(lived_in: House, open_page: Opener, width: int) -> None:
    page = open_page(lived_in, "#/likes", width=width)
    card = page.locator(".like", has_text="パクチー")
    card.get_by_role("button", name="違う").click()
    expect(page.locator("section", has=page.get_by_role("heading", name="いまは違う"))).to_contain_text(
        "パクチー"
    )
    card.get_by_role("button", name="そのとおり").click()
    expect(page.locator("section", has=page.get_by_role("heading", name="確か"))).to_contain_text("パクチー")


def test_language_theme_and_phone(lived_in: House, open_page: Opener) -> None:
    page = open_page(lived_in, "#/settings", width=390)
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    assert page.locator("html").get_attribute("lang") == "en"
    page.get_by_role("button", name="Dark").click()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.reload()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    for screen in (
        "chat",
        "memory",
        "why",
        "heart",
        "timeline",
        "likes",
        "graph",
        "care",
        "about",
        "reminders",
        "logs",
    ):
        page.goto(f"{lived_in.url}/#/{screen}")
        page.wait_for_load_state("networkidle")
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{screen} is wider than a phone by {wide}px"


@WIDTHS
def test_settings_are_saved_and_a_preset_is_tested(lived_in: House, open_page: Opener, width: int) -> None:
    name = f"みかさん{width}"
    page = open_page(lived_in, "#/settings", width=width)
    page.get_by_label("あなたの呼び名").fill(name)
    turn_to(page, "chat")
    expect(page.get_by_label("話しかける")).to_be_visible()
    turn_to(page, "settings")
    expect(page.get_by_label("あなたの呼び名")).to_have_value(name)
    page.get_by_role("button", name="保存", exact=True).click()
    expect(page.locator(".toast")).to_contain_text("保存しました")
    assert lived_in.call("GET", "/api/settings")["persona_preset"][0]["second_person_label"] == name
    page.get_by_role("button", name="保存する前に試す").click()
    expect(page.locator("[role=status]", has_text="応答しました")).to_be_visible()


@WIDTHS
def test_house_keeping(lived_in: House, open_page: Opener, width: int) -> None:
    page = open_page(lived_in, "#/care", width=width)
    page.get_by_role("button", name="いま手入れする").click()
    expect(page.locator(".toast")).to_be_visible()
    lived_in.settle()
    expect(
        page.locator("section", has=page.get_by_role("heading", name="手入れの記録")).locator("li").first
    ).to_be_visible()
    page.get_by_role("button", name="いまバックアップ").click()
    expect(page.locator(".toast", has_text="バックアップしました")).to_be_visible()
