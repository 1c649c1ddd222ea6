"""Fixtures: a browser, pages that must not log errors, and the documentation site."""

import fcntl
import functools
import os
import subprocess
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import pytest

sys.path.insert(0, str(Path(__file__).parent))

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="session")
def chromium():
    """The system's Chromium, shared by the tests of a process."""
    from browser import ARGUMENTS, found_chromium
    from playwright.sync_api import sync_playwright

    path = found_chromium()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium):
    """Open pages; the test fails if one of them logs an error."""
    from browser import Visitor

    visitors = []

    def begin(server, **options):
        visitor = Visitor(chromium, server, **options)
        visitors.append(visitor)
        return visitor

    yield begin
    complaints = [each for visitor in visitors for each in visitor.complaints]
    for visitor in visitors:
        visitor.context.close()
    assert complaints == []


class Quiet(SimpleHTTPRequestHandler):
    extensions_map: ClassVar = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
    }

    def log_message(self, *words):
        """Log nothing."""


@pytest.fixture
def serve_folder():
    """Serve the pages of another site from its own origin."""
    others = []

    def begin(folder):
        handler = functools.partial(Quiet, directory=folder)
        others.append(ThreadingHTTPServer(("127.0.0.1", 0), handler))
        threading.Thread(target=others[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{others[-1].server_port}"

    yield begin
    for other in others:
        other.shutdown()
        other.server_close()


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The documentation site, built once for all test processes."""
    own = tmp_path_factory.getbasetemp()
    shared = (own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "site"
    shared.mkdir(exist_ok=True)
    with (shared / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        built = shared / "built"
        if not built.exists():
            command = [
                sys.executable,
                str(ROOT / "tools" / "site" / "build.py"),
                "--quick",
                str(built),
            ]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stdout + done.stderr
            assert "WARNING" not in done.stdout + done.stderr
    return built
