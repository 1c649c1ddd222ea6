"""The characters that a terminal can show, by its name and its locale."""

import codecs
from collections.abc import Mapping

NARROW_TERMINALS = ("linux", "dumb", "vt", "cons", "ansi")
"""Prefixes of the names of terminals that draw wide characters badly or not at all."""

ASCII = {
    **dict(zip("↑↓←→↖↗↙↘", "^v<>yubn", strict=True)),
    **dict(zip("·•—–─│×■█▸▶‹›−", ".*---|x##>><>-", strict=True)),
    "…": "...",
}
"""What a terminal without Unicode shows instead. Diagonal arrows are the letters that move that way
in games with `hjkl`."""

NO_UNICODE = "This terminal has no Unicode: the board is drawn in ASCII."
ARROWS_IN_ASCII = (
    f"{NO_UNICODE}\nArrows are ^ v < >; y u b n point up-left, up-right, down-left, down-right."
)

REPLACING = "parlour"
"""The name of the error handler for streams."""


def is_utf8(environ: Mapping[str, str]) -> bool:
    """Return whether the locale is UTF-8, which is also assumed if none is set."""
    language = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG") or ""
    return not language or "utf" in language.lower()


def draws_wide_characters(environ: Mapping[str, str]) -> bool:
    """Return whether to show traditional characters, which are two columns wide.

    `PARLOUR_LETTERS` decides: 1 for letters, 0 for characters. Otherwise characters are shown if
    the locale is UTF-8 and the terminal is not known to draw them badly.
    """
    wanted = environ.get("PARLOUR_LETTERS", "")
    if wanted:
        return wanted == "0"
    return is_utf8(environ) and not environ.get("TERM", "").startswith(NARROW_TERMINALS)


def replaced(error: UnicodeError) -> tuple[str | bytes, int]:
    """Handle characters that a stream cannot encode: similar ASCII characters, or `?`."""
    if not isinstance(error, UnicodeEncodeError):
        return codecs.replace_errors(error)
    text = error.object[error.start : error.end]
    return "".join(ASCII.get(sign, "?") for sign in text), error.end


codecs.register_error(REPLACING, replaced)
