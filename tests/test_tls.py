"""Our own certificate: made once, kept, renewed when names change or its end is near; private on disk."""

from __future__ import annotations

import socket
import ssl
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509

from cocoro_ghost.api.server.tls import LEAF_DAYS, certificate, machine_hosts

HOSTS = {"localhost", "127.0.0.1", "::1", "ghost.local"}


def test_a_client_that_trusts_the_ca_trusts_every_name(tmp_path: Path) -> None:
    made = certificate(tmp_path / "tls", HOSTS)
    leaf = x509.load_pem_x509_certificate(made.chain.read_bytes())
    names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {str(name.value) for name in names} == HOSTS
    ca = x509.load_pem_x509_certificate(made.ca.read_bytes())
    leaf.verify_directly_issued_by(ca)
    ssl.create_default_context(cafile=str(made.ca))
    assert all((path.stat().st_mode & 0o077) == 0 for path in (made.key, tmp_path / "tls" / "ca.key"))


def test_it_is_kept_while_it_is_good_and_renewed_under_the_same_ca(tmp_path: Path) -> None:
    made = certificate(tmp_path, HOSTS)
    chain, ca = made.chain.read_bytes(), made.ca.read_bytes()
    assert certificate(tmp_path, HOSTS - {"ghost.local"}).chain.read_bytes() == chain
    assert certificate(tmp_path, {*HOSTS, "new.local"}).chain.read_bytes() != chain
    later = datetime.now(UTC) + timedelta(days=LEAF_DAYS - 10)
    before = made.chain.read_bytes()
    assert certificate(tmp_path, HOSTS, later).chain.read_bytes() != before
    assert made.ca.read_bytes() == ca


def test_a_damaged_file_is_made_anew(tmp_path: Path) -> None:
    made = certificate(tmp_path, HOSTS)
    made.chain.write_text("nonsense", encoding="utf-8")
    assert b"BEGIN CERTIFICATE" in certificate(tmp_path, HOSTS).chain.read_bytes()


def test_the_machine_knows_its_own_names() -> None:
    assert machine_hosts()


def test_a_computer_name_outside_ascii_is_certified(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "田中のPC")
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: [])
    names = machine_hosts()
    made = certificate(tmp_path, names)
    leaf = x509.load_pem_x509_certificate(made.chain.read_bytes())
    held = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert {str(name.value) for name in held} == names
    assert any(name.startswith("xn--") and not name.endswith(".local") for name in names)


def test_what_can_be_no_name_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "☃" * 80)
    assert all(name.isascii() and name for name in machine_hosts())
