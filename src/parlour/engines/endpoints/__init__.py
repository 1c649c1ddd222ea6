"""Parlour's agents as engines, one endpoint per protocol: `parlour engine PROTOCOL GAME`."""

from typing import IO

from parlour.core.game import Game
from parlour.engines.endpoints.cdc import CdcEndpoint
from parlour.engines.endpoints.endpoint import Endpoint
from parlour.engines.endpoints.gtp import GtpEndpoint
from parlour.engines.endpoints.session import EngineSession
from parlour.engines.endpoints.uci import UciEndpoint, UgiEndpoint
from parlour.engines.protocols import CDC, GTP, UCI, UGI, check_protocol

ENDPOINTS: dict[str, type[Endpoint]] = {
    GTP: GtpEndpoint,
    CDC: CdcEndpoint,
    UCI: UciEndpoint,
    UGI: UgiEndpoint,
}


def offer(
    protocol: str,
    game: Game,
    agent: str,
    asked: IO[str],
    answers: IO[str],
    *,
    start_seed: int = 0,
    seed: int | None = None,
) -> None:
    """Play a game with an agent for a host, until the host quits or closes the stream.

    `start_seed` is the seed of the starts. `seed` is the agent's seed if its text has none, by
    default random. Raises `AgentError` if the protocol does not support the game or the agent is
    unknown. Invalid commands do not raise; they are answered with an error.
    """
    kind = ENDPOINTS[check_protocol(protocol)]
    session = EngineSession(game, agent, start_seed, seed)
    try:
        kind(session, answers).serve(asked)
    finally:
        session.close()
