"""Our agents as engines: what `parlour engine PROTOCOL GAME` runs, one endpoint a protocol."""

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
    """Play that game with that agent for whoever asks, until they quit or stop asking.

    `start_seed` is the seed of the starts; `seed` is for the agent, where its text gives none;
    without one it is random. `AgentError` if the game is not played through the protocol, or
    there is no such agent; what is asked never raises, but is answered with a refusal.
    """
    kind = ENDPOINTS[check_protocol(protocol)]
    session = EngineSession(game, agent, start_seed, seed)
    try:
        kind(session, answers).serve(asked)
    finally:
        session.close()
