"""The README for package indexes.

An index renders the text alone. Pictures and relative links would be broken there, so pictures are
removed and links become the names of the files.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"^!\[[^\]]*\]\([^)]+\)\n+", re.MULTILINE)
LINK = re.compile(r"\[([^\]]+)\]\((?![a-z]+:)([^)]+)\)")


class ReadmeHook(MetadataHookInterface):
    """Gives the package its long description."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Set the long description when hatchling reads the metadata."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_index(text)}


def for_index(text: str) -> str:
    """Return the text without pictures, and with files named instead of linked."""
    return LINK.sub(named, PICTURE.sub("", text))


def named(link: re.Match[str]) -> str:
    """Return a relative link as words."""
    words, target = link[1], link[2]
    return f"`{target}`" if words == target else f"{words} (`{target}`)"
