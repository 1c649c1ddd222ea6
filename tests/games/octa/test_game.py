"""The playable game of Octa: its start, options, texts and scenes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import parlour
from parlour import ActionTextError, InvalidState, OptionError, StateTextError
from parlour.games.octa.notation import cell_at, coordinate_of

GAME = parlour.game("octa")


def test_the_defaults_are_size_4_and_majority_after_80_turns():
    assert dict(GAME.options) == {
        "size": 4,
        "win_condition": "turn-limit-majority",
        "turn_limit": 80,
        "stop_on_enemy": False,
    }
    assert (GAME.seats, GAME.num_actions, GAME.max_plies) == (2, 81, 80)
    assert not GAME.has_chance


@pytest.mark.parametrize("size", range(1, 21))
def test_the_turn_limit_is_one_less_than_the_cells(size):
    assert parlour.game("octa", size=size).options["turn_limit"] == (2 * size + 1) ** 2 - 1


@pytest.mark.parametrize("size", [1, 4])
def test_elimination_has_a_cap_of_ten_plies_per_cell_decided_by_majority(size):
    game = parlour.game("octa", size=size, win_condition="elimination")
    assert game.max_plies == 10 * (2 * size + 1) ** 2
    text = "\n".join(" ".join(["1↑"] * (2 * size) + ["2↑"]) for _ in range(2 * size + 1))
    state = game.state_from_text(f"turn {game.max_plies}, player 1 to move\n{text}")
    assert state.result().reason == "majority"


@pytest.mark.parametrize("size", range(1, 8))
def test_the_players_start_half_way_to_the_corners(size):
    state = parlour.game("octa", size=size).start(5)
    h = (size + 1) // 2
    owned = {coordinate_of(size, cell): state.cell(cell)[0] for cell in range((2 * size + 1) ** 2)}
    assert {where: owner for where, owner in owned.items() if owner} == {
        (h, h): 1,
        (-h, -h): 1,
        (h, -h): 2,
        (-h, h): 2,
    }
    assert state.actor == 0
    assert state.turns == 0


@given(st.integers(1, 8), st.integers())
def test_a_quarter_turn_gives_the_same_arrows_and_swaps_the_players(size, seed):
    state = parlour.game("octa", size=size).start(seed)
    for y in range(-size, size + 1):
        for x in range(-size, size + 1):
            owner, arrow = state.cell(cell_at(size, x, y))
            turned_owner, turned_arrow = state.cell(cell_at(size, y, -x))
            assert turned_owner == (3 - owner if owner else 0)
            if (x, y) != (0, 0):
                assert turned_arrow == (arrow + 2) % 8


def test_the_arrow_in_the_centre_is_random():
    assert {GAME.start(seed).cell(40)[1] for seed in range(100)} == set(range(8))


def test_every_arrow_occurs_in_every_orbit():
    assert {GAME.start(seed).cell(0)[1] for seed in range(100)} == set(range(8))


def test_equal_seeds_give_equal_starts_and_other_seeds_others():
    assert GAME.start(1) == GAME.start(1)
    assert GAME.start(1) != GAME.start(2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 0}, "size must be an int from 1 to 20, not 0"),
        ({"size": 21}, "size must be an int from 1 to 20, not 21"),
        ({"size": "4"}, "size must be an int from 1 to 20, not '4'"),
        ({"turn_limit": 0}, "turn_limit must be an int from 1 to 100000, or auto, not 0"),
        ({"win_condition": "x"}, "win_condition must be one of turn-limit-majority, elimination"),
        ({"stop_on_enemy": 1}, "stop_on_enemy must be true or false, not 1"),
        ({"Size": 4}, "octa has no option 'Size'"),
    ],
)
def test_a_wrong_option_is_refused(options, message):
    with pytest.raises(OptionError) as caught:
        parlour.game("octa", **options)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "cell"), [("0,0", 40), ("-4,4", 0), (" 4 , -4 ", 80), ("+1,0", 41)]
)
def test_an_action_s_text_is_x_y(text, cell):
    assert GAME.action_from_text(GAME.start(), text) == cell


@pytest.mark.parametrize("text", ["", "0", "0,", "0;0", "a,b", "0,0,0", "1.0,2", "٣,٣", "0,0x"])
def test_invalid_coordinate_text_is_refused_with_an_example(text):
    with pytest.raises(ActionTextError, match="is not a cell: write x,y, such as 0,-1"):
        GAME.action_from_text(GAME.start(), text)


def test_a_coordinate_off_the_board_is_refused_with_the_range():
    with pytest.raises(ActionTextError, match="5,0 is off the board: x and y go from -4 to 4"):
        GAME.action_from_text(GAME.start(), "5,0")


SMALL = parlour.game("octa", size=1)
GOOD = "turn 3, player 2 to move\n1↑ .↗ 2→\n.↘ #↓ .↙\n2← .↖ 1↑"


def test_position_texts_round_trip_exactly():
    assert SMALL.state_to_text(SMALL.state_from_text(GOOD)) == GOOD


def test_compass_points_are_accepted_as_arrows():
    text = "turn 3, player 2 to move\n1N .NE 2E\n.SE #S .SW\n2W .NW 1N"
    assert SMALL.state_from_text(text) == SMALL.state_from_text(GOOD)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1 must read like 'turn 0, player 1 to move', not ''"),
        (GOOD.replace("player 2", "player 3"), "line 1 must read like"),
        (GOOD.rsplit("\n", 1)[0], "a board of size 1 has 3 lines, not 2"),
        (GOOD + "\n.↑", "a board of size 1 has 3 lines, not 4"),
        (GOOD.replace("1↑ .↗ 2→", "1↑ .↗"), "line 2 must have 3 cells, not 2"),
        (GOOD.replace("#↓", "3↓"), "line 3: '3↓' is not a cell"),
        (GOOD.replace("#↓", "#"), "line 3: '#' is not a cell"),
        (GOOD.replace("#↓", "1NNE"), "line 3: '1NNE' is not a cell"),
    ],
)
def test_malformed_position_text_is_refused_with_its_line(text, message):
    with pytest.raises(StateTextError) as caught:
        SMALL.state_from_text(text)
    assert message in str(caught.value)


def test_an_impossible_position_is_an_invalid_state():
    with pytest.raises(InvalidState, match="turns must be 0 to 8, not 9"):
        SMALL.state_from_text(GOOD.replace("turn 3", "turn 9"))


def test_a_scene_shows_owner_and_arrow_as_glyphs_and_labels():
    scene = SMALL.state_from_text(GOOD).scene(1)
    assert [cell.glyph for cell in scene.cells[:5]] == ["1↑", ".↗", "2→", ".↘", "##"]
    assert [cell.label for cell in scene.cells[:5]] == [
        "player 1, arrow north",
        "neutral, arrow north-east",
        "player 2, arrow east",
        "neutral, arrow south-east",
        "blocked",
    ]
    assert [cell.owner for cell in scene.cells[:5]] == [0, -1, 1, -1, -1]
    assert scene.board.row_names == ("1", "0", "-1")
    assert scene.board.col_names == ("-1", "0", "1")
    assert scene.status == "Turn 4 of 8: player 2 to move."
    assert [seat.score for seat in scene.seats] == ["2 cells", "2 cells"]
    assert [view.text for view in scene.actions] == ["1,1", "-1,-1"]


def test_the_status_gives_the_reason_for_the_end():
    ended = SMALL.state_from_text(GOOD.replace("turn 3", "turn 8"))
    assert ended.scene().status == "The game is a tie: both players own the same number of cells."
    won = SMALL.state_from_text(GOOD.replace("2", ".").replace("player .", "player 2"))
    assert won.scene().status == "Player 1 wins: the opponent has no cells left."
    more = SMALL.state_from_text(GOOD.replace("turn 3", "turn 8").replace(".↗", "2↗"))
    assert more.scene().status == "Player 2 wins: more cells at the turn limit."


def test_frames_show_the_chain_cell_by_cell():
    game = parlour.game("octa")
    for seed in range(5):
        state, rng = game.start(seed), parlour.Rng(seed)
        while state.actor != parlour.OVER:
            action = state.sample(rng)
            after = state.apply(action)
            changed = [cell for cell in range(81) if state.cell(cell) != after.cell(cell)]
            chain = state.chain(action)
            frames = game.frames(state, action)
            assert chain[0] == action
            assert sorted(chain) == changed
            assert len(frames) == len(chain) + 1
            scene = state.scene()
            for cell, frame in zip(chain, frames, strict=False):
                differing = [i for i in range(81) if frame.cells[i] != scene.cells[i]]
                assert differing == [cell]
                scene = frame
            assert frames[-1] == after.scene()
            assert frames[-2].cells == after.scene().cells
            state = after
