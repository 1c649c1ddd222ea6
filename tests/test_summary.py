"""What `make test` says at its end."""

import re

import pytest

CASE = '<testcase classname="tests.{}" name="test_it" time="1">{}</testcase>'
SUITE = '<testsuites><testsuite name="pytest" time="61.5">{}</testsuite></testsuites>'


@pytest.fixture
def summary(root, monkeypatch):
    monkeypatch.syspath_prepend(str(root / "tests"))
    import summary

    return summary


def write(folder, name, *cases):
    (folder / f"{name}.xml").write_text(SUITE.format("".join(cases)))


def test_tests_are_counted_by_stage_and_room(summary, tmp_path):
    games = CASE.format("games.octa.test_rules.TestChains", "")
    write(tmp_path, "compiled", games, games, CASE.format("test_package", ""))
    write(tmp_path, "browser", CASE.format("web.test_site", ""))
    write(tmp_path, "interpreted", games)
    said = summary.summary(tmp_path)
    assert re.search(r"compiled build, every room +3 tests in 1:01\n +games 2, package 1\n", said)
    assert re.search(r"in the browser +1 tests in 1:01\n +web 1\n", said)
    assert said.endswith("5 tests, all passed")


@pytest.mark.parametrize("fate", ["failure", "error", "skipped"])
def test_what_did_not_pass_is_said(summary, tmp_path, fate):
    for name in summary.STAGES:
        write(tmp_path, name, CASE.format("test_build", f"<{fate}/>"))
    assert summary.summary(tmp_path).endswith("3 tests, 3 did not pass")


def test_the_makefile_leaves_a_tally_of_every_stage(root, summary):
    makefile = (root / "Makefile").read_text("utf-8")
    stages = re.findall(
        r"bin/pytest|\$\(BIN\)/pytest .*--junitxml \$\(TALLIES\)/(\w+)\.xml", makefile
    )
    assert stages == list(summary.STAGES)
