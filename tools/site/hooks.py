"""What the site adds to the pages in docs/: sources they link to, reference, pictures, the demo.

The pages are written for two readers: a forge, where a link may lead to any file of the tree,
and the site. Here every file that a page links to becomes a page of the site, and links are
turned accordingly, so that both lead somewhere.
"""

import posixpath
import re
from pathlib import Path

from demo_files import demo_files
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from pictures import with_font
from reference import reference_pages

ROOT = Path(__file__).parent.parent.parent

LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#)([^)\s#]+)(#[^)\s]*)?(?=\))")
FENCE = re.compile(r"^(`{3,}|~{3,}).*?^\1`*~*\s*$|`[^`\n]+`", re.MULTILINE | re.DOTALL)

PLACES = {
    "README.md": "index.md",
    "CHANGELOG.md": "project/changelog.md",
    "CONTRIBUTING.md": "project/contributing.md",
    ".github/SECURITY.md": "project/reporting.md",
    ".github/CODE_OF_CONDUCT.md": "project/conduct.md",
    "LICENSE": "project/licence.md",
    "CITATION.cff": "project/citation.md",
}
"""Files of the tree that are pages of their own, by their place in the site."""

PAGES = [name for name in PLACES if name.endswith(".md") and name != "README.md"]

NAMED = {
    'data-md-component="search" role="dialog"': 'data-md-component="search" role="dialog" '
    'aria-label="Search"',
    'class="md-path" aria-label="Navigation"': 'class="md-path" aria-label="Where this is"',
}
"""Elements of the theme, and the same with a name of their own."""

LANGUAGES = {".py": "python", ".js": "js", ".mjs": "js", ".cs": "csharp", ".html": "html"}
LANGUAGES |= {".json": "json", ".yml": "yaml", ".yaml": "yaml", ".gd": "gdscript"}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what is made: pages of other files, the reference, and the pictures."""
    made = {}
    for name in PAGES:
        made[PLACES[name]] = (ROOT / name).read_text("utf-8")
    for name in ("LICENSE", "CITATION.cff"):
        made[PLACES[name]] = shown_file(name)
    waiting = [
        (f"docs/{file.src_uri}", file.content_string) for file in files.documentation_pages()
    ]
    waiting += [(name, made[place]) for name, place in PLACES.items() if place in made]
    while waiting:
        name, text = waiting.pop()
        for target in targets(name, text):
            place = place_of(target)
            if target.startswith("docs/") or place in made or place == "index.md":
                continue
            made[place] = shown_file(target)
            if place.endswith("/index.md"):
                waiting.append((f"{target}/index.md", made[place]))
            elif target.endswith(".md"):
                waiting.append((target, made[place]))
    made |= reference_pages()
    for place, text in made.items():
        files.append(File.generated(config, place, content=text))
    for name, content in demo_files():
        files.append(File.generated(config, f"demo/{name}", content=content))
    logo = (ROOT / "src/parlour/web/pieces.svg").read_bytes()  # by itself it is the logo
    files.append(File.generated(config, "assets/logo.svg", content=logo))
    for picture in [*ROOT.glob("docs/images/*.svg"), *Path(config.extra["pictures"]).glob("*")]:
        place = f"images/{picture.name}"
        older = files.get_file_from_path(place)
        if older is not None:
            files.remove(older)
        content = picture.read_bytes()
        if picture.suffix == ".svg":
            content = with_font(content.decode()).encode()
        files.append(File.generated(config, place, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links that lead out of docs/ to where the site has those files."""
    here = page.file.src_uri
    name = next((name for name, place in PLACES.items() if place == here), f"docs/{here}")
    if here == "index.md":
        name = "docs/index.md"
    elif here.startswith("source/"):
        name = here.removeprefix("source/").removesuffix(".md")
        name = name if name.endswith(".md") else f"{name}.md"

    def turned(link: re.Match[str]) -> str:
        target = found(name, link[1])
        if target is None:
            return link[0]
        place = place_of(target)
        return posixpath.relpath(place, posixpath.dirname(here)) + (link[2] or "")

    return outside_code(markdown, lambda text: LINK.sub(turned, text))


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Let the long names of tests in the tables of requirements break at their underscores."""
    if not page.file.src_uri.startswith("requirements/"):
        return html
    broken = re.sub("(?<=<code>)test_[^<]+", lambda name: name[0].replace("_", "_<wbr>"), html)
    return f'<div class="requirements">{broken}</div>'


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """Name what the theme leaves without a name, for those who hear the page."""
    for theirs, ours in NAMED.items():
        output = output.replace(theirs, ours)
    return output


def outside_code(markdown: str, change):
    """Change everything in the text except code."""
    parts, end = [], 0
    for code in FENCE.finditer(markdown):
        parts += [change(markdown[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, change(markdown[end:])])


def found(name: str, link: str) -> str | None:
    """Return the file that a link on the page `name` leads to, or `None`."""
    target = posixpath.normpath(posixpath.join(posixpath.dirname(name), link))
    return target if (ROOT / target).exists() and not target.startswith("..") else None


def targets(name: str, text: str) -> set[str]:
    """Return the files of the tree that a page links to."""
    links = []
    outside_code(text, lambda part: links.extend(link[1] for link in LINK.finditer(part)) or "")
    return {target for link in links if (target := found(name, link))}


def place_of(target: str) -> str:
    """Where the site has a file of the tree."""
    if target in PLACES:
        return PLACES[target]
    if target.startswith("docs/"):
        return target.removeprefix("docs/")
    if (ROOT / target).is_dir():
        return f"source/{target}/index.md"
    return f"source/{target}" if target.endswith(".md") else f"source/{target}.md"


def shown_file(target: str) -> str:
    """Return a file as a page, or a folder as a list of its files."""
    path = ROOT / target
    if target.endswith(".md"):
        return path.read_text("utf-8")
    title = f"---\ntitle: {target}\nsearch:\n  boost: 0.3\n---\n\n# {path.name}\n\n"
    if path.is_dir():
        names = sorted(each.name for each in path.glob("[!.]*") if each.is_file())
        return title + "\n".join(f"- [{name}]({name})" for name in names) + "\n"
    language = LANGUAGES.get(path.suffix, "text")
    text = path.read_text("utf-8").rstrip("\n")
    return f"{title}`{target}`\n\n~~~~~~{language}\n{text}\n~~~~~~\n"
