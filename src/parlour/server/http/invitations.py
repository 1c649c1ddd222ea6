"""Links to a new table and the secrets in them."""

from collections.abc import Callable

from parlour.protocol.requests import Invitation, MadeTable
from parlour.server.store.store import NewGame, TokenRow
from parlour.server.tokens import hash_of

Secrets = Callable[[str, int], str]
"""Returns the secret of a kind for a seat."""


def add_secrets(made: MadeTable, secrets: Secrets, base: str) -> None:
    """Add the secrets to a response."""
    if made.seat is not None:
        made.token = secrets("token", made.seat)
    for each in made.invitations:
        each.claim = secrets("claim", each.seat)
        each.url = invitation_url(base, made.table, each.seat, each.claim)


def without_secrets(made: MadeTable) -> MadeTable:
    """Return the response without secrets, for storage."""
    bare = [Invitation(each.seat, "", "") for each in made.invitations]
    return MadeTable(made.table, made.watch_url, bare, made.seat)


def with_secrets(new: NewGame, made: MadeTable, secrets: Secrets, base: str) -> NewGame:
    """Return the game with the secrets' hashes, and add the secrets to the response."""
    add_secrets(made, secrets, base)
    tokens = [] if made.seat is None else [TokenRow(hash_of(made.token), made.seat, 0)]
    claims = [TokenRow(hash_of(each.claim), each.seat, 0) for each in made.invitations]
    return new._replace(claims=claims, tokens=tokens)


def watch_url(base: str, table: str) -> str:
    """Return the link to watch a table."""
    return f"{base}/t/{table}"


def invitation_url(base: str, table: str, seat: int, claim: str) -> str:
    """Return an invitation; the claim is in the fragment, which never reaches a server or log."""
    return f"{base}/t/{table}#seat={seat}&claim={claim}"
