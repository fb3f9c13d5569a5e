"""Memory of mapped files: given back where nothing can be lost, and the same bytes come again."""

from __future__ import annotations

import mmap
import sys
from pathlib import Path

import pytest

from cocoro_ghost.care import heap
from cocoro_ghost.language.morphology import analyser
from cocoro_ghost.language.pages import give_back

SIZE = 8 << 20


def _resident(ending: str) -> int:
    """Kilobytes of a mapped file that are in memory."""
    found, ours = 0, False
    for line in Path("/proc/self/smaps").read_text().splitlines():
        first = line.split()[0]
        if not first.endswith(":"):
            ours = line.endswith(ending)
        elif ours and first == "Rss:":
            found += int(line.split()[1])
    return found


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_pages_go_and_come_again(tmp_path: Path) -> None:
    path = tmp_path / "words.given"
    path.write_bytes(bytes(range(256)) * (SIZE // 256))
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        before = mapped[:]
        assert _resident(".given") == SIZE // 1024
        assert give_back(".given") == SIZE
        assert _resident(".given") < SIZE // 1024 // 8
        assert mapped[:] == before


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_what_may_be_written_to_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "words.kept"
    path.write_bytes(b"a" * SIZE)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY) as mapped:
        mapped[:4] = b"ours"
        assert give_back(".kept") == 0
        assert mapped[:5] == b"oursa"


def test_elsewhere_nothing_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    assert give_back(".dic") == 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_an_open_dictionary_that_was_given_back_still_reads() -> None:
    found = analyser()
    assert found is not None
    assert give_back(".dic") > 0
    assert [token.surface for token in found.analyse("妹と温泉へ行った")][:2] == ["妹", "と"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_an_idle_ghost_holds_little_of_its_dictionary() -> None:
    found = analyser()
    assert found is not None
    found.analyse("来週の金曜に妹と函館の温泉へ行って、帰りに味噌ラーメンを食べるつもり")
    talking = _resident(".dic")
    heap.give_back()
    assert _resident(".dic") < talking // 4
