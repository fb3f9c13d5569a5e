"""Which addresses a model may live at; each is brought into its one spelling before anything is decided."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit, urlunsplit

import idna

from cocoro_ghost.errors import BadInput

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_METADATA_NAMES = {"metadata.google.internal", "metadata", "instance-data", "metadata.azure.com"}
# Cloud machines tell their secrets at these; not all of them are link-local.
_METADATA = {
    ipaddress.ip_address(text)
    for text in ("169.254.169.254", "fd00:ec2::254", "fd20:ce::254", "100.100.100.200", "168.63.129.16",
                 "192.0.0.192")
}  # fmt: skip
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_COMPATIBLE = ipaddress.ip_network("::/96")
_NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*", re.ASCII)
_LOCAL_ENDINGS = (".localhost", ".local", ".lan", ".home.arpa")


def check_base_url(base_url: str | None) -> None:
    """Refuses an address that no model lives at: metadata services, user names, plain HTTP abroad."""
    normal_base_url(base_url)


def normal_base_url(base_url: str | None) -> str:
    """Checked, with its host in one spelling (`169。254。169。254` is `169.254.169.254`); "" for none."""
    if not base_url:
        return ""
    try:
        parts = urlsplit(base_url)
        host, port = normal_host(parts.hostname or ""), parts.port
    except ValueError as error:
        raise BadInput(f"The address {base_url[:100]!r} cannot be read.") from error
    if parts.scheme not in {"http", "https"} or not host:
        raise BadInput("A model's address begins with https:// (or http:// for a local model).")
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise BadInput("A model's address holds no user name, password, query or fragment.")
    if host in _METADATA_NAMES or is_forbidden(host):
        raise BadInput("This address belongs to the machine's own services, not to a model.")
    if parts.scheme == "http" and not is_local(host):
        raise BadInput("Plain http:// is allowed only for a model on this machine or network.")
    shown = f"[{host}]" if ":" in host else host
    return urlunsplit((parts.scheme, shown if port is None else f"{shown}:{port}", parts.path, "", ""))


def normal_host(host: str) -> str:
    """A name in ASCII, an address in its usual form; ValueError for what is neither."""
    host = host.rstrip(".。．｡").lower()
    if not host:
        return ""
    if not host.isascii():
        # Full-width digits and ideographic stops become plain ones, as resolvers would make them.
        host = idna.encode(host, uts46=True).decode("ascii")
    address = written_address(host)
    if address is not None:
        return str(address)
    if not _NAME.fullmatch(host):
        raise ValueError("not a host name")
    return host


def is_local(host: str) -> bool:
    """Loopback or a private network, by what is written (names are not resolved)."""
    address = written_address(host)
    if address is None:
        return host == "localhost" or host.endswith(_LOCAL_ENDINGS) or "." not in host
    return is_near(address)


def is_forbidden(host: str) -> bool:
    address = written_address(host)
    return address is not None and holds_no_model(address)


def is_near(address: Address) -> bool:
    """On this machine or its network."""
    return all(
        one.is_loopback or (one.is_private and not one.is_link_local and not one.is_unspecified)
        for one in _meant(address)
    )


def holds_no_model(address: Address) -> bool:
    """Metadata services, and addresses that are nobody's."""
    return any(
        one in _METADATA
        or (not one.is_loopback
            and (one.is_link_local or one.is_multicast or one.is_unspecified or one.is_reserved))
        for one in _meant(address)
    )  # fmt: skip


def written_address(host: str) -> Address | None:
    """The address a host spells, decimal, hexadecimal and mapped forms included; None for a name."""
    try:
        found = ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return _odd_ipv4(host)
    mapped = getattr(found, "ipv4_mapped", None)
    return mapped if mapped is not None else found


def _meant(address: Address) -> list[Address]:
    """An address, or the older ones that a newer one carries inside (6to4, Teredo, NAT64, compatible)."""
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    inside = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if address in _NAT64 or (address in _COMPATIBLE and int(address) > 0xFFFF):
        inside.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    # A carrier's own range tells nothing of where the packet ends.
    return [one for one in inside if one is not None] or [address]


def _odd_ipv4(host: str) -> ipaddress.IPv4Address | None:
    """`0xa9fea9fe`, `2852039166`, `0251.0376.0251.0376`: the forms C libraries accept."""
    try:
        numbers = [
            int(part, 16 if part.startswith("0x") else 8 if _octal(part) else 10) for part in host.split(".")
        ]
    except ValueError:
        return None
    if not 1 <= len(numbers) <= 4 or any(number < 0 for number in numbers):
        return None
    *heads, last = numbers
    if any(head > 255 for head in heads) or last >= 256 ** (4 - len(heads)):
        return None
    value = sum(head << (8 * (3 - index)) for index, head in enumerate(heads)) + last
    return ipaddress.IPv4Address(value)


def _octal(part: str) -> bool:
    return len(part) > 1 and part.startswith("0") and part.isdecimal()
