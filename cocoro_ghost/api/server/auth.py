"""Who may come in: the bearer token, sessions of the page, one-time codes and tickets, throttled guesses.

No cookie: a browser sends one to every port of a machine, so any other server there would be handed it.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections import OrderedDict

from cocoro_ghost.api.server.pace import Pace
from cocoro_ghost.clock import Clock
from cocoro_ghost.errors import Refused
from cocoro_ghost.model.client import Client, Scope
from cocoro_ghost.store import clients
from cocoro_ghost.store import settings as rows
from cocoro_ghost.store.ports import Database, Tx

SESSION_SECONDS = 24 * 3600
RENEW_BELOW_SECONDS = SESSION_SECONDS - 3600
FREE_GUESSES = 5
PENALTY_SECONDS = 30.0
KNOWN_PEERS = 1000
TICKET_SECONDS = 30
USED_EVERY_SECONDS = 60


class Throttled(Refused):
    code = "throttled"


class Gate:
    """Checks every caller; comparisons take the same time whatever was guessed."""

    def __init__(self, settings_db: Database, token_hash: str, clock: Clock) -> None:
        self._db = settings_db
        self.token_hash = token_hash
        self._clock = clock
        self._pace = Pace(clock)
        self._codes: set[str] = set()
        self._guesses: OrderedDict[tuple[str, str], tuple[int, float]] = OrderedDict()

    def knows_token(self, token: str) -> bool:
        return hmac.compare_digest(digest(token), self.token_hash)

    async def knows(self, header: str) -> str | None:
        """`bearer` or `session` when an Authorization header is a good one."""
        scheme, _, secret = header.partition(" ")
        if scheme.lower() == "bearer":
            return "bearer" if self.knows_token(secret.strip()) else None
        if scheme.lower() == "session":
            return "session" if await self.knows_session(secret.strip()) else None
        return None

    async def client_of(self, header: str) -> Client | None:
        """The client whose token an Authorization header holds; that it was used is noted now and then."""
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or not 20 <= len(token) <= 200:
            return None
        hashed = digest(token.strip())
        return self._used(await self._db.read(lambda reader: clients.by_token(reader, hashed)))

    async def client_named(self, client_id: str) -> Client | None:
        """A client that lives, for whoever the owner lets in without a token."""
        listed = await self._db.read(clients.listed)
        living = (one for one in listed if one.client_id == client_id and one.revoked_at is None)
        return self._used(next(living, None))

    def _used(self, found: Client | None) -> Client | None:
        if found is not None and self._clock.system_now() - (found.last_used_at or 0) > USED_EVERY_SECONDS:
            self._db.write_soon(lambda tx: clients.used(tx, found.client_id))
        return found

    def let_into_memory(self, client: Client, scope: Scope, call: str) -> None:
        """Counted and written down, whichever way it came; raises TooOften."""
        self._pace.count(client, scope)
        self._db.write_soon(lambda tx: clients.note_access(tx, client.client_id, scope, call))

    async def login(self, token: str, peer: str) -> str:
        """A new session for the right token, always; wrong ones soon have to wait."""
        if not self.knows_token(token):
            self._count_guess(("token", peer))
            raise Refused("That is not the token of this ghost.", code="unauthorized")
        self._guesses.pop(("token", peer), None)
        return await self.open_session()

    async def open_session(self) -> str:
        session = secrets.token_urlsafe(32)
        await self._put(session)
        return session

    async def close_session(self, session: str) -> None:
        await self._db.write(lambda tx: rows.drop_session(tx, digest(session)))

    async def knows_session(self, session: str | None) -> bool:
        """True while the session lives; each use lets it live a day longer."""
        if not session or len(session) > 200:
            return False
        hashed, now = digest(session), self._clock.system_now()
        expires = await self._db.read(lambda reader: rows.session_expiry(reader, hashed, now))
        if expires is None:
            return False
        if expires - now < RENEW_BELOW_SECONDS:
            await self._put(session)
        return True

    def new_login_code(self) -> str:
        """For the link printed at start; works once."""
        code = secrets.token_urlsafe(24)
        self._codes.add(digest(code))
        return code

    async def redeem(self, code: str, peer: str) -> str:
        hashed = digest(code)
        if hashed not in self._codes:
            self._count_guess(("code", peer))
            raise Refused("This login link was used already or is not ours.", code="unauthorized")
        # Before the session is made: of two who come with it at once only one is let in.
        self._codes.discard(hashed)
        return await self.open_session()

    async def new_ticket(self) -> str:
        """Opens one socket or one download, soon: neither can carry a header of the page's choosing."""
        ticket = secrets.token_urlsafe(24)
        expires = self._clock.system_now() + TICKET_SECONDS
        await self._db.write(lambda tx: rows.put_session(tx, ticket_key(ticket), expires))
        return ticket

    async def take_ticket(self, ticket: str) -> bool:
        """Once: whoever takes it away is the one it lets in."""
        key, now = ticket_key(ticket), self._clock.system_now()

        def take(tx: Tx) -> bool:
            expires = rows.session_expiry(tx, key, now)
            # Dropped first and whatever its age: of two who come at once only one finds it.
            return rows.drop_session(tx, key) and expires is not None

        return await self._db.write(take)

    async def _put(self, session: str) -> None:
        expires = self._clock.system_now() + SESSION_SECONDS
        await self._db.write(lambda tx: rows.put_session(tx, digest(session), expires))

    def _count_guess(self, key: tuple[str, str]) -> None:
        """Counted only once it is known to be wrong: nobody's guesses keep the owner out."""
        count, until = self._guesses.get(key, (0, 0.0))
        now = self._clock.monotonic()
        if count >= FREE_GUESSES and now < until:
            raise Throttled("Too many wrong tokens; wait half a minute and try again.")
        self._guesses[key] = (count + 1, now + PENALTY_SECONDS)
        self._guesses.move_to_end(key)
        # Somebody with many addresses must not fill our memory with them.
        while len(self._guesses) > KNOWN_PEERS:
            self._guesses.popitem(last=False)


def new_token() -> str:
    """For a client; only its hash is kept."""
    return secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """Only hashes are stored: a stolen settings file opens no session."""
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def ticket_key(ticket: str) -> str:
    """Where a ticket is kept, among the sessions; no session's hash looks like it."""
    return f"ticket:{digest(ticket)}"
