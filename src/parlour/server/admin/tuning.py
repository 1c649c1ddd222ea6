"""Limits that an operator changes while servers run, kept in the store.

Every process reads them at start and every few seconds. They survive restarts and override the
command line until they are removed.
"""

import logging
from collections.abc import Mapping
from typing import Any, NamedTuple

from parlour.core.checks import shown
from parlour.server.rates import Rate, SharedRate
from parlour.server.settings import RATES, SettingError, Settings, rate, rate_text

log = logging.getLogger("parlour.server")

TUNABLE = (
    *RATES,
    "sockets",
    "sockets_per_address",
    "agent_seconds",
    "agent_queue",
)
DEFAULT, GIVEN, TUNED = "default", "command line", "tuned"


class TunedLimit(NamedTuple):
    """The current value of a limit."""

    name: str
    value: str
    source: str
    """`default`, `command line` (or a variable), or `tuned`."""
    untuned: str
    """The value without tuning."""


class LimitTuning:
    """The settings of a process, with the tuned limits applied."""

    def __init__(self, given: Settings) -> None:
        """Start with the settings of the command line."""
        self.settings = given.share
        """Settings of this worker."""
        self.rates = {name: SharedRate(getattr(given, name), name) for name in RATES}
        self._given = self._whole = given
        self._tuned: dict[str, str] = {}
        self._adopted: dict[str, str] = {}

    def adopt(self, found: Mapping[str, str]) -> bool:
        """Apply the limits from the store and return whether anything changed.

        Invalid limits, which another version may have written, are logged and ignored.
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
                log.warning("ignoring an invalid tuned limit: %s", error)
            else:
                self._tuned[name] = text
        self._whole, self.settings = settings, settings.share
        for name, shared in self.rates.items():
            shared.adopt(getattr(settings, name))
        log.info("the tuned limits have changed", extra={"limits": self._tuned})
        return True

    def check(self, name: str, text: str) -> None:
        """Raise `SettingError` unless the limit accepts that value."""
        tuned(self._given, name, text)

    def limits(self) -> list[TunedLimit]:
        """Return the current values of all tunable limits."""
        return [self._limit(name) for name in TUNABLE]

    def _limit(self, name: str) -> TunedLimit:
        given = getattr(self._given, name)
        source = DEFAULT if given == getattr(Settings(), name) else GIVEN
        if name in self._tuned:
            source = TUNED
        return TunedLimit(name, _text(getattr(self._whole, name)), source, _text(given))


def limit_name(text: str) -> str:
    """Normalize a limit's name: `agent-queue` or `agent_queue`.

    Raise `SettingError` if it is unknown.
    """
    name = text.strip().removeprefix("--").replace("-", "_")
    if name not in TUNABLE:
        raise SettingError(f"unknown limit {shown(text)}; choose from {', '.join(TUNABLE)}")
    return name


def tuned(settings: Settings, name: str, text: str) -> Settings:
    """Return the settings with one limit changed. Raise `SettingError` if it is invalid."""
    name = limit_name(name)
    kind = type(getattr(Settings(), name))
    value: Any
    if kind is Rate:
        value = rate(text, name)
    else:
        try:
            value = kind(text)
        except ValueError:
            words = "a whole number" if kind is int else "a number of seconds"
            raise SettingError(f"{name} must be {words}, not {shown(text)}") from None
    return settings._replace(**{name: value}).checked()


def _text(value: Rate | int | float) -> str:
    if isinstance(value, Rate):
        return rate_text(value)
    return str(value) if isinstance(value, int) else f"{value:g}"
