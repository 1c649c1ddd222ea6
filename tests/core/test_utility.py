"""Games with partners, common and general utilities, and rewards before the end."""

import pytest
from utilities import Centipede, Coins, Ladder, Partners

import parlour
from parlour.agents import agent
from parlour.arena import MatchError, Tournament, run_match
from parlour.arena.report import match_report
from parlour.core.errors import AgentError
from parlour.core.result import COMMON, GENERAL, ZERO_SUM, forfeit_returns
from parlour.testing import check_game

GAMES = [Partners(), Ladder(), Centipede(), Coins()]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_every_utility_passes_the_conformance_suite(game):
    check_game(game, seeds=[0])


def test_a_seat_without_partners_is_a_separate_team():
    game = parlour.game("blokus")
    assert (game.utility, game.teams, game.num_teams) == (ZERO_SUM, (0, 1, 2, 3), 4)


def test_all_seats_of_a_common_game_are_one_team():
    assert (Ladder().utility, Ladder().teams, Ladder().num_teams) == (COMMON, (0, 0), 1)
    assert (parlour.game("cat_mouse").utility, parlour.game("cat_mouse").teams) == (COMMON, (0,))


def test_seats_are_named_with_their_teams():
    names = Partners().start().scene().names
    assert names[:2] == ("player 1 (team 1)", "player 2 (team 2)")
    assert Ladder().start().scene().names == ("player 1", "player 2")


@pytest.mark.parametrize(
    ("utility", "teams", "loser", "returns"),
    [
        (COMMON, (0,), 0, (-1.0,)),
        (ZERO_SUM, (0, 1), 1, (1.0, -1.0)),
        (ZERO_SUM, (0, 1, 2, 3), 0, (-1.0, 1 / 3, 1 / 3, 1 / 3)),
        (ZERO_SUM, (0, 1, 0, 1), 2, (-1.0, 1.0, -1.0, 1.0)),
        (ZERO_SUM, (0, 0, 0, 1), 0, (-1 / 3, -1 / 3, -1 / 3, 1.0)),
        (COMMON, (0, 0, 0), 1, (-1.0, -1.0, -1.0)),
        (GENERAL, (0, 1, 2), 1, (0.0, -1.0, 0.0)),
    ],
)
def test_a_forfeit_costs_the_team_and_keeps_the_utility(utility, teams, loser, returns):
    assert forfeit_returns(utility, teams, loser) == pytest.approx(returns)


def test_winners_are_a_team_or_all_seats_of_a_common_game():
    assert parlour.Result((1.0, -1.0, 1.0, -1.0), None, "ten").winners == (0, 2)
    assert parlour.Result((1.0, 1.0), None, "top").winners == (0, 1)
    assert parlour.Result((-1.0, -1.0), None, "fell").winners == ()
    assert parlour.Result((1.0, 1.0), None, "top").winner is None
    assert parlour.Result((1.0, -1.0), None, "won").winner == 0


class TestAgents:
    def test_mcts_cooperates(self):
        state, players = Ladder().start(), [agent("mcts:sims=200"), agent("mcts:sims=200,seed=1")]
        while not state.is_over:
            state = state.apply(players[state.actor].choose(state))
        assert state.result().returns == (1.0, 1.0)

    @pytest.mark.parametrize("game", [Ladder(), Centipede()])
    def test_search_refuses_games_without_opponents(self, game):
        with pytest.raises(AgentError, match="zero-sum"):
            agent("search:depth=2").choose(game.start())


class TestArena:
    def test_partners_are_played_by_one_agent(self):
        result = run_match(Partners(), ["mcts:sims=50", "random"], games=4)
        assert [played.seating for played in result.games] == [(0, 1), (1, 0)] * 2
        assert all(len(played.returns) == 2 for played in result.games)
        assert result.duel is not None
        assert result.standings[0].first.mean >= 0.5

    def test_an_agent_plays_all_seats_of_a_common_game(self):
        result = run_match(Ladder(), ["mcts:sims=100", "random"], games=4)
        assert [played.seating for played in result.games] == [(0,), (1,)] * 2
        assert result.standings[0].first.mean == 1.0
        assert result.duel is None

    def test_a_match_of_a_general_game_compares_mean_returns(self):
        result = run_match(Centipede(), ["random", "random:seed=1"], games=4)
        assert "return" in match_report(result)
        assert "Elo" not in match_report(result)
        with pytest.raises(MatchError, match="zero-sum"):
            run_match(Centipede(), ["random", "random"], games=2, sprt="0,10")

    def test_tournaments_refuse_a_general_game(self):
        with pytest.raises(MatchError, match="compares mean returns"):
            Tournament(Centipede(), ["random", "random:seed=1"])

    def test_a_match_of_teams_names_them(self):
        with pytest.raises(MatchError, match="2 teams: a match needs 2 agents, not 3"):
            run_match(Partners(), ["random"] * 3, games=2)


class TestRewards:
    def test_rewards_of_a_batch_add_up_to_the_returns(self):
        batch = parlour.Batch(Coins(), 2, seed=3)
        total = [0.0, 0.0]
        for _ in range(6):
            batch.step(batch.sample())
            total = [t + row[0] for t, row in zip(total, batch.rewards.tolist(), strict=True)]
        assert batch.done.tolist() == [1, 1]
        assert total == pytest.approx([row[0] for row in batch.returns.tolist()])
        assert any(total)

    def test_each_step_rewards_what_it_changed(self):
        batch = parlour.Batch(Coins(), 2)
        batch.step([0, 1])
        assert batch.rewards.tolist() == [[3 / 16, -3 / 16], [2 / 16, -2 / 16]]
        batch.step([1, -1])
        assert batch.rewards.tolist() == [[-2 / 16, 2 / 16], [0.0, 0.0]]

    def test_a_forfeit_takes_collected_rewards_back(self):
        batch = parlour.Batch(Coins(), 1, illegal="lose", mask=False)
        batch.step([0])
        batch._ends.forfeit(0, batch.state(0), 1)
        assert batch.rewards.tolist() == [[1 - 3 / 16, 3 / 16 - 1]]

    def test_a_saved_batch_keeps_rewards(self):
        batch = parlour.Batch(Coins(), 2)
        batch.step([0, 1])
        again = parlour.Batch.restore(batch.save(), Coins())
        assert again.rewards.tolist() == batch.rewards.tolist()
        for each in (batch, again):
            each.step([0, 0])
        assert again.rewards.tolist() == batch.rewards.tolist() != [[0.0, 0.0], [0.0, 0.0]]

    def test_a_game_without_rewards_gives_its_returns(self):
        batch = parlour.Batch("octa:size=1", 1)
        while not batch.done[0]:
            assert batch.rewards.tolist() == [[0.0, 0.0]]
            batch.step(batch.sample())
        assert batch.rewards.tolist() == batch.returns.tolist()
