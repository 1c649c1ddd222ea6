"""Root parallelisation: the sums are right, and the death of a process does not cost the move."""

import os
import signal
import subprocess
import sys
import time

import pytest
from kuhn import Kuhn
from nim import Nim

import parlour
from parlour import AgentError, OptionError
from parlour.agents import levels, parallel
from parlour.agents.base import Count, Counted
from parlour.agents.mcts import MctsAgent
from parlour.agents.parallel import Team, merged, seed_of, share, with_free_cores
from parlour.arena import run_match
from parlour.engines.endpoints.session import EngineSession
from parlour.envs import versus
from parlour.table import PERSON, ChanceSource, LocalGame, Table


@pytest.fixture
def several():
    """Creates agents, and stops their processes."""
    made = []

    def make(text):
        made.append(parlour.agent(text))
        return made[-1]

    yield make
    for each in made:
        each.close()


def octa():
    return parlour.game("octa", size=2).start(1)


def pids(player):
    return [helper.pid for helper in player._others._helpers]


def counts_of(text, state):
    found = parlour.agent(text).root_counts(state, 0.0)
    return {count.action: (count.visits, count.total) for count in found.counts}


@pytest.mark.parametrize("sims", [1, 2, 3, 100, 101])
@pytest.mark.parametrize("processes", [1, 2, 3, 7])
def test_the_shares_add_up_to_all_simulations(sims, processes):
    shares = [share(sims, processes, index) for index in range(processes)]
    assert sum(shares) == sims
    assert max(shares) - min(shares) <= 1


def test_every_process_has_its_own_seed_and_the_first_has_the_agents():
    assert seed_of(5, 0) == 5
    seeds = {seed_of(seed, index) for seed in (5, 6, -1) for index in range(8)}
    assert len(seeds) == 24


@pytest.mark.parametrize("game", [octa, Kuhn().start, Nim(heap=9).start])
def test_results_of_all_processes_are_summed(game, several):
    state = game()
    if state.actor == parlour.CHANCE:
        rng = parlour.Rng(1)
        while state.actor == parlour.CHANCE:
            state = state.apply(state.sample(rng))
    together = several("mcts:sims=101,processes=3,seed=4").analyse(state)
    assert together.work == 101
    texts = [f"mcts:sims={share(101, 3, k)},seed={seed_of(4, k)}" for k in range(3)]
    apart = [counts_of(text, state) for text in texts]
    assert sum(choice.visits for choice in together.choices) == 101
    for choice in together.choices:
        found = [each[choice.action] for each in apart if choice.action in each]
        assert choice.visits == sum(visits for visits, _ in found)
        assert choice.value == pytest.approx(sum(total for _, total in found) / choice.visits)
    visits = [choice.visits for choice in together.choices]
    assert visits == sorted(visits, reverse=True)


def test_the_most_visited_of_the_sum_comes_first_then_the_larger_total():
    ours = Counted(5, (Count(1, 3, 0.5), Count(2, 2, 1.0)))
    theirs = Counted(4, (Count(3, 3, 0.9), Count(2, 1, 0.5)))
    assert merged([ours, theirs]) == Counted(
        9, (Count(2, 3, 1.5), Count(3, 3, 0.9), Count(1, 3, 0.5))
    )


def test_the_same_seed_simulations_and_processes_play_the_same_game(several):
    def game():
        state, actions = octa(), []
        players = [several(f"mcts:sims=60,processes=2,seed={seed}") for seed in (7, 8)]
        for seat, player in enumerate(players):
            player.begin(state, seat)
        while state.actor != parlour.OVER and len(actions) < 8:
            actions.append(players[state.actor].choose(state))
            state = state.apply(actions[-1])
        return actions, [player.opinion for player in players]

    assert game() == game()


def test_a_killed_helper_does_not_prevent_this_move_or_the_next(several):
    state = octa()
    player = several("mcts:sims=60,processes=3,seed=7")
    player.analyse(state)
    first, second = pids(player)
    os.kill(first, signal.SIGKILL)
    assert player.choose(state) in list(state.legal_actions())
    player.begin(state, 0)  # which drops the trees of the others
    assert first not in pids(player)
    assert pids(player)[1] == second
    assert sum(choice.visits for choice in player.analyse(state).choices) == 60


def test_a_helper_that_dies_while_thinking_counts_as_empty(several, monkeypatch):
    state = octa()
    player = several("mcts:sims=60,processes=2,seed=7")
    player.choose(state)
    player.begin(state, 0)
    ask = Team.ask

    def ask_and_kill(self, state, seconds):
        os.kill(self._helpers[0].pid, signal.SIGSTOP)  # it does not answer
        ask(self, state, seconds)
        os.kill(self._helpers[0].pid, signal.SIGKILL)

    monkeypatch.setattr(Team, "ask", ask_and_kill)
    found = player.analyse(state)
    assert found.work == 30
    assert sum(choice.visits for choice in found.choices) == 30


def test_a_hanging_helper_is_abandoned_when_the_time_is_up(several):
    state = octa()
    player = several("mcts:time=0.05,processes=2,seed=7")
    player.choose(state)
    while pids(player) == [None]:  # a slow machine may abandon the first helper
        player.choose(state)
    (pid,) = pids(player)
    os.kill(pid, signal.SIGSTOP)
    assert player.choose(state) in list(state.legal_actions())
    assert pids(player) == [None]
    while pids(player) == [None]:  # or the next
        assert player.choose(state) in list(state.legal_actions())
    assert pids(player) != [pid]


def test_a_helper_asked_too_late_returns_nothing(several):
    from parlour.agents.service import HostedAgent

    hosted = HostedAgent("mcts:time=5")
    assert hosted.count(octa(), time.monotonic() - 1.0) == Counted(0, ())
    with pytest.raises(AgentError, match="greedy does not count visits"):
        HostedAgent("greedy").count(octa(), None)


def test_close_ends_the_helpers_and_the_next_question_starts_others(several):
    state = octa()
    player = several("best:time=0.05,processes=2")
    player.begin(parlour.game("blokus").start(), 0)
    inner = player._agent
    (pid,) = pids(inner)
    player.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    again = several("mcts:sims=20,processes=2")
    assert again.choose(state) == again.choose(state)


def test_helpers_end_when_the_process_that_asked_is_killed():
    code = (
        "import parlour, time\n"
        "player = parlour.agent('mcts:time=1000,processes=2')\n"
        "player._team().begin(parlour.game('octa').start(1), 0)\n"
        "print(player._others._helpers[0].pid, flush=True)\n"
        "player.choose(parlour.game('octa').start(1))\n"
    )
    owner = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    with owner:
        pid = int(owner.stdout.readline())
        os.kill(pid, 0)
        owner.kill()
    while is_running(pid):
        time.sleep(0.05)


def is_running(pid):
    """Whether the process is running and not a zombie."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_every_setting_but_two_reaches_the_helpers():
    names = {option.name for option in MctsAgent.SETTINGS} - {"processes", "blunder"}
    assert set(parlour.agent("mcts").settings) == names
    text = "mcts:sims=9,exploration=0.5,puct=2.0,width=7,cutoff=3,keep=false,processes=2,seed=1"
    (helper,) = Team(parlour.agent(text).settings, 2)._helpers
    made = parlour.agent(helper.text).settings
    assert made == {**parlour.agent(text).settings, "sims": 4, "seed": seed_of(1, 1)}


def test_with_fewer_simulations_than_processes_the_others_are_not_started(several):
    player = several("mcts:sims=2,processes=5")
    assert player.analyse(octa()).work == 2
    assert len(pids(player)) == 1


def test_an_invalid_number_of_processes_is_refused():
    with pytest.raises(OptionError, match="processes"):
        parlour.agent("mcts:processes=0")


def test_a_game_that_cannot_be_pickled_is_refused_with_a_message(several):
    class Local(Nim):
        """Other processes cannot import it."""

    with pytest.raises(AgentError, match="processes: this game cannot be sent to another process"):
        several("mcts:sims=10,processes=2").choose(Local().start())


# Only the strongest opponent of a person uses idle cores.


@pytest.mark.parametrize(
    ("text", "game", "free", "expected"),
    [
        ("level:9", "blokus", 2, ("level:n=9,processes=2", 2)),
        ("level:9,seed=5", "blokus", 3, ("level:n=9,seed=5,processes=3", 3)),
        ("best", "blokus", 64, ("best:processes=4", 4)),
        ("best", "blokus", 1, ("best", 1)),
        ("level:8", "blokus", 8, ("level:8", 1)),
        ("level", "blokus", 8, ("level", 1)),
        ("mcts", "blokus", 8, ("mcts", 1)),
        ("best:processes=1", "blokus", 8, ("best:processes=1", 1)),
        ("best", "octa", 8, ("best", 1)),
        ("level:9", "cat_mouse", 8, ("level:9", 1)),
        ("nobody:Known", "blokus", 8, ("nobody:Known", 1)),
    ],
)
def test_only_the_strongest_agents_use_several_processes(text, game, free, expected):
    assert with_free_cores(text, parlour.game(game), free) == expected


def test_busy_cores_are_not_counted_as_free(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: set(range(8)), raising=False)
    for load, free in ((0.2, 8), (2.6, 5), (30.0, 1)):
        monkeypatch.setattr(os, "getloadavg", lambda load=load: (load, 0.0, 0.0), raising=False)
        assert parallel.free_cores() == free


@pytest.fixture
def teams(monkeypatch):
    """Records who asks for several processes, on an idle machine."""
    asked = []

    def note(settings, processes):
        asked.append(processes)
        return Team(settings, processes)

    monkeypatch.setattr(parallel, "Team", note)
    monkeypatch.setattr("parlour.table.local.free_cores", lambda: 2)
    monkeypatch.setattr(levels, "LEVELS", ("mcts:time=0.01",) * 9)
    return asked


def table(*seats):
    return LocalGame(Table(Nim(heap=7), seats, seed=1, chance=ChanceSource.from_seed(1)))


@pytest.mark.parametrize("text", ["best:time=0.01", "level:9"])
def test_the_terminal_uses_free_cores_for_the_strongest_opponent(text, teams):
    game = table(text, PERSON)
    game.next_events()
    game.close()
    assert teams == [2]


def test_other_levels_and_watched_games_use_one_process(teams):
    for seats in (("level:8", PERSON), ("mcts:time=0.01", PERSON), ("level:9", "level:9")):
        game = table(*seats)
        game.next_events()
        game.close()
    assert teams == []


@pytest.mark.parametrize("text", ["best:time=0.01", "level:9"])
def test_matches_environments_and_engines_use_one_process(text, teams):
    game = Nim(heap=7)
    assert len(run_match(game, [text, "random"], 2, processes=0).games) == 2
    env = versus(game, opponents=text)
    env.reset(seed=1)
    env.step(0)
    env.close()
    session = EngineSession(game, text)
    session.choose()
    session.close()
    assert teams == []


def test_helpers_get_every_setting_except_processes_and_blunder():
    known = {option.name for option in MctsAgent.SETTINGS}
    assert set(parlour.agent("mcts").settings) == known - {"processes", "blunder"}
