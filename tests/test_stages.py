"""The stages of `make test` and `make test-all`."""

import subprocess

import pytest
import stages
from stages import QUICK, SLOW, STAGES, Stage, main, may_have_tests, stage_of

SUITE = "<testsuites><testsuite>{}</testsuite></testsuites>"
CASE = '<testcase classname="tests.core" name="{}">{}</testcase>'


@pytest.fixture
def fake(monkeypatch, tmp_path):
    """Two stages whose runs end as the test says: the names that fail in each."""

    def prepare(**failures):
        def run(command, **_):
            name = command[command.index("--stage") + 1]
            cases = CASE.format("test_fine", "")
            cases += "".join(CASE.format(each, "<failure/>") for each in failures[name])
            (tmp_path / f"{name}.xml").write_text(SUITE.format(cases))
            return subprocess.CompletedProcess(command, int(bool(failures[name])))

        monkeypatch.setattr(stages, "STAGES", {name: Stage(name) for name in failures})
        monkeypatch.setattr(stages, "RESULTS", tmp_path)
        monkeypatch.setattr(subprocess, "run", run)

    return prepare


def test_a_failure_is_listed_and_later_stages_still_run(fake, capsys):
    fake(first=["test_wrong"], second=[])
    assert main([]) == 1
    said = capsys.readouterr().out
    assert "FAILED first: tests.core::test_wrong (failure)" in said
    assert said.splitlines()[-1] == "2 passed, 1 failed"


def test_success_is_status_0(fake, capsys):
    fake(first=[], second=[])
    assert main([]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "2 passed, 0 failed"


def test_a_missing_program_fails_its_stage_with_the_package_that_has_it(monkeypatch, capsys):
    needy = Stage("needy", packages=(("no-such-program", "its-package"),))
    monkeypatch.setattr(stages, "STAGES", {"needy": needy})
    assert main(["needy"]) == 1
    assert "no-such-program is missing: apt-get install its-package" in capsys.readouterr().out
    assert main(["--packages"]) == 0
    assert capsys.readouterr().out == "its-package\n"


def test_an_unknown_stage_is_refused(capsys):
    assert main(["suit"]) == 2
    assert "no stage suit; there are static, suite" in capsys.readouterr().out


def test_every_place_of_a_stage_exists(root):
    for stage in STAGES.values():
        for place in (*stage.paths, *stage.again, *SLOW, *QUICK):
            module, _, test = place.partition("::")
            assert (root / "tests" / module).exists(), place
            assert not test or test in (root / "tests" / module).read_text("utf-8"), place


def test_a_test_belongs_to_the_stage_that_names_it_its_module_or_its_database():
    assert stage_of("core/test_rng.py::test_it") == "suite"
    assert stage_of("web/test_board.py::TestBoard::test_it") == "browser"
    assert stage_of("terminal/test_app.py::TestWholeGames::test_it[1]") == "extended"
    assert stage_of("terminal/test_app.py::TestBoard::test_it") == "suite"
    assert stage_of("server/test_tables.py::test_it[postgresql]") == "postgres"
    assert stage_of("server/test_store.py::test_it[postgresql]") == "suite"


def test_a_module_is_read_for_each_stage_that_has_tests_in_it():
    assert may_have_tests("terminal/test_app.py", "suite")
    assert may_have_tests("terminal/test_app.py", "extended")
    assert not may_have_tests("terminal/test_app.py", "browser")
