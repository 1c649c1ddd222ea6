"""The supervisor's decision that a worker hangs, on a clock that the test moves."""

import pytest

from parlour.server.cluster import supervisor
from parlour.server.cluster.supervisor import BEAT_SECONDS, SILENT_SECONDS, Supervisor
from parlour.server.settings import Settings


class FakeWorker:
    """A worker whose process only records that it was killed."""

    def __init__(self, number, now):
        self.number, self.heard_at, self.is_ready = number, now, True
        self.process, self.kills = self, 0

    def kill(self):
        self.kills += 1


@pytest.fixture
def clock(monkeypatch):
    at = [1000.0]
    monkeypatch.setattr(supervisor.time, "monotonic", lambda: at[0])
    return at


@pytest.fixture
def workers(clock):
    return [FakeWorker(number, clock[0]) for number in (1, 2)]


@pytest.fixture
def supervised(clock, workers):
    """Return a function that lets the supervisor run, with the workers that report."""
    found = Supervisor(Settings(workers=2), None, print)
    found._workers = {worker.number: worker for worker in workers}

    def run(seconds, reporting):
        for _ in range(int(seconds / BEAT_SECONDS)):
            clock[0] += BEAT_SECONDS
            for worker in reporting:
                worker.heard_at = clock[0]
            found._kill_silent()

    yield run
    found._selector.close()


def test_only_the_silent_worker_is_killed(supervised, workers):
    supervised(SILENT_SECONDS, workers[:1])
    assert [worker.kills for worker in workers] == [0, 0]
    supervised(2, workers[:1])
    assert [worker.kills for worker in workers] == [0, 1]


def test_a_worker_that_is_still_starting_is_not_killed(supervised, workers):
    workers[1].is_ready = False
    supervised(10 * SILENT_SECONDS, workers[:1])
    assert [worker.kills for worker in workers] == [0, 0]


def test_no_worker_is_killed_after_the_machine_was_suspended(supervised, workers, clock):
    supervised(5, workers)
    clock[0] += 10 * SILENT_SECONDS
    supervised(2, [])
    supervised(5, workers)
    assert [worker.kills for worker in workers] == [0, 0]
    supervised(SILENT_SECONDS + 2, [])
    assert [worker.kills for worker in workers] == [1, 1]
