"""Declare the options of a game or an agent: `integer`, `fraction`, `flag`, `choice`, `text`."""

from parlour.core.options import (
    AUTO,
    Option,
    Value,
    check_options,
    choice,
    flag,
    fraction,
    integer,
    text,
)

__all__ = [
    "AUTO",
    "Option",
    "Value",
    "check_options",
    "choice",
    "flag",
    "fraction",
    "integer",
    "text",
]
