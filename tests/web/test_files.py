"""The files of the page: how they are served, and that they are consistent."""

import gzip
import json
import re
from pathlib import Path

import pytest

import parlour
from parlour.core.colours import SEAT_COLOURS
from parlour.drawing.svg_cells import contrast

WEB = Path(parlour.__file__).parent / "web"
SCRIPTS = sorted(path.name for path in WEB.glob("*.js"))
SLOT = re.compile(r"\{\w+\}")
IMPORT = re.compile(r"^import [^;]*?from '\./([a-z]+\.js)'", re.MULTILINE)


def graph(name, seen=None):
    """Return a module and all its static imports."""
    seen = set() if seen is None else seen
    if name not in seen:
        seen.add(name)
        for other in IMPORT.findall((WEB / name).read_text("utf-8")):
            graph(other, seen)
    return seen


@pytest.mark.parametrize("page", ["table", "lobby", "analysis", "games", "puzzles"])
def test_pages_preload_every_module_they_import(page):
    html = (WEB / f"{page}.html").read_text("utf-8")
    asked = set(re.findall(r"modulepreload\" href=\"/web/VERSION/([a-z]+\.js)", html))
    assert asked == graph(f"{page}.js") - {f"{page}.js"}


def test_pages_have_no_inline_scripts_or_styles():
    for path in WEB.glob("*.html"):
        html = path.read_text("utf-8")
        assert " style=" not in html
        assert "<style" not in html
        assert re.findall(r"<script(?![^>]* src=)", html) == []
        assert re.findall(r" on[a-z]+=", html) == []


def test_files_are_cached_forever_under_a_versioned_address(server):
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


def test_scripts_keep_their_line_numbers(server):
    for name in SCRIPTS:
        sent = server.http.get(f"{server.url}/web/0/{name}").text
        written = (WEB / name).read_text("utf-8")
        assert sent.count("\n") == written.count("\n")
        assert "@param" not in sent
        assert not re.search(r"^ *//", sent, re.MULTILINE)


@pytest.mark.parametrize("path", ["/web/0/nothing.js", "/web/0/__init__.py", "/web/0/table.html"])
def test_other_files_are_not_served(server, path):
    assert server.http.get(server.url + path).status_code == 404


def test_the_colours_match_the_palette_of_all_displays():
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


def theme_colours():
    """Yield the colours of each theme, light and dark."""
    text = (WEB / "style.css").read_text("utf-8")
    blocks = re.findall(r':root(?:\[data-board="(\w+)"\])? \{(.*?)\n\}', text, re.DOTALL)
    base = {}
    for name, block in blocks:
        pairs = re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", block)
        base = base or {each: colours for each, *colours in pairs}
        for shade in (0, 1):
            found = {**base, **{each: colours for each, *colours in pairs}}
            yield name or "paper", {each: colours[shade] for each, colours in found.items()}


@pytest.mark.parametrize(("name", "theme"), [*theme_colours()])
def test_the_texts_of_every_theme_can_be_read(name, theme):
    for text, grounds in {
        "text": ("page", "card", "mild"),
        "soft": ("page", "card", "mild"),
        "main": ("page", "card"),
        "warn": ("page", "card"),
        "main-text": ("main",),
    }.items():
        for ground in grounds:
            assert contrast(theme[text], theme[ground]) >= 4.5, (name, text, ground)


def test_there_are_three_themes_light_and_dark():
    assert sorted(name for name, _ in theme_colours()) == [
        name for name in ("paper", "slate", "wood") for _ in range(2)
    ]


def test_every_colour_has_a_mark():
    sprite = (WEB / "pieces.svg").read_text("utf-8")
    for name in parlour.COLOURS:
        assert f'id="mark-{name}"' in sprite


def test_every_language_has_every_text():
    tables = {
        path.stem: json.loads(path.read_text("utf-8"))
        for path in (WEB / "languages").glob("*.json")
    }
    english = tables["en"]
    for language, table in tables.items():
        assert list(table) == list(english), language
        for key, text in table.items():
            assert sorted(SLOT.findall(text)) == sorted(SLOT.findall(english[key])), key
    used = "".join((WEB / name).read_text("utf-8") for name in SCRIPTS)
    markup = "".join(path.read_text("utf-8") for path in WEB.glob("*.html"))
    for key in english:
        assert f"'{key}'" in used or f"{{{{{key}}}}}" in markup, f"{key} is not used"
    assert set(re.findall(r"\{\{(\w+)\}\}", markup)) <= set(english)
    assert set(re.findall(r"words\('(\w+)'", used)) <= set(english)
    listed = re.search(r"LANGUAGES = \{(.*)\};", used)[1]
    assert set(re.findall(r"(\w+):", listed)) == set(tables)


def test_the_table_page_stays_within_its_budget():
    """At most 60 KB compressed in 30 requests; bench/page.py measures a page."""
    from parlour.server.http.pages import site

    needed = graph("table.js")
    packed = {name: len(file.packed) for name, file in site().files.items()}
    packed["table.html"] = len(site().pages["table.html", "en"].packed)
    scripts = sum(packed[name] for name in needed)
    others = ["table.html", "style.css", "table.css", "board.css", "pieces.svg"]
    assert scripts + sum(packed[name] for name in others) <= 60_000
    assert len(needed) + len(others) <= 30
    assert gzip.decompress(site().files["board.js"].packed)


def test_the_page_knows_the_lengths_that_the_server_accepts(server):
    from parlour.protocol.limits import ACTION_LENGTH, CHAT_LENGTH, NAME_LENGTH

    text = server.http.get(f"{server.url}/").text
    for name, most in (("name", NAME_LENGTH), ("chat", CHAT_LENGTH), ("action", ACTION_LENGTH)):
        assert f'data-{name}-length="{most}"' in text
