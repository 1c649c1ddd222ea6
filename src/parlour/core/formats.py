"""Other programs' files of games: what an author writes so that `parlour convert` knows them."""

from collections.abc import Mapping
from typing import ClassVar

from parlour.core.record import Record


class RecordFormat:
    """A text form of whole games that another program reads or writes."""

    name: ClassVar[str] = ""
    """A word, `blksgf`; files of this form end with a dot and it."""
    title: ClassVar[str] = ""
    """What it is, for `parlour convert --help` and messages."""

    def write(self, record: Record) -> str:
        """The record in this form; `RecordError` if it cannot be said in it."""
        raise NotImplementedError

    def read(self, text: str, options: Mapping[str, object]) -> Record:
        """The game that the text tells of; `RecordError` names the place that is wrong.

        `options` are the game's options as far as the user gave them, checked one by one; what
        the text says itself must agree with them.
        """
        raise NotImplementedError
