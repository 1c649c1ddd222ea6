"""The command `parlour serve`."""

import asyncio
from pathlib import Path
from typing import Any

import click

from parlour.core.errors import MissingExtra

VARIABLES = "PARLOUR_SERVE"
ADMIN_WORDS = "parlour.admin"

EPILOG = """
\b
Examples:
  parlour serve                                 http://127.0.0.1:8000, for this machine
  parlour serve --host 0.0.0.0 --port 8080      for everyone on your network
  parlour serve --backup games.sqlite           copy the store while the server runs
  parlour serve --admin list --status playing   running games; see --admin --help
  parlour serve --store postgresql://parlour@db.example.org/parlour --workers 4
  parlour serve --migrate sqlite:games.sqlite postgresql://parlour@db.example.org/parlour
  PARLOUR_SERVE_PORT=9000 parlour serve         every option has a variable
\b
Behind nginx, which handles TLS:
  parlour serve --public-url https://games.example.org --proxy 127.0.0.1
\b
  server {
    server_name games.example.org;
    listen 443 ssl;
    location / {
      proxy_pass http://127.0.0.1:8000;
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection upgrade;
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_read_timeout 1h;
    }
  }
\b
Behind caddy: games.example.org { reverse_proxy 127.0.0.1:8000 }
"""


class ServeCommand(click.Command):
    """Treat everything after `--admin` as a separate command."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Store those words for later."""
        if "--admin" in args:
            at = args.index("--admin") + 1
            args, ctx.meta[ADMIN_WORDS] = args[:at], args[at:]
        return super().parse_args(ctx, args)


@click.command(cls=ServeCommand, epilog=EPILOG, context_settings={"auto_envvar_prefix": VARIABLES})
@click.option("--host", metavar="ADDRESS", help="Address to listen on.", show_default="127.0.0.1")
@click.option("--port", type=int, help="Port to listen on.", show_default="8000")
@click.option(
    "--store",
    metavar="STORE",
    help="Where games are stored: sqlite:PATH or postgresql://...",
    show_default="a file in the data folder",
)
@click.option("--workers", type=int, metavar="N", help="Server processes.", show_default="1")
@click.option("--public-url", metavar="URL", help="The public address, behind a proxy.")
@click.option(
    "--proxy",
    "proxies",
    envvar=f"{VARIABLES}_PROXY",
    metavar="ADDRESSES",
    help="Proxies whose X-Forwarded-For is trusted.",
)
@click.option(
    "--keep",
    metavar="TIME",
    help="Erase games and names that have been idle for this long; 0 for never.",
    show_default="90d",
)
@click.option(
    "--abandon",
    metavar="TIME",
    help="End games that have been idle for this long; 0 for never.",
    show_default="14d",
)
@click.option("--no-chat", is_flag=True, help="Switch the chat off.")
@click.option(
    "--agents",
    type=int,
    metavar="N",
    help="Agent processes of each worker.",
    show_default="1",
)
@click.option(
    "--agent-memory",
    type=int,
    metavar="MIB",
    help="Memory limit of each agent process.",
    show_default="1024",
)
@click.option(
    "--agent-seconds",
    type=float,
    metavar="S",
    help="Most seconds for one decision.",
    show_default="30",
)
@click.option(
    "--agent-budget",
    metavar="RATE",
    help="Rate limit of thinking seconds for one address.",
    show_default="30/m,1800",
)
@click.option(
    "--agent-queue", type=int, metavar="N", help="Most decisions in the queue.", show_default="200"
)
@click.option("--rooms", type=int, metavar="N", help="Most games in memory.", show_default="2000")
@click.option(
    "--room-memory",
    type=int,
    metavar="MIB",
    help="Most memory of the games in memory, estimated.",
    show_default="512",
)
@click.option("--sockets", type=int, metavar="N", help="Most open sockets.", show_default="10000")
@click.option(
    "--sockets-per-address",
    type=int,
    metavar="N",
    help="Most open sockets from one address.",
    show_default="200",
)
@click.option(
    "--work",
    metavar="RATE",
    help="Rate limit of CPU milliseconds for one address.",
    show_default="300/s,4000",
)
@click.option(
    "--tables",
    metavar="RATE",
    help="Rate limit of new tables from one address.",
    show_default="6/m,100",
)
@click.option(
    "--words",
    metavar="RATE",
    help="Rate limit of chat messages from one seat.",
    show_default="30/m,5",
)
@click.option(
    "--origin",
    "origins",
    envvar=f"{VARIABLES}_ORIGIN",
    multiple=True,
    help="A page that may embed the board.",
)
@click.option(
    "--metrics-token", metavar="TEXT", help="Let other machines read the metrics with this token."
)
@click.option(
    "--log", type=click.Choice(["text", "json"]), help="Format of the log.", show_default="text"
)
@click.option("--access-log", is_flag=True, help="Log every request and every socket.")
@click.option("--log-addresses", is_flag=True, help="Also log their addresses.")
@click.option(
    "--slow",
    type=float,
    metavar="S",
    help="Log requests that take this many seconds.",
    show_default="1",
)
@click.option(
    "--backup", type=click.Path(path_type=Path), help="Copy the store to this file and exit."
)
@click.option(
    "--migrate",
    nargs=2,
    metavar="FROM TO",
    help="Copy a store that no server uses into an empty one and exit.",
)
@click.option(
    "--import",
    "imported",
    envvar=f"{VARIABLES}_IMPORT",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Import a record that was played to its end and exit.",
)
@click.option(
    "--admin",
    is_flag=True,
    allow_from_autoenv=False,
    help="List, end and export tables, tune limits: see --admin --help.",
)
@click.pass_context
def serve(
    ctx: click.Context,
    /,
    backup: Path | None,
    migrate: tuple[str, str] | None,
    imported: tuple[Path, ...],
    admin: bool,
    **given: Any,
) -> int:
    """Run a server for people and programs."""
    try:
        from parlour.server.admin import administration
        from parlour.server.run import run
    except ModuleNotFoundError as error:
        raise MissingExtra(
            f"the server needs the extra: pip install 'parlour[server]' ({error.name} is missing)"
        ) from None
    if admin:
        from parlour.commands.admin import run_admin

        return run_admin(ctx.meta[ADMIN_WORDS], given)
    settings = administration.settings_from(given)
    if backup is not None:
        administration.back_up(settings.store, backup)
        click.echo(f"Copied to {backup}.")
        return 0
    if migrate:
        click.echo(administration.move(*migrate))
        return 0
    if imported:
        for link in asyncio.run(administration.import_records(settings, imported)):
            click.echo(link)
        return 0

    def say_link(link: str) -> None:
        click.echo(f"Parlour is open at {link}")
        if settings.log == "text":  # this line is not JSON
            click.echo("Press Ctrl-C to stop it.", err=True)

    run(settings, say_link)
    return 0
