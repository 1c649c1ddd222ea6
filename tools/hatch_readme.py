"""Turn the README into the long description that a package index shows.

Pictures and links into the source tree would be broken there. Pictures are removed, with the
links around them, and links become the names of the files.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

IMAGE = r"!\[[^\]]*\]\([^)]+\)"
PICTURE = re.compile(rf"^(?:{IMAGE}|\[{IMAGE}\]\([^)]+\))\n+", re.MULTILINE)
LINK = re.compile(r"\[([^\]]+)\]\((?![a-z]+:)([^)]+)\)")


class ReadmeHook(MetadataHookInterface):
    """Set the long description of the package."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the description to the metadata that hatchling reads."""
        text = (Path(self.root) / "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_index(text)}


def for_index(text: str) -> str:
    """Return the text without pictures, and with files named instead of linked."""
    return LINK.sub(named, PICTURE.sub("", text))


def named(link: re.Match[str]) -> str:
    """Replace a link into the tree by words."""
    words, target = link[1], link[2]
    return f"`{target}`" if words == target else f"{words} (`{target}`)"
