"""Whole tournaments: pairings, resuming, refusals and figures."""

import io
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from collections import Counter
from itertools import combinations

import pytest
from climb import Climb
from nim import Nim
from parlour_here import run_here as run
from patience import PATIENCE

import parlour
from parlour.arena import Conditions, MatchError, Opening, runner_of
from parlour.arena.export import export_games
from parlour.arena.html_report import html_report
from parlour.arena.plan import Plan
from parlour.arena.progress import LiveTable
from parlour.arena.result_files import outcomes_of
from parlour.arena.tally import Tally
from parlour.arena.tournament import Tournament, forecast, run_tournament
from parlour.arena.tournament_report import ratings_of, tournament_json, tournament_report

FIRST, LAST = "odd_agents:First", "odd_agents:Last"
FOUR = [LAST, "random", FIRST, "odd_agents:Crashing"]
HERE = runner_of(processes=0)


@pytest.fixture
def few_resamples(monkeypatch):
    """Estimate intervals roughly; `test_rating.py` checks them."""
    monkeypatch.setattr("parlour.arena.rating.RESAMPLES", 20)


def play(tournament, folder=None, runner=HERE, on_progress=None):
    return run_tournament(tournament, runner=runner, folder=folder, on_progress=on_progress)


def lines_in(folder):
    return [json.loads(line) for line in (folder / "games.jsonl").read_text("utf-8").splitlines()]


def test_in_a_round_robin_every_pair_meets_from_both_seats(tmp_path):
    result = play(Tournament(Nim(), FOUR, games=3), tmp_path)
    assert result.done == result.planned == 6 * 4
    met = Counter(tuple(line["seats"]) for line in lines_in(tmp_path))
    assert met == {(one, two): 2 for one in FOUR for two in FOUR if one != two}
    best, *_, worst = result.tally.rows
    assert (worst.agent, worst.games, worst.points, worst.faults) == (FOUR[3], 12, 0.0, 12)
    assert best.games == 12
    assert result.tally.against(FOUR[3], FOUR[0]) == (0.0, 4)


def test_on_four_seats_sets_meet_in_all_rotations(tmp_path):
    agents = ["random", *(f"random:seed={seed}" for seed in range(4)), FIRST]
    tournament = Tournament(Climb(), agents, games=4)
    result = play(tournament, tmp_path)
    assert result.done == tournament.planned
    seatings = [tuple(line["seats"]) for line in lines_in(tmp_path)]
    for seating in seatings:
        assert seating[1:] + seating[:1] in seatings
    met = Counter(pair for each in seatings for pair in combinations(sorted(each), 2))
    counts = {met[pair] // 4 for pair in combinations(sorted(agents), 2)}
    assert max(counts) - min(counts) <= 1
    assert sum(row.points for row in result.tally.rows) == pytest.approx(2 * result.done)


def test_in_a_gauntlet_only_the_first_meets_the_others(tmp_path):
    play(Tournament(Nim(), FOUR, style="gauntlet"), tmp_path)
    assert all(FOUR[0] in line["seats"] for line in lines_in(tmp_path))
    assert len(lines_in(tmp_path)) == 6


def test_a_swiss_round_is_paired_from_the_results_before_it(tmp_path):
    tournament = Tournament(Nim(heap=3), [FIRST, "odd_agents:Crashing", LAST, "random"],
                            style="swiss", rounds=2, games=2)  # fmt: skip
    result = play(tournament, tmp_path)
    assert result.done == tournament.planned == 8
    lines = lines_in(tmp_path)
    assert set(lines[0]["seats"]) == {FIRST, "odd_agents:Crashing"}
    assert set(lines[2]["seats"]) == {LAST, "random"}
    # The two winners meet, and the two losers.
    assert {frozenset(line["seats"]) for line in lines[4:]} in (
        {frozenset({FIRST, LAST}), frozenset({"odd_agents:Crashing", "random"})},
        {frozenset({FIRST, "random"}), frozenset({"odd_agents:Crashing", LAST})},
    )


def test_with_an_odd_number_one_agent_has_a_bye_each_round(tmp_path):
    agents = ["random", FIRST, LAST]
    play(Tournament(Nim(), agents, style="swiss", rounds=3, games=2), tmp_path)
    played = Counter(name for line in lines_in(tmp_path) for name in line["seats"])
    assert played == dict.fromkeys(agents, 4)


def test_with_one_seat_every_agent_plays_every_start():
    game = parlour.game("cat_mouse", ply_cap=12)
    result = play(Tournament(game, ["random", "greedy", FIRST], games=4))
    assert result.done == 12
    assert {row.games for row in result.tally.rows} == {4}
    assert "report" not in tournament_report(result, None)


@pytest.mark.parametrize("style", ["round-robin", "swiss"])
def test_an_interrupted_tournament_resumes_with_the_same_games(tmp_path, style):
    class Enough(Exception):
        pass

    def stop(result):
        if result.done == 5:
            raise Enough

    def tournament():
        return Tournament(Nim(heap=30), FOUR, style=style, games=4, seed=2)

    whole = play(tournament(), tmp_path / "whole", runner_of(processes=2))
    with pytest.raises(Enough):
        play(tournament(), tmp_path / "part", on_progress=stop)
    assert len(lines_in(tmp_path / "part")) == 5
    result = play(tournament(), tmp_path / "part")
    assert result.kept == 5
    assert tournament_json(result, None) == tournament_json(whole, None)
    assert ratings_of(result) == ratings_of(whole)
    for name in ("whole", "part"):
        export_games(tmp_path / name, tmp_path / f"{name}.txt")
    assert (tmp_path / "whole.txt").read_bytes() == (tmp_path / "part.txt").read_bytes()
    before = (tmp_path / "part" / "games.jsonl").read_bytes()
    assert play(tournament(), tmp_path / "part").kept == whole.done
    assert (tmp_path / "part" / "games.jsonl").read_bytes() == before


def test_a_tournament_can_grow_by_games_and_a_swiss_one_by_rounds(tmp_path):
    play(Tournament(Nim(), FOUR, games=2), tmp_path / "a")
    assert play(Tournament(Nim(), FOUR, games=4), tmp_path / "a").kept == 12
    with pytest.raises(MatchError, match="of 4 games: it can grow, but not shrink to 2"):
        play(Tournament(Nim(), FOUR, games=2), tmp_path / "a")
    play(Tournament(Nim(), FOUR, style="swiss", rounds=1), tmp_path / "b")
    assert play(Tournament(Nim(), FOUR, style="swiss", rounds=3), tmp_path / "b").kept == 4
    with pytest.raises(MatchError, match="another tournament, with games 2 instead of 4"):
        play(Tournament(Nim(), FOUR, style="swiss", rounds=3, games=4), tmp_path / "b")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"agents": FOUR[::-1]}, "holds another tournament, with agents"),
        ({"seed": 1}, "with seed 0 instead of 1"),
        ({"style": "gauntlet"}, "with style 'round-robin' instead of 'gauntlet'"),
        ({"conditions": Conditions(max_plies=9)}, "with conditions None instead of"),
        ({"openings": [Opening(3)]}, "with openings None instead of"),
    ],
)
def test_a_folder_of_another_tournament_is_refused_and_unchanged(tmp_path, change, message):
    play(Tournament(Nim(), FOUR), tmp_path)
    before = (tmp_path / "games.jsonl").read_bytes()
    arguments = {"agents": FOUR, **change}
    with pytest.raises(MatchError, match=message):
        play(Tournament(Nim(), **arguments), tmp_path)
    assert (tmp_path / "games.jsonl").read_bytes() == before


def test_a_match_and_a_tournament_do_not_share_a_folder(tmp_path):
    play(Tournament(Nim(), FOUR), tmp_path)
    with pytest.raises(MatchError, match="holds a tournament, not a match: choose another"):
        parlour.arena.run_match(Nim(), FOUR[:2], 2, processes=0, folder=tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"agents": [FIRST]}, "nim has 2 seats: a tournament needs at least 2 agents, not 1"),
        ({"game": Climb(), "agents": FOUR[:3]}, "climb has 4 seats: .* at least 4 agents, not 3"),
        ({"agents": [FIRST, FIRST]}, "odd_agents:First is named twice"),
        ({"style": "siwss"}, r"unknown format 'siwss' \(did you mean 'swiss'\?\)"),
        ({"games": 0}, "a pairing has at least 1 game, not 0"),
        ({"rounds": 0}, "a tournament has at least 1 round, not 0"),
        ({"game": 7}, "the game must be a Game or its name"),
        ({"game": "cat_mouse", "style": "swiss"}, "has one team, so there are no pairs"),
    ],
)
def test_an_invalid_tournament_is_refused(arguments, message):
    given = {"game": Nim(), "agents": FOUR, **arguments}
    with pytest.raises(MatchError, match=message):
        Tournament(given.pop("game"), given.pop("agents"), **given)


def test_a_million_games_take_no_memory(monkeypatch):
    class Enough(Exception):
        pass

    def stop(result):
        if result.done == 7:
            raise Enough

    made = []
    task = Plan.task
    monkeypatch.setattr(Plan, "task", lambda plan, n: made.append(n) or task(plan, n))
    tournament = Tournament(Nim(), FOUR, games=10**6)
    with pytest.raises(Enough):
        play(tournament, on_progress=stop)
    assert len(made) == 7


def test_a_tally_keeps_no_game_of_a_finished_group():
    tournament = Tournament(Nim(), [FIRST, LAST], games=40)
    result = play(tournament)
    assert result.tally._open == {}
    assert len(result.tally.outcomes.rows) <= 4
    assert result.tally.outcomes.groups.total() == 20


def test_a_dry_run_says_how_long_it_would_take():
    ticks = iter([10.0, 18.0])
    found = forecast(Tournament(Nim(), FOUR, games=2), HERE, now=lambda: next(ticks))
    assert (found.games, found.sampled, found.seconds_per_game, found.seconds) == (12, 4, 2.0, 24.0)
    crowd = runner_of(processes=1000)
    ticks = iter([10.0, 18.0])
    found = forecast(Tournament(Nim(), FOUR, games=2), crowd, now=lambda: next(ticks))
    assert found.seconds == found.seconds_per_game


def test_the_rating_of_a_folder_is_that_of_the_tournament(few_resamples, tmp_path):
    result = play(Tournament(Nim(heap=30), FOUR, games=6), tmp_path)
    outcomes, game = outcomes_of([tmp_path])
    assert game == "nim heap=30"
    assert outcomes.games == result.done
    assert sorted(outcomes.groups.values()) == sorted(result.tally.outcomes.groups.values())
    report = tournament_report(result, None)
    assert report.startswith("Nim (heap=30), round-robin, 36 games, seed 0\n")
    assert "points against" in report
    assert "ratings: pip install 'parlour[rating]'" in report
    assert "advantage of the seats" in tournament_report(result, ratings_of(result))
    assert "lost by odd_agents:Crashing: 18 x crashed: ZeroDivisionError" in report


def test_the_report_is_one_file_without_code_and_with_every_agent(few_resamples, tmp_path):
    agents = ["random", f"{FIRST}:seed=1", LAST]
    result = play(Tournament(Nim(), agents, games=4))
    page = html_report(result, ratings_of(result))
    for word in ("<script", "http://", "https://", "src=", "@import", "url("):
        assert word not in page
    assert page.count("<svg") == 4
    for agent in agents:
        assert page.count(agent) >= 3


def test_texts_of_agents_are_escaped_in_the_report():
    result = play(Tournament(Nim(), ["odd_agents:Surrogate", "odd_agents:Marked"]))
    page = html_report(result, None)
    assert "<b>bold" not in page
    assert "&lt;b&gt;bold" in page
    assert "\x1b" not in page


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_sees_the_table_in_place(monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("LINES", "20")
    terminal, other = Terminal(), io.StringIO()
    time = iter(range(1000))
    table, silent = LiveTable(terminal, lambda: next(time)), LiveTable(other)

    def show(result):
        table(result)
        silent(result)

    play(Tournament(Nim(), FOUR), on_progress=show)
    table.close()
    assert other.getvalue() == ""
    shown = terminal.getvalue()
    assert shown.count("\x1b[6F\x1b[J") == 12
    assert shown.endswith("\x1b[6F\x1b[J")
    assert "[####################] 12/12" in shown
    assert all(len(line) <= 70 for line in shown.splitlines())


def test_an_empty_tally_has_rows():
    tally = Tally(Tournament(Nim(), FOUR).plan)
    assert {(row.games, row.points) for row in tally.rows} == {(0, 0.0)}


QUICK = ("octa", FIRST, LAST, "random", "--size", "1", "--processes", "0")


def test_the_command_leaves_a_folder_that_rate_reads(few_resamples, tmp_path):
    done = run("tournament", *QUICK, "--folder", "t", "--export", "all.txt", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert "round-robin, 6 games, seed 0" in done.stdout
    assert done.stdout.endswith("report: t/report.html\nexport: 6 games in all.txt\n")
    names = sorted(path.name for path in (tmp_path / "t").iterdir())
    assert names == ["games.jsonl", "report.html", "results.json", "tournament.json"]
    results = json.loads((tmp_path / "t" / "results.json").read_text("utf-8"))
    assert results["games"] == 6
    files = [tmp_path / "t" / name for name in ("results.json", "report.html")]
    whole, when = [file.read_text("utf-8") for file in files], files[0].stat().st_mtime_ns
    again = run("tournament", *QUICK, "--folder", "t", cwd=tmp_path)
    assert "all games were read from there" in again.stdout
    assert files[0].stat().st_mtime_ns == when
    for file in files:
        file.write_text("as it was before the last games")
    assert run("tournament", *QUICK, "--folder", "t", cwd=tmp_path).returncode == 0
    assert [file.read_text("utf-8") for file in files] == whole
    rated = run("rate", "t", "--json", "--anchor", f"{FIRST}=100", cwd=tmp_path)
    assert rated.returncode == 0, rated.stderr
    found = json.loads(rated.stdout)
    assert found["agents"] != []
    assert {each["agent"]: each["elo"] for each in found["agents"]}[FIRST] == 100


def test_the_report_is_written_even_if_the_output_pipe_closes(environment, tmp_path):
    arguments = ["tournament", *QUICK, "--processes", "1", "--folder", "t"]
    words = shlex.join([sys.executable, "-m", "parlour.cli", *arguments])
    command = f"{words} | sh -c 'read line; exec 0<&-; echo \"$line\"'"
    done = subprocess.run(
        ["sh", "-c", command], capture_output=True, text=True, env=environment, cwd=tmp_path
    )
    assert done.stdout.startswith("Octa")
    assert (tmp_path / "t" / "report.html").exists()
    assert json.loads((tmp_path / "t" / "results.json").read_text("utf-8"))["games"] == 6


def test_the_same_command_resumes_its_folder_after_ctrl_c(environment, tmp_path):
    words = ["tournament", "octa", "odd_agents:Slow", "random", FIRST, "--size", "1"]
    words += ["--games", "8", "--processes", "2", "--folder", "t"]
    process = subprocess.Popen(
        [sys.executable, "-m", "parlour.cli", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        cwd=tmp_path,
        start_new_session=True,
    )
    sheet = tmp_path / "t" / "games.jsonl"
    for _ in range(3000):
        if sheet.exists() and sheet.read_bytes().count(b"\n") >= 2:
            break
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert out == ""
    assert len(err.splitlines()) == 1
    assert "run the same command to continue" in err
    kept = sheet.read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "parlour.cli", *words],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert sheet.read_bytes().startswith(kept)
    assert "24 games" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("tournament", "octa", "random"),
            "octa has 2 seats: a tournament needs at least 2",
        ),
        (("tournament", *QUICK, "--format", "cup"), "unknown format 'cup'"),
        (("tournament", *QUICK, "--tc", "soon"), "write a clock like 5m"),
        (("tournament", *QUICK, "--margin", "1"), "--margin needs --tc"),
        (
            ("tournament", *QUICK, "--openings", "none"),
            "cannot read the openings: none: ",
        ),
        (("tournament", *QUICK, "--resign", "1"), "--resign must look like 0.95x6"),
        (("tournament", *QUICK, "--max-plies", "0"), "--max-plies must be 1 or more"),
        (("tournament", *QUICK[:-2], "--on", "moon"), "--on takes local, ray"),
        (("tournament", *QUICK, "--on", "ray"), "--processes applies to this machine only"),
        (
            ("tournament", *QUICK, "--games", "x"),
            "Invalid value for '--games': 'x' is not a whole number",
        ),
        (("tournament", *QUICK, "--folder", "."), ". is not empty and holds no tournament"),
        (("tournament", "octa", "random", "rnadom"), "unknown agent 'rnadom'"),
        (
            ("rate", "nowhere"),
            "nowhere is neither a folder of a match or tournament nor a CSV file",
        ),
        (("rate", "something"), "something needs a first line with the columns seat1"),
        (("rate", "."), ". is neither a folder of a match or tournament"),
        (("rate", "nowhere", "--anchor", "x"), "--anchor needs AGENT=ELO"),
        (("rate", "nowhere", "--write", "x.md"), "--write PAGE and --as NAME belong together"),
    ],
)
def test_a_wrong_command_is_exit_status_2_and_one_line(tmp_path, arguments, message):
    (tmp_path / "something").write_text("hello\n")
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"parlour: {message}")
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["something"]


def test_a_dry_run_keeps_nothing(tmp_path):
    done = run("tournament", *QUICK, "--dry-run", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("6 games of about ")
    assert list(tmp_path.iterdir()) == []
