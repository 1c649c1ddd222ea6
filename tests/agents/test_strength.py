"""Positions with a forced win, and choices that must not depend on hidden information."""

import pytest
from nim import Nim

import parlour
from parlour.games.banqi import create_match, execute_flip, get_legal_moves, public_state
from parlour.games.cat_mouse import apply_move, create_game, par

SEARCHING = ["mcts:sims=600", "search:depth=4", "best:time=0.2"]


def banqi(text):
    game = parlour.game("banqi")
    return game.state_from_text(text)


def octa(text, **options):
    return parlour.game("octa", size=1, **options).state_from_text(text)


FORCED = {
    # The rook takes the last piece.
    "banqi, the last piece": (
        banqi(
            "turn: red, seat 0\nquiet: 0\nface-down: -\n"
            ". . . . . . . .\n. . R h . . . .\n. . . . . . . .\n. . . . . . . ."
        ),
        "c2xd2",
    ),
    # The pawn takes the king rather than the pawn; then the guard is the only danger left.
    "banqi, a cannon over a screen": (
        banqi(
            "turn: black, seat 1\nquiet: 0\nface-down: -\n"
            ". . . . . . . .\nc . p . K . . .\n. . . . . . . .\n. . . . . . . ."
        ),
        "a2xe2",
    ),
    # One chain takes the opponent's only cell.
    "octa, the last cell": (
        octa("turn 2, player 1 to move\n1↑ .↑ .↑\n.↑ .↑ .↑\n1↗ 2↑ .↑"),
        "-1,-1",
    ),
    # Before the last turn only one of two chains wins the majority.
    "octa, the majority": (
        octa("turn 7, player 1 to move\n1↖ .↑ 2↑\n.↑ .↑ .↑\n1↗ .→ 2↑", turn_limit=8),
        "-1,-1",
    ),
    # Leave a multiple of four.
    "nim, seven": (Nim(heap=7).start(), "take3"),
    "nim, five": (Nim(heap=5).start(), "take1"),
}


@pytest.mark.parametrize("text", SEARCHING)
@pytest.mark.parametrize("position", FORCED)
def test_every_searching_agent_finds_a_forced_win(position, text):
    state, wanted = FORCED[position]
    choice = parlour.agent(text).choose(state)
    assert state.game.action_to_text(state, choice) == wanted


@pytest.mark.parametrize("text", ["mcts:sims=400,width=20", "mcts:sims=400"])
def test_a_winning_placement_in_blokus_is_found(text):
    game = parlour.game("blokus", variant="duo")
    state, rng = game.start(), parlour.Rng(4)
    # In the last decision of a random game the actor can see every end.
    history = [state]
    while history[-1].actor != parlour.OVER:
        history.append(history[-1].play(history[-1].sample(rng)))
    for state in reversed(history[:-1]):
        values = {
            action: state.apply(action).result().returns[state.actor]
            for action in state.legal_actions()
            if state.apply(action).actor == parlour.OVER
        }
        if len(values) == len(state.legal_actions()) and len(set(values.values())) > 1:
            break
    else:
        state, values = decided_at_the_end(game)
    choice = parlour.agent(text).choose(state)
    assert values[choice] == max(values.values())


def decided_at_the_end(game):
    """Return a position in which every placement ends the game, with different results."""
    for seed in range(200):
        state, rng = game.start(), parlour.Rng(seed)
        while state.actor != parlour.OVER:
            ends = [state.apply(action) for action in state.legal_actions()]
            if all(end.actor == parlour.OVER for end in ends):
                values = {
                    action: end.result().returns[state.actor]
                    for action, end in zip(state.legal_actions(), ends, strict=True)
                }
                if len(set(values.values())) > 1:
                    return state, values
            state = state.play(state.sample(rng))
    raise AssertionError("no such position in 200 random games")


@pytest.mark.parametrize("seed", range(4))
def test_cat_and_mouse_best_takes_exactly_par(seed):
    game = parlour.game("cat_mouse")
    state, spec = game.start(seed), create_game(seed)
    agent = parlour.agent("best")
    steps = 0
    while state.actor != parlour.OVER:
        action = agent.choose(state)
        spec = apply_move(spec, game.action_to_text(state, action)).state
        state = state.play(action)
        steps += 1
    assert spec.status == "won"
    assert steps == par(create_game(seed))


@pytest.mark.parametrize("text", ["greedy", "mcts:sims=40", "search:nodes=500"])
def test_a_choice_does_not_depend_on_face_down_pieces(text):
    """Two deals that differ only in hidden pieces give the same choice."""
    matches = [create_match(seed) for seed in (1, 2)]
    flipped = [
        next(
            i for i in range(32) if match.board[i].kind == "Pawn" and match.board[i].color == "red"
        )
        for match in matches
    ]
    # Bring both to the same public position: swap so that a red pawn lies on square 0.
    states = []
    for match, index in zip(matches, flipped, strict=True):
        board = list(match.board)
        board[0], board[index] = board[index], board[0]
        swapped = type(match)(**{**fields(match), "board": tuple(board)})
        states.append(public_state(execute_flip(swapped, 0)))
        assert len(get_legal_moves(swapped).flips) == 32
    assert matches[0].board != matches[1].board
    assert states[0] == states[1]
    choices = [parlour.agent(text, seed=1).choose(state) for state in states]
    assert choices[0] == choices[1]


RED_PAWN = ("Pawn", "red")


def fields(match):
    return {name: getattr(match, name) for name in match.__dataclass_fields__}
