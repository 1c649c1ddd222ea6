"""Docstrings as Markdown: examples become blocks of code, as they are in a terminal."""

import re
from typing import Any

from griffe import Extension, Object

EXAMPLE = re.compile(r"^( *)>>> .*(?:\n(?! *$).*)*", re.MULTILINE)


def with_fences(docstring: str) -> str:
    """Put every run of examples into a block of code."""

    def fenced(example: re.Match[str]) -> str:
        indent = len(example[1])
        lines = [line[indent:] for line in example[0].splitlines()]
        return "\n".join(["```pycon", *lines, "```"])

    return EXAMPLE.sub(fenced, docstring)


class Examples(Extension):
    """Puts the examples of all docstrings into blocks, when they are read."""

    def on_object(self, *, obj: Object, **_: Any) -> None:
        """Change the docstring of an object that griffe has read."""
        if obj.docstring is not None:
            obj.docstring.value = with_fences(obj.docstring.value)
