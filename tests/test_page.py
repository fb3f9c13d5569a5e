"""The built page: small, self-contained, in step with the calls it makes."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from pathlib import Path

from cocoro_ghost.api.app import create_app
from tests.conftest import Figures

ROOT = Path(__file__).resolve().parent.parent
WEB = ROOT / "cocoro_ghost" / "api" / "web"
SOURCES = sorted((ROOT / "ui" / "src").rglob("*.ts*"))
MOST_SCRIPT = 150_000
KINDS = ("dependencies", "optionalDependencies")


def first_load() -> list[Path]:
    """Scripts that index.html names or preloads."""
    page = (WEB / "index.html").read_text(encoding="utf-8")
    return [WEB / name for name in re.findall(r"(?:src|href)=\"\./([^\"]+\.js)\"", page)]


def test_the_first_load_is_small(figures: Figures) -> None:
    scripts = first_load()
    assert scripts
    size = sum(len(gzip.compress(path.read_bytes())) for path in scripts)
    figures("page", f"first load {size / 1000:.0f} kB of script, gzipped")
    assert size <= MOST_SCRIPT


def test_nothing_is_inline_or_remote() -> None:
    page = (WEB / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\son\w+=|https?://", page)
    for path in WEB.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"url\(\s*['\"]?https?:|@import", text), path.name


def test_every_asset_that_is_named_exists() -> None:
    page = (WEB / "index.html").read_text(encoding="utf-8")
    for name in re.findall(r"(?:src|href)=\"\./([^\"]+)\"", page):
        assert (WEB / name).is_file(), name


def test_every_call_of_the_page_exists() -> None:
    known = [path.split("/") for path in create_app(None).openapi()["paths"]]
    streams = {"/api/events/stream", "/api/logs/stream"}
    # Asked for where the server has them; without them the settings offer the plain fields.
    streams |= {"/api/minds/providers", "/api/minds/models"}
    called: set[str] = set()
    for path in SOURCES:
        if path.name != "schema.d.ts":
            called |= set(re.findall(r"[\"`](/api/[^\"`?]*[^\"`?/])[\"`?]", path.read_text(encoding="utf-8")))
    assert len(called) > 25
    assert [one for one in called - streams if not any(_fits(one.split("/"), path) for path in known)] == []


def _fits(called: list[str], known: list[str]) -> bool:
    """`${…}` of the page and `{…}` of the document stand for anything."""
    pairs = zip(called, known, strict=False)
    return len(called) == len(known) and all("{" in a or "{" in b or a == b for a, b in pairs)


def test_the_build_is_made_from_these_sources() -> None:
    ui = ROOT / "ui"
    found = [ui / "index.html", *(ui / "src").rglob("*"), *(ui / "public").rglob("*")]
    stamp = hashlib.sha256()
    for path in sorted(
        (one for one in found if one.is_file()), key=lambda one: one.relative_to(ui).as_posix()
    ):
        stamp.update(path.relative_to(ui).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    built = (WEB / "source.sha256").read_text(encoding="utf-8").strip()
    assert built == stamp.hexdigest(), "ui/ changed after the build: run `npm run build` in ui/"


def test_the_lock_file_is_whole_and_names_no_registry() -> None:
    """Packages of other platforms are locked too, else `npm ci` refuses."""
    text = (ROOT / "ui" / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in text
    packages = json.loads(text)["packages"]
    locked = {path.rpartition("node_modules/")[2] for path in packages}
    needed = {name for one in packages.values() for kind in KINDS for name in one.get(kind, {})}
    assert needed - locked == set()
