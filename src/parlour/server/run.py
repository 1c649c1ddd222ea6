"""Run a server until it is told to stop, and stop it in good order."""

import asyncio
import contextlib
import json
import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import uvicorn

from parlour.server.app import Application, OpenStore
from parlour.server.clock import ServerClock
from parlour.server.settings import SettingError, Settings
from parlour.server.sockets import LARGEST
from parlour.server.sqlite import SqliteStore
from parlour.server.store import Store
from parlour.table.locations import data_folder

log = logging.getLogger("parlour.server")


def store_opener(text: str) -> OpenStore:
    """What opens the store of a text like `sqlite:PATH`; `SettingError`."""
    path = sqlite_path(text)

    def opened(clock: ServerClock) -> Store:
        return SqliteStore(path, clock.now)

    return opened


def sqlite_path(text: str) -> Path:
    """The file of a store `sqlite:PATH`; empty: in the user's data folder. `SettingError`."""
    if not text:
        return data_folder() / "server.sqlite"
    kind, _, rest = text.partition(":")
    if kind != "sqlite" or not rest:
        raise SettingError(f"a store reads like sqlite:PATH, not {text!r}")
    return Path(rest)


class Server(uvicorn.Server):
    """uvicorn, which would close sockets before they are told: the signals are ours."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leave them to `serve`."""
        yield


def server_of(application: Application) -> Server:
    """What serves an application, set up as it needs it."""
    settings = application.settings
    config = uvicorn.Config(
        application,
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        lifespan="on",
        ws="websockets-sansio",
        ws_max_size=LARGEST,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=settings.proxies or "127.0.0.1",
        server_header=False,
        timeout_graceful_shutdown=int(settings.drain_seconds) or 1,
        backlog=4096,
    )
    return Server(config)


async def serve(settings: Settings, ready: Callable[[str], None] = print) -> None:
    """Serve until SIGTERM or SIGINT; `ready` is told the link when the server listens."""
    listening = bound(settings)
    settings = settings._replace(port=listening.getsockname()[1])
    clock = ServerClock()
    store = store_opener(settings.store)(clock)
    application = Application(lambda _: store, settings, clock)
    server = server_of(application)
    stopped = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopped.set)
    running = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started and not running.done():
        await asyncio.sleep(0.01)
    if server.started:
        ready(settings.base_url)
        await asyncio.wait(
            (running, asyncio.create_task(stopped.wait())), return_when=asyncio.FIRST_COMPLETED
        )
        log.info("the server shuts down")
        await application.drain()
        await asyncio.sleep(0.05)  # for what waits in the sockets' queues
        server.should_exit = True
    await running


def bound(settings: Settings) -> socket.socket:
    """The socket to listen at; `SettingError` if it cannot be had."""
    try:
        family, _, _, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        return socket.create_server(address[:2], family=family, backlog=4096)
    except OSError as error:
        raise SettingError(
            f"the server cannot listen at {settings.host}:{settings.port}: "
            f"{error.strerror or error}; choose another --port or --host"
        ) from error


class JsonFormatter(logging.Formatter):
    """A line of JSON for each message."""

    def format(self, record: logging.LogRecord) -> str:
        """Time, level, message, and the exception if there is one."""
        entry: dict[str, object] = {
            "at": self.formatTime(record, "%Y-%m-%dT%H:%M:%S%z"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        if record.exc_info:
            entry["error"] = self.formatException(record.exc_info)
        return json.dumps(entry)


def set_up_logging(kind: str) -> None:
    """To the standard error, as text or as JSON lines."""
    handler = logging.StreamHandler(sys.stderr)
    plain = logging.Formatter("%(asctime)s %(levelname)s %(message)s")
    handler.setFormatter(JsonFormatter() if kind == "json" else plain)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(logging.INFO)
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)


def run(settings: Settings, ready: Callable[[str], None] = print) -> None:
    """Serve, with uvloop where it is installed."""
    set_up_logging(settings.log)
    try:
        import uvloop
    except ImportError:
        asyncio.run(serve(settings, ready))
    else:
        uvloop.run(serve(settings, ready))
