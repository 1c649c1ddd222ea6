"""Third-party engines as agents, and Parlour's agents as engines.

    parlour.agent("gtp:pentobi-gtp --level 3").choose(state)
    parlour.engines.offer("gtp", parlour.game("blokus"), "best", sys.stdin, sys.stdout)

An engine is a program that reads commands from its standard input in one of four protocols:
`gtp`, `cdc`, `uci`, `ugi`. A game defines its vocabulary in dialects (`parlour.interchange`); this
package is independent of any game.
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
