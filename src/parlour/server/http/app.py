"""The ASGI application: routes, headers and error handling."""

import asyncio
import contextlib
import hmac
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp

from parlour.core.errors import ContractError, ParlourError, in_one_line
from parlour.protocol import API, VERSION
from parlour.protocol.codes import status_of
from parlour.protocol.documents import asyncapi, openapi
from parlour.protocol.errors import ForeignOrigin, RateLimited, StoreUnavailable, Unauthorized
from parlour.protocol.requests import Refusal
from parlour.server import costs, rates
from parlour.server.admin.access import AdminAccess, is_from_this_machine
from parlour.server.admin.api import AdminApi, admin_routes
from parlour.server.clock import ServerClock
from parlour.server.http.analysis_api import AnalysisApi
from parlour.server.http.api import Api
from parlour.server.http.films import Films
from parlour.server.http.gate import Gate
from parlour.server.http.installation import favicon, manifest, offline, service_worker
from parlour.server.http.link_previews import head, icon, table_head
from parlour.server.http.origins import SAFE, Origins, header
from parlour.server.http.pages import (
    language_of,
    missing_page,
    page,
    wants_page,
    web_file,
    words_of,
)
from parlour.server.http.request_parts import address_of, answer
from parlour.server.http.seat_api import SeatApi
from parlour.server.http.seat_links import SeatLinks
from parlour.server.http.sockets import Message, Receive, Send, Sockets
from parlour.server.live.rooms import Rooms
from parlour.server.logs import access, current_request, request_id
from parlour.server.metrics import Metrics
from parlour.server.rates import Buckets, LimitLog
from parlour.server.settings import Settings
from parlour.server.store.store import Store
from parlour.table import TableError

log = logging.getLogger("parlour.server")

Handler = Callable[[Request], Awaitable[Response]]
OpenStore = Callable[[ServerClock], Store]


class Application:
    """The server as an ASGI application."""

    def __init__(
        self, open_store: OpenStore, settings: Settings, clock: ServerClock | None = None
    ) -> None:
        """Call `open_store` inside the event loop when the application starts."""
        self.settings = settings
        self.clock = clock or ServerClock()
        self.metrics = Metrics()
        self.rooms: Rooms
        self.sockets: Sockets
        self._open_store = open_store
        self._origins = Origins(settings)
        self._work: Buckets
        self._limit_log = LimitLog(self.clock.seconds, settings.log_addresses)
        self.gate = Gate(settings, self.metrics, self._limit_log)
        self._api: Api
        self._analysis_api: AnalysisApi
        self._seat_api: SeatApi
        self._seat_links: SeatLinks
        self._admin_api: AdminApi
        routes = self._routes()
        self._paths: dict[object, str] = {each.endpoint: each.path for each in routes}
        self._inner = Starlette(
            routes=routes,
            lifespan=self._lifespan,
            exception_handlers={HTTPException: self._plain_refusal},
        )
        self._shared = self._origins.shared(self._inner)

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        store = self._open_store(self.clock)
        self.rooms = Rooms(store, self.settings, self.clock, self.metrics)
        self._work = self.rooms.work
        self.sockets = Sockets(self.rooms, self._origins, self.metrics, self._work, self._limit_log)
        films = Films(lambda: self.rooms.settings.agent_seconds)
        self._api = Api(self.rooms, self._work, films)
        self._analysis_api = AnalysisApi(self.rooms, self._work, films)
        self._seat_api = SeatApi(self.rooms)
        self._seat_links = SeatLinks(self.rooms, self._work, self._seat_api)
        await self.rooms.start()
        self._admin_api = AdminApi(self.rooms, AdminAccess(self.rooms.secret))
        try:
            yield
        finally:
            if not self.rooms.is_closing:
                await self.rooms.close()

    def _routes(self) -> list[Route]:
        def api(path: str, **names: str) -> Route:
            async def handle(request: Request) -> Response:
                method = "get" if request.method == "HEAD" else request.method.lower()
                owner: object = self._api
                if "{seat}" in path:
                    owner = self._seat_api
                elif path.startswith("/seats"):
                    owner = self._seat_links
                elif path.startswith(("/positions", "/analysis")):
                    owner = self._analysis_api
                handler: Handler = getattr(owner, names[method])
                return await self._guarded(handler, request)

            return Route(API + path, handle, methods=[name.upper() for name in names])

        def plain(path: str, handler: Handler) -> Route:
            async def handle(request: Request) -> Response:
                return await self._guarded(handler, request)

            return Route(path, handle)

        return [
            api("/games", get="games"),
            api("/games/{game}/languages/{language}", get="game_texts"),
            api("/games/{game}/preview", get="preview"),
            api("/games/{game}/examples", get="examples"),
            api("/games/{game}/puzzles", get="puzzles"),
            api("/tables", get="tables", post="create"),
            api("/tables/{table}", get="table"),
            api("/tables/{table}/events", get="events"),
            api("/tables/{table}/picture", get="picture"),
            api("/tables/{table}/preview", get="table_preview"),
            api("/tables/{table}/film", get="film"),
            api("/tables/{table}/record", get="record"),
            api("/tables/{table}/actions", post="act"),
            api("/tables/{table}/seats/{seat}/claim", post="claim"),
            api("/tables/{table}/seats/{seat}/leave", post="leave"),
            api("/tables/{table}/seats/{seat}/cancel", post="cancel"),
            api("/tables/{table}/seats/{seat}/replace", post="replace"),
            api("/tables/{table}/seats/{seat}/devices", post="devices"),
            api("/seats/link", post="link_seats"),
            api("/seats/claim", post="claim_seats"),
            api("/seats/revoke", post="revoke_seats"),
            api("/pairing", post="pair"),
            api("/analysis", post="analyse"),
            api("/positions", post="positions"),
            api("/positions/picture", get="position_picture"),
            api("/positions/film", get="position_film"),
            plain(f"{API}/openapi.json", self._openapi),
            plain(f"{API}/asyncapi.json", self._asyncapi),
            plain("/healthz", self._health),
            plain("/metrics", self._metrics),
            plain("/", self._lobby),
            plain("/analysis", self._analysis),
            plain("/games", self._games),
            plain("/puzzles", self._puzzles),
            plain("/t/{table}", self._table),
            plain("/embed/{table}", self._embed),
            plain("/manifest.webmanifest", manifest),
            plain("/sw.js", service_worker),
            plain("/offline", offline),
            plain("/favicon.ico", favicon),
            plain("/web/{version}/{file:path}", web_file),
            *admin_routes(lambda: self._admin_api, self._guarded_for_operator),
        ]

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Serve a request and add the common headers to its response."""
        if scope["type"] == "websocket":
            # Bypass Starlette, whose wrappers cost 3 % of a move and add nothing here.
            await self.sockets(scope)
            return
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        is_api = scope["path"].startswith(API + "/")
        given = scope["headers"]
        origin = header(given, b"origin")
        is_foreign = bool(origin) and not self._origins.is_own(origin, header(given, b"host"))
        if is_foreign:
            scope["headers"] = [each for each in given if each[0] != b"cookie"]

        status = 499  # if the client disconnects before the response starts
        mark = request_id(header(scope["headers"], b"x-request-id"))
        current_request.set(mark)
        rates.current_address.set(address_of(Request(scope)))
        marked = (b"x-request-id", mark.encode())

        async def with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                sent = message.get("headers", [])
                if is_foreign:
                    sent = [each for each in sent if each[0] != b"set-cookie"]
                more = [*self._origins.headers, marked]
                if not header(sent, b"cache-control"):
                    more.append((b"cache-control", b"no-store"))
                if is_api:
                    more.append((b"vary", b"authorization, cookie"))
                message["headers"] = [*sent, *more]
            await send(message)

        asked: ASGIApp = self._shared if is_api else self._inner
        if is_api and scope["method"] == "OPTIONS":
            try:  # the middleware answers before a handler could count the request
                self._work.take(address_of(Request(scope)), costs.REQUEST)
            except RateLimited as error:
                asked = self._refusal(error)
        began = self.clock.seconds()
        try:
            await asked(scope, receive, with_headers)
        finally:
            self._served(scope, status, self.clock.seconds() - began)

    def _served(self, scope: Message, status: int, seconds: float) -> None:
        """Count a request, and log it if access logging is on or it was slow."""
        route = self._paths.get(scope.get("endpoint"), "none")
        self.metrics.observe_http(route, status, seconds)
        is_slow = seconds >= self.settings.slow
        if not is_slow and not access.isEnabledFor(logging.INFO):
            return
        fields = {"method": scope["method"], "route": route, "status": status}
        fields |= {"seconds": round(seconds, 3), **scope.get("path_params", {})}
        if self.settings.log_addresses and scope.get("client"):
            fields["address"] = scope["client"][0]
        access.info("a request was served", extra=fields)
        if is_slow:
            log.warning("a request was slow", extra=fields)

    async def _guarded(self, handler: Handler, request: Request) -> Response:
        """Apply the rate limit and check the origin, then return the handler's response."""
        cost = costs.ROUTES.get(handler.__name__, costs.REQUEST)

        async def checked(request: Request) -> Response:
            self._check(request)
            return await handler(request)

        return await self._limited(checked, request, cost)

    async def _limited(self, handler: Handler, request: Request, cost: float) -> Response:
        """Apply the rate limit, then return the handler's response or its refusal."""

        async def counted(request: Request) -> Response:
            self._work.take(address_of(request), cost)
            return await handler(request)

        return await self._answered(counted, request)

    async def _guarded_for_operator(self, handler: Handler, request: Request) -> Response:
        """Return the handler's response without a rate limit, or its refusal, which is limited."""

        async def checked(request: Request) -> Response:
            try:
                self._check(request)
                return await handler(request)
            except ParlourError:
                self._work.take(address_of(request), costs.REQUEST)
                raise

        return await self._answered(checked, request)

    async def _answered(self, handler: Handler, request: Request) -> Response:
        """Return the handler's response, with every error turned into a response."""
        try:
            return await handler(request)
        except ParlourError as error:
            if isinstance(error, RateLimited):
                self._limit_log.note(error.limit, address_of(request))
                if error.limit == "work":  # other limits are for requests that were paid for
                    await asyncio.sleep(rates.PAUSE_SECONDS)
            return self._refusal(error)
        except ClientDisconnect:
            return Response(status_code=499)
        except HTTPException:
            raise
        except Exception as error:
            fields = {"method": request.method, **request.path_params}
            log.exception("a request could not be handled", extra=fields)
            refused = ContractError(f"the request could not be handled: {in_one_line(error)}")
            return self._refusal(refused)

    def _refusal(self, error: ParlourError) -> Response:
        retry = getattr(error, "retry_after", None)
        self.metrics.count_refusal(error.code, getattr(error, "limit", ""))
        headers = {} if retry is None else {"retry-after": str(max(1, round(retry)))}
        refused = Refusal(error.code, str(error), retry_after=retry)
        return answer(refused, status_of(error.code), headers)

    def _check(self, request: Request) -> None:
        """Check the host and origin. Raise `ForeignOrigin` if they are not allowed."""
        host, origin = request.headers.get("host", ""), request.headers.get("origin", "")
        if not self._origins.is_host(host) and not self._allows_any_host(request.url.path):
            raise ForeignOrigin("unknown host name: set --public-url")
        is_refused = origin and not self._origins.may_call(origin, host)
        if is_refused and request.method not in SAFE:
            raise ForeignOrigin(
                "this page has another origin: check --public-url, or allow it with --origin"
            )

    def _allows_any_host(self, path: str) -> bool:
        """Whether any host name is accepted, as monitoring needs it."""
        return path == "/healthz" or (path == "/metrics" and bool(self.settings.metrics_token))

    async def _openapi(self, request: Request) -> Response:
        return answer(openapi())

    async def _asyncapi(self, request: Request) -> Response:
        return answer(asyncapi())

    async def _health(self, request: Request) -> Response:
        return await self._api.health(request)

    async def _metrics(self, request: Request) -> Response:
        token = request.headers.get("authorization", "").partition(" ")[2]
        wanted = self.settings.metrics_token
        if wanted:
            if not hmac.compare_digest(token.encode(), wanted.encode()):
                raise Unauthorized("the metrics token is missing or wrong")
        elif not is_from_this_machine(request):
            raise TableError(
                "metrics are available on this machine only, unless --metrics-token is set"
            )
        self.metrics.count_games(await self.rooms.store.count())
        self.metrics.measure(self.rooms)
        return Response(self.metrics.text(), media_type="text/plain; version=0.0.4")

    async def _lobby(self, request: Request) -> Response:
        words, base = words_of(language_of(request)), self.settings.base_url
        title = f"Parlour: {words['heroTitle']}"
        return page("lobby.html", request, head(title, words["heroLead"], base, icon(base)))

    async def _analysis(self, request: Request) -> Response:
        return page("analysis.html", request)

    async def _puzzles(self, request: Request) -> Response:
        return page("puzzles.html", request)

    async def _games(self, request: Request) -> Response:
        return page("games.html", request)

    async def _table(self, request: Request) -> Response:
        try:
            found = await self.rooms.store.some([request.path_params["table"]])
        except StoreUnavailable:
            found = []  # the page says so
        return page("table.html", request, table_head(found, self.settings.base_url))

    async def _embed(self, request: Request) -> Response:
        return page("embed.html", request)

    async def _plain_refusal(self, request: Request, error: Exception) -> Response:
        """Handle 404 and 405."""
        return await self._limited(
            lambda request: plain_refusal(request, error), request, costs.REQUEST
        )

    async def drain(self) -> None:
        """Refuse new requests, store accepted ones and notify clients before the shutdown."""
        await self.rooms.close()


async def plain_refusal(request: Request, error: Exception) -> Response:
    """Return the response for an unknown path or method."""
    assert isinstance(error, HTTPException)
    path = request.url.path
    is_of_another_version = re.match("/(api|ws)/v[0-9]+(/|$)", path) and not path.startswith(API)
    if error.status_code == 404 and is_of_another_version:
        words = f"this server uses version {VERSION}, below {API}"
        return answer(Refusal("version", words), status_of("version"))
    if error.status_code == 404 and wants_page(request):
        return missing_page(request)
    if error.status_code == 404:
        return answer(Refusal("not_found", "no such page"), 404)
    refused = Refusal("not_allowed", f"this page does not accept {request.method}")
    return answer(refused, error.status_code, dict(error.headers or {}))
