"""Choosing actions by cells and by pieces."""

from dice import Dice
from scouts import Scouts
from tiles import Tiles

import parlour
from parlour.drawing.picker import Picker, anchor
from parlour.shapes import mirrored, normalise, turned


def picker(state):
    def why_not(cells, group):
        action = state.game.action_at(state, cells, group)
        return (None if action is None else state.refusal(action)) or ""

    return Picker(state.scene(), why_not)


def scouts(text):
    return picker(Scouts().state_from_text(text))


class TestCells:
    def test_one_cell_is_an_action(self):
        chosen = scouts("turn 0 flipping -1 down 33\n???/???").touch(4)
        assert chosen.action == 4

    def test_two_cells_are_from_and_to(self):
        pick = scouts("turn 2 flipping -1 down 12\nA.?/.??")
        assert pick.targets() == {0, 2, 4, 5}
        assert pick.touch(0) == (None, "")
        assert pick.touched == (0,)
        assert pick.targets() == {1, 3}
        chosen = pick.touch(3)
        assert chosen.action == 6 + 3
        assert pick.touched == ()

    def test_another_start_may_be_chosen_instead(self):
        pick = scouts("turn 2 flipping -1 down 02\nA.A/.??")
        pick.touch(0)
        pick.touch(2)
        assert pick.touched == (2,)

    def test_a_refusal_is_in_the_games_words(self):
        pick = scouts("turn 2 flipping -1 down 11\nA.?/.B?")
        assert pick.touch(1).refusal == "there is nothing to turn over"
        pick.touch(0)
        assert pick.touch(4).refusal == "a token moves to a neighbouring cell"
        assert pick.touched == ()

    def test_octas_refusal_too(self):
        state = parlour.game("octa").start(1)
        assert "that cell is neutral" in picker(state).touch(40).refusal

    def test_without_a_rule_the_refusal_names_the_cell(self):
        state = parlour.game("cat_mouse").start(7)
        wall = list(state.layout.walls).index(1)
        assert picker(state).touch(wall).refusal == "obstacle: there is nothing to choose here now"

    def test_a_step_onto_an_obstacle_beside_the_cat_has_the_rules_own_reason(self):
        state = parlour.game("cat_mouse").start(7)
        near = {state.cat - 25: "up", state.cat + 25: "down", state.cat - 1: "left"}
        blocked = [cell for cell in near if state.layout.walls[cell]]
        for cell in blocked:
            assert picker(state).touch(cell).refusal == state.refusal(near[cell])

    def test_actions_without_cells_are_chosen_by_name(self):
        assert [view.text for view in picker(Dice().start()).by_name] == ["walk", "roll"]


class TestPieces:
    def test_pieces_are_picked_by_name_letter_and_turn(self):
        pick = picker(Tiles().start())
        assert pick.groups == ["I1", "I2", "V3"]
        assert pick.pick("V3")
        assert not pick.pick("X9")
        assert pick.group == "V3"
        pick.pick_letter("i")
        assert pick.group == "I1"
        pick.pick_letter("i")
        assert pick.group == "I2"
        pick.pick_letter("i")
        assert pick.group == "I1"
        assert not pick.pick_letter("z")
        pick.pick_next(1)
        assert pick.group == "I2"
        pick.pick_next(-1)
        assert pick.group == "I1"

    def test_the_ghost_fits_iff_an_action_covers_its_cells(self):
        pick = picker(Tiles().state_from_text("I1+V3/I1+I2+V3 player 1\n0.../..../..../...."))
        pick.pick("V3")
        legal = {frozenset(view.cells): view.action for view in pick.scene.actions}
        fitting = 0
        for _ in range(4):
            pick.turn()
            for cursor in range(16):
                ghost = pick.ghost(cursor)
                assert ghost.action == legal.get(frozenset(ghost.cells)) or len(ghost.cells) < 3
                assert (ghost.action is None) == bool(ghost.reason)
                fitting += ghost.action is not None
        assert fitting == sum(view.group == "V3" for view in pick.scene.actions)

    def test_why_not(self):
        pick = picker(Tiles().state_from_text("I1+V3/I1+I2+V3 player 1\n0.../..../..../...."))
        pick.pick("I1")
        assert pick.ghost(0).reason == "a piece lies there already"
        pick.pick("V3")
        assert {pick.ghost(cell).reason for cell in (0, 3, 12, 15)} >= {
            "it sticks out of the board"
        }

    def test_stepping_visits_every_place_of_the_orientation(self):
        pick = picker(Tiles().start())
        pick.pick("I2")
        cursor, seen = 0, []
        for _ in pick.places():
            cursor = pick.step(cursor, 1)
            assert pick.ghost(cursor).action is not None
            seen.append(cursor)
        assert sorted(seen) == pick.places()
        assert pick.step(pick.places()[0], -1) == pick.places()[-1]

    def test_stepping_turns_a_piece_that_fits_another_way_only(self):
        pick = picker(Tiles(side=2).state_from_text("I2/I1 player 1\n0./0."))
        pick.pick("I2")
        while pick.places():
            pick.turn()
        assert pick.ghost(pick.step(0, 1)).action is not None

    def test_shapes(self):
        ell = normalise([(5, 5), (6, 5), (7, 5), (7, 6)])
        assert ell == ((0, 0), (1, 0), (2, 0), (2, 1))
        assert turned(turned(turned(turned(ell)))) == ell
        assert mirrored(mirrored(ell)) == ell
        assert turned(((0, 0), (1, 0))) == ((0, 0), (0, 1))
        assert anchor(((0, 0), (0, 1), (0, 2))) == (0, 1)
