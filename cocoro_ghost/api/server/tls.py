"""The ghost's own certificate: a CA made once, a leaf for this machine's names, renewed before it ends."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import idna
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

CA_DAYS = 3650
# Within the 398 days that browsers allow the certificate of a server.
LEAF_DAYS = 397
RENEW_DAYS = 30


@dataclass(frozen=True, slots=True)
class Certificate:
    """Paths for the server; `ca` is what a person may import to be rid of warnings."""

    chain: Path
    key: Path
    ca: Path


def certificate(folder: Path, hosts: Iterable[str], now: datetime | None = None) -> Certificate:
    """The certificate in `folder`, made or renewed if it is missing, old, or lacks one of the names."""
    moment = now or datetime.now(UTC)
    wanted = frozenset(hosts)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    found = Certificate(folder / "server.pem", folder / "server.key", folder / "ca.pem")
    if not _still_good(found, wanted, moment):
        _make(found, folder / "ca.key", sorted(wanted), moment)
    return found


def machine_hosts() -> set[str]:
    """Names and addresses this machine is reached by on its network."""
    name = ascii_name(socket.gethostname())
    found = {name, f"{name.split('.')[0]}.local"} if name else set[str]()
    with contextlib.suppress(OSError):
        found |= {str(item[4][0]).split("%")[0] for item in socket.getaddrinfo(name, None)}
    # A connected UDP socket tells the outgoing address without sending anything.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe, contextlib.suppress(OSError):
        # An address reserved for documentation: nobody is there.
        probe.connect(("192.0.2.1", 9))
        found.add(probe.getsockname()[0])
    return found


def ascii_name(name: str) -> str:
    """As certificates and Host headers write it (田中のPC becomes xn--…); empty when it cannot be a name."""
    try:
        return idna.encode(name.strip("."), uts46=True, transitional=False).decode("ascii").lower()
    except idna.IDNAError:
        plain = name.lower()
        return plain if plain.isascii() and plain else ""


def _still_good(found: Certificate, wanted: frozenset[str], moment: datetime) -> bool:
    if not all(path.is_file() for path in (found.chain, found.key, found.ca)):
        return False
    try:
        leaf = x509.load_pem_x509_certificate(found.chain.read_bytes())
        names = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (ValueError, x509.ExtensionNotFound):
        return False
    held = {str(name.value).lower() for name in names}
    return wanted <= held and leaf.not_valid_after_utc > moment + timedelta(days=RENEW_DAYS)


def _make(found: Certificate, ca_key_path: Path, hosts: list[str], moment: datetime) -> None:
    ca_key, ca = _authority(found.ca, ca_key_path, moment)
    key = ec.generate_private_key(ec.SECP256R1())
    leaf = (
        _started("CocoroGhost", ca.subject, key, moment, LEAF_DAYS)
        .add_extension(x509.SubjectAlternativeName([_general_name(host) for host in hosts]), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(ca_key.public_key()), critical=False
        )
        .sign(ca_key, hashes.SHA256())
    )
    _write(found.key, _private_pem(key))
    _write(found.chain, _pem(leaf) + _pem(ca))


def _authority(
    ca_path: Path, key_path: Path, moment: datetime
) -> tuple[ec.EllipticCurvePrivateKey, x509.Certificate]:
    """The CA, kept when it is still there and still valid."""
    if ca_path.is_file() and key_path.is_file():
        kept = x509.load_pem_x509_certificate(ca_path.read_bytes())
        key = serialization.load_pem_private_key(key_path.read_bytes(), None)
        if isinstance(key, ec.EllipticCurvePrivateKey) and kept.not_valid_after_utc > moment + timedelta(
            days=LEAF_DAYS
        ):
            return key, kept
    key = ec.generate_private_key(ec.SECP256R1())
    name = _name("CocoroGhost local CA")
    made = (
        _started("CocoroGhost local CA", name, key, moment, CA_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(_signing_only(), critical=True)
        .sign(key, hashes.SHA256())
    )
    _write(key_path, _private_pem(key))
    _write(ca_path, _pem(made))
    return key, made


def _started(
    subject: str, issuer: x509.Name, key: ec.EllipticCurvePrivateKey, moment: datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(_name(subject))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        # Clocks of other machines may be behind.
        .not_valid_before(moment - timedelta(days=1))
        .not_valid_after(moment + timedelta(days=days))
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )


def _signing_only() -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=False,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=True,
        crl_sign=True,
        encipher_only=False,
        decipher_only=False,
    )


def _name(common: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common)])


def _general_name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _pem(made: x509.Certificate) -> bytes:
    return made.public_bytes(serialization.Encoding.PEM)


def _private_pem(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _write(path: Path, content: bytes) -> None:
    """Private from its first byte on, and in place only when whole."""
    partial = path.with_name(path.name + ".partial")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(content)
    os.replace(partial, path)
