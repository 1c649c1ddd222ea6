"""Requests over HTTP, with retries and idempotency keys."""

from functools import cache
from ssl import SSLContext
from typing import Any, TypeVar, cast

import httpx

from parlour.client.errors import PASSING, Unreachable, refusal
from parlour.client.links import api_url
from parlour.client.retry import Retry
from parlour.core.errors import ParlourError, in_one_line
from parlour.protocol.errors import RateLimited
from parlour.protocol.json import Reader, encode
from parlour.protocol.requests import Refusal

T = TypeVar("T")

_refusal: Reader[Refusal] = Reader(Refusal)
_readers: dict[Any, Reader[Any]] = {}


@cache
def _certificates() -> SSLContext:
    """Return the trusted certificates, cached because loading them is slower than a request."""
    return httpx.create_ssl_context()


class Http:
    """The HTTP API of one server."""

    def __init__(
        self, base: str, retry: Retry, transport: httpx.AsyncBaseTransport | None = None
    ) -> None:
        """Set up without sending anything; `transport` is for tests."""
        self._base = base
        self._retry = retry
        timeout = httpx.Timeout(retry.answer, read=max(60.0, retry.answer))
        self._client = httpx.AsyncClient(
            base_url=api_url(base), timeout=timeout, transport=transport, verify=_certificates()
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def get(self, path: str, kind: type[T], token: str = "", **query: str) -> T:
        """Get a JSON resource."""
        return self._read(await self._send("GET", path, None, token, "", query, True), kind)

    async def text(self, path: str, token: str = "") -> str:
        """Get a plain text."""
        return (await self._send("GET", path, None, token, "", {}, True)).text

    async def post(
        self, path: str, body: object, kind: type[T], token: str = "", key: str = ""
    ) -> T:
        """Post a request. With an idempotency `key`, retry it until it is answered."""
        return self._read(await self._send("POST", path, body, token, key, {}, bool(key)), kind)

    def _read(self, response: httpx.Response, kind: type[T]) -> T:
        reader = _readers.get(kind)
        if reader is None:
            reader = _readers[kind] = Reader(kind)
        return cast(T, reader.read(response.content))

    async def _send(
        self,
        method: str,
        path: str,
        body: object,
        token: str,
        key: str,
        query: dict[str, str],
        may_repeat: bool,
    ) -> httpx.Response:
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        if key:
            headers["Idempotency-Key"] = key
        content = None if body is None else encode(body)
        failures = 0
        while True:
            wait: float | None = None
            problem: ParlourError
            try:
                # Cookies could identify another seat on the same machine.
                self._client.cookies.clear()
                response = await self._client.request(
                    method, path, params=query, content=content, headers=headers
                )
            except httpx.InvalidURL as error:
                raise Unreachable(f"{self._base} is not a valid address: {error}") from None
            except httpx.TransportError as error:
                problem = Unreachable(f"{self._base} does not answer: {in_one_line(error)}")
                # Before there is a connection nothing was sent; after that it is unknown.
                never_sent = isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
                if not (may_repeat or never_sent):
                    raise problem from None
            else:
                if response.is_success:
                    return response
                problem, wait = _problem(response, self._base)
                if problem.code not in PASSING:
                    raise problem
            failures += 1
            if failures > self._retry.attempts:
                raise problem
            await self._retry.sleep(self._retry.wait(failures) if wait is None else wait)


def _problem(response: httpx.Response, base: str) -> tuple[ParlourError, float | None]:
    """Return the error of a response, and the delay before the next attempt if it gives one."""
    try:
        found = _refusal.read(response.content)
    except ParlourError:
        status = response.status_code
        return Unreachable(f"{base} is not a Parlour server: it answered with {status}"), None
    problem = refusal(found.code, found.message)
    if isinstance(problem, RateLimited) and found.retry_after is not None:
        problem.retry_after = found.retry_after
    return problem, found.retry_after
