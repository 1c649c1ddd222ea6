"""Two matches that differ only in face-down pieces are indistinguishable from outside."""

import pickle
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import parlour
from parlour.games.banqi import (
    BanqiState,
    Match,
    check_win_condition,
    create_match,
    execute_capture,
    execute_flip,
    execute_move,
    get_legal_moves,
    public_state,
    validate_capture,
    validate_flip,
    validate_move,
)


def shuffled(match: Match, rng: parlour.Rng) -> Match:
    """Return the same match with its face-down pieces reshuffled."""
    places = [i for i, piece in enumerate(match.board) if piece and not piece.is_revealed]
    board = list(match.board)
    for last in range(len(places) - 1, 0, -1):
        other = rng.below(last + 1)
        a, b = places[last], places[other]
        board[a], board[b] = board[b], board[a]
    return replace(match, board=tuple(board))


def played(seed: int, plies: int) -> Match:
    rng = parlour.Rng(seed)
    match = create_match(seed)
    for _ in range(plies):
        legal = get_legal_moves(match)
        total = len(legal.flips) + len(legal.moves) + len(legal.captures)
        if total == 0:
            break
        at = rng.below(total)
        if at < len(legal.flips):
            match = execute_flip(match, legal.flips[at])
        elif at < len(legal.flips) + len(legal.moves):
            move = legal.moves[at - len(legal.flips)]
            match = execute_move(match, move.from_index, move.to_index)
        else:
            capture = legal.captures[at - len(legal.flips) - len(legal.moves)]
            match = execute_capture(match, capture.from_index, capture.to_index)
    return match


def everything(state: BanqiState) -> bytes:
    """Return the results of every public method of a state as bytes."""
    game = state.game
    shown: list[object] = [
        state.actor,
        list(state.legal_actions()),
        state.chance_outcomes(),
        state.result(),
        state.key(),
        hash(state),
        repr(state),
        game.state_to_text(state),
        pickle.dumps(state),
        [state.refusal(action) for action in (*range(-1, game.num_actions + 1), None, "a1")],
        [state.scene(seat) for seat in (None, 0, 1)],
        [game.action_to_text(state, action) for action in state.legal_actions()],
        state.squares(),
        state.hidden(),
        [state.sample(parlour.Rng(seed)) for seed in range(5) if state.actor != parlour.OVER],
        (state.turn, state.seat_0, state.flipping, state.quiet, state.why, state.winner),
        parlour.playouts(state, 3, seed=1),
    ]
    return repr(shown).encode()


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32), st.integers(0, 60), st.integers(0, 2**32))
def test_a_state_does_not_leak_hidden_pieces(seed: int, plies: int, deal: int) -> None:
    match = played(seed, plies)
    other = shuffled(match, parlour.Rng(deal))
    assert everything(public_state(match)) == everything(public_state(other))


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32), st.integers(1, 60), st.integers(0, 2**32))
def test_a_flip_in_progress_does_not_leak_hidden_pieces(seed: int, plies: int, deal: int) -> None:
    match = played(seed, plies)
    other = shuffled(match, parlour.Rng(deal))
    for index in get_legal_moves(match).flips[:2]:
        one, two = public_state(match).apply(index), public_state(other).apply(index)
        assert isinstance(one, BanqiState)
        assert isinstance(two, BanqiState)
        assert everything(one) == everything(two)


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 2**32), st.integers(0, 60), st.integers(0, 2**32))
def test_validators_do_not_leak_hidden_pieces(seed: int, plies: int, deal: int) -> None:
    match = played(seed, plies)
    other = shuffled(match, parlour.Rng(deal))
    assert get_legal_moves(match) == get_legal_moves(other)
    assert check_win_condition(match) == check_win_condition(other)
    for source in range(32):
        assert validate_flip(match, source) == validate_flip(other, source)
        for target in range(0, 32, 3):
            assert validate_move(match, source, target) == validate_move(other, source, target)
            assert validate_capture(match, source, target) == validate_capture(
                other, source, target
            )


def test_the_state_of_any_match_is_picklable() -> None:
    sparse = replace(played(3, 40), red_captured=(), black_captured=())
    unusual = replace(create_match(1), status="in-progress", current_turn="red")
    for match in (create_match(1), played(3, 40), sparse, unusual):
        state = public_state(match)
        again = pickle.loads(pickle.dumps(state))
        assert again == state
        assert everything(again) == everything(state)


@pytest.mark.parametrize("name", ["house", "taiwan", "olympiad"])
def test_a_state_does_not_contain_the_hidden_layout(name: str) -> None:
    state = parlour.game("banqi", rules=name).start(1)
    assert state == parlour.game("banqi", rules=name).start(2)
    for outcome in range(14):
        assert state.apply(0).refusal(outcome) is None
