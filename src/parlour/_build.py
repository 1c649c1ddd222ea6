"""Tell which build is running: compiled to native code, or interpreted."""

from typing import NamedTuple

from parlour.core import game as _compiled_module

__version__ = "0.1.0"


class BuildInfo(NamedTuple):
    """Version and build, as `parlour --version` prints them.

    >>> import parlour
    >>> parlour.build_info().version == parlour.__version__
    True
    """

    version: str
    compiled: bool
    reason: str
    """Why it is interpreted, or empty."""
    python: str
    system: str

    def __str__(self) -> str:
        """Return one line."""
        build = "compiled" if self.compiled else f"interpreted: {self.reason}"
        return f"parlour {self.version} ({build}; Python {self.python}, {self.system})"


def build_info() -> BuildInfo:
    """Return the running build.

    >>> import parlour
    >>> parlour.build_info().compiled in (True, False)
    True
    """
    import platform  # here, because `import parlour` should not pay for it

    compiled = not (_compiled_module.__file__ or "").endswith(".py")
    return BuildInfo(
        __version__,
        compiled,
        "" if compiled else _why_interpreted(),
        platform.python_version(),
        f"{platform.system()} {platform.machine()}",
    )


def _why_interpreted() -> str:
    """Return the reason that the build left in a note; a source tree has none."""
    from pathlib import Path

    note = Path(__file__).with_name("interpreted.txt")
    return note.read_text("utf-8").strip() if note.is_file() else "running from its source tree"
