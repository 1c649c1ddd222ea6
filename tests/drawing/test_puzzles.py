"""Puzzles: found in records, stored as text, solved at a terminal."""

import io

import pytest
from kuhn import Kuhn
from parlour_here import run_here

import parlour
from parlour.agents import Analysis, Choice
from parlour.drawing.puzzles import Puzzle, find_puzzles, from_text, own_puzzles, to_text
from parlour.terminal.puzzles import PuzzleSession

GAME = parlour.game("octa", size=2)
START = GAME.start(5)


def record_of(game=GAME, seed=5, cut=None):
    state, actions, rng = game.start(seed), [], parlour.Rng(1)
    while state.result() is None:
        actions.append(state.sample(rng))
        state = state.apply(actions[-1])
    return parlour.Record(game, seed, actions[:cut])


def judged(*values):
    """Return an agent's analysis that gives the legal actions these values, best first."""

    def analyse(state):
        legal = state.legal_actions()
        return Analysis(
            tuple(
                Choice(int(action), "", value, 0, 1, ())
                for action, value in zip(legal, values, strict=False)
            ),
            1,
            0.0,
        )

    return analyse


def found(look, search, records=None):
    records = [record_of()] if records is None else records
    return [each for each in find_puzzles(records, look, search) if each is not None]


class TestFinding:
    def test_one_clearly_best_action_makes_a_puzzle(self):
        clear = judged(0.8, 0.1, 0.0)
        puzzles = found(clear, clear)
        first = next(state for state in record_of().states if len(state.legal_actions()) >= 3)
        assert puzzles[0] == Puzzle(first, first.legal_actions()[0], 0.8, 0.1)

    @pytest.mark.parametrize(
        ("look", "search"),
        [
            (judged(0.8, 0.7, 0.0), judged(0.8, 0.1, 0.0)),  # no candidate
            (judged(0.8, 0.1, 0.0), judged(0.8, 0.7, 0.0)),  # the deep search finds another one
            (judged(0.8, 0.1, 0.0), judged(-0.5, -1.0, -1.0)),  # everything loses
            (judged(0.8), judged(0.8)),  # nothing to compare it with
        ],
    )
    def test_other_positions_do_not(self, look, search):
        assert found(look, search) == []

    def test_a_position_that_occurs_twice_makes_one_puzzle(self):
        clear, record = judged(0.8, 0.1, 0.0), record_of()
        assert len(found(clear, clear, [record, record])) == len(found(clear, clear, [record]))


class TestFiles:
    def test_text_keeps_the_puzzles(self):
        clear = judged(0.8, 0.1, 0.0)
        puzzles = found(clear, clear)
        assert from_text(to_text("octa", puzzles)) == puzzles

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            (lambda text: "nonsense", "must begin with"),
            (lambda text: text.replace("worth 0.80", "worth 0.90"), "check of the lines"),
            (lambda text: checked(text.replace("best", "worst")), "needs the lines"),
            (lambda text: checked(text.replace("game octa", "octa")), "line 2"),
            (lambda text: checked(text.replace("turn 0", "turn x")), "turn"),
            (lambda text: checked(text.replace("worth 0.80 0.10", "worth x")), "needs the lines"),
        ],
    )
    def test_a_damaged_file_is_refused_with_the_reason(self, change, reason):
        text = to_text("octa", [Puzzle(START, int(START.legal_actions()[0]), 0.8, 0.1)])
        with pytest.raises(parlour.ParlourError, match=reason):
            from_text(change(text))

    @pytest.mark.parametrize("name", ["octa", "banqi"])
    def test_the_games_come_with_puzzles_of_clearly_best_actions(self, name):
        puzzles = own_puzzles(name)
        assert len(puzzles) >= 8
        for puzzle in puzzles:
            assert puzzle.best in list(puzzle.state.legal_actions())
            assert puzzle.worth - puzzle.next_worth >= 0.4


def checked(text):
    """Return a text of puzzles with the right check."""
    import zlib

    body = text.rstrip("\n").rpartition("\n")[0]
    return f"{body}\ncheck {zlib.crc32(body.encode()):08x}\n"


class TestTerminal:
    def session(self, *lines):
        legal = [int(action) for action in START.legal_actions()]
        puzzles = [Puzzle(START, legal[0], 0.8, 0.1)] * 2
        texts = {"right": GAME.action_to_text(START, legal[0])}
        texts["wrong"] = GAME.action_to_text(START, legal[1])
        typed = "\n".join(texts.get(line, line) for line in lines) + "\n"
        out = io.StringIO()
        session = PuzzleSession(puzzles, io.StringIO(typed), out)
        assert session.run() == 0
        return session, out.getvalue()

    def test_solving_at_once_makes_a_streak(self):
        session, out = self.session("right", "right")
        assert (session.streak, session.solved) == (2, 2)
        assert "Right" in out
        assert "2 puzzles solved, streak 2." in out

    def test_a_wrong_action_ends_the_streak_and_can_be_corrected(self):
        session, out = self.session("right", "wrong", "right")
        assert (session.streak, session.solved) == (0, 2)
        assert "Try again" in out

    def test_an_action_against_the_rules_is_explained_and_costs_nothing(self):
        session, out = self.session("0,0", "", "right", "quit")
        assert START.refusal("0,0") in out
        assert session.streak == 1

    def test_the_solution_is_shown_and_the_next_puzzle_follows(self):
        session, out = self.session("solution", "next")
        assert "The best action is" in out
        assert session.solved == 0


class TestCommand:
    @pytest.fixture
    def record(self, tmp_path):
        path = tmp_path / "game.parlour"
        path.write_text(record_of().to_text())
        return path

    def test_puzzles_are_made_from_records_and_solved(self, record, tmp_path):
        out = tmp_path / "own.txt"
        made = run_here(
            *("puzzles", "octa", str(record), "--out", str(out)),
            *("--agent", "search:depth=4", "--gap", "0.1", "--most", "2"),
        )
        assert made.returncode == 0, made.stderr
        count = len(from_text(out.read_text()))
        assert f"Wrote {count} puzzle" in made.stdout
        solved = run_here("puzzles", "octa", "--file", str(out), text="solution\nquit\n")
        assert "The best action is" in solved.stdout

    def test_the_puzzles_of_a_game_need_no_file(self):
        assert "Puzzle 1 of" in run_here("puzzles", "octa", text="quit\n").stdout

    @pytest.mark.parametrize(
        ("arguments", "reason"),
        [
            (["cat_mouse"], "has no puzzles"),
            (["nothing"], "there is no game"),
            (["octa", "--file", "nowhere"], "cannot be read"),
            (["octa", "--out", "x"], "needs the records"),
            (["octa", "{record}"], "--out FILE"),
            (["banqi", "{record}", "--out", "x"], "is of octa"),
        ],
    )
    def test_mistakes_are_explained(self, record, arguments, reason):
        done = run_here("puzzles", *(each.format(record=record) for each in arguments))
        assert done.returncode == 2
        assert reason in done.stderr

    def test_unfinished_games_and_games_with_secrets_make_no_puzzles(self, tmp_path):
        parlour.register("kuhn", Kuhn)
        from parlour.drawing.puzzles import check_records

        with pytest.raises(parlour.ParlourError, match="finished games"):
            check_records("octa", [record_of(cut=3)])
        with pytest.raises(parlour.ParlourError, match="hidden information"):
            check_records("kuhn", [record_of(Kuhn())])
