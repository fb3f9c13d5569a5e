"""The wheel holds what the program reads at run time: SQL, prompts, word lists, the page."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_the_wheel_holds_every_data_file(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        str(tmp_path),
        str(ROOT),
    ]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    packed = set(zipfile.ZipFile(wheel).namelist())
    tracked = subprocess.run(
        ["git", "ls-files", "cocoro_ghost"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split("\n")
    wanted = {name for name in tracked if name and (ROOT / name).exists()}
    assert wanted - packed == set()
    assert any(name.endswith(".sql") for name in packed)
    assert any(name.startswith("cocoro_ghost/mind/prompts/ja/") for name in packed)
    assert "cocoro_ghost/api/web/index.html" in packed
