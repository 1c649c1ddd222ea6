"""The replay of a record, without a display."""

import pytest
from climb import Climb
from dice import Dice
from goofspiel import Goofspiel
from kuhn import Kuhn
from nim import Nim
from scouts import Scouts
from tiles import Tiles

import parlour
from parlour import CHANCE, OVER, Record, Rng
from parlour.agents import Analysis, Choice
from parlour.table import ChanceSource, Table
from parlour.table.events import Resign
from parlour.terminal.pace import Pace
from parlour.terminal.replay import Replay, open_scene


def played(game, seed=1, most=1000):
    """Return a random game."""
    state, actions, rng = game.start(seed), [], Rng(seed)
    while state.actor != OVER and len(actions) < most:
        actions.append(int(state.sample(rng)))
        state = state.apply(actions[-1])
    return Record(game, seed, actions)


def nim(*actions, heap=20):
    return Replay(Record(Nim(heap=heap), 0, actions))


def think(replay, **values):
    """Set values for the actions of Nim, by the heap and their numbers."""

    def ask(state):
        told = values.get(f"heap{state.heap}", {0: 0.0})
        choices = [
            Choice(action, text := f"take{action + 1}", value, 0, 1, (text,))
            for action, value in told.items()
        ]
        return Analysis(tuple(sorted(choices, key=lambda choice: -choice.value)), 1, 0.0)

    list(replay.review.steps(ask))
    return replay


class TestMoving:
    def test_stepping_stops_at_the_ends(self):
        replay = nim(0, 1, 2)
        assert (replay.at, replay.last, replay.ply) == (0, 3, 0)
        replay.go(-1)
        assert replay.at == 0
        replay.go(1)
        assert replay.move.words == "take1"
        replay.go(10)
        assert replay.at == 3
        assert replay.scene.cells == replay.record.final.scene(None).cells

    def test_a_number_jumps_to_the_move_with_that_action(self):
        record = played(Scouts())
        replay = Replay(record)
        for number in range(len(record.actions) + 1):
            replay.jump(number)
            assert replay.ply >= number
            assert replay.at == 0 or replay.moves[replay.at - 1].ply < max(1, number)
        replay.jump(9999)
        assert replay.at == replay.last

    def test_digits_are_a_number_that_enter_jumps_to(self):
        replay = nim(*[0] * 15)
        replay.type_digit("1")
        replay.type_digit("2")
        assert "Go to move 12" in replay.message
        replay.enter()
        assert (replay.at, replay.typed) == (12, "")
        replay.enter()
        assert replay.at == 13

    def test_automatic_replay_follows_its_pace_and_stops_at_the_end(self):
        now = [0.0]
        replay = Replay(Record(Nim(heap=20), 0, [0, 1, 2]), Pace(2.0, True, lambda: now[0]))
        now[0] = 100.0
        assert not replay.tick()
        replay.toggle_play()
        assert not replay.tick()
        for place in (1, 2, 3):
            now[0] += 2.0
            assert replay.tick()
            assert not replay.tick()
            assert replay.at == place
        assert replay.pace.is_paused
        replay.toggle_play()
        assert (replay.at, replay.pace.is_paused) == (0, False)

    def test_stepping_by_hand_stops_the_automatic_replay(self):
        replay = nim(0, 1, 2)
        replay.toggle_play()
        replay.go(1)
        assert replay.pace.is_paused


class TestMoves:
    def test_a_move_has_the_outcomes_of_chance_that_followed_it(self):
        record = played(parlour.game("banqi"), most=40)
        replay = Replay(record)
        assert [move.seat for move in replay.moves if move.seat == CHANCE] == []
        assert replay.moves[0].words.startswith("flipped ")
        assert replay.moves[0].text.count("=") == 1
        assert sum(move.number - move.ply for move in replay.moves) == len(record.actions)

    def test_outcomes_without_words_are_appended_to_the_action(self):
        moves = Replay(played(Dice(), 3)).moves
        rolled = next(move for move in moves if move.number - move.ply == 2)
        assert rolled.words.partition(" =")[0] == "roll"
        assert "roll =" in rolled.sentence

    def test_agents_are_named_without_their_seeds(self):
        table = Table(Nim(heap=3), ("person", "level:3,seed=5"), seed=1)
        table.play("take1")
        assert Replay(table.record()).names == ("player 1", "player 2 (level:3)")

    def test_a_piece_is_drawn_in_its_orientation(self):
        replay = Replay(played(Tiles()))
        assert all(len(move.shape) == len(move.cells) for move in replay.moves if move.shape)
        assert any(move.shape for move in replay.moves)

    def test_a_record_without_actions_is_its_start(self):
        replay = Replay(Record(Nim(), 0))
        replay.go(1)
        assert (replay.at, replay.message) == (0, "The start.")


class TestVerdicts:
    def test_a_blunder_is_reported_and_the_better_choice_marked(self):
        game = parlour.game("octa", size=1)
        start = game.start(8)
        first, second = list(start.legal_actions())[:2]
        replay = Replay(Record(game, 8, [first]))

        def ask(state):
            choices = [
                Choice(second, game.action_to_text(state, second), 0.8, 0, 1, ("x",)),
                Choice(first, game.action_to_text(state, first), -0.2, 0, 1, ("x",)),
            ]
            return Analysis(tuple(choices), 1, 0.0)

        list(replay.review.steps(ask))
        replay.go(1)
        better = game.action_words(start, second, None)
        assert f"Lost much: {better} was worth +0.80." in replay.message
        assert replay.marks.hint == game.action_view(start, second).cells
        assert replay.marks.last == game.action_view(start, first).cells
        replay.shows_best = True
        assert replay.scene.cells == start.scene(None).cells
        assert replay.marks.last == ()
        replay.go(-1)
        assert not replay.shows_best

    def test_the_best_piece_is_shown_in_its_orientation(self):
        replay = Replay(played(Tiles(), 2))
        list(replay.review.steps(parlour.agent("greedy").analyse))
        replay.go(1)
        replay.shows_best = True
        best = replay.verdict.best
        assert best.shape
        assert replay.marks.ghost == best.cells
        assert replay.marks.ghost_fits

    def test_mistakes_are_found_in_order(self):
        replay = think(
            nim(0, 0, 0, 0),
            heap20={1: 0.5, 0: 0.0},
            heap18={1: 0.5, 0: 0.2},
        )
        assert replay.to_mark(1)
        assert replay.at == 1
        assert "Lost much" in replay.message
        assert replay.to_mark(1)
        assert replay.at == 3
        assert "Lost a little" in replay.message
        assert not replay.to_mark(1)
        assert replay.to_mark(-1)
        assert replay.at == 1
        assert not replay.to_mark(-1)

    def test_the_evaluation_is_given_in_words(self):
        replay = think(nim(0, 0), heap20={0: 0.5}, heap19={0: 0.7})
        assert replay.message == "The start. Player 1 is better (+0.50)."
        replay.go(1)
        assert replay.message == "1. player 1: take1. Player 2 is much better (+0.70)."

    def test_exact_texts_are_those_of_the_record(self):
        game = parlour.game("blokus", variant="duo")
        record = played(game, most=2)
        replay = Replay(record)
        replay.go(1)
        assert " at " in replay.message
        replay.is_exact = True
        assert game.action_to_text(record.states[0], record.actions[0]) in replay.message


class TestSeats:
    @pytest.mark.parametrize("game", [Nim(heap=9), Climb(), parlour.game("banqi")])
    def test_every_seat_has_a_different_colour(self, game):
        colours = Replay(played(game, most=60)).colours()
        assert len(set(colours)) == game.seats

    def test_the_colours_are_those_of_the_pieces(self):
        game = parlour.game("blokus")
        assert Replay(played(game)).colours() == ["blue", "yellow", "red", "green"]

    def test_a_value_is_for_seat_one_of_two_otherwise_for_the_mover(self):
        replay = think(nim(0, 0), heap20={0: 0.5}, heap19={0: 0.25})
        assert replay.value_after(replay.moves[0]) == -0.25
        many = Replay(played(Climb()))
        list(many.review.steps(parlour.agent("greedy").analyse))
        for move in many.moves[:-1]:
            own = many.review.advices[move.ply].choices[0].choice.value
            if many.record.states[move.number].actor != move.seat:
                assert many.value_after(move) == own


class TestSecrets:
    @pytest.mark.parametrize("game", [Kuhn(), Goofspiel()], ids=lambda game: game.name)
    def test_a_finished_record_shows_all(self, game):
        record = played(game)
        replay = Replay(record)
        assert replay.is_open
        for move in replay.moves:
            assert "a card" not in move.words
            assert "something" not in move.words

    def test_every_card_is_open_before_the_end_of_a_finished_game(self):
        record = played(Kuhn())
        state = record.states[2]
        assert [cell.glyph for cell in open_scene(state).cells] == list(state.cards)
        assert "?" in [cell.glyph for cell in state.scene(None).cells]

    @pytest.mark.parametrize("seed", range(4))
    def test_an_unfinished_record_shows_the_spectators_view(self, seed):
        record = played(Kuhn(), seed, most=3)
        replay = Replay(record)
        assert not replay.is_open
        replay.is_exact = True
        for place in range(replay.last + 1):
            replay.go_to(place)
            scene = record.states[replay.ply].scene(None)
            assert replay.scene.cells == scene.cells
            for card in record.states[2].cards:
                assert f"={card}" not in replay.message
        assert replay.moves[0].text == "a card a card"

    def test_a_resigned_game_is_open_and_ends_with_the_resignation(self):
        table = Table(Kuhn(), seed=1, chance=ChanceSource.from_seed(1))
        table.request(0, Resign())
        replay = Replay(table.record())
        replay.go_to(replay.last)
        assert replay.is_open
        assert replay.is_over
        assert replay.scene.status == "Player 1 resigned."
        assert replay.review.series(1)[-1] == 1.0


class TestFigures:
    def test_a_proven_win_is_counted_in_actions_and_graphed_by_distance(self):
        game = parlour.game("cat_mouse")
        replay = Replay(played(game, 7, most=10))
        list(replay.review.steps(parlour.agent("exact").analyse))
        first = replay.moves[0]
        assert replay.figure_after(first) == f"+#{replay.review.ends_in(1)}"
        graph = replay.graph(0)
        ends = [replay.review.ends_in(ply) for ply in range(10)]
        assert graph[ends.index(max(ends))] == -1.0
        nearest = ends.index(min(ends))
        assert graph[nearest] == max(graph[:10])
        marked = next(move for move in replay.moves if replay.review.verdict(move.ply).detour)
        replay.jump(marked.number)
        detour = replay.verdict.detour
        assert f"Lost {detour} step" in replay.message

    def test_with_two_seats_the_figure_is_the_positions_value(self):
        replay = think(nim(0, 0), heap20={0: 0.5}, heap19={0: 0.25})
        assert replay.figure_after(replay.moves[0]) == "-0.2"
        assert replay.figure_after(replay.moves[1]) == ""
        assert replay.graph(0) == replay.series(0)


class TestNumbers:
    def test_moves_are_numbered_without_chance(self):
        replay = Replay(played(parlour.game("banqi"), most=20))
        replay.go_to(3)
        assert replay.message.startswith("3. ")
        replay.type_digit("5")
        replay.enter()
        assert replay.at == 5

    def test_a_value_just_below_zero_has_no_minus(self):
        replay = think(nim(0, 1), heap20={0: -0.04}, heap19={1: 0.04})
        assert replay.figure_after(replay.moves[0]) == "+0.0"
