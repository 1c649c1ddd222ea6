"""Ctrl-C ends what runs for long, in both builds."""

import os
import signal
import subprocess
import sys

import pytest
from kuhn import Kuhn
from nim import Nim, NimState
from patience import PATIENCE

import parlour
from parlour.core import signals

# What may be looked at between two moments at which a signal is let in.
MOST = 5000


class Ledger:
    """Counts positions, and the most of them between two calls for signals."""

    def __init__(self):
        self.positions = 0
        self.since = 0
        self.most = 0

    def position(self):
        self.positions += 1
        self.since += 1
        self.most = max(self.most, self.since)

    def let_signals_in(self):
        self.since = 0


@pytest.fixture
def ledger(monkeypatch):
    found = Ledger()
    monkeypatch.setattr(signals, "let_signals_in", found.let_signals_in)
    apply = NimState.apply

    def counted(state, action):
        found.position()
        return apply(state, action)

    monkeypatch.setattr(NimState, "apply", counted)
    return found


@pytest.mark.parametrize(
    "text",
    ["search:nodes=20000", "search:depth=24,lines=50", "mcts:sims=400", "mcts:sims=400,cutoff=90"],
)
def test_agents_handle_signals_every_few_thousand_positions(ledger, text):
    parlour.agent(text).analyse(Nim(heap=300).start())
    assert ledger.positions > 2 * MOST
    assert ledger.most <= MOST


def test_a_search_over_many_determinizations_handles_signals(monkeypatch):
    calls = []
    monkeypatch.setattr(signals, "let_signals_in", lambda: calls.append(1))
    state = Kuhn().start()
    while state.actor == parlour.CHANCE:
        state = state.apply(state.legal_actions()[0])
    parlour.agent("mcts:sims=1000").choose(state)
    assert len(calls) >= 10


def test_long_playouts_handle_signals(ledger):
    parlour.playouts(Nim(heap=1000).start(), 30)
    assert ledger.positions > 2 * MOST
    assert ledger.most <= MOST


def test_perft_handles_signals(ledger):
    parlour.perft(Nim(heap=1000).start(), 10)
    assert ledger.positions > 2 * MOST
    assert ledger.most <= MOST


def test_reading_a_record_handles_signals(monkeypatch):
    calls = []
    record = parlour.Record(Nim(heap=300), 0, [0] * 300)
    parlour.register("nim", Nim)
    monkeypatch.setattr(signals, "let_signals_in", lambda: calls.append(1))
    parlour.Record.from_text(record.to_text())
    assert len(calls) >= 300


ENDLESS = {
    "analyse": ("analyse", "octa", "--agent", "search:depth=64"),
    "analyse by simulations": ("analyse", "octa", "--agent", "mcts:sims=1000000000"),
    "perft": ("perft", "octa", "--depth", "12"),
    "perft divided": ("perft", "banqi", "--depth", "12", "--divide"),
    "bench": ("bench", "octa", "--seconds", "60"),
}


@pytest.mark.parametrize("name", ENDLESS)
def test_ctrl_c_ends_a_long_command(name, tmp_path):
    # The command says when it is in its loop: only then the signal is one that has to get in.
    program = (
        "import sys\n"
        "from parlour.core import signals\n"
        "from parlour.cli import main\n"
        "calls = 0\n"
        "def let_signals_in():\n"
        "    global calls\n"
        "    calls += 1\n"
        "    if calls == 200:\n"
        "        print('BUSY', file=sys.stderr, flush=True)\n"
        "signals.let_signals_in = let_signals_in\n"
        "sys.exit(main())\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, *ENDLESS[name]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PARLOUR_DATA": str(tmp_path)},
    )
    try:
        assert process.stderr is not None
        assert process.stderr.readline() == "BUSY\n"
        process.send_signal(signal.SIGINT)
        _, rest = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert "Traceback" not in rest
