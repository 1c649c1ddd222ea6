"""What browsers need to install the page as an app: manifest, icons, service worker."""

from starlette.requests import Request
from starlette.responses import Response

from parlour.protocol.json import encode
from parlour.server.http.pages import Served, language_of, page, send_file, site, words_of

ICONS = (192, 512)


async def manifest(request: Request) -> Response:
    """Return the web app manifest in the reader's language."""
    language, version = language_of(request), site().version
    data = {
        "name": "Parlour",
        "short_name": "Parlour",
        "description": words_of(language)["heroLead"],
        "lang": language,
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": "#f3f0e8",
        "theme_color": "#1a5d5a",
        "icons": [
            {
                "src": f"/web/{version}/icon-{size}.png",
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for size in ICONS
            for purpose in ("any", "maskable")
        ],
    }
    response = send_file(Served.of(encode(data), "application/manifest+json"), request, "no-cache")
    response.headers["vary"] = "accept-encoding, accept-language"
    return response


async def service_worker(request: Request) -> Response:
    """Return the service worker, whose scope is the whole site."""
    return send_file(site().files["sw.js"], request, "no-cache")


async def favicon(request: Request) -> Response:
    """Return the icon for programs that look for it at the usual place."""
    return send_file(site().files["icon-192.png"], request, "max-age=86400")


async def offline(request: Request) -> Response:
    """Return the page that the service worker shows without a connection."""
    return page("offline.html", request)
