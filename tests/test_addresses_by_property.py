"""Addresses, by property: one spelling each, and no spelling of a forbidden one comes through."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cocoro_ghost.errors import BadInput
from cocoro_ghost.outgoing.addresses import (
    check_base_url,
    holds_no_model,
    is_forbidden,
    is_local,
    is_near,
    normal_base_url,
    normal_host,
    written_address,
)

MANY = settings(max_examples=150, deadline=None, derandomize=True)
FOUR = st.integers(0, 2**32 - 1).map(ipaddress.IPv4Address)
SIX = st.integers(0, 2**128 - 1).map(ipaddress.IPv6Address)
METADATA = st.sampled_from(
    ["169.254.169.254", "100.100.100.200", "168.63.129.16", "192.0.0.192", "169.254.1.1"]
).map(ipaddress.IPv4Address)


def _spellings(address: ipaddress.IPv4Address) -> list[str]:
    """How resolvers read the same four bytes."""
    value, parts = int(address), str(address).split(".")
    wide = str.maketrans("0123456789.", "０１２３４５６７８９。")
    return [
        str(address),
        str(value),
        hex(value),
        ".".join(hex(int(part)) for part in parts),
        ".".join(f"0{int(part):o}" for part in parts),
        f"{parts[0]}.{parts[1]}.{int(parts[2]) * 256 + int(parts[3])}",
        f"{parts[0]}.{value & 0xFFFFFF}",
        str(address).translate(wide),
        f"{address}.",
    ]


@MANY
@given(FOUR)
def test_every_spelling_of_an_address_is_that_address(address: ipaddress.IPv4Address) -> None:
    for spelt in _spellings(address):
        assert normal_host(spelt) == str(address), spelt
        assert is_forbidden(normal_host(spelt)) is holds_no_model(address)


@MANY
@given(METADATA)
def test_no_spelling_of_a_machines_own_services_comes_through(address: ipaddress.IPv4Address) -> None:
    six = [
        f"[::ffff:{address}]",
        f"[64:ff9b::{address}]",
        f"[2002:{int(address) >> 16:x}:{int(address) & 0xFFFF:x}::]",
        f"[::{address}]",
    ]
    for host in (*_spellings(address), *six):
        for scheme in ("http", "https"):
            for rest in ("", ":80", "/v1", ":8080/v1/chat"):
                with pytest.raises(BadInput):
                    check_base_url(f"{scheme}://{host}{rest}")


@MANY
@given(FOUR | SIX, st.sampled_from(["http", "https"]), st.sampled_from(["", ":1", ":8080", ":65535"]))
def test_an_address_is_let_through_only_where_a_model_may_live(
    address: ipaddress.IPv4Address | ipaddress.IPv6Address, scheme: str, port: str
) -> None:
    host = f"[{address}]" if address.version == 6 else str(address)
    url = f"{scheme}://{host}{port}/v1"
    if holds_no_model(address) or (scheme == "http" and not is_near(address)):
        with pytest.raises(BadInput):
            check_base_url(url)
        return
    normal = normal_base_url(url)
    assert normal_base_url(normal) == normal, "one spelling is its own"
    parts = urlsplit(normal)
    assert (parts.scheme, parts.path) == (scheme, "/v1")
    assert written_address(parts.hostname or "") == address


@MANY
@given(st.text(max_size=30))
def test_any_text_is_an_address_in_one_spelling_or_refused_with_a_sentence(text: str) -> None:
    for given_ in (text, f"https://{text}", f"http://{text}/v1", f"https://{text}:8080"):
        try:
            normal = normal_base_url(given_)
        except BadInput as error:
            sentence = str(error)
            assert len(sentence) > 20
            assert len(sentence) < 300, "what was sent is not told back at length"
            continue
        if not given_:
            assert normal == ""
            continue
        assert normal_base_url(normal) == normal
        assert urlsplit(normal).netloc.isascii()
        assert "@" not in urlsplit(normal).netloc


@pytest.mark.parametrize(
    "host", ["localhost", "nas", "nas.local", "a.b.lan", "x.home.arpa", "127.0.0.1", "::1", "10.1.2.3"]
)
def test_what_is_near(host: str) -> None:
    assert is_local(host)


@pytest.mark.parametrize(
    "host", ["example.com", "local.example.com", "8.8.8.8", "2001:4860::8888", "localhost.example.com"]
)
def test_what_is_abroad(host: str) -> None:
    assert not is_local(host)
    with pytest.raises(BadInput, match="Plain http"):
        check_base_url(f"http://{f'[{host}]' if ':' in host else host}/v1")
