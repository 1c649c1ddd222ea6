"""Run tests on the interpreted build with one source file replaced, in many short processes."""

import importlib
import os
import resource
import sys
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import NamedTuple

import hypothesis  # noqa: F401 - imported here, so that children need not
import numpy  # noqa: F401
import pytest

ROOT = Path(__file__).parent.parent
CPU_SECONDS = 60
PASSED, FAILED, UNUSABLE = range(3)
"""UNUSABLE: the module could not be imported."""


class Fault(NamedTuple):
    """A replaced source file, and the tests that should notice."""

    label: str
    path: str
    source: bytes
    tests: tuple[str, ...]
    """Paths below tests/, with `::` and a name for a single test."""


def tried(faults: list[Fault], jobs: int) -> Iterator[tuple[Fault, int]]:
    """Yield each fault, and how its tests ended: PASSED, FAILED or UNUSABLE.

    Tests that exceed the limit of CPU time have failed.
    """
    assert "parlour" not in sys.modules, "children import it, with the fault"
    running: dict[int, Fault] = {}
    waiting = list(reversed(faults))
    while waiting or running:
        while waiting and len(running) < jobs:
            fault = waiting.pop()
            child = os.fork()
            if child == 0:
                os._exit(_run(fault))
            running[child] = fault
        child, status = os.wait()
        code = os.waitstatus_to_exitcode(status)
        yield running.pop(child), FAILED if code < 0 else code


def _run(fault: Fault) -> int:
    """Run the tests in this process; 0 if they pass."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    sys.path.insert(0, str(ROOT / "src"))
    os.environ["PYTHONPATH"] = str(ROOT / "src")
    path = str(ROOT / fault.path)
    read, stats = SourceFileLoader.get_data, SourceFileLoader.path_stats

    def get_data(self: SourceFileLoader, name: str) -> bytes:
        return fault.source if name == path else read(self, name)

    def path_stats(self: SourceFileLoader, name: str) -> object:
        if name == path:
            raise OSError("without statistics no bytecode is read or written")
        return stats(self, name)

    SourceFileLoader.get_data = get_data  # type: ignore[method-assign]
    SourceFileLoader.path_stats = path_stats  # type: ignore[method-assign, assignment]
    module = ".".join(Path(fault.path).with_suffix("").parts[1:]).removesuffix(".__init__")
    try:
        importlib.import_module(module)
    except Exception:
        return UNUSABLE
    tests = [str(ROOT / "tests" / each) for each in fault.tests]
    end = pytest.main(["-x", "-q", "--assert=plain", "-p", "no:cacheprovider", *tests])
    return PASSED if end == 0 else FAILED  # tests that cannot be collected notice it too
