"""Fixtures for all tests, and the check that the right build is under test."""

import os
import signal
import sys
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

import parlour
from parlour.core import registry

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT / "tests"))
from stages import STAGES, is_quick, may_have_tests, stage_of  # noqa: E402

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts background jobs with SIGINT ignored, and programs under test inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)

COMPILED = parlour.build_info().compiled

# No test measures time; the slower interpreted build tries fewer examples.
settings.register_profile("parlour", deadline=None, max_examples=100 if COMPILED else 20)
settings.load_profile("parlour")

# The example games are importable like installed packages.
sys.path.insert(0, str(Path(__file__).parent / "examples"))
# Helpers for the tests of server, client and page.
sys.path.insert(0, str(Path(__file__).parent / "server"))


def pytest_configure(config: pytest.Config) -> None:
    expected = os.environ.get("PARLOUR_TEST_BUILD")
    running = "compiled" if COMPILED else "interpreted"
    if expected and expected != running:
        raise pytest.UsageError(f"the {expected} build should be tested, but {running} is running")


def pytest_addoption(parser: pytest.Parser) -> None:
    names = ", ".join(STAGES)
    parser.addoption("--stage", choices=STAGES, help=f"run the tests of one stage: {names}")


def chosen_stage(config: pytest.Config) -> str | None:
    """The stage to run; `None` if files were named instead: then all tests in them run."""
    is_named = config.args_source is pytest.Config.ArgsSource.ARGS
    return config.getoption("--stage") or (None if is_named else "suite")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import only modules of the stage; Playwright needs a process without other tests."""
    stage = chosen_stage(config)
    if stage is None or collection_path.is_dir():
        return None
    if config.option.markexpr == "quick" and not is_quick(below_tests(collection_path)):
        return True
    return None if may_have_tests(below_tests(collection_path), stage) else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    stage = chosen_stage(config)
    for item in items:
        if is_quick(below_tests(item.path)):
            item.add_marker("quick")
    if stage is not None:
        items[:] = [item for item in items if stage_of(item.nodeid.removeprefix("tests/")) == stage]


def below_tests(path: Path) -> str:
    return path.relative_to(ROOT / "tests").as_posix()


def pytest_report_header() -> str:
    return str(parlour.build_info())


@pytest.fixture(autouse=True)
def _registry():
    """Undo what a test registers."""
    before = dict(registry._registered)
    yield
    registry._registered.clear()
    registry._registered.update(before)


@pytest.fixture(autouse=True)
def _data_folder(tmp_path, monkeypatch):
    """Keep tests away from the user's stored games."""
    monkeypatch.setenv("PARLOUR_DATA", str(tmp_path / "data"))
    for name in ("COLORFGBG", "NO_COLOR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def agents_here(monkeypatch):
    """Run agents of child processes in this process."""
    from agents_here import ChildHere

    monkeypatch.setattr("parlour.agents.process.Child", ChildHere)


@pytest.fixture
def root() -> Path:
    """The top of the source tree."""
    return ROOT


@pytest.fixture
def kind():
    """The kind of store; modules that test all kinds parametrise it."""
    return "sqlite"


@pytest.fixture
def new_store(kind, tmp_path):
    """Return the address of a new, empty store on each call."""
    numbers = count(1)

    def new():
        if kind == "postgresql":
            from own_postgres import shared

            return shared().new_database()
        return f"sqlite:{tmp_path / f'store-{next(numbers)}.sqlite'}"

    return new


@pytest.fixture
def start(tmp_path, kind, new_store):
    """Start servers, one after another and by default on the same store."""
    from live_server import LiveServer

    started = []
    usual = tmp_path / "server.sqlite" if kind == "sqlite" else new_store()

    def begin(store=None, clock=None, **settings):
        server = LiveServer(store or usual, clock, **settings)
        started.append(server)
        return server

    yield begin
    for server in started:
        server.stop()


@pytest.fixture
def server(start):
    """A server with generous limits."""
    return start()
