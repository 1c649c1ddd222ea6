"""Limits that an operator changes while servers run: kept in the store, in force everywhere.

Every process reads them when it starts and every couple of seconds; they outlive a restart and
stand above the command line until they are removed.
"""

import logging
from collections.abc import Mapping
from typing import Any, NamedTuple

from parlour.core.checks import shown
from parlour.server.limits import Rate, RatePace
from parlour.server.settings import RATES, SettingError, Settings, rate, rate_text

log = logging.getLogger("parlour.server")

TUNABLE = (
    *RATES,
    "sockets",
    "sockets_per_address",
    "agent_seconds",
    "agent_budget",
    "agent_queue",
)
DEFAULT, GIVEN, TUNED = "default", "command line", "tuned"


class TunedLimit(NamedTuple):
    """A limit as it is in force."""

    name: str
    value: str
    source: str
    """`default`, `command line` (or a variable), or `tuned`."""
    untuned: str
    """What it would be, and will be once it is not tuned any more."""


class LimitTuning:
    """The settings of one process, with what an operator has tuned."""

    def __init__(self, given: Settings) -> None:
        """As the command line has it, until `adopt`."""
        self.settings = given.share
        """Of this worker, if there are several."""
        self.paces = {name: RatePace(getattr(given, name), name) for name in RATES}
        self._given = self._whole = given
        self._tuned: dict[str, str] = {}
        self._adopted: dict[str, str] = {}

    def adopt(self, found: Mapping[str, str]) -> bool:
        """Go by what the store holds; whether anything has changed.

        What cannot be, because another version has written it, is logged and left aside.
        """
        if found == self._adopted:
            return False
        self._adopted = dict(found)
        self._tuned = {}
        settings = self._given
        for name, text in sorted(found.items()):
            try:
                settings = tuned(settings, name, text)
            except SettingError as error:
                log.warning("a tuned limit is left aside: %s", error)
            else:
                self._tuned[name] = text
        self._whole, self.settings = settings, settings.share
        for name, pace in self.paces.items():
            pace.adopt(getattr(settings, name))
        log.info("limits are tuned: %s", self._tuned or "none", extra={"limits": self._tuned})
        return True

    def check(self, name: str, text: str) -> None:
        """`SettingError` unless that limit can be set to that."""
        tuned(self._given, name, text)

    def limits(self) -> list[TunedLimit]:
        """All that can be tuned, as they are."""
        return [self._limit(name) for name in TUNABLE]

    def _limit(self, name: str) -> TunedLimit:
        given = getattr(self._given, name)
        source = DEFAULT if given == getattr(Settings(), name) else GIVEN
        if name in self._tuned:
            source = TUNED
        return TunedLimit(name, _text(getattr(self._whole, name)), source, _text(given))


def limit_name(text: str) -> str:
    """The limit of that name, `agent-queue` as well as `agent_queue`; `SettingError`."""
    name = text.strip().removeprefix("--").replace("-", "_")
    if name not in TUNABLE:
        raise SettingError(f"there is no limit {shown(text)}; there are {', '.join(TUNABLE)}")
    return name


def tuned(settings: Settings, name: str, text: str) -> Settings:
    """The settings with one limit as that text has it; `SettingError`."""
    name = limit_name(name)
    kind = type(getattr(Settings(), name))
    value: Any
    if kind is Rate:
        value = rate(text)
    else:
        try:
            value = kind(text)
        except ValueError:
            words = "a whole number" if kind is int else "a number of seconds"
            raise SettingError(f"{name} is {words}, not {shown(text)}") from None
    return settings._replace(**{name: value}).checked()


def _text(value: Rate | int | float) -> str:
    if isinstance(value, Rate):
        return rate_text(value)
    return str(value) if isinstance(value, int) else f"{value:g}"
