"""Run a server until a signal stops it, then shut it down gracefully."""

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
from parlour.server.http.connections import HttpProtocol
from parlour.server.http.gate import MAX_CONNECTIONS
from parlour.server.http.websocket import WebSocketProtocol
from parlour.server.logs import set_up_logging
from parlour.server.settings import SettingError, Settings
from parlour.server.store.stores import store_opener

log = logging.getLogger("parlour.server")

GC_THRESHOLDS = (10_000, 20, 20)
"""Garbage collection thresholds; Python's defaults are (700, 10, 10)."""

KEEP_ALIVE = 75
"""Seconds until an idle HTTP connection is closed: longer than proxies (60 s) and clients (5 s)
wait, so that requests do not hit a closing connection."""


SPARE_FILES = 200
"""Open files besides connections: store, logs, agent processes."""


class Server(uvicorn.Server):
    """uvicorn without signal handling: `serve` must notify clients before sockets close."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Install no handlers; `serve` has its own."""
        yield


def server_of(application: Application) -> Server:
    """Return a configured server for an application."""
    settings = application.settings
    config = uvicorn.Config(
        application,
        host=settings.host,
        port=settings.port,
        log_config=None,
        access_log=False,
        lifespan="on",
        http=HttpProtocol,
        ws=WebSocketProtocol,
        proxy_headers=bool(settings.proxies),
        forwarded_allow_ips=settings.proxies or "127.0.0.1",
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=int(settings.drain_seconds) or 1,
        backlog=4096,
    )
    return Server(config)


def allow_open_files(settings: Settings) -> None:
    """Raise the limit of open files to what all connections need, where the system has one."""
    try:
        import resource
    except ImportError:  # Windows
        return
    wanted = settings.sockets + MAX_CONNECTIONS + SPARE_FILES
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    if most < wanted:
        log.warning(
            "the system allows %d open files: raise the limit, or lower --sockets to %d",
            most,
            max(1, most - MAX_CONNECTIONS - SPARE_FILES),
        )


async def serve(
    settings: Settings,
    listening: socket.socket,
    ready: Callable[[str], None],
    stopped: asyncio.Event | None = None,
) -> None:
    """Serve until SIGTERM, SIGINT or `stopped`; a second signal exits immediately.

    `ready` is called with the URL when the server listens.
    """
    allow_open_files(settings)
    clock = ServerClock()
    store = store_opener(settings.store)(clock)
    application = Application(lambda _: store, settings, clock)
    server = server_of(application)
    stopped = stopped or asyncio.Event()
    loop = asyncio.get_running_loop()

    def stop() -> None:
        if stopped.is_set():
            log.warning("the server exits immediately")
            os._exit(1)
        stopped.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        if signal.getsignal(number) is not signal.SIG_IGN:
            loop.add_signal_handler(number, stop)
    running = asyncio.create_task(server.serve(sockets=[listening]))
    while not server.started and not running.done():
        await asyncio.sleep(0.01)
    if server.started:
        fields = {"url": settings.base_url, "version": build_info().version}
        log.info("the server is listening", extra=fields)
        ready(settings.base_url)
        await asyncio.wait(
            (running, asyncio.create_task(stopped.wait())), return_when=asyncio.FIRST_COMPLETED
        )
        log.info("the server is shutting down")
        await application.drain()
        await asyncio.sleep(0.05)  # let the connections flush their queues
        server.should_exit = True
    await running


def bound(settings: Settings) -> socket.socket:
    """Return the listening socket. Raise `SettingError` if the address is not available."""
    try:
        family, _, _, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        return socket.create_server(address[:2], family=family, backlog=4096)
    except OSError as error:
        why = str(error.strerror or error).partition(" (while attempting")[0]
        raise SettingError(
            f"the server cannot listen at {settings.host}:{settings.port}: {why}; "
            "choose another --port or --host"
        ) from error


def run(settings: Settings, ready: Callable[[str], None] = print) -> None:
    """Run a server in one process, or in several workers."""
    set_up_logging(settings.log, settings.access_log)
    check_workers(settings)
    listening = bound(settings)
    settings = settings._replace(port=listening.getsockname()[1])
    if settings.workers > 1:
        with listening:
            Supervisor(settings, listening, ready).run()
    else:
        run_loop(serve(settings, listening, ready))


def tune_garbage_collector() -> None:
    """Collect less often, and exclude the modules.

    With 4,000 connections a full collection stopped the server for 0.7 to 0.9 s, thirty times in
    100 s; with these thresholds, once.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)


def run_loop(work: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine, on uvloop if it is installed."""
    tune_garbage_collector()
    try:
        import uvloop
    except ImportError:
        asyncio.run(work)
    else:
        uvloop.run(work)
