"""What an operator can set, with its defaults; each is an option and an environment variable."""

import ipaddress
import math
import re
from typing import ClassVar, NamedTuple
from urllib.parse import SplitResult, urlsplit

from parlour.core.checks import shown
from parlour.core.errors import ParlourError
from parlour.server.limits import Rate

DAY = 24 * 3600
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": DAY}
RATES = ("messages", "requests", "tables", "analyses", "words")
AT_LEAST_1 = (
    "workers",
    "agents",
    "agent_memory",
    "agent_queue",
    "rooms",
    "sockets",
    "sockets_per_address",
)
_DURATION = re.compile(r"([0-9]{1,6})([smhd])")


class SettingError(ParlourError):
    """An option of the server that cannot be."""

    code: ClassVar[str] = "bad_setting"


class Settings(NamedTuple):
    """How a server is run."""

    host: str = "127.0.0.1"
    port: int = 8000
    store: str = ""
    """`sqlite:PATH` or `postgresql://...`; empty: a file in the user's data folder."""
    workers: int = 1
    """Processes that serve, on one store in PostgreSQL."""
    public_url: str = ""
    """What people type; empty: http://HOST:PORT."""
    keep: int = 90 * DAY
    """Seconds after which a game is erased to which nothing happens any more; 0: never."""
    abandon: int = 14 * DAY
    """Seconds after which a game that nobody plays is over."""
    chat: bool = True
    agents: int = 1
    """Processes in which agents think, of each worker."""
    agent_memory: int = 1024
    """MiB for each of them."""
    agent_seconds: float = 30.0
    """The longest thought."""
    agent_budget: float = 1800.0
    """Seconds of thought at one table; afterwards its agents play as level 1."""
    agent_queue: int = 200
    """Thoughts that may wait before new tables with agents are refused."""
    rooms: int = 2000
    """Games kept in memory although nobody looks at them."""
    sockets: int = 10_000
    sockets_per_address: int = 200
    messages: Rate = Rate(10, 40)
    """For each socket."""
    requests: Rate = Rate(20, 200)
    """HTTP, for each address."""
    tables: Rate = Rate(0.1, 30)
    """New tables, for each address."""
    analyses: Rate = Rate(1, 200)
    """Analyses and pictures, for each address: a whole game can be looked at."""
    words: Rate = Rate(0.5, 5)
    """`say`, for each seat."""
    queue_bytes: int = 262_144
    """What may wait for a slow reader before it is told to say hello again."""
    origins: tuple[str, ...] = ()
    """Pages of others that may use the API and embed the board."""
    proxies: str = ""
    """Addresses of proxies whose X-Forwarded-For is believed."""
    metrics_token: str = ""
    """Lets others than this machine read /metrics."""
    log: str = "text"
    """`text` or `json`."""
    access_log: bool = False
    """Whether every request and every socket is logged."""
    log_addresses: bool = False
    """Whether that line, and those of slow requests, tell from where it came."""
    slow: float = 1.0
    """Requests that take so many seconds are logged."""
    beat_seconds: float = 2.0
    """How often a process says that it is there, and looks what others have stored."""
    lease_seconds: float = 10.0
    """How long an agent's turn is left to a process that is not heard of any more."""
    answer_seconds: float = 0.3
    """How long a process that begins waits for others to say that they are there."""
    hello_seconds: float = 10.0
    drain_seconds: float = 5.0
    presence_seconds: float = 0.5

    def checked(self) -> "Settings":
        """Itself; `SettingError` says what is wrong, and what would be right."""
        if not 0 <= self.port <= 65535:
            raise SettingError(f"a port is a number from 0 to 65535, not {self.port}")
        if self.public_url:
            parts = urlsplit(self.public_url)
            is_strange = bool(parts.query or parts.fragment or parts.username)
            if parts.scheme not in ("http", "https") or not _has_host(parts) or is_strange:
                raise SettingError(
                    "--public-url reads like https://games.example.org, "
                    f"not {shown(self.public_url)}"
                )
        for origin in self.origins:
            parts = urlsplit(origin)
            if f"{parts.scheme}://{parts.netloc}" != origin:
                raise SettingError(f"an origin reads like https://example.org, not {shown(origin)}")
        for name in AT_LEAST_1:
            if getattr(self, name) < 1:
                raise SettingError(f"--{name.replace('_', '-')} must be at least 1")
        for name in ("agent_seconds", "agent_budget", "slow"):
            if not 0 < getattr(self, name) < math.inf:
                raise SettingError(f"--{name.replace('_', '-')} is a number of seconds over 0")
        for name in RATES:
            if getattr(self, name).per_second <= 0 or getattr(self, name).burst < 1:
                raise SettingError(f"--{name} lets nobody in: at least 1/h is possible")
        for proxy in filter(None, self.proxies.split(",")):
            if proxy.strip() != "*" and not _is_network(proxy.strip()):
                raise SettingError(
                    f"--proxy reads like 127.0.0.1 or 10.0.0.0/8,::1, not {shown(self.proxies)}"
                )
        if self.log not in ("text", "json"):
            raise SettingError(f"--log is text or json, not {shown(self.log)}")
        return self

    @property
    def share(self) -> "Settings":
        """Those of one worker: what counts for the whole server is divided."""
        return self._replace(
            sockets=-(-self.sockets // self.workers), rooms=-(-self.rooms // self.workers)
        )

    @property
    def base_url(self) -> str:
        """How links begin."""
        if self.public_url:
            return self.public_url.rstrip("/")
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::", "") else self.host
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @property
    def is_https(self) -> bool:
        """Whether people come by https."""
        return self.base_url.startswith("https:")


def _has_host(parts: SplitResult) -> bool:
    try:
        return bool(parts.hostname) and parts.port != 0
    except ValueError:  # the port is none
        return False


def _is_network(text: str) -> bool:
    try:
        ipaddress.ip_network(text)
    except ValueError:
        return False
    return True


def duration(text: str) -> int:
    """The seconds of `90d`, `12h`, `30m`, `10s` or `0`; `SettingError`."""
    if text.strip() == "0":
        return 0
    match = _DURATION.fullmatch(text.strip())
    if match is None:
        raise SettingError(f"a time reads like 90d, 12h, 30m or 10s, not {shown(text)}")
    return int(match[1]) * _UNITS[match[2]]


def rate(text: str) -> Rate:
    """`10/s`, `6/m` or `100/h`, with a burst after a comma: `10/s,40`; `SettingError`."""
    match = re.fullmatch(r"([0-9]{1,6})/([smh])(?:,([0-9]{1,6}))?", text.strip())
    if match is None:
        raise SettingError(f"a rate reads like 10/s or 6/m,30 (30 at once), not {shown(text)}")
    per_second = int(match[1]) / _UNITS[match[2]]
    return Rate(per_second, float(match[3] or max(1, int(match[1]))))


def rate_text(found: Rate) -> str:
    """A rate as it is typed: `10/s,40`."""
    for unit in ("s", "m", "h"):
        count = found.per_second * _UNITS[unit]
        if count >= 1 and abs(count - round(count)) < 1e-9 * count:
            return f"{round(count)}/{unit},{found.burst:g}"
    return f"{found.per_second:g}/s,{found.burst:g}"
