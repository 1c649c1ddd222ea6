"""What a new table is answered with: links and the secrets in them."""

from collections.abc import Callable

from parlour.protocol.requests import Invitation, MadeTable
from parlour.server.store.store import NewGame, TokenRow
from parlour.server.tokens import hash_of

Secrets = Callable[[str, int], str]
"""Makes the secret of a kind for a seat."""


def fill_in(made: MadeTable, secrets: Secrets, base: str) -> None:
    """Put the secrets into an answer."""
    if made.seat is not None:
        made.token = secrets("token", made.seat)
    for each in made.invitations:
        each.claim = secrets("claim", each.seat)
        each.url = invitation_url(base, made.table, each.seat, each.claim)


def without_secrets(made: MadeTable) -> MadeTable:
    """The answer as it may be kept."""
    bare = [Invitation(each.seat, "", "") for each in made.invitations]
    return MadeTable(made.table, made.watch_url, bare, made.seat)


def with_secrets(new: NewGame, made: MadeTable, secrets: Secrets, base: str) -> NewGame:
    """The game with the hashes of the secrets, which are put into the answer."""
    fill_in(made, secrets, base)
    tokens = [] if made.seat is None else [TokenRow(hash_of(made.token), made.seat, 0)]
    claims = [TokenRow(hash_of(each.claim), each.seat, 0) for each in made.invitations]
    return new._replace(claims=claims, tokens=tokens)


def watch_url(base: str, table: str) -> str:
    """The link to a table."""
    return f"{base}/t/{table}"


def invitation_url(base: str, table: str, seat: int, claim: str) -> str:
    """The link for one person: the claim is in the fragment, which no server and log sees."""
    return f"{base}/t/{table}#seat={seat}&claim={claim}"
