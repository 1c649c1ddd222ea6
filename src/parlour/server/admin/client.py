"""The operator's side: asks the server that runs, or, if none does, the store itself.

Both are asked the same requests and give the same answers: without a server the requests go to
the same handlers, inside this process, on a store that nobody else uses.
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
    """What a server says."""

    status: int
    name: str
    """Of the file, if it is one."""
    body: bytes


Transport = Callable[[str, str, bytes, dict[str, str]], Awaitable[AdminAnswer]]


class AdminClient:
    """Asks, and is answered with bytes, or refused with an error."""

    def __init__(self, access: AdminAccess, transport: Transport, where: str) -> None:
        """`where` names who answers, for people."""
        self.where = where
        self._access = access
        self._transport = transport

    async def ask(self, method: str, path: str, body: object = None) -> AdminAnswer:
        """The answer; a refusal is raised as the `ParlourError` that it is."""
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
                f"what answers at {self.where} is no parlour server (status {found.status})"
            ) from None
        message = printable(refused.message)
        if refused.code == RateLimited.code:
            raise RateLimited(message, refused.retry_after or 1.0)
        raise REFUSALS.get(refused.code, ParlourError)(message)

    async def read(self, kind: Any, method: str, path: str, body: object = None) -> Any:
        """The answer as a Struct of that kind."""
        try:
            return msgspec.json.decode((await self.ask(method, path, body)).body, type=kind)
        except msgspec.DecodeError:
            raise ParlourError(f"what answers at {self.where} speaks another version") from None


def path_of(*parts: str) -> str:
    """A path from its parts, each quoted."""
    return "".join(f"/{quote(part, safe='')}" for part in parts)


@contextlib.asynccontextmanager
async def admin_client(settings: Settings, url: str = "") -> AsyncIterator[AdminClient]:
    """Whoever answers for the store of these settings; `ParlourError` if nobody can.

    With a `url` it must be the server there. Otherwise it is the one at the host and port of the
    settings, or if nothing listens there, the store itself.
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
    """Where this machine finds a server of these settings, whatever people type."""
    return settings._replace(public_url="").base_url


def _local(url: str) -> str:
    """The address of a server on this machine; `SettingError`."""
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
            "a server is administered on its own machine: --url reads like "
            f"http://127.0.0.1:8000, not {shown(url)}"
        )
    return f"http://{parts.netloc}"


async def _secret(store: str) -> bytes:
    """The secret of a store, which a server may be using; `StoreRefused`."""
    if is_postgres(store):
        opened = store_opener(store)(ServerClock())
        try:
            return await opened.secret()
        finally:
            await opened.close()
    path = sqlite_path(store)
    if not path.exists():
        raise SettingError(f"there is no store at {path}: name another --store")
    readable = f"{path.absolute().as_uri()}?mode=ro"
    try:
        with contextlib.closing(sqlite3.connect(readable, uri=True)) as connection:
            row = connection.execute("SELECT value FROM secret").fetchone()
    except sqlite3.Error as error:
        raise StoreRefused(f"{path} cannot be read as a store: {error}") from None
    if row is None:
        raise StoreRefused(f"no server has used {path} yet")
    return bytes(row[0])


# A server that runs.


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
        raise ParlourError(f"the server at {base} does not answer: {error}") from None
    finally:
        connection.close()


# A store that nobody serves.


@contextlib.asynccontextmanager
async def _in_process(
    settings: Settings, access: AdminAccess, base: str
) -> AsyncIterator[Transport]:
    clock = ServerClock()
    try:
        store = store_opener(settings.store)(clock)
    except StoreRefused as error:
        raise StoreRefused(f"{error} (nothing listens at {base}: is its --port right?)") from None
    # Nothing is started: no agent goes on, and no clock is looked at.
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
    """The name of a file that is sent: one word, never a path."""
    match = re.search(r'filename="([\w.-]+)"', disposition, re.ASCII)
    return match[1] if match else ""
