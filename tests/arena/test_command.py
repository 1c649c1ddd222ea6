"""`parlour match` as a shell runs it."""

import pytest

QUICK = ("octa", "odd_agents:First", "odd_agents:Last", "--set", "size=1", "--games", "4")


def test_it_plays_a_match_and_prints_the_table(command, tmp_path, records_in):
    done = command(*QUICK, "--seed", "3", "--processes", "1", "--folder", "here")
    assert done.returncode == 0
    assert done.stderr == ""
    assert done.stdout.startswith("Octa (size=1 ")
    assert "4 games from 2 starts, seed 3" in done.stdout
    assert "Elo of odd_agents:First over odd_agents:Last: " in done.stdout
    assert done.stdout.endswith("\nrecords: here\n")
    assert len(records_in(tmp_path / "here")) == 4


def test_without_a_folder_the_same_command_reuses_its_default_one(command, tmp_path):
    first, second = command(*QUICK), command(*QUICK)
    (folder,) = (tmp_path / "matches").iterdir()
    assert first.stdout.endswith(f"records: matches/{folder.name}\n")
    assert "all games were read from there; for new ones change --seed or --folder" in second.stdout
    table = first.stdout.partition("\nrecords")[0]
    assert second.stdout.startswith(table)
    command(*QUICK, "--seed", "1")
    assert len(list((tmp_path / "matches").iterdir())) == 2


def test_a_sequential_test_can_end_it(command):
    done = command("octa", "random", "odd_agents:Crashing", "--games", "400", "--sprt", "elo1=300")
    assert "elo1 accepted" in done.stdout
    assert "of 400 games" in done.stdout
    assert "lost by odd_agents:Crashing: " in done.stdout


def test_an_agent_is_found_in_the_folder_where_the_command_is_started(command, tmp_path):
    (tmp_path / "beside.py").write_text("from odd_agents import First as Mine\n")
    done = command("octa", "beside:Mine", "random", "--set", "size=1", "--games", "2")
    assert done.returncode == 0, done.stderr
    assert "beside:Mine" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("otca", "random", "random"), "there is no game 'otca' (did you mean 'octa'?)"),
        (("octa", "random", "rnadom"), "unknown agent 'rnadom' (did you mean 'random'?)"),
        (("octa", "random"), "octa has 2 seats: a match needs 2 agents, not 1"),
        (("octa", "random", "mcts:smis=1"), "mcts has no option 'smis' (did you mean 'sims'?)"),
        (("octa", "random", "random", "--games", "0"), "a match has at least 1 game, not 0"),
        (("octa", "random", "random", "--processes", "-1"), "processes must be 0 or more"),
        (("octa", "random", "random", "--sprt", "elo=1"), "sprt has no setting 'elo'"),
        (("octa", "random", "random", "--set", "size"), "octa: write a setting as size=VALUE"),
        (
            ("cat_mouse", "random", "--sprt", ""),
            "sprt needs a zero-sum game of two sides; cat_mouse is a common game with 1 seat",
        ),
        (("octa", "random", "random", "--folder", "."), ". is not empty and holds no match"),
        (
            ("octa", "random", "random", "--folder", "/dev/null"),
            "/dev/null is a file, not a folder",
        ),
    ],
)
def test_a_wrong_command_is_exit_status_2_and_one_line(command, tmp_path, arguments, message):
    (tmp_path / "something").touch()
    done = command(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith(f"parlour: {message}")
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["something"]


def test_help_shows_examples(command):
    done = command("--help")
    assert done.returncode == 0
    assert "parlour match octa mcts:sims=50 greedy --games 200" in done.stdout
