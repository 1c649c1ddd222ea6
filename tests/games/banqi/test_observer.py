"""Observations of Banqi."""

import parlour
from parlour import Rng
from parlour.games.banqi.pieces import BLACK, EMPTY, FACE_DOWN, NO_COLOUR, RED
from parlour.games.banqi.setup import BanqiSetup

GAME = parlour.game("banqi", quiet_limit=10)
RED_KING, RED_PAWN, BLACK_CANNON = 0, 6, 12
HIDDEN = (0, 2, 2, 2, 2, 2, 4, 1, 2, 2, 2, 2, 1, 5)


def position(seat_0=RED, quiet=4):
    hidden = sum(HIDDEN)
    squares = [FACE_DOWN] * hidden + [EMPTY] * (32 - hidden)
    squares[29], squares[30], squares[31] = RED_KING, BLACK_CANNON, RED_PAWN
    return BanqiSetup(tuple(squares), HIDDEN, RED, seat_0, quiet=quiet).build(GAME)


def seen(state, seat):
    """Return the squares of each plane and the extras, by name."""
    watching = parlour.observer(state.game)
    planes, extras = watching.observe(state, seat)
    found = {
        name: [square for square in range(32) if planes[32 * plane + square]]
        for plane, name in enumerate(watching.planes)
    }
    return found, dict(zip(watching.extra_names, extras, strict=True))


def test_own_pieces_come_first_whatever_their_colour():
    red, _ = seen(position(RED), 0)
    assert (red["own King"], red["own Pawn"], red["other Cannon"]) == ([29], [31], [30])
    black, _ = seen(position(RED), 1)
    assert (black["other King"], black["other Pawn"], black["own Cannon"]) == ([29], [31], [30])
    assert sum(map(len, red.values())) == sum(map(len, black.values())) == 3 + sum(HIDDEN)


def test_the_colour_follows_the_seat_not_its_number():
    swapped = seen(position(BLACK), 1)
    assert swapped[0] == seen(position(RED), 0)[0]


def test_face_down_pieces_have_one_plane_and_are_counted_by_kind():
    planes, extras = seen(position(), 0)
    assert planes["face-down"] == list(range(sum(HIDDEN)))
    kinds = ("King", "Guard", "Minister", "Rook", "Horse", "Cannon", "Pawn")
    assert tuple(extras[f"hidden own {kind}"] for kind in kinds) == HIDDEN[:7]
    assert tuple(extras[f"hidden other {kind}"] for kind in kinds) == HIDDEN[7:]
    _, extras = seen(position(), 1)
    assert tuple(extras[f"hidden own {kind}"] for kind in kinds) == HIDDEN[7:]


def test_the_quiet_turns_left_count_down():
    assert [seen(position(quiet=quiet), 0)[1]["quiet turns left"] for quiet in (0, 4, 9)] == [
        255,
        153,
        26,
    ]


def test_extras_give_the_turn_and_unknown_colours():
    start = GAME.start()
    assert start.seat_0 == NO_COLOUR
    for seat in (0, 1):
        extras = seen(start, seat)[1]
        assert (extras["colours unknown"], extras["to act"]) == (1, seat == 0)
    extras = [seen(position(), seat)[1] for seat in (0, 1)]
    assert [each["colours unknown"] for each in extras] == [0, 0]
    assert [each["to act"] for each in extras] == [1, 0]


def test_with_repetition_an_extra_counts_earlier_occurrences():
    game = parlour.game("banqi", rules="olympiad")
    state = game.start()
    rng = Rng(5)
    while state.legal_actions()[-1] < 32 or state.actor < 0 or not quiet_pair(state):
        state = state.apply(state.sample(rng))
    there, back, away, home = quiet_pair(state)
    met = []
    for action in (there, back, away, home) * 2:
        met.append(seen(state, 0)[1]["times met before"])
        state = state.play(action)
    assert met == [0, 0, 0, 0, 1, 1, 1, 1]
    assert state.result().reason == "repetition"


def quiet_pair(state):
    """Return two moves that both players can make and undo, or `None`."""
    for there in state.legal_actions():
        if there < 32 or state.piece((there - 32) % 32) != EMPTY:
            continue
        middle = state.apply(there)
        if middle.actor < 0:
            continue
        for back in middle.legal_actions():
            if back < 32 or middle.piece((back - 32) % 32) != EMPTY:
                continue
            way = (there, back, undone(there), undone(back))
            after = state
            try:
                for action in way:
                    after = after.play(action)
            except parlour.IllegalAction:
                continue
            return way
    return None


def undone(action):
    source, target = divmod(action - 32, 32)
    return 32 + 32 * target + source
