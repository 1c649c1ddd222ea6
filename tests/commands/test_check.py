"""`parlour check`: its report, exit status and speed."""

from itertools import count

import pytest
from nim import Nim

import parlour
from parlour.cli import main
from parlour.commands import check
from parlour.testing import check_game

BROKEN = '''
from nim import Nim, NimState


class MissingTurn(Nim):
    """A game whose text omits the player to move."""

    def state_to_text(self, state):
        return f"{state.heap} left, player 1 to move"
'''


BLIND = """
from nim import Nim
from parlour import Observer


class Blind(Nim):
    def observer(self):
        return Blindfold(self, ())


class Blindfold(Observer):
    def write(self, state, seat, out, at):
        pass
"""


def said(capsys, *arguments):
    status = main(["check", *arguments])
    return status, capsys.readouterr().out


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A current folder for the test's modules."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_a_game_that_keeps_its_promises_has_status_0_and_a_report(capsys):
    parlour.register("nim", Nim)
    status, text = said(capsys, "nim", "--heap", "7", "--no-speed")
    report = check_game(Nim(heap=7))
    assert status == 0
    lines = text.splitlines()
    assert lines[0] == "parlour.game('nim', heap=7) keeps every promise of the contract."
    games = report.games
    assert f"{games} games were played. They ended: {games} by 'took the last one'." in lines
    assert f"The longest had {report.longest} decisions; max_plies is 7." in lines
    assert f"{report.states} positions were checked in full." in text
    assert len(report.laws) >= 25
    for law, number in report.laws.items():
        assert f"{number:7,}  {law}" in lines


def test_every_law_is_printed_with_the_number_of_its_checks():
    report = check_game(Nim(heap=7), seeds=[1])
    assert all(law.endswith(".") and " " in law for law in report.laws)
    assert not [law for law in report.laws if ", and that " in law]
    assert report.laws["The same seed gives the same start."] == report.games == 4
    assert report.laws[
        "There is a result at the end, with a return for each seat, and none before."
    ] == (report.states)


def test_more_games_are_played_on_demand(capsys):
    _, text = said(capsys, "nim:Nim", "--no-speed", "--games", "50")
    assert "50 games were played." in text
    few = check_game(Nim())
    assert few.games < 50
    assert check_game(Nim(), seconds=0.2).games > few.games


def test_what_is_probably_a_mistake_is_noted(here, capsys):
    (here / "blind.py").write_text(BLIND)
    status, text = said(capsys, "blind:Blind", "--no-speed")
    assert status == 0
    (note,) = [line for line in text.splitlines() if line.startswith("Note: ")]
    assert "pairs of different scenes give one observation" in note
    assert note.endswith("Write the difference in your observer.")


def test_a_broken_promise_has_status_1_and_a_remedy(here, capsys):
    (here / "forgetful.py").write_text(BROKEN)
    status, text = said(capsys, "forgetful:MissingTurn")
    assert status == 1
    assert "breaks a promise: a state must equal the one rebuilt from its text" in text
    assert len(text.splitlines()) == 1


def test_a_failing_constructor_is_a_broken_promise(here, capsys):
    (here / "unmade.py").write_text("import parlour\nclass Unmade(parlour.Game):\n    pass\n")
    status, text = said(capsys, "unmade:Unmade")
    assert status == 1
    assert "Give every option a default, take options by keyword" in text


def test_an_unregistered_class_is_checked_with_options(capsys):
    status, text = said(capsys, "--no-speed", "nim:Nim", "--set", "heap=3")
    assert status == 0
    assert text.startswith("parlour.game('nim', heap=3) keeps")


def test_a_class_takes_precedence_over_a_registered_game_of_the_same_name(capsys):
    parlour.register("nim", Nim)
    assert said(capsys, "nim:Nim", "--no-speed")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["no_such_game"], "there is no game 'no_such_game'"),
        (["no_such_module:Game"], "no_such_module:Game does not load: ModuleNotFoundError"),
        (["nim:NimState"], "nim:NimState is not a subclass of parlour.Game"),
        (["nim:Missing"], "nim:Missing is not a subclass of parlour.Game"),
        (["octa", "--set", "size=99"], "size"),
        (["octa", "--wings", "2"], "unknown option '--wings'"),
        (["octa", "--seconds", "-1"], "-1.0 is not in the range 0<=x<=86400"),
        (["octa", "--games", "many"], "'many' is not a whole number"),
        (["octa", "--seconds", "nan"], "'nan' is not a number"),
    ],
)
def test_an_invalid_command_has_status_2_and_one_line(arguments, words, capsys):
    assert main(["check", *arguments]) == 2
    complaint = capsys.readouterr().err
    assert words in complaint
    assert len(complaint.splitlines()) == 1


def test_speed_is_printed_beside_the_built_in_games(capsys):
    """Each run takes two seconds of this clock, so the first run of one game counts."""
    ticks = count(0, 2)
    parlour.register("nim", Nim)
    assert check.print_check(Nim(), 0, 0, 1, lambda: next(ticks)) == 0
    text = capsys.readouterr().out
    head, *lines = text.partition("Random plies per CPU second, with ")[2].splitlines()
    assert head == f"{parlour.build_info()}:"
    own = parlour.playouts(Nim().start(1), 1, 1).plies / 2
    assert lines[0] == f"{own:14,.0f}  nim"
    ours = [name for name in parlour.game_names() if name != "nim"]
    assert [line.split()[1] for line in lines[1:]] == ours
    for name, line in zip(ours, lines[1:], strict=True):
        rate = parlour.playouts(parlour.game(name).start(1), 1, 1).plies / 2
        times = rate / own
        shown = f"{times:,.0f}" if times >= 10 else f"{times:.2f}"
        assert line == f"{rate:14,.0f}  {name:12}  {shown} times as fast"


def test_the_number_of_games_grows_until_they_take_long_enough():
    """The runs take 1, 5, 9 and 13 seconds of this clock, with 1, 6, 12 and 24 games."""
    readings = (number**2 for number in count())
    rate = check.random_plies_per_second(Nim(), 10, lambda: next(readings))
    assert rate == parlour.playouts(Nim().start(1), 24, 1).plies / 13
    assert next(readings) == 64
