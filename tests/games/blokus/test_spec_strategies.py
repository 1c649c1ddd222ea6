"""Strategies, computer players and the game loop."""

from collections import Counter
from itertools import permutations

import numpy
import pytest

import parlour
from parlour.games.blokus import (
    AgentStrategy,
    AIPlayer,
    BlokusRules,
    CornerStrategy,
    GameLoop,
    GameState,
    Move,
    Piece,
    RandomStrategy,
    StrategicStrategy,
    Strategy,
)

STRATEGIES = [RandomStrategy, CornerStrategy, StrategicStrategy]


def players(*strategies):
    return {k: AIPlayer(k, strategy, "any colour") for k, strategy in enumerate(strategies, 1)}


@pytest.fixture
def middle(new):
    """Return a state in the middle of a random game."""
    state, strategy = new, RandomStrategy(3)
    for _ in range(20):
        state = state.play(strategy.calculate_move(state, state.current_player))
    return state


@pytest.mark.parametrize("make", STRATEGIES)
def test_a_strategy_needs_no_arguments_and_its_move_is_legal(middle, make):
    move = make().calculate_move(middle, middle.current_player, 0.02)
    assert BlokusRules.validate_move(middle, move).is_valid
    assert move.player_id == middle.current_player


@pytest.mark.parametrize("make", STRATEGIES)
def test_moves_of_every_strategy_have_a_flip_field(new, make):
    assert make().calculate_move(new, 1, 0.01).flip in (True, False)


@pytest.mark.parametrize("make", STRATEGIES)
def test_without_time_the_best_move_so_far_is_still_legal(middle, make):
    move = make().calculate_move(middle, middle.current_player, time_limit=0)
    assert BlokusRules.validate_move(middle, move).is_valid


@pytest.mark.parametrize("make", STRATEGIES)
def test_a_player_for_whom_nothing_fits_passes(new, make):
    final = GameLoop(new).run(players(*[RandomStrategy(5)] * 4))
    move = make().calculate_move(final, 2)
    assert move == Move(None, None, 0, 2, is_pass=True)


@pytest.mark.parametrize("make", STRATEGIES)
def test_a_strategy_answers_for_a_player_who_is_not_to_move(new, make):
    move = make().calculate_move(new, 3, 0.01)
    assert move in BlokusRules.get_valid_moves(new, 3)


@pytest.mark.parametrize("make", STRATEGIES)
@pytest.mark.parametrize("limit", [-1, "1", True, float("nan"), [1]])
def test_a_wrong_time_limit_is_a_value_error(new, make, limit):
    with pytest.raises(ValueError, match="time_limit"):
        make().calculate_move(new, 1, limit)


def test_a_time_limit_may_be_an_integer_of_numpy(new):
    move = CornerStrategy().calculate_move(new, 1, numpy.int64(1000))
    assert move == CornerStrategy().calculate_move(new, 1)


@pytest.mark.parametrize("make", STRATEGIES)
def test_a_wrong_player_id_is_a_value_error(new, make):
    with pytest.raises(ValueError, match="Invalid player_id"):
        make().calculate_move(new, 7)


def test_the_random_strategy_makes_every_first_move_about_equally_often(new):
    strategy = RandomStrategy(1)
    counts = Counter(strategy.calculate_move(new, 1) for _ in range(58 * 30))
    assert len(counts) == 58
    assert max(counts.values()) < 65


def test_a_seed_makes_the_random_strategy_repeatable(middle):
    player = middle.current_player
    assert RandomStrategy(4).calculate_move(middle, player) == RandomStrategy(4).calculate_move(
        middle, player
    )


def open_corners(game_state, player_id):
    """Count the free cells that are diagonal to an own cell and next to none."""
    board = game_state.board
    own = {(r, c) for r in range(20) for c in range(20) if board[r, c] == player_id}
    found = set()
    for row, col in own:
        for r, c in (
            (row - 1, col - 1),
            (row - 1, col + 1),
            (row + 1, col - 1),
            (row + 1, col + 1),
        ):
            beside = {(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)}
            if 0 <= r < 20 and 0 <= c < 20 and not board[r, c] and not beside & own:
                found.add((r, c))
    return len(found)


def test_the_corner_strategy_opens_the_most_own_corners(middle):
    player = middle.current_player
    chosen = CornerStrategy().calculate_move(middle, player)
    best = max(
        open_corners(middle.play(move), player)
        for move in BlokusRules.get_valid_moves(middle, player)
    )
    assert open_corners(middle.play(chosen), player) == best


def test_the_corner_strategy_then_prefers_large_pieces_and_the_centre(middle):
    player = middle.current_player
    chosen = CornerStrategy().calculate_move(middle, player)

    def away(move):
        piece = move.piece.flip() if move.flip else move.piece
        cells = piece.rotate(move.rotation).coordinates
        row, col = move.position
        return sum(abs(row + r - 9.5) + abs(col + c - 9.5) for r, c in cells) / len(cells)

    most = open_corners(middle.play(chosen), player)
    equals = [
        move
        for move in BlokusRules.get_valid_moves(middle, player)
        if open_corners(middle.play(move), player) == most
    ]
    assert chosen.piece.size == max(move.piece.size for move in equals)
    large = [move for move in equals if move.piece.size == chosen.piece.size]
    assert away(chosen) == min(map(away, large))


def test_the_strategic_strategy_prefers_a_good_move_to_a_bad_one(new):
    # A strategy that looks ahead does not begin with the single cell.
    for seed in range(3):
        move = StrategicStrategy(seed).calculate_move(new, 1, time_limit=0.05)
        assert move.piece.size == 5


@pytest.mark.parametrize("order", list(permutations(STRATEGIES)))
def test_whole_games_between_the_three_strategies(new, order):
    strategies = [make(seed) for seed, make in enumerate(order)]
    loop = GameLoop(new)
    final = loop.run(players(*strategies, RandomStrategy(9)), time_limit=0.005)
    assert final.is_over
    assert final is loop.game_state
    assert all(player.score > -89 for player in final.players.values())


def test_the_corner_strategy_beats_the_random_one(new):
    totals = Counter()
    for seed in range(4):
        final = GameLoop(new).run(
            players(RandomStrategy(seed), CornerStrategy(), RandomStrategy(-seed), CornerStrategy())
        )
        for player_id, player in final.players.items():
            totals[player_id % 2] += player.score
    assert totals[0] > totals[1]


def test_a_run_without_a_player_for_the_turn_is_a_value_error(new):
    loop = GameLoop(new)
    with pytest.raises(ValueError, match="player 2's turn, but ai_players has no player 2"):
        loop.run(players(RandomStrategy(0)))


# AIPlayer and GameLoop


def test_an_ai_player_asks_its_strategy_for_its_own_moves(new):
    player = AIPlayer(1, RandomStrategy(0), "mauve", name="Ada")
    assert (player.player_id, player.color, player.name) == (1, "mauve", "Ada")
    assert player.calculate_move(new, time_limit=1).player_id == 1
    assert AIPlayer(2, RandomStrategy(), "").name == "AI 2"


@pytest.mark.parametrize(
    "arguments",
    [
        (0, RandomStrategy(0), "red"),
        ("1", RandomStrategy(0), "red"),
        (1, None, "red"),
        (1, RandomStrategy(0), 5),
        (1, RandomStrategy(0), "red", 5),
    ],
)
def test_a_wrong_argument_of_an_ai_player_is_a_value_error(arguments):
    with pytest.raises(ValueError, match=r".+"):
        AIPlayer(*arguments)


def test_the_loop_executes_the_move_and_returns_it(new):
    loop = GameLoop(new)
    move = loop.trigger_ai_move(AIPlayer(1, RandomStrategy(0), "red"))
    assert loop.game_state == new.play(move)


def test_the_loop_has_the_specifications_own_name_for_it(new):
    class Loud(GameLoop):
        def trigger_ai_move(self, ai_player, time_limit=None):
            asked.append((ai_player.player_id, time_limit))
            return super().trigger_ai_move(ai_player, time_limit)

    asked = []
    loop = Loud(new)
    move = loop._trigger_ai_move(AIPlayer(1, RandomStrategy(0), "red"), 0.5)
    assert asked == [(1, 0.5)]
    assert loop.game_state == new.play(move)


@pytest.mark.parametrize("name", ["random:seed=1", "greedy", "mcts:sims=20"])
def test_an_agent_plays_as_a_strategy(middle, name):
    agent = parlour.agent(name)
    strategy = AgentStrategy(agent)
    move = strategy.calculate_move(middle, middle.current_player, 1)
    assert BlokusRules.validate_move(middle, move).is_valid
    other = middle.current_player % 4 + 1
    assert strategy.calculate_move(middle, other) in BlokusRules.get_valid_moves(middle, other)


def test_an_agent_passes_when_nothing_fits_and_refuses_wrong_arguments(new):
    final = GameLoop(new).run(players(*[AgentStrategy(parlour.agent("random"))] * 4))
    strategy = AgentStrategy(parlour.agent("random"))
    assert strategy.calculate_move(final, 2) == Move(None, None, 0, 2, is_pass=True)
    with pytest.raises(ValueError, match="time_limit"):
        strategy.calculate_move(new, 1, -1)
    with pytest.raises(ValueError, match="agent must have choose"):
        AgentStrategy("random")


class Scripted(Strategy):
    """A minimal strategy that returns a given move, legal or not."""

    def __init__(self, move):
        self.move = move

    def calculate_move(self, game_state, player_id, time_limit=None):
        return self.move


def test_a_strategy_needs_to_define_only_calculate_move(new):
    class First(Strategy):
        def calculate_move(self, game_state, player_id, time_limit=None):
            return BlokusRules.get_valid_moves(game_state, player_id)[0]

    assert Strategy.__abstractmethods__ == {"calculate_move"}
    loop = GameLoop(new)
    move = loop.trigger_ai_move(AIPlayer(1, First(), "red"))
    assert loop.game_state == new.play(move)


def test_the_loop_executes_a_move_in_the_specifications_order(new, monkeypatch):
    calls = []
    handler = type(GameLoop(new).placement_handler)

    def spy(name):
        real = getattr(handler, name)

        def call(self, *arguments):
            calls.append((name, *arguments))
            return real(self, *arguments)

        monkeypatch.setattr(handler, name, call)

    for name in ("select_piece", "flip_piece", "rotate_piece", "place_piece"):
        spy(name)
    move = next(m for m in BlokusRules.get_valid_moves(new, 1) if m.flip and m.rotation == 180)
    GameLoop(new).trigger_ai_move(AIPlayer(1, Scripted(move), "red"))
    assert calls == [
        ("select_piece", move.piece.name),
        ("flip_piece",),
        ("rotate_piece",),
        ("rotate_piece",),
        ("place_piece", *move.position),
    ]


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_the_loop_accepts_every_flip_and_rotation_that_fits(new, flip, rotation):
    moves = [
        m for m in BlokusRules.get_valid_moves(new, 1) if (m.flip, m.rotation) == (flip, rotation)
    ]
    assert moves
    for move in moves:
        loop = GameLoop(new)
        assert loop.trigger_ai_move(AIPlayer(1, Scripted(move), "red")) == move
        assert loop.game_state == new.play(move)


@pytest.mark.parametrize(
    "move",
    [
        Move(Piece("I1"), (5, 5), 0, 1),
        Move(Piece("I1"), (0, 19), 0, 2),
        Move(Piece("I5"), (18, 0), 0, 1),
        Move(None, None, 0, 1, is_pass=True),
        None,
        "pass",
    ],
)
def test_an_illegal_move_from_a_strategy_is_a_value_error_and_changes_nothing(new, move):
    loop = GameLoop(new)
    with pytest.raises(ValueError, match=r".+"):
        loop.trigger_ai_move(AIPlayer(1, Scripted(move), "red"))
    assert loop.game_state is new
    assert loop.placement_handler.selected_piece is None


def test_a_move_of_another_player_is_a_value_error(new):
    loop = GameLoop(new)
    with pytest.raises(ValueError, match="player 2 made a move for player 1"):
        loop.trigger_ai_move(AIPlayer(2, Scripted(Move(Piece("I1"), (0, 0), 0, 1)), "red"))
    assert loop.game_state is new


def test_a_pass_of_a_player_who_is_out_does_not_change_the_state(new):
    final = GameLoop(new).run(players(*[RandomStrategy(5)] * 4))
    loop = GameLoop(final)
    move = loop.trigger_ai_move(AIPlayer(3, CornerStrategy(), "red"))
    assert move.is_pass
    assert loop.game_state is final


def test_a_loop_needs_a_game_state():
    with pytest.raises(ValueError, match="GameState"):
        GameLoop(None)
    assert GameLoop(GameState.new()).game_state.current_player == 1
