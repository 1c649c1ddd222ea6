"""The documentation site builds without warnings and loads nothing from other hosts."""

import re
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest
from browser import DESK, PHONE
from node_tools import package

VARIANTS = ("only-light", "only-dark")
"""Fragments of picture addresses that select the theme."""

PAGES = [
    "index",
    "demo",
    "demo/index",
    "tutorial",
    "contract",
    "games/banqi",
    "requirements/octa",
    "operating",
]
PAGES += ["reference/parlour", "reference/http"]


class Links(HTMLParser):
    """Collect the links and anchors of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = set(), set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag, attributes):
        named = dict(attributes)
        self.anchors.update(filter(None, (named.get("id"), named.get("name"))))
        for name in ("href", "src"):
            if named.get(name) and tag != "use":
                self.links.add(named[name])


def test_every_link_leads_to_an_existing_page_or_anchor(site):
    pages = {path: Links(path) for path in site.rglob("*.html")}
    assert len(pages) > 60
    broken = []
    for path, found in pages.items():
        if path.name == "404.html":  # its links are absolute
            continue
        for link in found.links:
            parts = urlsplit(link)
            if parts.scheme in ("http", "https") and parts.hostname == "127.0.0.1":
                continue
            if parts.scheme in ("data", "javascript"):
                continue
            assert not parts.scheme, f"{path}: {link}"
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                broken.append(f"{path.relative_to(site)}: {link}")
            elif parts.fragment not in ("", *VARIANTS) and target in pages:
                is_there = unquote(parts.fragment) in pages[target].anchors
                broken += [] if is_there else [f"{path.relative_to(site)}: {link}"]
    assert broken == []


def test_no_file_of_the_site_loads_from_another_host(site):
    for path in site.rglob("*"):
        if path.suffix in (".html", ".css", ".svg"):
            text = path.read_text("utf-8")
            assert not re.search(r"""(src=|@import |url\()["']?(https?:)?//""", text), path


@pytest.fixture
def reader(chromium):
    """Open pages from the folder; the test fails on requests to other hosts."""
    contexts, asked = [], []

    def begin(**options):
        context = chromium.new_context(locale="en-GB", reduced_motion="reduce", **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: asked.append(message.text))
        page.on("request", lambda request: asked.append(request.url))
        return page

    yield begin
    for context in contexts:
        context.close()
    assert [each for each in asked if not each.startswith(("file:", "data:", "blob:"))] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_pages_fit_and_show_their_pictures(site, reader, size, theme):
    page = reader(color_scheme=theme, **size)
    for name in PAGES:
        page.goto(f"file://{site}/{name}.html")
        assert page.locator("h1").count() >= 1
        wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, name
        missing = page.evaluate(
            "() => [...document.images].filter((each) => each.offsetParent && each.complete"
            "&& !each.naturalWidth).map((each) => each.src)"
        )
        assert missing == []
    scheme = page.evaluate("() => document.body.dataset.mdColorScheme")
    assert scheme == ("slate" if theme == "dark" else "default")


THEIRS = {"landmark-unique"}
"""Violations in the theme's own script: unnamed landmarks around its copy buttons."""


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_against_the_pages(site, reader, theme):
    page = reader(color_scheme=theme, **DESK)
    source = (package("axe-core") / "axe.min.js").read_text("utf-8")
    for name in PAGES:
        page.goto(f"file://{site}/{name}.html")
        page.evaluate(source)
        found = page.evaluate(
            "() => axe.run(document, {resultTypes: ['violations'], preload: false, iframes: false})"
        )
        complaints = [
            f"{each['id']}: {node['html'][:150]} {node['failureSummary'][:200]}"
            for each in found["violations"]
            for node in each["nodes"]
            if each["id"] not in THEIRS
        ]
        assert complaints == [], name


def test_search_finds_without_a_server(site, reader):
    page = reader(**DESK)
    page.goto(f"file://{site}/index.html")
    page.locator(".md-search__input").click()
    page.locator(".md-search__input").press_sequentially("determinize")
    found = page.locator(".md-search-result__link").first
    found.wait_for(timeout=20_000)
    found.click()
    page.wait_for_url(re.compile(r"file://.*\.html"))
    assert "determinize" in page.locator("main").inner_text()
