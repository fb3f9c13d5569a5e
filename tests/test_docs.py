"""Docs are tested: generated pages are up to date, links lead somewhere, README commands exist."""

from __future__ import annotations

import re

import pytest
import typer.main

from cocoro_ghost.cli import build
from tests.docs_text import PAGES, ROOT, _commands

LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)")


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_generated_page_is_up_to_date(name: str) -> None:
    """An undocumented command, setting or route shows here: run `python -m tests.docs_text`."""
    assert (ROOT / "docs" / name).read_text(encoding="utf-8") == PAGES[name]()


@pytest.mark.parametrize("page", ["README.md", "README.ja.md", "CONTRIBUTING.md", "docs/data.md"])
def test_links_lead_somewhere(page: str) -> None:
    path = ROOT / page
    for target in LINK.findall(path.read_text(encoding="utf-8")):
        assert (path.parent / target).exists(), f"{page} links to {target}, which is not there"


@pytest.mark.parametrize("page", ["README.md", "README.ja.md", "docs/data.md"])
def test_every_command_a_page_names_exists(page: str) -> None:
    known = {name.split()[0] for name, _ in _commands(typer.main.get_command(build()), "")} | {"test"}
    named = re.findall(r"(?:run\.py|cocoro-ghost) ([a-z]+)", (ROOT / page).read_text(encoding="utf-8"))
    assert named
    assert set(named) <= known


def test_both_languages_have_the_same_prompts() -> None:
    folder = ROOT / "cocoro_ghost" / "mind" / "prompts"
    assert {path.name for path in folder.glob("ja/*.md")} == {path.name for path in folder.glob("en/*.md")}
    for path in folder.glob("ja/*.md"):
        variables = re.findall(r"\$\{?(\w+)", path.read_text(encoding="utf-8"), re.ASCII)
        other = re.findall(r"\$\{?(\w+)", (folder / "en" / path.name).read_text(encoding="utf-8"), re.ASCII)
        assert set(variables) == set(other), path.name


def test_pinned_packages_name_no_place_to_fetch_them_from() -> None:
    for path in ROOT.glob("requirements/*"):
        text = path.read_text(encoding="utf-8")
        assert "://" not in text, path.name
        assert "--index-url" not in text, path.name
    assert '"resolved"' not in (ROOT / "ui" / "package-lock.json").read_text(encoding="utf-8")
