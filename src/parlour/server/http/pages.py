"""The page: its files as they lie in `parlour/web/`, compressed once and named by their content.

A file's address holds a hash of all of them, so that a browser keeps it for ever and still gets
the new one after an update.
"""

import gzip
import re
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from pathlib import PurePosixPath
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

from parlour.core.errors import NotFound

TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
FOREVER = "public, max-age=31536000, immutable"

_COMMENTS = re.compile(rb"/\*.*?\*/|^ *//[^\n]*", re.DOTALL | re.MULTILINE)
"""In scripts they are mostly types, which browsers do not need: a third of the bytes."""
_INDENTS = re.compile(rb"^ +", re.MULTILINE)


class Served(NamedTuple):
    """A file as it is sent."""

    plain: bytes
    packed: bytes
    type: str


class Site(NamedTuple):
    """All files of the page."""

    version: str
    files: dict[str, Served]


@cache
def site() -> Site:
    """The files, read and compressed once."""
    found: dict[str, tuple[bytes, str]] = {}
    for each in sorted(files("parlour.web").iterdir(), key=lambda entry: entry.name):
        kind = TYPES.get(PurePosixPath(each.name).suffix)
        if kind is not None:
            found[each.name] = each.read_bytes(), kind
    digest = blake2b(digest_size=8)
    for name, (data, _) in found.items():
        digest.update(name.encode() + b"\0" + data + b"\0")
    version = digest.hexdigest()
    served = {}
    for name, (data, kind) in found.items():
        if kind.startswith("text/html"):
            data = data.replace(b"/web/VERSION/", f"/web/{version}/".encode())
        elif name.endswith((".js", ".css")):
            # Every line stays where it is, so that an error in a browser names the right one.
            data = _COMMENTS.sub(lambda found: b"\n" * found[0].count(b"\n"), data)
            data = _INDENTS.sub(b"", data)
        served[name] = Served(data, gzip.compress(data, 9, mtime=0), kind)
    return Site(version, served)


def page(name: str, request: Request) -> Response:
    """One of the pages, always fresh."""
    return _answer(site().files[name], request, "no-cache")


async def web_file(request: Request) -> Response:
    """A file of the page; other people's pages may load it too, for it holds no secrets."""
    name, version = request.path_params["file"], request.path_params["version"]
    found = site().files.get(name)
    if found is None or name.endswith(".html"):
        raise NotFound("the page has no such file")
    kept = FOREVER if version == site().version else "no-cache"
    response = _answer(found, request, kept)
    response.headers["access-control-allow-origin"] = "*"
    return response


def _answer(served: Served, request: Request, kept: str) -> Response:
    headers = {"cache-control": kept, "vary": "accept-encoding"}
    data = served.plain
    if "gzip" in request.headers.get("accept-encoding", ""):
        data = served.packed
        headers["content-encoding"] = "gzip"
    return Response(data, headers=headers, media_type=served.type)
