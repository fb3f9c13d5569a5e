"""R24: who may come in. Token, session, ticket, Host, Origin, Sec-Fetch-Site, sockets, throttled login."""

from __future__ import annotations

import asyncio
import ssl
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import websockets

from cocoro_ghost.api.app import create_app
from cocoro_ghost.api.server.auth import (
    FREE_GUESSES,
    PENALTY_SECONDS,
    SESSION_SECONDS,
    TICKET_SECONDS,
    Gate,
    Throttled,
    digest,
)
from cocoro_ghost.clock import FrozenClock
from cocoro_ghost.errors import Refused
from cocoro_ghost.store.sqlite.files import open_settings
from tests.conftest import Figures
from tests.serving import House, house

pytestmark = pytest.mark.anyio
OPEN_PATHS = {"/api/health", "/api/auth/login", "/api/auth/auto_login", "/healthz", "/readyz"}


async def test_the_table_of_who_is_let_in(tmp_path: Path, figures: Figures) -> None:
    async with house(tmp_path) as home:
        known = await _log_in(home)
        session = {"Authorization": f"Session {known}"}
        origin = home.addresses.http
        bearer = home.bearer
        read: list[tuple[dict[str, str], int]] = [
            (bearer, 200),
            ({}, 401),
            ({"Authorization": "Bearer wrong"}, 401),
            ({"Authorization": home.bearer["Authorization"].replace("Bearer", "Basic")}, 401),
            ({"Authorization": home.bearer["Authorization"].replace("Bearer", "Session")}, 401),
            ({"Authorization": "Bearer"}, 401),
            (session, 200),
            ({"Authorization": f"Bearer {known}"}, 401),
            ({"Authorization": "Session wrong"}, 401),
            ({"Authorization": f"Session {'x' * 5000}"}, 401),
            # What a browser sends by itself opens nothing.
            ({"Cookie": f"cocoro_session={known}"}, 401),
            ({"Cookie": f"cocoro_session={known}", "Origin": origin, "Sec-Fetch-Site": "same-origin"}, 401),
            ({**bearer, "Origin": "https://evil.example"}, 403),
            ({**bearer, "Origin": "null"}, 403),
            ({**session, "Origin": origin.replace("127.0.0.1", "localhost")}, 403),
            ({**session, "Origin": origin}, 200),
            ({**session, "Sec-Fetch-Site": "cross-site"}, 403),
            ({**session, "Sec-Fetch-Site": "same-site"}, 403),
            ({**session, "Sec-Fetch-Site": "same-origin"}, 200),
            ({**bearer, "Host": "evil.example"}, 403),
            ({**bearer, "Host": "127.0.0.1.evil.example"}, 403),
            ({**bearer, "Host": "localhost.evil.example:55601"}, 403),
            ({**bearer, "Host": f"localhost:{urlsplit(origin).port}"}, 200),
        ]
        write: list[tuple[dict[str, str], int]] = [
            (bearer, 200),
            (session, 200),
            ({**session, "Origin": origin}, 200),
            ({**session, "Origin": "https://evil.example"}, 403),
            ({**session, "Sec-Fetch-Site": "same-site"}, 403),
            ({"Cookie": f"cocoro_session={known}", "Origin": origin}, 401),
        ]
        async with home.client(secure=False, headers={}) as client:
            for headers, status in read:
                answer = await client.get("/api/control/time", headers=headers)
                assert answer.status_code == status, headers
            for headers, status in write:
                answer = await client.post("/api/control/time/reset", headers=headers)
                assert answer.status_code == status, headers
    figures(
        "R24",
        f"{len(read) + len(write)} combinations of token, session, cookie, Host, Origin as wanted",
    )


async def test_every_call_but_health_needs_a_caller(tmp_path: Path) -> None:
    paths: dict[str, dict[str, Any]] = create_app(None).openapi()["paths"]
    async with house(tmp_path) as home, home.client(headers={}) as client:
        for path, calls in paths.items():
            if path in OPEN_PATHS:
                continue
            for method in calls:
                answer = await client.request(method, path.replace("{", "").replace("}", ""), content=b"{")
                assert answer.status_code == 401, (method, path)
                assert answer.json()["detail"]["code"] == "unauthorized"


async def test_nothing_of_a_strangers_body_is_read(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        for headers, status in (({}, 401), (home.bearer, 413)):
            lines = ["POST /api/settings/test HTTP/1.1", "Host: 127.0.0.1", "Content-Length: 99999999"]
            lines += [f"{name}: {value}" for name, value in headers.items()]
            reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(home.addresses.http).port)
            writer.write("\r\n".join([*lines, "", ""]).encode())
            # Not one byte of the body is sent, and the answer is there.
            assert (await reader.readline()).split()[1] == str(status).encode()
            writer.close()


async def test_bodies_at_and_over_the_limit(tmp_path: Path, figures: Figures) -> None:
    async with house(tmp_path, max_body_bytes=200_000) as home, home.client(secure=False) as client:
        head, tail = b'{"text":"', b'"}'
        fits = head + b"a" * (200_000 - len(head + tail)) + tail
        assert (await client.post("/api/memory/recall", content=fits)).status_code == 422

        async def unsized(size: int):  # type: ignore[no-untyped-def]
            for _ in range(size // 10_000):
                yield b"a" * 10_000

        for size in (200_001, 20_000_000):
            answer = await client.post("/api/memory/recall", content=fits + b" " * (size - 200_000))
            assert answer.status_code == 413
        assert (await client.post("/api/memory/recall", content=unsized(210_000))).status_code == 413
        deep = b'{"text":' + b"[" * 90_000 + b"]" * 90_000 + b"}"
        assert (await client.post("/api/memory/recall", content=deep)).status_code in (400, 422)
        assert (await client.get("/api/health")).status_code == 200
    figures(
        "R19",
        "bodies: taken at the limit, 413 at limit + 1, at 100 × and without a length; deep JSON refused",
    )


async def test_sockets_are_refused_to_other_origins_and_strangers(tmp_path: Path) -> None:
    async with house(tmp_path) as home:
        known = await _log_in(home)
        with pytest.raises(websockets.InvalidStatus):
            async with _socket(home, {**home.bearer, "Origin": "https://evil.example"}):
                pass
        with pytest.raises(websockets.InvalidStatus):
            async with _socket(home, {**home.bearer, "Host": "evil.example"}):
                pass
        for headers in ({}, {"Authorization": "Bearer wrong"}, {"Cookie": f"cocoro_session={known}"}):
            await _expect_closed(home, headers)


async def test_a_ticket_opens_one_socket_or_one_download(tmp_path: Path) -> None:
    async with house(tmp_path) as home, home.client(headers={}) as client:
        session = {"Authorization": f"Session {await _log_in(home)}"}
        assert (await client.post("/api/auth/ticket")).status_code == 401
        first, second, third = [
            (await client.post("/api/auth/ticket", headers=session)).json()["ticket"] for _ in range(3)
        ]
        async with _socket(home, {"Origin": home.addresses.https}, first) as socket:
            await socket.send("{}")
            await socket.ping()
        await _expect_closed(home, {}, first)
        await _expect_closed(home, {}, "guessed")
        assert (await client.get("/api/export", params={"ticket": second})).status_code == 200
        assert (await client.get("/api/export", params={"ticket": second})).status_code == 401
        # Anything else wants the session itself, and leaves the ticket as it was.
        assert (await client.get("/api/control/time", params={"ticket": third})).status_code == 401
        assert (await client.get("/api/export", params={"ticket": third})).status_code == 200


async def test_no_answer_sets_a_cookie_and_logout_ends_the_session(tmp_path: Path) -> None:
    async with house(tmp_path, auto_login=True) as home, home.client(headers={}) as client:
        token = {"token": home.ghost.base.token}
        code = {"code": urlsplit(home.addresses.login_link).fragment.removeprefix("code=")}
        for path, body in (("login", token), ("login", code), ("auto_login", {})):
            answer = await client.post(f"/api/auth/{path}", json=body)
            assert answer.status_code == 200
            assert "set-cookie" not in answer.headers
            session = {"Authorization": f"Session {answer.json()['session']}"}
            assert (await client.get("/api/control/time", headers=session)).status_code == 200
            assert (await client.post("/api/auth/logout", headers=session)).status_code == 204
            assert (await client.get("/api/control/time", headers=session)).status_code == 401


async def test_the_login_link_works_once_and_only_by_post(tmp_path: Path) -> None:
    async with house(tmp_path) as home, home.client(secure=False, headers={}) as client:
        link = urlsplit(home.addresses.login_link)
        code = link.fragment.removeprefix("code=")
        # Looking at the address, with or without the code, gives nothing away and uses nothing up.
        assert (await client.get(link.path)).headers["content-type"].startswith("text/html")
        await client.get(link.path, params={"code": code})
        foreign = {"Origin": "https://evil.example"}
        assert (await client.post("/api/auth/login", json={"code": code}, headers=foreign)).status_code == 403
        assert (await client.post("/api/auth/login", json={"code": code})).status_code == 200
        assert (await client.post("/api/auth/login", json={"code": code})).status_code == 401


async def test_strangers_cannot_lock_the_owner_out(tmp_path: Path) -> None:
    """What any page in a browser can send: GETs, and POSTs that carry its own origin."""
    async with house(tmp_path) as home, home.client(secure=False, headers={}) as client:
        for guess in range(FREE_GUESSES * 4):
            await client.get("/login", params={"code": f"x{guess}"})
            await client.post("/api/auth/login", content=b"{}", headers={"Origin": "https://evil.example"})
        # And what another program on this machine can send from the owner's own address.
        statuses = [
            (await client.post("/api/auth/login", json=wrong)).status_code
            for wrong in ({"code": "x"}, {"token": "x"})
            for _ in range(FREE_GUESSES + 3)
        ]
        assert statuses == ([401] * FREE_GUESSES + [429] * 3) * 2
        code = urlsplit(home.addresses.login_link).fragment.removeprefix("code=")
        for right in ({"token": home.ghost.base.token}, {"code": code}):
            assert (await client.post("/api/auth/login", json=right)).status_code == 200


@pytest.mark.parametrize(("allowed", "status"), [(False, 404), (True, 200)])
async def test_auto_login_only_where_the_config_allows_it(tmp_path: Path, allowed: bool, status: int) -> None:
    async with house(tmp_path, auto_login=allowed) as home, home.client(headers={}) as client:
        assert (await client.post("/api/auth/auto_login")).status_code == status


async def test_answers_carry_the_strict_policy(tmp_path: Path) -> None:
    async with house(tmp_path) as home, home.client(headers={}) as client:
        for path in ("/", "/docs", "/api/health", "/api/settings", "/no/such/thing.js"):
            headers = (await client.get(path)).headers
            assert "script-src 'self'" in headers["content-security-policy"], path
            assert "unsafe" not in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"


async def test_the_page_gives_no_file_from_outside_its_folder(tmp_path: Path) -> None:
    async with house(tmp_path) as home, home.client(headers={}) as client:
        for path in ("/../api/app.py", "/%2e%2e/api/app.py", "/..%2fghost.py", "/assets/../../ghost.py"):
            answer = await client.get(path)
            assert "from __future__" not in answer.text


async def test_guessing_is_throttled_and_sessions_slide(tmp_path: Path) -> None:
    clock = FrozenClock()
    db = open_settings(tmp_path, clock)
    gate = Gate(db, digest("right"), clock)
    for _ in range(FREE_GUESSES):
        with pytest.raises(Refused):
            await gate.login("wrong", "peer")
    with pytest.raises(Throttled):
        await gate.login("wrong", "peer")
    with pytest.raises(Refused) as other:
        await gate.login("wrong", "another peer")
    assert not isinstance(other.value, Throttled)
    assert await gate.login("right", "peer")
    clock.tick(PENALTY_SECONDS + 1)
    session = await gate.login("right", "peer")
    ticket = await gate.new_ticket()
    clock.tick(TICKET_SECONDS + 1)
    assert not await gate.take_ticket(ticket)
    for _ in range(5):
        clock.tick(SESSION_SECONDS - 60)
        assert await gate.knows_session(session)
    clock.tick(SESSION_SECONDS + 1)
    assert not await gate.knows_session(session)
    assert session.encode() not in (tmp_path / "settings.db").read_bytes()
    db.close()


async def test_odd_and_endless_paths_are_just_not_there(tmp_path: Path) -> None:
    async with house(tmp_path) as home, home.client(secure=False, headers={}) as client:
        for path in (
            "/%00",
            "/assets/%00.js",
            "/a%00b",
            f"/{'a' * 300}",
            f"/{'a/' * 900}x",
            f"/{'a' * 30_000}",
        ):
            answer = await client.get(path)
            assert answer.status_code in (200, 404), path
        for path in ("/api/%00", f"/api/{'a' * 30_000}"):
            assert (await client.get(path, headers=home.bearer)).status_code == 404
            assert (await client.get(path)).status_code in (401, 404)


async def _log_in(home: House) -> str:
    async with home.client(secure=False, headers={}) as client:
        answer = await client.post("/api/auth/login", json={"token": home.ghost.base.token})
        return str(answer.json()["session"])


async def _expect_closed(home: House, headers: dict[str, str], ticket: str = "") -> None:
    async with _socket(home, headers, ticket) as socket:
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1008


def _socket(home: House, headers: dict[str, str], ticket: str = "") -> websockets.connect:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    url = home.addresses.https.replace("https", "wss") + "/api/events/stream"
    url += f"?ticket={ticket}" if ticket else ""
    return websockets.connect(url, ssl=context, additional_headers=headers, proxy=None)
