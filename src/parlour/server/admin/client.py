"""Client of the admin API: asks a running server, or the store itself if none runs.

Without a server, requests go to the same handlers in this process, which then has the store to
itself.
"""

import contextlib
import http.client
import re
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, NamedTuple
from urllib.parse import quote, unquote, urlsplit

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from parlour.core.checks import printable, shown
from parlour.core.errors import NotFound, ParlourError
from parlour.protocol.administration import ADMIN
from parlour.protocol.codes import status_of
from parlour.protocol.errors import RateLimited, Unauthorized
from parlour.protocol.requests import Refusal
from parlour.server.admin.access import AdminAccess
from parlour.server.admin.api import AdminApi, admin_routes
from parlour.server.clock import ServerClock
from parlour.server.http.app import plain_refusal
from parlour.server.http.request_parts import answer
from parlour.server.live.rooms import Rooms
from parlour.server.settings import SettingError, Settings
from parlour.server.store.store import StoreRefused
from parlour.server.store.stores import is_postgres, sqlite_path, store_opener
from parlour.table.errors import GameOver

SECONDS = 30
LARGEST = 64 << 20
REFUSALS = {each.code: each for each in (NotFound, GameOver, Unauthorized, SettingError)}


class AdminAnswer(NamedTuple):
    """Response of a server."""

    status: int
    name: str
    """Name of the file in the response, if any."""
    body: bytes


Transport = Callable[[str, str, bytes, dict[str, str]], Awaitable[AdminAnswer]]


class AdminClient:
    """Client that returns response bodies and raises refusals as errors."""

    def __init__(self, access: AdminAccess, transport: Transport, where: str) -> None:
        """Send requests through `transport`; `where` names the server in messages."""
        self.where = where
        self._access = access
        self._transport = transport

    async def ask(self, method: str, path: str, body: object = None) -> AdminAnswer:
        """Send a request and return its response. Raise `ParlourError` if it is refused."""
        data = b"" if body is None else msgspec.json.encode(body)
        target = ADMIN + path
        headers = {"authorization": self._access.header(method, target, data)}
        found = await self._transport(method, target, data, headers)
        if found.status == 200:
            return found
        try:
            refused = msgspec.json.decode(found.body, type=Refusal)
        except (msgspec.DecodeError, UnicodeError):
            raise ParlourError(
                f"{self.where} is not a parlour server (it answered with status {found.status})"
            ) from None
        message = printable(refused.message)
        if refused.code == RateLimited.code:
            raise RateLimited(message, refused.retry_after or 1.0)
        raise REFUSALS.get(refused.code, ParlourError)(message)

    async def read(self, kind: Any, method: str, path: str, body: object = None) -> Any:
        """Send a request and decode the response as `kind`."""
        try:
            return msgspec.json.decode((await self.ask(method, path, body)).body, type=kind)
        except msgspec.DecodeError:
            raise ParlourError(f"{self.where} runs another version of parlour") from None


def path_of(*parts: str) -> str:
    """Join quoted parts into a path."""
    return "".join(f"/{quote(part, safe='')}" for part in parts)


@contextlib.asynccontextmanager
async def admin_client(settings: Settings, url: str = "") -> AsyncIterator[AdminClient]:
    """Yield a client for the store of these settings. Raise `ParlourError` on failure.

    With a `url`, use the server there. Otherwise use the server at the host and port of the
    settings or, if nothing listens there, the store itself.
    """
    access = AdminAccess(await _secret(settings.store))
    base = _local(url) if url else local_url(settings)
    if await _listens(base):
        yield AdminClient(access, lambda *asked: _over_http(base, *asked), base)
        return
    if url:
        raise SettingError(f"no server answers at {base}")
    async with _in_process(settings, access, base) as transport:
        yield AdminClient(access, transport, "the store")


def local_url(settings: Settings) -> str:
    """Return the URL of a server with these settings on this machine."""
    return settings._replace(public_url="").base_url


def _local(url: str) -> str:
    """Return the address of a server on this machine. Raise `SettingError` for others."""
    try:
        parts = urlsplit(url)
        is_right = parts.scheme == "http" and parts.port != 0
        is_local = parts.hostname == "localhost" or bool(
            re.fullmatch(r"127\.[0-9.]+|::1", parts.hostname or "")
        )
    except ValueError:
        is_right = is_local = False
    if not is_right or not is_local:
        raise SettingError(
            "administer a server from its own machine: --url must look like "
            f"http://127.0.0.1:8000, not {shown(url)}"
        )
    return f"http://{parts.netloc}"


async def _secret(store: str) -> bytes:
    """Return the secret of a store, which may be in use. Raise `StoreRefused` on failure."""
    if is_postgres(store):
        opened = store_opener(store)(ServerClock())
        try:
            return await opened.secret()
        finally:
            await opened.close()
    path = sqlite_path(store)
    if not path.exists():
        raise SettingError(f"there is no store at {path}: pass another --store")
    readable = f"{path.absolute().as_uri()}?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(readable, uri=True)) as connection:
            row = connection.execute("SELECT value FROM secret").fetchone()
    except sqlite3.Error as error:
        raise StoreRefused(f"{path} cannot be read as a store: {error}") from None
    if row is None:
        raise StoreRefused(f"{path} has not been used by a server yet")
    return bytes(row[0])


# Requests to a running server.


def _connection(base: str) -> http.client.HTTPConnection:
    parts = urlsplit(base)
    return http.client.HTTPConnection(parts.hostname or "", parts.port or 80, timeout=SECONDS)


async def _listens(base: str) -> bool:
    connection = _connection(base)
    try:
        connection.connect()
    except OSError:
        return False
    connection.close()
    return True


async def _over_http(
    base: str, method: str, target: str, body: bytes, headers: dict[str, str]
) -> AdminAnswer:
    connection = _connection(base)
    try:
        connection.request(method, target, body or None, headers)
        got = connection.getresponse()
        disposition = got.getheader("content-disposition") or ""
        return AdminAnswer(got.status, _file_name(disposition), got.read(LARGEST))
    except (OSError, http.client.HTTPException) as error:
        raise ParlourError(f"the server at {base} did not respond: {error}") from None
    finally:
        connection.close()


# Requests to a store without a server.


@contextlib.asynccontextmanager
async def _in_process(
    settings: Settings, access: AdminAccess, base: str
) -> AsyncIterator[Transport]:
    clock = ServerClock()
    try:
        store = store_opener(settings.store)(clock)
    except StoreRefused as error:
        raise StoreRefused(f"{error} (nothing listens at {base}: check --port)") from None
    # Rooms are not started: agents stay idle and clocks are not checked.
    rooms = Rooms(store, settings, clock)
    rooms.secret = await store.secret()
    api = AdminApi(rooms, access)
    app = Starlette(
        routes=admin_routes(lambda: api, _guarded),
        exception_handlers={HTTPException: plain_refusal},
    )
    try:
        yield lambda *asked: _by_asgi(app, *asked)
    finally:
        await rooms.close()


async def _guarded(handler: Callable[[Request], Awaitable[Response]], request: Request) -> Response:
    try:
        return await handler(request)
    except ParlourError as error:
        return answer(Refusal(error.code, str(error)), status_of(error.code))


async def _by_asgi(
    app: Starlette, method: str, target: str, body: bytes, headers: dict[str, str]
) -> AdminAnswer:
    path, _, query = target.partition("?")
    sent: list[Any] = []
    here = ("127.0.0.1", 0)
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        "client": here,
        "server": here,
    }

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    begun, *parts = sent
    found = {name.decode(): value.decode() for name, value in begun["headers"]}
    content = b"".join(part.get("body", b"") for part in parts)
    return AdminAnswer(begun["status"], _file_name(found.get("content-disposition", "")), content)


def _file_name(disposition: str) -> str:
    """Return the file name in a Content-Disposition header, without any path."""
    match = re.search(r'filename="([\w.-]+)"', disposition, re.ASCII)
    return match[1] if match else ""
