"""The engine protocols, and which games support them."""

from parlour.core.errors import AgentError, ContractError
from parlour.core.game import Game, has_two_sides
from parlour.core.options import did_you_mean
from parlour.interchange import CdcDialect, Dialect, GtpDialect, PositionDialect

GTP, CDC, UCI, UGI = "gtp", "cdc", "uci", "ugi"

PROTOCOLS: dict[str, type[Dialect]] = {
    GTP: GtpDialect,
    CDC: CdcDialect,
    UCI: PositionDialect,
    UGI: PositionDialect,
}
"""Maps each protocol to the class of its dialects."""


def check_protocol(name: str) -> str:
    """Return the name; raises `AgentError` for an unknown protocol."""
    if name not in PROTOCOLS:
        near = did_you_mean(name, PROTOCOLS)
        listed = ", ".join(PROTOCOLS)
        raise AgentError(f"unknown protocol {name[:40]!r}{near}; the protocols are {listed}")
    return name


def find_dialect(game: Game, protocol: str) -> Dialect | None:
    """Return the game's dialect of a protocol, or `None` if it is not supported."""
    found = game.dialect(check_protocol(protocol))
    if found is None:
        is_duel = game.seats == 2 and has_two_sides(game)
        is_plain = is_duel and not game.has_chance and not game.has_secrets
        return PositionDialect(game) if protocol == UGI and is_plain else None
    kind = PROTOCOLS[protocol]
    if not isinstance(found, kind):
        raise ContractError(
            f"{game.name}.dialect({protocol!r}) gives {type(found).__name__}, not a {kind.__name__}"
        )
    return found


def dialect_of(game: Game, protocol: str) -> Dialect:
    """Return the game's dialect of a protocol; raises `AgentError` with the supported ones."""
    found = find_dialect(game, protocol)
    if found is not None:
        return found
    offered = protocols_of(game)
    has = f"its engines speak {' or '.join(offered)}" if offered else "it has no engine protocol"
    raise AgentError(f"{game.name} with these options does not support {protocol}; {has}")


def protocols_of(game: Game) -> list[str]:
    """Return the protocols that a game supports."""
    return [name for name in PROTOCOLS if find_dialect(game, name) is not None]
