"""The one HTTP client for calls outside: it resolves a name, checks every address and calls one of those.

A name that was checked when it was entered may lead elsewhere at the next call (DNS rebinding, a portal).
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
from collections.abc import Awaitable, Callable
from urllib.request import getproxies, proxy_bypass

import httpx2

from cocoro_ghost.outgoing.addresses import Address, holds_no_model, is_near, normal_host, written_address

Resolve = Callable[[str, int], Awaitable[list[str]]]


def pinned_client(
    timeout: httpx2.Timeout | float,
    resolve: Resolve | None = None,
    transport: httpx2.AsyncBaseTransport | None = None,
) -> httpx2.AsyncClient:
    """No redirects: a key goes to the host that was checked, or nowhere. `transport` may be a shared one."""
    transport = transport or PinnedTransport(resolve or _resolved)
    return httpx2.AsyncClient(timeout=timeout, follow_redirects=False, transport=transport)


class WebPage(httpx2.RemoteProtocolError):
    """Somebody else answered: a network's login page, a router, the wrong port. It may pass by itself."""


class PinnedTransport(httpx2.AsyncBaseTransport):
    """Calls checked addresses; through a proxy, where the environment names one, the proxy resolves."""

    def __init__(self, resolve: Resolve) -> None:
        self._resolve = resolve
        self._direct = httpx2.AsyncHTTPTransport()
        self._proxied: dict[str, httpx2.AsyncHTTPTransport] = {}

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        response = await self._answered(request)
        if response.is_success and response.headers.get("content-type", "").startswith("text/html"):
            await response.aclose()
            raise WebPage("A web page answered where a model should be.", request=request)
        return response

    async def _answered(self, request: httpx2.Request) -> httpx2.Response:
        if (proxied := self._proxy_for(request.url)) is not None:
            return await proxied.handle_async_request(request)
        host, addresses = await self._checked(request)
        for address in addresses[:-1]:
            # `localhost` is often two addresses, and a local model listens at one of them.
            with contextlib.suppress(httpx2.ConnectError, httpx2.ConnectTimeout):
                return await self._direct.handle_async_request(_pinned(request, host, address))
        return await self._direct.handle_async_request(_pinned(request, host, addresses[-1]))

    async def aclose(self) -> None:
        for transport in (self._direct, *self._proxied.values()):
            await transport.aclose()

    async def _checked(self, request: httpx2.Request) -> tuple[str, list[Address]]:
        """Every address the name leads to; one bad one among them is enough to refuse."""
        url = request.url
        try:
            host = normal_host(url.host)
            written = written_address(host)
            found = [written] if written is not None else await self._addresses(host, url.port)
        except (OSError, ValueError) as error:
            raise httpx2.ConnectError(
                f"The name {url.host} leads nowhere: {error}", request=request
            ) from error
        if not found or any(_refused(url.scheme, address) for address in found):
            raise httpx2.ConnectError(
                f"The name {url.host} leads to an address no model lives at.", request=request
            )
        return host, found

    async def _addresses(self, host: str, port: int | None) -> list[Address]:
        return [ipaddress.ip_address(one.partition("%")[0]) for one in await self._resolve(host, port or 0)]

    def _proxy_for(self, url: httpx2.URL) -> httpx2.AsyncHTTPTransport | None:
        proxies = getproxies()
        proxy = proxies.get(url.scheme) or proxies.get("all")
        if not proxy or proxy_bypass(url.host):
            return None
        if proxy not in self._proxied:
            self._proxied[proxy] = httpx2.AsyncHTTPTransport(proxy=proxy)
        return self._proxied[proxy]


class SharedTransport(PinnedTransport):
    """The connections of many clients: one that closes leaves them to the others."""

    def __init__(self, resolve: Resolve | None = None) -> None:
        super().__init__(resolve or _resolved)

    async def aclose(self) -> None:
        """Only `close` ends it, when nobody is left."""

    async def close(self) -> None:
        await super().aclose()


def _pinned(request: httpx2.Request, host: str, address: Address) -> httpx2.Request:
    """The Host header was made before, from the name; the certificate is checked against the name too."""
    return httpx2.Request(
        request.method,
        request.url.copy_with(host=str(address)),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": host},
    )


def _refused(scheme: str, address: Address) -> bool:
    return holds_no_model(address) or (scheme == "http" and not is_near(address))


async def _resolved(host: str, port: int) -> list[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))
