"""Both builds give the same trace: interpreted in a child process, compiled in this one."""

import json
import os
import subprocess
import sys
from itertools import zip_longest

import build_trace
import pytest

import parlour
from parlour.agents import BUILT_IN

OPTIONS = {
    "banqi": (
        "",
        "rules=taiwan,quiet_limit=6",
        "rules=olympiad,first_flip_passes=false,quiet_limit=20",
        "first_flip_passes=true,repetition=true,quiet_limit=60",
        "rules=olympiad,repetition=false,quiet_limit=1000",
    ),
    "blokus": ("", "variant=two-player", "variant=three-player", "variant=duo"),
    "cat_mouse": ("", "density=0.3,ply_cap=40", "density=0.5,ply_cap=1000"),
    "octa": (
        "",
        "size=1",
        "size=2,win_condition=elimination",
        "size=2,win_condition=elimination,stop_on_enemy=true,turn_limit=40",
        "size=3,stop_on_enemy=true,turn_limit=30",
        "size=20",
    ),
    # Plain Python on top of the compiled classes.
    "climb": ("",),
    "connect_four": ("rows=4,cols=5",),
    "dice": ("turns=3",),
    "goofspiel": ("cards=3", "cards=3,prizes=descending,ties=split"),
    "hex": ("size=4",),
    "kuhn": ("",),
    "nim": ("",),
    "scouts": ("",),
    "tiles": ("",),
    "twenty_one": ("",),
    "yavalath": ("",),
}
CASES = ["core", "documentation", "mistakes"] + [
    f"{name}:{options}".rstrip(":") for name, sets in OPTIONS.items() for options in sets
]

BEFORE, AFTER = 60, 200


def interpreted(case, root):
    """Return the trace of the interpreted sources."""
    folders = [root / folder for folder in ("src", "tests/examples", "tests/conformance")]
    done = subprocess.run(
        [sys.executable, build_trace.__file__, case],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))},
        stdout=subprocess.PIPE,
        check=True,
    )
    build, items = json.loads(done.stdout)
    assert build == "interpreted"
    return [tuple(item) for item in items]


def first_difference(compiled, interpreted):
    """Return the first difference of two traces in words, or an empty text."""
    end = ("the end", "")
    for ours, other in zip_longest(compiled, interpreted, fillvalue=end):
        if ours != other:
            pairs = enumerate(zip_longest(ours[1], other[1]))
            at = next((place for place, (one, two) in pairs if one != two), 0)
            start = max(0, at - BEFORE)
            lines = [f"The builds differ in {ours[0]!r}, from character {at} on:"]
            for build, (name, value) in (("compiled", ours), ("interpreted", other)):
                where = f"{name!r}: " if name != ours[0] else ""
                lines.append(f"  {build:12} {where}{value[start : at + AFTER]}")
            return "\n".join(lines)
    return ""


@pytest.mark.parametrize("case", CASES)
def test_both_builds_give_the_same_trace(case, root):
    if not parlour.build_info().compiled:
        pytest.fail("this compares the compiled build with the other: run it without PYTHONPATH")
    found = first_difference(build_trace.trace(case), interpreted(case, root))
    if found:
        pytest.fail(f"{case}: {found}", pytrace=False)


def test_the_first_difference_shows_both_values():
    same = ("ply 0: actor", "0")
    compiled = [same, ("ply 1: evaluations", "[0.25, -0.25]"), ("ply 2: actor", "1")]
    interpreted = [same, ("ply 1: evaluations", "[0.25, -0.5]"), ("ply 2: actor", "0")]
    assert first_difference(compiled, compiled) == ""
    assert first_difference(compiled, interpreted).splitlines() == [
        "The builds differ in 'ply 1: evaluations', from character 10 on:",
        "  compiled     [0.25, -0.25]",
        "  interpreted  [0.25, -0.5]",
    ]
    assert "interpreted  'the end': " in first_difference(compiled, compiled[:1])


@pytest.mark.parametrize("name", parlour.game_names())
def test_every_option_of_a_game_takes_all_its_values_or_several(name):
    games = [parlour.game(f"{name}:{options}") for options in OPTIONS[name]]
    for option in parlour.game_class(name).OPTIONS:
        values = {game.options[option.name] for game in games}
        wanted = {"flag": 2, "choice": len(option.choices)}.get(option.kind, 3)
        assert len(values) >= wanted, option.name


def test_every_built_in_agent_is_traced():
    """But `best`, which has a budget of time alone and becomes one of the others."""
    texts = build_trace.agent_texts(build_trace.Effort())
    texts += build_trace.delegating_texts(parlour.game("banqi"))
    assert {text.partition(":")[0] for text in texts} == set(BUILT_IN) - {"best"}
