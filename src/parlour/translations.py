"""Translations of the texts that players read.

A game's package may hold `languages/de.json`, and one such file for any other language. It maps
the English texts of the game to that language. A key may be a template with placeholders:

    {"Octa": "Octa", "{n} cells": "{n} Felder", "Turn {n} of {limit}.": "Zug {n} von {limit}."}

The value of a placeholder is looked up in turn, and kept as it is if it is not found. Parlour's own
`languages/` holds what tables and servers say in every game. Displays translate; games and servers
only ever speak English. `web/translate.js` applies the same rules.
"""

import json
import re
import sys
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

from parlour.core.errors import ContractError
from parlour.core.registry import game_class

LARGEST = 64_000
"""The largest size of a table, in bytes."""
DEEPEST = 4
FOLDER = "languages"

_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})?")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")


class Template(NamedTuple):
    """A key with placeholders: the literals around them, their names, and the translation."""

    literals: tuple[str, ...]
    names: tuple[str, ...]
    to: str

    @property
    def length(self) -> int:
        """The number of literal characters; the longest template that fits is used."""
        return sum(map(len, self.literals))

    def values(self, text: str) -> list[str] | None:
        """Return what each placeholder stands for, or `None` if the text does not fit."""
        first, *middle, last = self.literals
        if not text.startswith(first) or not text.endswith(last):
            return None
        found = []
        start = len(first)
        for literal in middle:
            end = text.find(literal, start + 1)
            if end < 0:
                return None
            found.append(text[start:end])
            start = end + len(literal)
        end = len(text) - len(last)
        return [*found, text[start:end]] if end > start else None


class Translator:
    """Look texts up in a table of translations.

    >>> Translator({"{n} cells": "{n} Felder", "Blue": "Blau"}).text("3 cells")
    '3 Felder'
    """

    def __init__(self, table: Mapping[str, str]) -> None:
        """Use a table from English texts and templates to another language."""
        self._exact = dict(table)
        parsed = [_template(key, to) for key, to in table.items()]
        templates = [each for each in parsed if each.names and each.length]
        self._templates = sorted(templates, key=lambda each: -each.length)

    def find(self, text: str, depth: int = 0) -> str | None:
        """Return the translation of a text, or `None`."""
        if text in self._exact:
            return self._exact[text]
        matched = None if depth >= DEEPEST else self._match(text)
        if matched is None:
            return None
        template, values = matched
        found = {
            name: self.find(value, depth + 1) or value
            for name, value in zip(template.names, values, strict=True)
        }
        return _PLACEHOLDER.sub(lambda match: found.get(match[1], ""), template.to)

    def text(self, text: str) -> str:
        """Return the translation of a text, or the text itself."""
        found = self.find(text)
        return text if found is None else found

    def missing(self, text: str) -> list[str]:
        """Return the parts of a text that have no translation.

        A part is the text or the value of a placeholder; see `has_words`.
        """
        if text in self._exact:
            return []
        matched = self._match(text)
        if matched is None:
            return [text]
        return [part for value in matched[1] if has_words(value) for part in self.missing(value)]

    def _match(self, text: str) -> tuple[Template, list[str]] | None:
        for template in self._templates:
            values = template.values(text)
            if values is not None:
                return template, values
        return None


def _template(key: str, to: str) -> Template:
    names = tuple(_PLACEHOLDER.findall(key))
    return Template(tuple(re.split(r"\{\w+\}", key)), names, to)


def has_words(text: str) -> bool:
    """Return whether a text has words, unlike numbers and notation such as c2-c3."""
    parts = (part.strip(".,:;!?()") for part in text.split())
    return any(len(part) > 1 and part.isalpha() for part in parts)


def is_language(text: str) -> bool:
    """Return whether a text has the form of a language tag: `de`, `pt-BR`."""
    return _LANGUAGE.fullmatch(text) is not None


@lru_cache(maxsize=256)
def translations(game: str, language: str) -> Mapping[str, str]:
    """Return the table of a game for a language, over that of Parlour; empty if there is none.

    Raises `UnknownGame` or `GameLoadError` for the game, and `ContractError` if a file is not a
    table of texts or is too large.
    """
    found = game_class(game)
    if not is_language(language):
        return {}
    spec = getattr(sys.modules.get(found.__module__), "__spec__", None)
    own = read_table(files(spec.parent), language) if spec is not None and spec.parent else {}
    return {**read_table(files("parlour"), language), **own}


def read_table(package: Traversable, language: str) -> dict[str, str]:
    """Return the table in a package's folder, or an empty one; `ContractError` if it is bad."""
    name = f"{FOLDER}/{language}.json"
    try:
        data = package.joinpath(FOLDER).joinpath(f"{language}.json").read_bytes()
    except (OSError, KeyError):  # a missing file, also inside an archive
        return {}
    if len(data) > LARGEST:
        raise ContractError(f"{name} has {len(data)} bytes; at most {LARGEST} are allowed")
    try:
        table: object = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ContractError(f"{name} is not JSON: {error}") from error
    if not isinstance(table, dict) or not all(isinstance(each, str) for each in table.values()):
        raise ContractError(f"{name} must be an object whose values are texts")
    for key, to in table.items():
        extra = sorted({*_PLACEHOLDER.findall(to)} - {*_PLACEHOLDER.findall(key)})
        if extra:
            raise ContractError(f"{name}: {key!r} has no placeholder {{{extra[0]}}}")
    return table
