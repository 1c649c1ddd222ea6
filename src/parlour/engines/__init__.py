"""Other people's engines as agents, and our agents as engines.

parlour.agent("gtp:pentobi-gtp --level 3").choose(state)
parlour.engines.offer("gtp", parlour.game("blokus"), "best", sys.stdin, sys.stdout)

An engine is a program that is spoken to through its standard streams, in one of four
protocols: `gtp`, `cdc`, `uci`, `ugi`. A game says in its dialects (`parlour.interchange`)
what the words mean; nothing here knows any game.
"""

from parlour.engines.endpoints import offer
from parlour.engines.protocols import PROTOCOLS, dialect_of, protocols_of
from parlour.engines.settings import EngineError, EngineSettings, Limits, engine_named

__all__ = [
    "PROTOCOLS",
    "EngineError",
    "EngineSettings",
    "Limits",
    "dialect_of",
    "engine_named",
    "offer",
    "protocols_of",
]
