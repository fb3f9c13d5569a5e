"""Where a running ghost is served: written down beside its data, for ports can be chosen at each start."""

from __future__ import annotations

from pathlib import Path

from cocoro_ghost.settings.file import Server

NAME = "served_at"


def note(data_dir: Path, address: str) -> None:
    """Only ever read while somebody holds the data directory, so that an old one misleads nobody."""
    (data_dir / NAME).write_text(address, encoding="utf-8")


def served_at(data_dir: Path, config: Server) -> str:
    """The address that was written down, else the configured one."""
    try:
        address = (data_dir / NAME).read_text(encoding="utf-8").strip()
    except OSError:
        address = ""
    return address if address.startswith("http://127.0.0.1:") else f"http://127.0.0.1:{config.http_port}"
