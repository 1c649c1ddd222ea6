"""The page's files: how they are sent, and what they agree with."""

import gzip
import re
from pathlib import Path

import pytest

import parlour
from parlour.core.colours import SEAT_COLOURS
from parlour.drawing.svg_cells import contrast

WEB = Path(parlour.__file__).parent / "web"
SCRIPTS = sorted(path.name for path in WEB.glob("*.js"))
IMPORT = re.compile(r"^import [^;]*?from '\./([a-z]+\.js)'", re.MULTILINE)


def graph(name, seen=None):
    """A module and everything that it imports at once."""
    seen = set() if seen is None else seen
    if name not in seen:
        seen.add(name)
        for other in IMPORT.findall((WEB / name).read_text("utf-8")):
            graph(other, seen)
    return seen


@pytest.mark.parametrize("page", ["table", "lobby"])
def test_a_page_asks_at_once_for_every_module_that_it_needs(page):
    html = (WEB / f"{page}.html").read_text("utf-8")
    asked = set(re.findall(r"modulepreload\" href=\"/web/VERSION/([a-z]+\.js)", html))
    assert asked == graph(f"{page}.js") - {f"{page}.js"}


def test_no_page_holds_scripts_or_styles_that_the_policy_forbids():
    for path in WEB.glob("*.html"):
        html = path.read_text("utf-8")
        assert " style=" not in html
        assert "<style" not in html
        assert re.findall(r"<script(?![^>]* src=)", html) == []
        assert re.findall(r" on[a-z]+=", html) == []


def test_a_file_is_kept_for_ever_under_the_name_of_its_content(server):
    html = server.http.get(f"{server.url}/").text
    address = re.search(r"/web/[0-9a-f]{16}/lobby\.js", html)[0]
    kept = server.http.get(server.url + address)
    assert "immutable" in kept.headers["cache-control"]
    assert kept.headers["content-type"].startswith("text/javascript")
    assert kept.headers["content-encoding"] == "gzip"
    other = server.http.get(f"{server.url}/web/0/lobby.js")
    assert other.headers["cache-control"] == "no-cache"
    plain = server.http.get(server.url + address, headers={"accept-encoding": "identity"})
    assert plain.text == kept.text


def test_the_lines_of_a_script_stay_where_they_are(server):
    for name in SCRIPTS:
        sent = server.http.get(f"{server.url}/web/0/{name}").text
        written = (WEB / name).read_text("utf-8")
        assert sent.count("\n") == written.count("\n")
        assert "@param" not in sent
        assert not re.search(r"^ *//", sent, re.MULTILINE)


@pytest.mark.parametrize("path", ["/web/0/nothing.js", "/web/0/__init__.py", "/web/0/table.html"])
def test_nothing_else_is_sent(server, path):
    assert server.http.get(server.url + path).status_code == 404


def test_the_colours_are_those_of_every_display():
    css = (WEB / "board.css").read_text("utf-8")
    found = re.findall(r"\.c-(\w+) \{ --fill: (#\w+); --ink: (#\w+); --edge: (#\w+); \}", css)
    assert {name: (fill, ink) for name, fill, ink, _ in found} == {
        name: tuple(paint) for name, paint in parlour.COLOURS.items()
    }
    for _, fill, _, edge in found:
        assert contrast(fill, edge) >= 2 or fill == "#000000"
    script = (WEB / "scene.js").read_text("utf-8")
    assert str(list(SEAT_COLOURS)) in script
    assert f"'{' '.join(parlour.COLOURS)}'" in script


def test_every_colour_has_a_mark_so_that_it_is_never_needed():
    sprite = (WEB / "pieces.svg").read_text("utf-8")
    for name in parlour.COLOURS:
        assert f'id="mark-{name}"' in sprite


def test_every_text_is_there_in_every_language():
    table = (WEB / "words.js").read_text("utf-8")
    rows = re.findall(r"^  (\w+): \['(.+)', '(.+)'\],$", table, re.MULTILINE)
    assert len(rows) == len(re.findall(r"^  \w+: \[", table, re.MULTILINE))
    for key, english, german in rows:
        slots = re.compile(r"\{\w+\}")
        assert sorted(slots.findall(english)) == sorted(slots.findall(german)), key
    used = "".join((WEB / name).read_text("utf-8") for name in SCRIPTS)
    for key, _, _ in rows:
        assert f"'{key}'" in used, f"{key} is not used"
    for key in re.findall(r"words\('(\w+)'", used):
        assert key in {row[0] for row in rows}


def test_what_a_table_needs_before_its_board_is_small():
    """60 KB compressed and 15 requests, 26 KB of scripts; bench/page.py measures a real page."""
    from parlour.server.http.pages import site

    needed = graph("table.js")
    packed = {name: len(file.packed) for name, file in site().files.items()}
    scripts = sum(packed[name] for name in needed)
    others = ["table.html", "style.css", "board.css", "pieces.svg"]
    assert scripts <= 26_000
    assert scripts + sum(packed[name] for name in others) <= 60_000
    assert len(needed) + len(others) <= 15
    assert gzip.decompress(site().files["board.js"].packed)
