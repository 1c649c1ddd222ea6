"""Run the tests in stages: `python tests/stages.py [STAGE ...]`, without names all of them.

Every stage runs, even if an earlier one failed. The summary lists what failed, and the exit
status is 0 only if everything passed. `--packages` prints the Debian packages that are missing.
"""

import os
import re
import resource
import shutil
import subprocess
import sys
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "build" / "tests"


class Stage(NamedTuple):
    """One run of pytest, or of other commands."""

    title: str
    paths: tuple[str, ...] = ()
    """The folders, modules and tests below tests/ that belong to it, and to no other stage."""
    packages: tuple[tuple[str, str], ...] = ()
    """Programs of the system that it needs, each with the Debian package that has it."""
    commands: tuple[str, ...] = ()
    """What runs in place of pytest."""
    again: tuple[str, ...] = ()
    """Modules of other stages that run again, on the interpreted build."""


QUICK = {
    *("agents", "conformance", "core", "drawing", "games", "golden", "protocol", "specs", "table"),
    *("test_files.py", "test_grids.py", "test_public_names.py", "test_layout.py"),
}
SLOW = {
    "agents/test_analysis.py",
    "agents/test_isolation.py",
    "agents/test_banqi_positions.py",
    "agents/test_choosing.py",
    "agents/test_clock.py",
    "agents/test_parallel.py",
    "agents/test_process.py",
    "agents/test_secrets.py",
    "agents/test_strength.py",
    "conformance/test_all_games.py",
    "conformance/test_mistakes.py",
    "core/test_batch.py",
    "core/test_signals.py",
    "drawing/test_choices.py",
    "drawing/test_cursor.py",
    "games/banqi/test_endings.py",
    "games/banqi/test_game.py",
    "games/banqi/test_hidden.py",
    "games/banqi/test_open_spiel.py",
    "games/banqi/test_perft.py",
    "games/blokus/test_arbitrary_play.py",
    "games/blokus/test_oracles.py",
    "games/blokus/test_search.py",
    "games/blokus/test_spec_strategies.py",
    "games/cat_mouse/test_solver.py",
    "games/cat_mouse/test_spec.py",
    "games/octa/test_evaluation.py",
    "games/test_symmetries.py",
}
"""`pytest -m quick` takes the modules of the folders QUICK, except the SLOW ones."""

INTERPRETED = (
    "envs/test_aec_env.py",
    "server/test_demo_server.py",
    "server/test_play.py",
    "terminal/test_every_display.py",
    "terminal/test_session.py",
    "terminal/test_walk.py",
    "test_build.py",
    "test_layout.py",
)
"""Modules with branches for the interpreted build; `tests/parity` compares the rest."""

CHECKS = ("ruff format --check .", "ruff check .", "mypy", "lint-imports --no-logo")
NODE = (("node", "nodejs"), ("npm", "npm"))
STAGES = {
    "static": Stage("format, lint, types and package layering", commands=CHECKS),
    "suite": Stage("the compiled build"),
    "postgres": Stage(
        "PostgreSQL in full",
        (
            "server/test_leases.py",
            "server/test_lost_database.py",
            "server/test_postgres.py",
            "server/test_processes.py",
            "server/test_transfer.py",
            "server/test_peer_messages.py",
            "server/test_workers.py",
        ),
    ),
    "browser": Stage("page and site in Chromium", ("web",), (("chromium", "chromium"), *NODE)),
    "clients": Stage(
        "clients and rules in other languages",
        (
            "embed",
            "client/test_csharp.py",
            "client/test_godot.py",
            "client/test_javascript.py",
            "client/test_page_model.py",
        ),
        (
            *NODE,
            ("mono", "mono-runtime"),
            ("mcs", "mono-mcs"),
            ("godot3-server", "godot3-server"),
            ("g++", "g++"),
            ("cmake", "cmake"),
            ("make", "make"),
        ),
    ),
    "extended": Stage(
        "longer runs of every package",
        (
            "agents/test_isolation.py::TestSpies",
            "agents/test_secrets.py::test_no_agent_exceeds_the_value_of_kuhn_poker",
            "arena/test_command.py",
            "arena/test_interruption.py",
            "arena/test_rating.py::test_rating_intervals_have_about_the_right_coverage",
            "arena/test_tournament.py::test_an_interrupted_tournament_resumes_with_the_same_games",
            "arena/test_tournament.py::test_the_same_command_resumes_its_folder_after_ctrl_c",
            "arena/test_tuning.py",
            "arena/test_workers.py",
            "client/test_examples.py",
            "client/test_join.py",
            "commands/test_completion.py",
            "conformance/test_all_games.py::test_example_games_in_plain_python_keep_the_contract",
            "engines/test_convert.py::test_a_damaged_file_is_read_or_refused",
            "engines/test_faults.py",
            "engines/test_round_trips.py",
            "envs/test_learning.py",
            "envs/test_openspiel.py",
            "fuzz",
            "server/test_bad_input.py::test_schemathesis_finds_only_documented_responses",
            "server/test_races.py",
            "terminal/test_app.py::TestWholeGames",
            "terminal/test_every_display.py",
            "terminal/test_resize.py",
            "terminal/test_survival.py",
            "terminal/test_terminals.py",
            "terminal/test_walk.py",
        ),
    ),
    "clusters": Stage("Ray and Dask", ("arena/test_clusters.py",)),
    "packaging": Stage(
        "wheels, source archives and a newcomer's way",
        (
            "commands/test_new.py",
            "newcomer",
            "outside",
            "server/test_deployment.py",
            "test_broken_packages.py",
            "test_build.py::"
            "test_without_a_compiler_the_wheel_is_interpreted_and_says_so_in_one_line",
            "test_package.py",
        ),
        (("systemd-analyze", "systemd"), *NODE),
    ),
    "faults": Stage(
        "fault injection",
        ("client/test_faults.py", "faults", "server/test_faults.py", "server/test_soak.py"),
    ),
    "parity": Stage("both builds give the same results", ("parity",)),
    "interpreted": Stage("what the interpreted build does in its own way", again=INTERPRETED),
}


PLACES = {place: name for name, stage in STAGES.items() for place in stage.paths}


def stage_of(test: str) -> str:
    """The stage of a test, or of a module, by its path below tests/ and its name."""
    for end in re.finditer(r"[/:[]|$", test):
        stage = PLACES.get(test[: end.start()])
        if stage is not None:
            return stage
    is_second_store = "postgresql" in test and "test_store.py" not in test
    return "postgres" if is_second_store else "suite"


def may_have_tests(module: str, stage: str) -> bool:
    """Whether some tests of a module may belong to a stage."""
    of_module = stage_of(module)
    is_split = any(place.startswith(f"{module}::") for place in STAGES[stage].paths)
    return of_module == stage or is_split or (of_module, stage) == ("suite", "postgres")


def is_quick(module: str) -> bool:
    """Whether a module, or some in a folder, belong to the inner loop."""
    return module.partition("/")[0] in QUICK and module not in SLOW


def missing(stage: Stage) -> list[str]:
    """What the system lacks for a stage, in a line each."""
    return [
        f"{program} is missing: apt-get install {package} (or make system-packages)"
        for program, package in stage.packages
        if shutil.which(program) is None
    ]


class Outcome(NamedTuple):
    """How a stage ended."""

    passed: int
    failures: list[str]
    seconds: float
    cpu_seconds: float


def run(name: str) -> Outcome:
    """Run a stage and read pytest's report."""
    stage = STAGES[name]
    print(f"\n== {name}: {stage.title}", flush=True)
    lacking = missing(stage)
    if lacking:
        print(*lacking, sep="\n", flush=True)
        return Outcome(0, [f"{name}: {each}" for each in lacking], 0.0, 0.0)
    began, used = time.monotonic(), cpu_seconds()
    passed, failures = run_commands(stage) if stage.commands else run_pytest(name, stage)
    seconds = time.monotonic() - began
    failures = [f"{name}: {each}" for each in failures]
    return Outcome(passed, failures, seconds, cpu_seconds() - used)


def cpu_seconds() -> float:
    """CPU seconds of the processes that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run_commands(stage: Stage) -> tuple[int, list[str]]:
    """Run programs of this environment; how many passed, and the others."""
    failures = []
    for command in stage.commands:
        program, *words = command.split()
        path = str(Path(sys.executable).parent / program)
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        if subprocess.run([path, *words], cwd=ROOT, env=environment).returncode:
            failures.append(command)
    return len(stage.commands) - len(failures), failures


def run_pytest(name: str, stage: Stage) -> tuple[int, list[str]]:
    """Run the tests of a stage; how many passed, and the others."""
    report = RESULTS / f"{name}.xml"
    report.unlink(missing_ok=True)
    environment = {**os.environ, "PARLOUR_TEST_BUILD": "compiled"}
    # One more than there are cores: tests wait for sockets, processes and screens.
    command = [sys.executable, "-m", "pytest", "--numprocesses", str((os.cpu_count() or 1) + 1)]
    if stage.again:
        command += [str(ROOT / "tests" / module) for module in stage.again]
        environment |= {"PARLOUR_TEST_BUILD": "interpreted", "PYTHONPATH": str(ROOT / "src")}
    else:
        command += ["--stage", name]
    done = subprocess.run([*command, "--junitxml", str(report)], cwd=ROOT, env=environment)
    passed, failures = read(report)
    if done.returncode and not failures:
        failures = [f"pytest ended with status {done.returncode}"]
    return passed, failures


def read(report: Path) -> tuple[int, list[str]]:
    """How many tests passed, and the names of the others; a skipped test has not passed."""
    if not report.exists():
        return 0, ["pytest wrote no report"]
    cases = list(ElementTree.parse(report).iter("testcase"))
    failures = [
        f"{case.get('classname')}::{case.get('name')} ({each.tag})"
        for case in cases
        for each in case
        if each.tag in ("failure", "error", "skipped")
    ]
    return len(cases) - len(set(failures)), failures


def summary(outcomes: dict[str, Outcome]) -> str:
    """A line for each stage, then what failed."""
    lines = ["", f"{'':<58} {'wall':>6} {'CPU':>6}"]
    for name, (passed, failures, *seconds) in outcomes.items():
        minutes = " ".join(f"{f'{int(each) // 60}:{int(each) % 60:02}':>6}" for each in seconds)
        failed = f", {len(failures)} failed" if failures else ""
        lines.append(f"{name:<12} {STAGES[name].title:<45} {minutes}  {passed:,} passed{failed}")
    failures = [each for outcome in outcomes.values() for each in outcome.failures]
    lines += [f"FAILED {each}" for each in failures]
    passed = sum(outcome.passed for outcome in outcomes.values())
    return "\n".join([*lines, f"{passed} passed, {len(failures)} failed"])


def main(names: list[str]) -> int:
    """Run stages; the exit status."""
    if names == ["--packages"]:
        needed = {each for stage in STAGES.values() for each in stage.packages}
        print(*sorted(package for program, package in needed if shutil.which(program) is None))
        return 0
    unknown = [name for name in names if name not in STAGES]
    if unknown:
        print(f"no stage {unknown[0]}; there are {', '.join(STAGES)}")
        return 2
    RESULTS.mkdir(parents=True, exist_ok=True)
    outcomes = {name: run(name) for name in names or STAGES}
    print(summary(outcomes))
    return int(any(outcome.failures for outcome in outcomes.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
