"""The command `parlour engine`."""

import sys

import click

from parlour.commands.game_command import GameCommand, settings_option
from parlour.commands.parameters import SEED, AgentText, GameName, WordList
from parlour.core.game import Game
from parlour.core.registry import game_with
from parlour.engines.protocols import PROTOCOLS, check_protocol


@click.command(
    cls=GameCommand,
    epilog="""
\b
Examples:
  parlour engine gtp blokus --variant duo --agent level:7
  parlour engine cdc banqi --rules taiwan
  parlour engine uci banqi
  parlour engine ugi octa --agent search:nodes=20000
  parlour match octa best 'ugi:my-engine --hash 64'     the other way round: docs/engines.md
""",
)
@click.argument("protocol", type=WordList("protocol", *PROTOCOLS))
@click.argument("game", type=GameName())
@settings_option()
@click.option("--seed", type=SEED, default=0, metavar="N", help="Seed of the start position.")
@click.option("--agent", type=AgentText(), default="best", help="The agent that plays.")
def engine(protocol: str, game: str, settings: tuple[str, ...], seed: int, agent: str) -> int:
    """Offer an agent through an engine protocol.

    PROTOCOL is gtp, cdc, uci or ugi. The host uses the standard streams.
    """
    check_protocol(protocol)
    return run_engine(protocol, game_with(game, settings), agent, seed)


def run_engine(protocol: str, game: Game, agent: str, start_seed: int) -> int:
    """Answer on the standard streams until the host quits. Return the exit status."""
    from parlour.engines import offer  # no other command needs it

    for stream in (sys.stdin, sys.stdout):
        # Hosts are not terminals: use one encoding and one line end on every system.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace", newline="\n")
    offer(protocol, game, agent, sys.stdin, sys.stdout, start_seed=start_seed)
    return 0
