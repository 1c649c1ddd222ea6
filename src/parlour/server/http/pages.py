"""The web client's files from `parlour/web/`, compressed once and cached by content.

File URLs contain a hash of all files: browsers cache them forever and still get updates.
"""

import gzip
import json
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from hashlib import blake2b
from html import escape
from importlib.resources import files
from pathlib import PurePosixPath
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from parlour.core.errors import NotFound
from parlour.protocol import API
from parlour.protocol.limits import ACTION_LENGTH, CHAT_LENGTH, NAME_LENGTH

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}
FOREVER = "public, max-age=31536000, immutable"
ENGLISH = "en"

_COMMENTS = re.compile(rb"/\*.*?\*/|^ *//[^\n]*", re.DOTALL | re.MULTILINE)
"""Comments of scripts are mostly types, a third of the bytes, which browsers do not need."""
_WORDS = re.compile(r"\{\{(\w+)\}\}")
"""A text in the markup of a page, by its key."""
_INSTALLABLE = (
    '<link rel="manifest" href="/manifest.webmanifest">\n'
    '<link rel="apple-touch-icon" href="/web/VERSION/icon-192.png">\n'
    '<meta name="theme-color" content="#1a5d5a">\n'
)
"""In the head of every page, except of those inside a frame."""
_INDENTS = re.compile(rb"^ +", re.MULTILINE)


class Served(NamedTuple):
    """A file in both encodings."""

    plain: bytes
    packed: bytes
    type: str
    tag: str

    @staticmethod
    def of(data: bytes, kind: str) -> "Served":
        """Compress a file and give it an entity tag."""
        tag = f'"{blake2b(data, digest_size=8).hexdigest()}"'
        return Served(data, gzip.compress(data, 9, mtime=0), kind, tag)


class Site(NamedTuple):
    """All files of the web client."""

    version: str
    files: dict[str, Served]
    pages: dict[tuple[str, str], Served]
    """Each page in each language."""
    languages: tuple[str, ...]


_LIMITS = "".join(
    f' data-{name}-length="{length}"'
    for name, length in (("name", NAME_LENGTH), ("chat", CHAT_LENGTH), ("action", ACTION_LENGTH))
)
"""The longest texts that the page may send, for its input fields."""


@cache
def site() -> Site:
    """Return the files, read and compressed once."""
    found: dict[str, tuple[bytes, str]] = {}
    folder = files("parlour.web")
    for place, prefix in ((folder, ""), (folder / "languages", "languages/")):
        for each in sorted(place.iterdir(), key=lambda entry: entry.name):
            kind = TYPES.get(PurePosixPath(each.name).suffix)
            if kind is not None:
                found[prefix + each.name] = each.read_bytes(), kind
    digest = blake2b(digest_size=8)
    for name, (data, _) in found.items():
        digest.update(name.encode() + b"\0" + data + b"\0")
    version = digest.hexdigest()
    texts = {
        PurePosixPath(name).stem: json.loads(data)
        for name, (data, _) in found.items()
        if name.startswith("languages/")
    }
    served, pages = {}, {}
    for name, (data, kind) in found.items():
        if kind.startswith("text/html"):
            more = "" if name == "embed.html" else _INSTALLABLE
            html = data.decode().replace("</title>\n", f"</title>\n{more}", 1)
            html = html.replace("/web/VERSION/", f"/web/{version}/")
            for language, words in texts.items():
                page = with_words(html, language, {**texts[ENGLISH], **words})
                pages[name, language] = Served.of(page.encode(), kind)
            continue
        if name.endswith((".js", ".css")):
            # Keep line numbers, so that errors in browsers point to the right line.
            data = _COMMENTS.sub(lambda found: b"\n" * found[0].count(b"\n"), data)
            data = _INDENTS.sub(b"", data)
        if name == "sw.js":
            data = data.replace(b"VERSION", version.encode())
        served[name] = Served.of(data, kind)
    return Site(version, served, pages, tuple(texts))


def with_words(html: str, language: str, words: Mapping[str, str]) -> str:
    """Return a page with its texts: those in its markup, and all of them for its scripts."""
    data = json.dumps(words, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    block = f'<script type="application/json" id="words" lang="{language}">{data}</script>\n'
    html = html.replace('<html lang="en">', f'<html lang="{language}"{_LIMITS}>', 1)
    html = _WORDS.sub(lambda found: escape(words[found[1]]), html)
    if "<script" not in html:
        return html
    return html.replace("</head>", f"{block}</head>", 1)


def language_of(request: Request) -> str:
    """Return the first language of the reader that the page has; English if there is none."""
    known = site().languages
    for each in _accepted(request.headers.get("accept-language", "")):
        if each[:2] in known:
            return each[:2]
    return ENGLISH


def _accepted(header: str) -> list[str]:
    """Return the languages of an Accept-Language header, the preferred one first."""
    weighted = []
    for part in header[:500].split(","):
        name, _, rest = part.strip().partition(";")
        weight = re.fullmatch(r"\s*q=(\d(?:\.\d{1,3})?)\s*", rest)
        weighted.append((-float(weight[1]) if weight else -1.0, name.strip().lower()))
    return [name for weight, name in sorted(weighted, key=lambda each: each[0]) if weight < 0]


def words_of(language: str) -> Mapping[str, str]:
    """Return the page's texts in a language that it has."""
    found: Mapping[str, str] = json.loads(site().files[f"languages/{language}.json"].plain)
    return found


@lru_cache(maxsize=256)
def _with_head(name: str, language: str, head: str) -> Served:
    served = site().pages[name, language]
    if not head:
        return served
    html = served.plain.replace(b"</title>\n", b"</title>\n" + head.encode(), 1)
    return Served.of(html, served.type)


def page(name: str, request: Request, head: str = "") -> Response:
    """Return one of the pages in the reader's language, always revalidated; `head` is added."""
    response = send_file(_with_head(name, language_of(request), head), request, "no-cache")
    response.headers["vary"] = "accept-encoding, accept-language"
    return response


def wants_page(request: Request) -> bool:
    """Whether a person in a browser asks, and not a program."""
    is_api = request.url.path.startswith((API, "/web/"))
    return not is_api and "text/html" in request.headers.get("accept", "")


def missing_page(request: Request) -> Response:
    """Return the page for addresses that do not exist."""
    served = site().pages["missing.html", language_of(request)]
    headers = {"vary": "accept, accept-language"}
    return Response(served.plain, 404, headers, media_type=served.type)


async def web_file(request: Request) -> Response:
    """Return a static file. Other origins may load it: it contains no secrets."""
    name, version = request.path_params["file"], request.path_params["version"]
    found = site().files.get(name)
    if found is None:
        raise NotFound("no such file")
    kept = FOREVER if version == site().version else "no-cache"
    response = send_file(found, request, kept)
    response.headers["access-control-allow-origin"] = "*"
    return response


def send_file(served: Served, request: Request, kept: str) -> Response:
    """Return a file, compressed if the client allows it; 304 if the client has this version."""
    headers = {"cache-control": kept, "vary": "accept-encoding", "etag": served.tag}
    if served.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    data = served.plain
    if "gzip" in request.headers.get("accept-encoding", ""):
        data = served.packed
        headers["content-encoding"] = "gzip"
    return Response(data, headers=headers, media_type=served.type)
