"""Run the tests in stages: `python tests/stages.py [STAGE ...]`, without names all of them.

Every stage runs, even if an earlier one failed. The summary lists what failed, and the exit
status is 0 only if everything passed. `--packages` prints the Debian packages that are missing.
"""

import os
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
    """The modules or folders under tests/ that belong to it, and to no other stage."""
    packages: tuple[tuple[str, str], ...] = ()
    """Programs of the system that it needs, each with the Debian package that has it."""
    interpreted: bool = False
    commands: tuple[str, ...] = ()
    """What runs in place of pytest."""


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
            "server/test_workers.py",
        ),
    ),
    "browser": Stage("page and site in Chromium", ("web",), (("chromium", "chromium"), *NODE)),
    "clients": Stage(
        "clients in other languages",
        ("client/test_csharp.py", "client/test_godot.py", "client/test_javascript.py"),
        (*NODE, ("mono", "mono-runtime"), ("mcs", "mono-mcs"), ("godot3-server", "godot3-server")),
    ),
    "clusters": Stage("Ray and Dask", ("arena/test_clusters.py",)),
    "packaging": Stage(
        "wheels, source archives and a newcomer's way",
        ("newcomer", "outside", "test_package.py", "server/test_deployment.py"),
        (("systemd-analyze", "systemd"),),
    ),
    "faults": Stage("fault injection", ("faults", "server/test_faults.py", "server/test_soak.py")),
    "interpreted": Stage("the interpreted build", ("parity",), interpreted=True),
}


def stage_of(path: Path, name: str = "") -> str:
    """The stage of a test, by the file it stands in and its name with its parameters."""
    inside = path.relative_to(ROOT / "tests").as_posix()
    for stage, each in STAGES.items():
        if any(inside == place or inside.startswith(f"{place}/") for place in each.paths):
            return stage
    is_second_store = "postgresql" in name and path.name != "test_store.py"
    return "postgres" if is_second_store else "suite"


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


def run(name: str) -> Outcome:
    """Run a stage and read pytest's report."""
    stage = STAGES[name]
    print(f"\n== {name}: {stage.title}", flush=True)
    lacking = missing(stage)
    if lacking:
        print(*lacking, sep="\n", flush=True)
        return Outcome(0, [f"{name}: {each}" for each in lacking], 0.0)
    began = time.monotonic()
    passed, failures = run_commands(stage) if stage.commands else run_pytest(name, stage)
    seconds = time.monotonic() - began
    return Outcome(passed, [f"{name}: {each}" for each in failures], seconds)


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
    environment = dict(os.environ)
    environment["PARLOUR_TEST_BUILD"] = "interpreted" if stage.interpreted else "compiled"
    if stage.interpreted:
        environment["PYTHONPATH"] = str(ROOT / "src")
    command = [sys.executable, "-m", "pytest", "--numprocesses", "auto", "--stage", name]
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
    lines = [""]
    for name, (passed, failures, seconds) in outcomes.items():
        minutes = f"{int(seconds) // 60}:{int(seconds) % 60:02}"
        failed = f", {len(failures)} failed" if failures else ""
        lines.append(f"{name:<12} {STAGES[name].title:<45} {minutes:>6}  {passed:,} passed{failed}")
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
