"""A server, a browser, and pages that may not complain."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="session")
def chromium():
    """The system's Chromium, for all tests of a process."""
    from browser import ARGUMENTS, found_chromium
    from playwright.sync_api import sync_playwright

    path = found_chromium(shutil.which, subprocess.run)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium):
    """Open pages; at the end none of them has an error in its console."""
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
