"""What `make test` covered: `python tests/summary.py FOLDER`, which has the tallies of pytest."""

import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path
from typing import NamedTuple

STAGES = {
    "compiled": "compiled build, every room",
    "browser": "compiled build, page and site in the browser",
    "interpreted": "interpreted build",
}
"""The stages of `make test` by the names of their files, in their order."""


class Tally(NamedTuple):
    """What one stage ran."""

    rooms: Counter[str]
    seconds: float
    not_passed: int


def tally(path: Path) -> Tally:
    """The tests of one stage by their folder under tests/."""
    rooms: Counter[str] = Counter()
    seconds, not_passed = 0.0, 0
    for suite in ElementTree.parse(path).iter("testsuite"):
        seconds += float(suite.get("time", 0))
        for case in suite.iter("testcase"):
            rooms[room_of(case.get("classname", ""))] += 1
            not_passed += len(case) > 0 and case[0].tag in ("failure", "error", "skipped")
    return Tally(rooms, seconds, not_passed)


def room_of(classname: str) -> str:
    """The folder of a test; `package` for those at the top."""
    parts = classname.removeprefix("tests.").split(".")
    return "package" if parts[0].startswith("test_") else parts[0]


def summary(folder: Path) -> str:
    """All stages as a table, with the rooms under it."""
    found = {name: tally(folder / f"{name}.xml") for name in STAGES}
    lines = ["", "What was covered: formatting, lint, types and the order of the rooms, then"]
    for name, title in STAGES.items():
        tests = found[name].rooms.total()
        lines.append(f"  {title:<45} {tests:>6,} tests in {clock(found[name].seconds)}")
        rooms = sorted(found[name].rooms.items())
        lines += wrapped([f"{room} {number:,}" for room, number in rooms])
    total = sum(each.rooms.total() for each in found.values())
    not_passed = sum(each.not_passed for each in found.values())
    fate = "all passed" if not not_passed else f"{not_passed:,} did not pass"
    lines.append(f"  {'together':<45} {total:>6,} tests, {fate}")
    return "\n".join(lines)


def clock(seconds: float) -> str:
    """Minutes and seconds."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def wrapped(words: list[str], width: int = 88) -> list[str]:
    """Words in lines of a width, indented."""
    lines = ["   "]
    for word in words:
        if len(lines[-1]) + len(word) + 2 > width:
            lines.append("   ")
        lines[-1] += f" {word}" if lines[-1] == "   " else f", {word}"
    return lines


if __name__ == "__main__":
    print(summary(Path(sys.argv[1])))
