"""The web client's files from `parlour/web/`, compressed once and cached by content.

File URLs contain a hash of all files: browsers cache them forever and still get updates.
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
"""Comments of scripts are mostly types, a third of the bytes, which browsers do not need."""
_INDENTS = re.compile(rb"^ +", re.MULTILINE)


class Served(NamedTuple):
    """A file in both encodings."""

    plain: bytes
    packed: bytes
    type: str


class Site(NamedTuple):
    """All files of the web client."""

    version: str
    files: dict[str, Served]


@cache
def site() -> Site:
    """Return the files, read and compressed once."""
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
            # Keep line numbers, so that errors in browsers point to the right line.
            data = _COMMENTS.sub(lambda found: b"\n" * found[0].count(b"\n"), data)
            data = _INDENTS.sub(b"", data)
        served[name] = Served(data, gzip.compress(data, 9, mtime=0), kind)
    return Site(version, served)


def page(name: str, request: Request) -> Response:
    """Return an HTML page, which browsers must revalidate."""
    return _answer(site().files[name], request, "no-cache")


async def web_file(request: Request) -> Response:
    """Return a static file. Other origins may load it: it contains no secrets."""
    name, version = request.path_params["file"], request.path_params["version"]
    found = site().files.get(name)
    if found is None or name.endswith(".html"):
        raise NotFound("no such file")
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
