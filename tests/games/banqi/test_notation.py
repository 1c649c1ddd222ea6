"""Texts of actions and positions: writing, reading and errors."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import parlour
from parlour.games.banqi import BanqiGame, BanqiState
from parlour.games.banqi.setup import BanqiSetup, square_name

Draw = Callable[..., BanqiState]

START = """\
turn: first flip
quiet: 0
face-down: KGGMMRRHHCCPPPPPkggmmrrhhccppppp
? ? ? ? ? ? ? ?
? ? ? ? ? ? ? ?
? ? ? ? ? ? ? ?
? ? ? ? ? ? ? ?"""

OPEN = """\
turn: red, seat 1
quiet: 3
face-down: Kp
R . ? . . . . k
. . . . . . . .
. . . . . . . .
. . . . . . ? ."""


def edited(text: str, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(
    ("square", "name"), [(0, "a1"), (7, "h1"), (8, "a2"), (10, "c2"), (24, "a4"), (31, "h4")]
)
def test_squares_are_column_letter_and_row_number_from_the_top(square: int, name: str) -> None:
    assert square_name(square) == name
    state = BanqiGame().start()
    assert state.game.action_to_text(state, square) == name
    assert state.game.action_from_text(state, name) == square


def test_moves_are_written_with_a_dash_and_captures_with_an_x(draw_state: Draw) -> None:
    state = draw_state("Rp......", ".......k")
    texts = [state.game.action_to_text(state, action) for action in state.legal_actions()]
    assert texts == ["a1xb1", "a1-a2"]


def test_a_record_joins_a_flip_and_the_revealed_piece() -> None:
    game = BanqiGame()
    record = parlour.Record(game, 0, [10, 0, 11, 13])
    assert "1. c2=K\n2. d2=p\n" in record.to_text()
    assert parlour.Record.from_text(record.to_text()) == record


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "is not a move; write c2 to flip, c2-c3 to move, c2xc3 to capture"),
        ("i1", "is not a move"),
        ("a5", "is not a move"),
        ("A1", "is not a move"),
        ("a1b1", "is not a move"),
        ("a1 - b1", "is not a move"),
        ("=K", "is not a move"),
        ("a1-b1", "that square is not empty; to capture, write a1xb1"),
        ("a1xa2", "that square is empty; to move there, write a1-a2"),
    ],
)
def test_invalid_action_text_is_refused(text: str, complaint: str, draw_state: Draw) -> None:
    state = draw_state("Rp......", ".......k")
    with pytest.raises(parlour.ActionTextError, match=complaint):
        state.game.action_from_text(state, text)


@pytest.mark.parametrize("text", ["a1-b1", "a1xb1"])
def test_a_move_of_a_face_down_piece_is_refused_by_the_rule_not_by_its_spelling(text: str) -> None:
    state = BanqiGame().start()
    action = state.game.action_from_text(state, text)
    assert "face-down" in (state.refusal(action) or "")


@pytest.mark.parametrize("text", ["", "a1", "=", "=X", "K", "==K", "=KK"])
def test_at_chance_only_pieces_are_accepted(text: str) -> None:
    state = BanqiGame().start().apply(0)
    with pytest.raises(parlour.ActionTextError, match="one of KGMRHCPkgmrhcp"):
        state.game.action_from_text(state, text)


def test_illegal_actions_also_have_a_text_and_an_id(draw_state: Draw) -> None:
    state = draw_state("R......k")
    action = state.game.action_from_text(state, "a1xh1")
    assert state.game.action_to_text(state, action) == "a1xh1"
    assert state.refusal(action) == "pieces move one square up, down, left or right"


def test_the_start_in_text() -> None:
    assert BanqiGame().state_to_text(BanqiGame().start()) == START


def test_the_text_of_a_flip_in_progress() -> None:
    game = BanqiGame()
    text = game.state_to_text(game.start().apply(10))
    assert text == START.replace("quiet: 0", "quiet: 0\nflipping: c2")
    assert game.state_from_text(text).actor == parlour.CHANCE


def test_positions_round_trip() -> None:
    game = BanqiGame()
    state = game.state_from_text(OPEN)
    assert game.state_to_text(state) == OPEN
    assert (state.actor, state.turn, state.seat_0, state.quiet) == (1, 0, 1, 3)


def test_spaces_are_optional_and_pieces_may_be_in_any_order() -> None:
    game = BanqiGame()
    text = edited(OPEN, ("Kp", "p K"), ("R . ? . . . . k", "R.?....k"))
    assert game.state_from_text(f"\n  {text}\n\n") == game.state_from_text(OPEN)


def test_the_header_lines_may_be_in_any_order() -> None:
    head, *rest = OPEN.splitlines()
    text = "\n".join([rest[0], rest[1], head, *rest[2:]])
    assert BanqiGame().state_from_text(text) == BanqiGame().state_from_text(OPEN)


def test_with_repetition_the_quiet_moves_are_part_of_the_text(draw_state: Draw) -> None:
    state = draw_state("R......k", rules="olympiad")
    game = state.game
    for text in ("a1-b1", "h1-g1"):
        state = state.play(game.action_from_text(state, text))
    written = game.state_to_text(state)
    assert "quiet: 2\nmoves: a1-b1 h1-g1\n" in written
    again = game.state_from_text(written)
    assert again == state
    assert isinstance(again, BanqiState)
    assert again.quiet_actions() == state.quiet_actions()


def test_with_repetition_the_history_is_part_of_the_state(draw_state: Draw) -> None:
    state = draw_state("R......k", rules="olympiad")
    one, two = state, state
    for a, b in (("a1-b1", "a1-a2"), ("h1-g1", "h1-h2"), ("b1-a1", "a2-a1"), ("g1-h1", "h2-h1")):
        one = one.play(one.game.action_from_text(one, a))
        two = two.play(two.game.action_from_text(two, b))
    assert one.squares() == two.squares()
    assert one != two


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ([("turn: red, seat 1", "turn: green")], "line 1 must read like 'turn: red, seat 0'"),
        ([("turn: red, seat 1", "turn: red")], "line 1 must read like"),
        ([("turn: red, seat 1", "turn: red, seat 2")], "line 1 must read like"),
        ([("turn: red, seat 1\n", "")], "a line like 'turn: red, seat 0'.* is missing"),
        ([("quiet: 3\n", "")], "a line like 'quiet: 0' is missing"),
        ([("quiet: 3", "quiet: x")], "line 2 must read like 'quiet: 0', not 'x'"),
        ([("quiet: 3", "quiet: 3\nquiet: 3")], "line 3: 'quiet' occurs twice"),
        ([("quiet: 3", "score: 3")], "line 2: 'score' is not one of turn, quiet"),
        ([("face-down: Kp", "face-down: KX")], "line 3 must read like 'face-down: KPPgp'"),
        ([("face-down: Kp\n", "")], "a line like 'face-down: KPPgp'.* is missing"),
        ([("R . ?", "R . ? .")], "line 4 must have 8 squares, not 9"),
        ([("R . ?", "R Q ?")], "line 4: 'Q' is not a piece; use K G M"),
        ([("\n. . . . . . ? .", "")], "the board must have 4 lines, not 3"),
        ([("quiet: 3", "quiet: 3\nflipping: z9")], "must read like 'flipping: c2'"),
        ([("quiet: 3", "quiet: 3\nmoves: a1xb1")], "must read like 'moves: a1-a2 h4-h3'"),
    ],
)
def test_malformed_position_text_is_refused(changes: list[tuple[str, str]], complaint: str) -> None:
    with pytest.raises(parlour.StateTextError, match=complaint):
        BanqiGame().state_from_text(edited(OPEN, *changes))


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ([("R .", "K .")], "there are 2 red Kings; a set has 1"),
        ([("Kp", "kp")], "there are 2 black Kings; a set has 1"),
        ([("face-down: Kp", "face-down: K")], "2 squares are face-down, but 1 face-down piece"),
        ([("face-down: Kp", "face-down: -")], "2 squares are face-down, but 0"),
        ([("quiet: 3", "quiet: 61")], "the quiet turns must be 0 to 60, not 61"),
        ([("turn: red, seat 1", "turn: first flip")], "a piece is face-up"),
        ([("R .", ". ."), (". k", ". .")], "no piece is face-up, so no seat can have a colour"),
        ([("quiet: 3", "quiet: 0\nflipping: a1")], "only a face-down piece can be flipped"),
        ([("quiet: 3", "quiet: 3\nflipping: c1")], "quiet must be 0 during a flip"),
        (
            [("quiet: 3", "quiet: 3\nmoves: a1-b1")],
            "only games with the repetition rule list moves",
        ),
        ([("quiet: 3", "quiet: 3\nover: draw by quiet-limit")], "the game is not over here"),
        ([("quiet: 3", "quiet: 60")], "add the line 'over: draw by quiet-limit'"),
    ],
)
def test_impossible_positions_are_refused(changes: list[tuple[str, str]], complaint: str) -> None:
    with pytest.raises(parlour.InvalidState, match=complaint):
        BanqiGame().state_from_text(edited(OPEN, *changes))


LOST = """\
turn: red, seat 0
quiet: 0
over: red wins by capture-all
face-down: P
R . ? . . . . .
. . . . . . . .
. . . . . . . .
. . . . . . . ."""


def test_the_text_of_a_game_lost_by_capture_says_so() -> None:
    game = BanqiGame()
    assert game.state_from_text(LOST).result() == parlour.Result((1.0, -1.0), None, "capture-all")
    with pytest.raises(parlour.InvalidState, match="add the line 'over: red wins by capture-all'"):
        game.state_from_text(LOST.replace("over: red wins by capture-all\n", ""))


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ([("turn: red", "turn: black")], "black has no pieces; .* the turn must stay with red"),
        ([("quiet: 0", "quiet: 1")], "black has no pieces, so the last turn must be a capture"),
        ([("quiet: 0", "quiet: 0\nflipping: c1")], "the last turn must be a capture"),
        ([("red wins by capture-all", "black wins by stalemate")], "'over: red wins by capture"),
    ],
)
def test_a_colour_without_pieces_must_have_lost_by_capture(
    changes: list[tuple[str, str]], complaint: str
) -> None:
    with pytest.raises(parlour.InvalidState, match=complaint):
        BanqiGame().state_from_text(edited(LOST, *changes))


def test_an_empty_board_is_refused() -> None:
    empty = "\n".join(["turn: first flip", "quiet: 0", "face-down: -", *["." * 8] * 4])
    with pytest.raises(parlour.InvalidState, match="red has no piece"):
        BanqiGame().state_from_text(empty)


def test_the_text_of_a_stalemate_says_so(draw_state: Draw) -> None:
    with pytest.raises(parlour.InvalidState, match="'over: red wins by stalemate'"):
        draw_state("pR......", "H.......", turn="black", seat=1)
    state = draw_state(
        "pR......", "H.......", turn="black", seat=1, more=("over: red wins by stalemate",)
    )
    assert state.actor == parlour.OVER


@pytest.mark.parametrize(
    ("quiet", "moves", "complaint"),
    [
        (2, "a1-b1", "with repetition all 2 quiet moves must be listed, not 1"),
        (1, "-", "must read like"),
        (1, "b1-a1", "the quiet move b1-a1 is not legal: that piece belongs to your opponent"),
        (2, "b1-a1 a1-h1", "the quiet moves do not lead to this board"),
        (2, "f1-a1 g1-h1", "is not legal: pieces move one square up, down, left or right"),
    ],
)
def test_quiet_moves_must_lead_to_the_board(
    quiet: int, moves: str, complaint: str, draw_state: Draw
) -> None:
    with pytest.raises((parlour.InvalidState, parlour.StateTextError), match=complaint):
        draw_state("R......k", rules="olympiad", quiet=quiet, more=(f"moves: {moves}",))


def test_quiet_moves_after_a_draw_are_refused(draw_state: Draw) -> None:
    state = draw_state("R......k", rules="olympiad")
    game = state.game
    for text in ("a1-b1", "h1-g1", "b1-a1", "g1-h1") * 2:
        state = state.play(game.action_from_text(state, text))
    text = game.state_to_text(state)
    assert "over: draw by repetition" in text
    longer = edited(
        text,
        ("quiet: 8", "quiet: 9"),
        ("\nover: draw by repetition", " a1-b1"),
        ("turn: red, seat 0", "turn: black, seat 1"),
        ("R . . .", ". R . ."),
    ).replace(". R . . . . . . k", ". R . . . . . k")
    with pytest.raises(parlour.InvalidState, match="a1-b1 is not legal: the game is over"):
        game.state_from_text(longer)


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"squares": (-1,) * 31}, "the board must have 32 squares"),
        ({"squares": (99,) + (-1,) * 31}, "a1: 99 is not a piece"),
        ({"hidden": (0,) * 13}, "hidden must have 14 counts"),
        ({"hidden": (-1, *(0,) * 13)}, "negative"),
        ({"turn": 2}, "2 is not a colour"),
        ({"seat_0": -1}, "seat 0 must have a colour after the first flip"),
        ({"quiet": -1}, "the quiet turns must be 0 to 60, not -1"),
        ({"flipping": 40}, "only a face-down piece can be flipped"),
    ],
)
def test_a_setup_made_by_a_program_is_checked_too(
    fields: dict[str, object], complaint: str
) -> None:
    setup = BanqiSetup((3, 10) + (-1,) * 30, (0,) * 14, turn=0, seat_0=0)
    setup.build(BanqiGame())
    with pytest.raises(parlour.InvalidState, match=complaint):
        setup._replace(**fields).build(BanqiGame())


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(["house", "taiwan", "olympiad"]), st.integers(0, 2**32), st.data())
def test_every_state_of_a_game_round_trips(rules: str, seed: int, data: st.DataObject) -> None:
    game = BanqiGame(rules=rules)
    rng = parlour.Rng(seed)
    state: parlour.State = game.start()
    for _ in range(data.draw(st.integers(0, 200))):
        if state.actor == parlour.OVER:
            break
        state = state.apply(state.sample(rng))
    text = game.state_to_text(state)
    again = game.state_from_text(text)
    assert again == state
    assert again.result() == state.result()
    assert list(again.legal_actions()) == list(state.legal_actions())
    assert game.state_to_text(again) == text


@settings(max_examples=300)
@given(st.text(alphabet="turn: redblackseat01quiet\nface-down:KGP?. kp-", max_size=120))
def test_any_malformed_text_raises_a_library_error(text: str) -> None:
    with pytest.raises((parlour.StateTextError, parlour.InvalidState), match=r"."):
        BanqiGame().state_from_text(text)
