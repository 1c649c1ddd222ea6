"""Run a server until it is told to stop, and stop it in good order."""

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import uvicorn

from parlour._build import build_info
from parlour.server.clock import ServerClock
from parlour.server.cluster.supervisor import Supervisor, check_workers
from parlour.server.http.app import Application
from parlour.server.http.sockets import LARGEST
from parlour.server.logs import set_up_logging
from parlour.server.settings import SettingError, Settings
from parlour.server.store.stores import store_opener

log = logging.getLogger("parlour.server")

GARBAGE = (10_000, 20, 20)
"""The thresholds of Python's collector; its own are (700, 10, 10)."""

KEEP_ALIVE = 75
"""Seconds until a silent HTTP connection is closed: later than proxies close it (60 s) and
clients (5 s), so that no request meets one that is just being closed."""


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
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=int(settings.drain_seconds) or 1,
        backlog=4096,
    )
    return Server(config)


async def serve(
    settings: Settings,
    listening: socket.socket,
    ready: Callable[[str], None],
    stopped: asyncio.Event | None = None,
) -> None:
    """Serve until SIGTERM or SIGINT, or `stopped`; a second signal ends it at once.

    `ready` is told the link when the server listens.
    """
    clock = ServerClock()
    store = store_opener(settings.store)(clock)
    application = Application(lambda _: store, settings, clock)
    server = server_of(application)
    stopped = stopped or asyncio.Event()
    loop = asyncio.get_running_loop()

    def stop() -> None:
        if stopped.is_set():
            log.warning("the server ends at once")
            os._exit(1)
        stopped.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        if signal.getsignal(number) is not signal.SIG_IGN:
            loop.add_signal_handler(number, stop)
    running = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started and not running.done():
        await asyncio.sleep(0.01)
    if server.started:
        told = {"url": settings.base_url, "version": build_info().version}
        log.info("the server is open", extra=told)
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


def run(settings: Settings, ready: Callable[[str], None] = print) -> None:
    """Serve, in one process or in several."""
    set_up_logging(settings.log, settings.access_log)
    check_workers(settings)
    listening = bound(settings)
    settings = settings._replace(port=listening.getsockname()[1])
    if settings.workers > 1:
        with listening:
            Supervisor(settings, listening, ready).run()
    else:
        run_loop(serve(settings, listening, ready))


def collect_garbage_seldom() -> None:
    """Look for cycles in larger heaps, and never among the modules.

    With 4,000 sockets a whole search took 0.7 to 0.9 s of everybody's time, thirty times in
    100 s; with these thresholds there was one.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)


def run_loop(work: Coroutine[Any, Any, None]) -> None:
    """Let it run, with uvloop where it is installed."""
    collect_garbage_seldom()
    try:
        import uvloop
    except ImportError:
        asyncio.run(work)
    else:
        uvloop.run(work)
