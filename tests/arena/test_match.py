"""Whole matches: reproducible games, right figures, and the table."""

import pytest
from climb import Climb
from nim import Nim

import parlour
from parlour import AgentError, OptionError, Record, UnknownGame
from parlour.arena import MatchError, MatchResult, Played, Sprt, match_report, run_match
from parlour.arena.export import export_games
from parlour.arena.plan import Plan
from parlour.testing import check_game

FIRST, LAST = "odd_agents:First", "odd_agents:Last"


def test_a_match_gives_the_same_records_with_any_number_of_processes(tmp_path, records_in):
    game = parlour.game("octa", size=2)
    results = []
    for processes in (0, 1, 2):
        folder = tmp_path / str(processes)
        agents = ["mcts:sims=8", "search:nodes=50"]
        results.append(run_match(game, agents, 6, seed=3, processes=processes, folder=folder))
    assert results[0] == results[1] == results[2]
    first, second, third = (records_in(tmp_path / name) for name in "012")
    assert first == second == third
    assert len(first) == 6
    for name in "012":
        export_games(tmp_path / name, tmp_path / f"{name}.export")
    assert len({(tmp_path / f"{name}.export").read_bytes() for name in "012"}) == 1
    other = run_match(game, agents, 6, seed=4, processes=0)
    assert other.games != results[0].games


def test_every_game_is_saved_as_a_record(tmp_path, records_in):
    result = run_match("octa", ["random", "greedy"], 4, processes=0, folder=tmp_path / "deep" / "m")
    for played in result.games:
        record = Record.from_text(records_in(tmp_path / "deep" / "m")[played.number + 1])
        assert record.final.result().returns == played.returns
        assert record.final.result().scores == played.scores


def test_agents_of_equal_strength_get_equal_points():
    # Both play alike, so each pair has one win and one loss.
    result = run_match(Nim(), [FIRST, FIRST], 10, processes=0)
    assert result.duel[:4] == (5, 0, 5, (0, 0, 5, 0, 0))
    assert result.duel.share.mean == 0.5
    assert result.duel.elo.mean == 0.0
    assert result.names == (f"{FIRST} (1)", f"{FIRST} (2)")


def test_the_points_go_to_the_agent_and_not_to_the_seat():
    result = run_match(Nim(heap=3), [LAST, FIRST], 8, processes=0)
    # Taking all three wins at once from the first seat; from the second, 1, then 2, wins too.
    assert result.duel[:4] == (8, 0, 0, (0, 0, 0, 0, 4))
    best, worst = result.standings
    assert (best.agent, best.first.mean, best.place.mean, best.returns.mean) == (LAST, 1, 1, 1)
    assert (worst.agent, worst.first.mean, worst.place.mean, worst.returns.mean) == (
        FIRST,
        0,
        2,
        -1,
    )


def test_on_four_seats_there_are_places_and_scores():
    result = run_match(Climb(), [LAST, FIRST], 12, processes=0)
    one, three = result.standings
    assert result.duel is None
    assert (one.games, three.games) == (12, 12)
    # Six steps beat none, from any start.
    assert (one.first.mean, one.place.mean) == (1.0, 1.0)
    assert (three.first.mean, three.place.mean) == (0.0, 3.0)
    starts = [Climb().start(seed).heights for seed in {r.start_seed for r in tasks(result)}]
    mean_height = sum(map(sum, starts)) / 12
    assert one.score.mean == pytest.approx(6 + mean_height)
    assert three.score.mean == pytest.approx(mean_height)
    assert one.score.low <= one.score.mean <= one.score.high


def tasks(result):
    plan = Plan.of_match(result.game, result.agents, result.planned, result.seed)
    return [plan.task(number) for number in range(plan.games)]


def test_with_one_seat_each_start_is_played_by_each_agent():
    game = parlour.game("cat_mouse", ply_cap=12)
    result = run_match(game, ["mcts:sims=10", FIRST, "odd_agents:Crashing"], 6, processes=0)
    assert [played.seating for played in result.games] == [(0,), (1,), (2,)] * 2
    good, _, crashing = result.standings
    assert good.games == crashing.games == 2
    assert crashing.first.mean == 0.0
    assert crashing.faults == 2
    assert sum(standing.place.mean for standing in result.standings) == pytest.approx(6.0)
    assert "won" in match_report(result)
    assert [standing.plies.mean for standing in result.standings[1:]] == [12.0, 0.0]
    head = " ".join(match_report(result).splitlines()[2].split())
    assert head == "agent games won 95 % place 95 % plies 95 % faults"


def test_a_faulty_agent_loses_and_the_match_goes_on():
    agents = ["odd_agents:Crashing", "odd_agents:Illegal"]
    result = run_match(Nim(), agents, 6, processes=2)
    # The first seat to act fails first.
    assert result.duel[:3] == (3, 0, 3)
    assert [standing.faults for standing in result.standings] == [3, 3]
    assert sorted(result.fault_counts) == [
        ("odd_agents:Crashing", "crashed: ZeroDivisionError: " + ZERO, 3),
        ("odd_agents:Illegal", "illegal action: an action is an id from 0 to 2, not 1000000", 3),
    ]
    table = match_report(result)
    assert f"lost by odd_agents:Crashing: 3 x crashed: ZeroDivisionError: {ZERO}" in table


ZERO = "integer division or modulo by zero"


def test_with_four_seats_a_failing_agent_takes_the_last_place():
    result = run_match(Climb(), ["odd_agents:Silent", "random"], 4, processes=0)
    silent, others = result.standings
    assert (silent.place.mean, others.place.mean) == (4.0, 2.0)
    assert silent.score is None
    assert silent.faults == 4
    assert others.faults == 0


@pytest.mark.parametrize("processes", [0, 2])
def test_the_sequential_test_ends_the_match_at_the_pair_that_decides(processes, tmp_path):
    agents = [FIRST, "odd_agents:Crashing"]
    arguments = {"processes": processes, "sprt": "elo0=0,elo1=200", "folder": tmp_path}
    result = run_match(Nim(), agents, 400, **arguments)
    assert result.sprt_state.verdict == "elo1"
    assert result.planned == 400
    pairs = next(n for n in range(400) if Sprt(0, 200).state([0, 0, 0, 0, n]).verdict)
    assert [played.number for played in result.games] == list(range(2 * pairs))
    assert "elo1 accepted" in match_report(result)
    again = run_match(Nim(), agents, 400, on_progress=fail, **arguments)
    assert again == result


def fail(_):
    raise AssertionError("a game was played")


def test_the_sequential_test_does_not_stop_an_even_match():
    result = run_match(Nim(), [FIRST, FIRST], 10, processes=0, sprt="elo1=5")
    assert result.sprt_state.verdict is None
    assert len(result.games) == 10
    assert "undecided" in match_report(result)


def test_progress_is_reported_after_every_game():
    seen = []
    run_match(Nim(), [FIRST, LAST], 4, processes=0, on_progress=seen.append)
    assert [(progress.done, progress.planned, progress.kept) for progress in seen] == [
        (1, 4, 0),
        (2, 4, 0),
        (3, 4, 0),
        (4, 4, 0),
    ]
    assert seen[-1].result().duel is not None


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"game": "nmi"}, UnknownGame, "did you mean 'nim'"),
        ({"agents": ["mtcs", "random"]}, AgentError, "did you mean 'mcts'"),
        ({"agents": ["mcts:sims=x", "random"]}, OptionError, "sims must be an int"),
        ({"agents": ["mcts:smis=1", "random"]}, OptionError, "did you mean 'sims'"),
        ({"agents": ["odd_agents:Unmade:depth=2", "random"]}, AgentError, "too deep"),
        ({"agents": ["exact", "random"]}, AgentError, "nim has no solver"),
        ({"game": "climb", "agents": ["search", "random"]}, AgentError, "search needs two seats"),
        ({"game": "blokus", "agents": ["best", "search"]}, AgentError, "search needs two seats"),
        ({"game": 5}, MatchError, "the game must be a Game or its name, not 5"),
        ({"sprt": 5}, MatchError, "sprt must be a text like elo0=0"),
        ({"processes": -1}, MatchError, "processes must be 0 or more, not -1"),
        ({"sprt": "elo2=1"}, MatchError, "sprt has no setting"),
        ({"game": "climb", "sprt": ""}, MatchError, "sprt needs a zero-sum game .* 4 seats"),
    ],
)
def test_an_invalid_match_is_refused_before_the_first_game(arguments, error, message):
    given = {"game": "nim", "agents": ["random", "random"], "games": 2, **arguments}
    with pytest.raises(error, match=message):
        run_match(**given, on_progress=fail)


def test_the_table_of_a_known_result():
    def game(number, first_wins):
        seating = (0, 1) if number % 2 == 0 else (1, 0)
        value = 1.0 if first_wins == (number % 2 == 0) else -1.0
        return Played(number, seating, (value, -value), None, "took the last one", 9, None, number)

    # Half of the pairs have 2 points, half 1: with one pair added as won and one as lost the mean
    # is 76 / 102 and its standard error 0.02583.
    games = tuple(game(number, number % 4 != 3) for number in range(200))
    result = MatchResult(Nim(), ("a", "b"), 5, 2, 200, games)
    assert match_report(result).splitlines() == [
        "Nim (heap=10), 200 games from 100 starts, seed 5",
        "",
        "agent  games  points          95 %  faults",
        "a        200   75.0%  [69.4, 79.6]       -",
        "b        200   25.0%  [20.4, 30.6]       -",
        "",
        "a: 150 won, 0 drawn, 50 lost; pairs with 0, ½, 1, 1½, 2 points: 0, 0, 50, 0, 50",
        "Elo of a over b: +191 [+143, +236]",
    ]


def test_the_table_on_four_seats_and_of_an_unfinished_match():
    table = match_report(run_match(Climb(), [LAST, FIRST, FIRST], 8, processes=0))
    head = " ".join(table.splitlines()[2].split())
    assert head == "agent games first 95 % place 95 % score 95 % faults"
    assert "Elo" not in table
    empty = MatchResult(Climb(), (LAST, FIRST), 0, 4, 8, ())
    assert "0 of 8 games from 0 starts" in match_report(empty)
    assert empty.standings == ()


def test_duplicate_games_are_reported(tmp_path):
    result = run_match(Nim(), [FIRST, LAST], 6, processes=0, folder=tmp_path)
    assert result.repeats == 2
    assert "2 of 3 starts are duplicates of others, move for move" in match_report(result)
    assert run_match(Nim(), [FIRST, LAST], 6, processes=0, folder=tmp_path) == result
    other = run_match(Nim(heap=50), ["random", LAST], 6, processes=0)
    assert other.repeats == 0
    assert "move for move" not in match_report(other)
    crashing = run_match(Nim(), ["odd_agents:Crashing", LAST], 6, processes=0)
    assert crashing.repeats == 0


def test_the_example_game_keeps_the_contract():
    check_game(Climb())
