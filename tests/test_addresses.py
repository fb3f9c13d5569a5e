"""Addresses of models: one spelling, then the check; names are resolved, checked and pinned at every call."""

from __future__ import annotations

import httpx2
import pytest

from cocoro_ghost.embed.remote import OpenAICompatibleEmbedder
from cocoro_ghost.errors import BadInput, Outage
from cocoro_ghost.mind.providers import host_of
from cocoro_ghost.outgoing.addresses import check_base_url, normal_base_url
from cocoro_ghost.outgoing.http_client import pinned_client
from tests.conftest import Figures
from tests.model_server import model_server, says

pytestmark = pytest.mark.anyio

FORBIDDEN = [
    "http://169.254.169.254/v1", "https://169.254.169.254/", "http://0xa9fea9fe/", "http://2852039166/",
    "http://0251.0376.0251.0376/", "http://[::ffff:169.254.169.254]/", "http://[fe80::1]/", "http://0.0.0.0:80/",
    "http://metadata.google.internal/", "https://metadata/", "http://224.0.0.1/", "https://u:p@api.openai.com/v1",
    "https://u@api.openai.com/v1", "http://api.openai.com/v1", "ftp://127.0.0.1/", "file:///etc/passwd",
    "//x", "https://", "https://api.openai.com/v1?x=1", "https://api.openai.com/v1#x", "http://[::1", "http://8.8.8.8/",
    # The same addresses in other spellings: a resolver reads them all.
    "http://169。254。169。254/", "http://１６９.２５４.１６９.２５４/", "https://169｡254｡169｡254", "http://①⑥⑨.254.169.254/",
    "http://[fd00:ec2::254]/", "https://[fd00:ec2::254]:80/", "http://[fd00:0ec2:0::0254]/", "http://[fd20:ce::254]/",
    "http://[::ffff:a9fe:a9fe]/", "https://[2002:a9fe:a9fe::]/", "https://[64:ff9b::169.254.169.254]/",
    "https://[::169.254.169.254]/", "http://0xa9.254.169.254/", "http://169.254.43518/", "http://169.254.169.254./",
    "http://ｍetadata/", "http://METADATA.google.internal./", "https://100.100.100.200/", "https://168.63.129.16/",
    "http://169%2e254%2e169%2e254/", "https://exa mple.com/", "https://exam\\ple.com/", "https://@169.254.169.254/",
    "https://api.openai.com@169.254.169.254/",
]  # fmt: skip
ALLOWED = [
    None, "", "https://api.openai.com/v1", "http://127.0.0.1:11434/v1", "http://localhost:1234/v1", "http://[::1]:8080",
    "http://192.168.1.20:8000/v1", "http://10.0.0.2/v1", "http://nas.local:11434", "https://example.com:8443/openai",
    "https://例え.jp/v1", "http://my_server:8080/v1",
]  # fmt: skip


@pytest.mark.parametrize("address", FORBIDDEN)
def test_addresses_no_model_lives_at_are_refused(address: str) -> None:
    with pytest.raises(BadInput):
        check_base_url(address)


@pytest.mark.parametrize("address", ALLOWED)
def test_addresses_of_models_are_allowed(address: str | None) -> None:
    check_base_url(address)


async def test_a_name_is_resolved_checked_and_pinned_at_every_call(figures: Figures) -> None:
    bad = [
        "169.254.169.254",
        "fd00:ec2::254",
        "::ffff:169.254.169.254",
        "0.0.0.0",
        "8.8.8.8",
        "64:ff9b::a9fe:a9fe",
    ]
    async with model_server(says("{}")) as server:
        port = httpx2.URL(server.url).port
        answers = [
            ["127.0.0.1"],
            *([one] for one in bad),
            ["127.0.0.1", "169.254.169.254"],
            [],
            ["127.0.0.1"],
        ]
        asked: list[str] = []

        async def resolve(host: str, port: int) -> list[str]:
            asked.append(host)
            return answers[len(asked) - 1]

        refused = 0
        async with pinned_client(5.0, resolve) as client:
            for number, found in enumerate(answers):
                call = client.post(f"http://model.lan:{port}/v1/chat", json={})
                if number in (0, len(answers) - 1):
                    assert (await call).status_code == 200
                else:
                    with pytest.raises(httpx2.ConnectError):
                        await call
                    refused += 1
                assert asked[-1] == "model.lan", found
        assert len(server.requests) == 2
        assert all(one["host"] == f"model.lan:{port}" for one in server.headers)
    figures("R25", f"a name that leads elsewhere at the next call: {refused} of {refused} calls refused")


async def test_the_next_address_of_a_name_is_tried(figures: Figures) -> None:
    async def both(host: str, port: int) -> list[str]:
        return ["::1", "127.0.0.1"]

    async with model_server(says("{}")) as server, pinned_client(5.0, both) as client:
        port = httpx2.URL(server.url).port
        assert (await client.post(f"http://localhost:{port}/v1/chat", json={})).status_code == 200


async def test_embeddings_go_the_same_checked_way() -> None:
    for address in ("http://169.254.169.254/v1", "http://[fd00:ec2::254]/v1", "http://8.8.8.8/v1"):
        embedder = OpenAICompatibleEmbedder("m", 3, api_key="k", base_url=address)
        with pytest.raises(Outage, match="no model lives at"):
            await embedder.embed(["text"])
        await embedder.close()


def test_one_address_has_one_spelling() -> None:
    assert normal_base_url("https://Ａpi.OpenAI.com./v1/") == "https://api.openai.com/v1/"
    assert normal_base_url("http://0x7f000001:11434/v1") == "http://127.0.0.1:11434/v1"
    assert normal_base_url("https://例え.jp/v1") == "https://xn--r8jz45g.jp/v1"
    assert host_of("openai/x", "https://API.openai.com./v1") == host_of("openai/x", None)
