"""A short soak test of the server, and tests that it detects leaks."""

import asyncio
import random
import sys
from pathlib import Path

import pytest
from soak_server import BOUNDS, PROGRAM, Sample, Server, growth, leaks, soak

AT_MOST = 3600
ENOUGH = 130
"""Number of connections, so that a slow machine only takes longer."""
LEAKING = Path(__file__).with_name("leaking_server.py")
TIDY = Path(__file__).with_name("tidy_server.py")
# Code is loaded and caches fill in the first seconds: this only checks that the soak test works.
SHORT = {**BOUNDS, "memory": 30.0, "rooms": 70.0, "sockets": 30.0, "descriptors": 30.0}


def soaked(folder, program):
    server = Server(f"sqlite:{folder}/server.sqlite", program=program)
    try:
        work = soak(
            server,
            AT_MOST,
            players=9,
            bounds=SHORT,
            every=0.1,
            is_enough=lambda people: people.comings >= ENOUGH,
        )
        return asyncio.run(work)
    finally:
        assert server.stop() == 0


def test_resource_use_is_stable_after_many_games(tmp_path):
    outcome = soaked(tmp_path, PROGRAM)
    assert outcome.wrong == []
    assert len(outcome.samples) >= 5
    assert max(each.sockets for each in outcome.samples) > 5
    assert max(each.rooms for each in outcome.samples) > 5


@pytest.mark.parametrize("what", ["memory", "descriptors", "threads"])
def test_a_leak_is_detected(tmp_path, what):
    outcome = soaked(tmp_path, [sys.executable, str(LEAKING), what])
    assert any(each.startswith(f"{what} grew by") for each in outcome.wrong), outcome.words


def test_tables_and_connections_are_freed_without_garbage_collection(tmp_path):
    """A collection stops the server for a while, so it must be rarely needed."""
    found = tmp_path / "found"
    soaked(tmp_path, [sys.executable, str(TIDY), str(found)])
    assert int(found.read_text()) == 0


def made(values, name="memory"):
    base = Sample(0.0, *(0.0 for _ in Sample._fields[1:]))
    return [base._replace(at=float(at), **{name: value}) for at, value in enumerate(values)]


def test_slow_and_noisy_growth_is_detected():
    rng = random.Random(1)
    flat = made([100 + rng.gauss(0, 2) for _ in range(200)])
    assert leaks(flat, BOUNDS) == []
    steady = made([100 + at * 0.05 + rng.gauss(0, 2) for at in range(200)])
    assert leaks(steady, BOUNDS)
    assert growth(steady, "memory") == pytest.approx(10, abs=1.5)


def test_peaks_and_warm_up_are_not_reported_as_leaks():
    rising = [50 + min(at, 50) for at in range(200)]
    assert leaks(made(rising), BOUNDS) == []
    rising[150:153] = [500, 500, 500]
    assert leaks(made(rising), BOUNDS) == []


@pytest.mark.parametrize("name", BOUNDS)
def test_every_measured_value_has_a_bound(name):
    assert leaks(made([at * 1.0 for at in range(100)], name), BOUNDS) == [
        f"{name} grew by 69.0, which is more than {BOUNDS[name]:g}"
    ]
    assert set(BOUNDS) == set(Sample._fields) - {"at"}
