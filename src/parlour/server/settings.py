"""Server settings and their defaults; each is an option and an environment variable."""

import ipaddress
import math
import re
from typing import ClassVar, NamedTuple
from urllib.parse import SplitResult, urlsplit

from parlour.core.checks import shown
from parlour.core.errors import ParlourError
from parlour.server.rates import Rate

DAY = 24 * 3600
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": DAY}
RATES = ("work", "tables", "words", "agent_budget")
AT_LEAST_1 = (
    "workers",
    "agents",
    "agent_memory",
    "agent_queue",
    "rooms",
    "room_memory",
    "sockets",
    "sockets_per_address",
)
_DURATION = re.compile(r"([0-9]{1,6})([smhd])")


class SettingError(ParlourError):
    """A server setting is invalid."""

    code: ClassVar[str] = "bad_setting"


class Settings(NamedTuple):
    """Settings of a server."""

    host: str = "127.0.0.1"
    port: int = 8000
    store: str = ""
    """`sqlite:PATH` or `postgresql://...`; empty for a file in the user's data folder."""
    workers: int = 1
    """Number of worker processes; more than one needs a store in PostgreSQL."""
    public_url: str = ""
    """The URL that players use; http://HOST:PORT if empty."""
    keep: int = 90 * DAY
    """Seconds without activity after which a game is deleted; 0 for never."""
    abandon: int = 14 * DAY
    """Seconds without activity after which a running game is abandoned; 0 for never."""
    chat: bool = True
    agents: int = 1
    """Agent processes per worker."""
    agent_memory: int = 1024
    """Memory limit of an agent process in MiB."""
    agent_seconds: float = 30.0
    """Time limit per move of an agent."""
    agent_budget: Rate = Rate(0.5, 1800)
    """Thinking seconds per address; after them, agents play at level 1 and analyses are refused."""
    agent_queue: int = 200
    """Queued agent requests before new tables with agents are refused."""
    rooms: int = 2000
    """Games kept in memory without a connection."""
    room_memory: int = 512
    """Estimated size of the games in memory in MiB; idle games are unloaded beyond it."""
    sockets: int = 10_000
    sockets_per_address: int = 200
    work: Rate = Rate(300, 4000)
    """CPU milliseconds per address, for requests and messages; `costs.py` has the prices.

    The default lets 100 players behind one address open the page and make a move a second each.
    """
    tables: Rate = Rate(0.1, 100)
    """New tables per address."""
    words: Rate = Rate(0.5, 5)
    """Chat messages per seat."""
    queue_bytes: int = 262_144
    """Bytes queued for a slow reader before it must resync."""
    origins: tuple[str, ...] = ()
    """Other origins that may use the API and embed the board."""
    proxies: str = ""
    """Addresses of trusted proxies, whose X-Forwarded-For is used."""
    metrics_token: str = ""
    """Token that allows other machines to read /metrics."""
    log: str = "text"
    """`text` or `json`."""
    access_log: bool = False
    """Whether to log every request and connection."""
    log_addresses: bool = False
    """Whether access and slow-request lines include the client's address."""
    slow: float = 1.0
    """Requests that take this many seconds are logged."""
    beat_seconds: float = 2.0
    """Interval of heartbeats and of polling the store for changes by peers."""
    lease_seconds: float = 10.0
    """Seconds after which the lease of a silent process on an agent's turn expires."""
    answer_seconds: float = 0.3
    """How long a starting process waits for replies from peers."""
    hello_seconds: float = 10.0
    drain_seconds: float = 5.0
    presence_seconds: float = 0.5

    def checked(self) -> "Settings":
        """Return the settings themselves. Raise `SettingError` if one is invalid."""
        if not 0 <= self.port <= 65535:
            raise SettingError(f"--port must be a number from 0 to 65535, not {self.port}")
        if self.public_url:
            parts = urlsplit(self.public_url)
            # Pages and clients use absolute paths, so a server needs a host name of its own.
            is_strange = bool(
                parts.path.strip("/") or parts.query or parts.fragment or parts.username
            )
            if parts.scheme not in ("http", "https") or not _has_host(parts) or is_strange:
                raise SettingError(
                    "--public-url must look like https://games.example.org, "
                    f"not {shown(self.public_url)}"
                )
        for origin in self.origins:
            parts = urlsplit(origin)
            if f"{parts.scheme}://{parts.netloc}" != origin:
                raise SettingError(
                    f"--origin must look like https://example.org, not {shown(origin)}"
                )
        for name in AT_LEAST_1:
            if getattr(self, name) < 1:
                raise SettingError(f"--{name.replace('_', '-')} must be at least 1")
        for name in ("agent_seconds", "slow"):
            if not 0 < getattr(self, name) < math.inf:
                raise SettingError(
                    f"--{name.replace('_', '-')} must be a number of seconds greater than 0"
                )
        for name in RATES:
            if getattr(self, name).per_second <= 0 or getattr(self, name).burst < 1:
                raise SettingError(f"--{name.replace('_', '-')} must be at least 1/h")
        for proxy in filter(None, self.proxies.split(",")):
            if not _is_network(proxy.strip()):
                raise SettingError(
                    f"--proxy must look like 127.0.0.1 or 10.0.0.0/8,::1, not {shown(self.proxies)}"
                )
        if self.log not in ("text", "json"):
            raise SettingError(f"--log must be text or json, not {shown(self.log)}")
        return self

    @property
    def share(self) -> "Settings":
        """The settings of one worker, with the limits of the whole server divided."""
        return self._replace(
            sockets=-(-self.sockets // self.workers),
            rooms=-(-self.rooms // self.workers),
            room_memory=-(-self.room_memory // self.workers),
        )

    @property
    def base_url(self) -> str:
        """The first part of all links."""
        if self.public_url:
            return self.public_url.rstrip("/")
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::", "") else self.host
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @property
    def is_https(self) -> bool:
        """Whether clients connect over https."""
        return self.base_url.startswith("https:")


def _has_host(parts: SplitResult) -> bool:
    try:
        return bool(parts.hostname) and parts.port != 0
    except ValueError:  # invalid port
        return False


def _is_network(text: str) -> bool:
    try:
        ipaddress.ip_network(text)
    except ValueError:
        return False
    return True


def duration(text: str, name: str) -> int:
    """Parse `90d`, `12h`, `30m`, `10s` or `0` into seconds.

    Raise `SettingError`, which names the setting, if the text is invalid.
    """
    if text.strip() == "0":
        return 0
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise SettingError(f"{name} must look like 90d, 12h, 30m, 10s or 0, not {shown(text)}")
    return int(match[1]) * _UNITS[match[2]]


def rate(text: str, name: str) -> Rate:
    """Parse `10/s`, `6/m` or `100/h`, optionally with a burst: `10/s,40`.

    Raise `SettingError`, which names the setting, if the text is invalid.
    """
    match = re.fullmatch(r"([0-9]{1,6})/([smh])(?:,([0-9]{1,6}))?", text.strip())
    if match is None:
        raise SettingError(
            f"{name} must look like 10/s or 6/m,30 (bursts of 30), not {shown(text)}"
        )
    per_second = int(match[1]) / _UNITS[match[2]]
    return Rate(per_second, float(match[3] or max(1, int(match[1]))))


def rate_text(found: Rate) -> str:
    """Format a rate as an option's value: `10/s,40`."""
    for unit in ("s", "m", "h"):
        count = found.per_second * _UNITS[unit]
        if count >= 1 and abs(count - round(count)) < 1e-9 * count:
            return f"{round(count)}/{unit},{found.burst:g}"
    return f"{found.per_second:g}/s,{found.burst:g}"
