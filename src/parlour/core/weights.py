"""Weights of evaluations: named numbers in a file beside the game that reads them."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from parlour.core.checks import shown
from parlour.core.errors import OptionError

FILE = "weights.json"


def weights_of(package: str) -> Mapping[str, float]:
    """Read `weights.json` in a package that is being imported: `weights_of("my_game")`.

    The package is given by name, because a compiled module has no `__file__` during its import.
    """
    with open(Path(sys.modules[package].__path__[0]) / FILE, encoding="utf-8") as file:
        return MappingProxyType({name: float(value) for name, value in json.load(file).items()})


def weights_to_text(weights: Mapping[str, float]) -> str:
    """Return the weights as part of an agent's text: `fear:0.25/cannon:6`."""
    return "/".join(f"{name}:{value:.6g}" for name, value in weights.items())


def weights_from_text(text: str) -> dict[str, float]:
    """Return the weights of a text from `weights_to_text`. Raises `OptionError`."""
    found: dict[str, float] = {}
    for part in filter(None, text.split("/")):
        name, _, value = part.partition(":")
        try:
            found[name.strip()] = float(value)
        except ValueError:
            raise OptionError(f"write weights as fear:0.25/cannon:6, not {shown(part)}") from None
    return found
