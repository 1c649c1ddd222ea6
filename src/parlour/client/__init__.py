"""Play at tables on a server: `Client`, or `AsyncClient` inside an event loop.

The client reconnects on its own. Requests are idempotent: each is executed once, even if it is sent
again after a lost connection. Missed events are delivered after reconnecting.
"""

from parlour.core.errors import MissingExtra

try:
    from parlour.client.aio import AsyncClient, AsyncRemoteTable
    from parlour.client.errors import BadLink, ServerRefusal, Unreachable
    from parlour.client.links import Link
    from parlour.client.retry import Retry
    from parlour.client.sync import Client, RemoteTable, join
    from parlour.client.view import TableView
except ModuleNotFoundError as error:
    if error.name not in ("httpx", "msgspec", "websockets"):
        raise
    raise MissingExtra(
        f"clients need the extra: pip install 'parlour[client]' ({error.name} is missing)"
    ) from None

__all__ = [
    "AsyncClient",
    "AsyncRemoteTable",
    "BadLink",
    "Client",
    "Link",
    "RemoteTable",
    "Retry",
    "ServerRefusal",
    "TableView",
    "Unreachable",
    "join",
]
