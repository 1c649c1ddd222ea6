"""OpenSpiel's `banqi` and the preset "taiwan" agree at every ply of random games.

OpenSpiel numbers squares, moves and pieces as this game does. It plays on when a colour
has no piece left but could still flip one; here that colour has lost at once.
"""

import pyspiel
import pytest

import parlour
from parlour.games.banqi import BanqiGame, BanqiState

GAMES = 300
GROUPS = 10

RENAMED = str.maketrans("GAERHCSgaerhcs", "KGMRHCPkgmrhcp")


def board_of(peer: pyspiel.State) -> list[str]:
    return str(peer).translate(RENAMED).splitlines()[:4]


@pytest.mark.parametrize("group", range(GROUPS))
def test_same_boards_actions_odds_and_returns(group: int) -> None:
    game = BanqiGame(rules="taiwan")
    peer_game = pyspiel.load_game("banqi")
    rng = parlour.Rng(group)
    for _ in range(GAMES // GROUPS):
        state, peer = game.start(), peer_game.new_initial_state()
        while state.actor != parlour.OVER:
            compare(game, state, peer)
            action = state.sample(rng)
            state = state.apply(action)
            peer.apply_action(action)
        result = state.result()
        assert result is not None
        if peer.is_terminal():
            assert tuple(peer.returns()) == result.returns
        else:
            assert result.reason == "capture-all"
            assert state.squares().count(-2) > 0


def compare(game: BanqiGame, state: BanqiState, peer: pyspiel.State) -> None:
    assert not peer.is_terminal()
    assert peer.current_player() == state.actor
    assert peer.legal_actions() == list(state.legal_actions())
    assert game.state_to_text(state).splitlines()[-4:] == board_of(peer)
    if state.actor == parlour.CHANCE:
        theirs = peer.chance_outcomes()
        ours = state.chance_outcomes()
        assert [outcome for outcome, _ in theirs] == [outcome for outcome, _ in ours]
        assert [odds for _, odds in theirs] == pytest.approx([odds for _, odds in ours])


def test_ids_mean_the_same() -> None:
    game = BanqiGame(rules="taiwan")
    peer = pyspiel.load_game("banqi").new_initial_state()
    assert game.num_actions == pyspiel.load_game("banqi").num_distinct_actions()
    assert peer.action_to_string(12) == "Flip(1,4)"
    assert game.action_to_text(game.start(), 12) == "e2"
    peer.apply_action(12)
    shown = [peer.action_to_string(outcome)[-1] for outcome in peer.legal_actions()]
    assert "".join(shown).translate(RENAMED) == "KGMRHCPkgmrhcp"
