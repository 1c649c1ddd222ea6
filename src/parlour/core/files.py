"""Files that are written whole or not at all."""

import contextlib
import errno
import os
import stat
import tempfile
from pathlib import Path


def read_text(path: Path, most: int) -> str:
    """The text of a file of at most so many bytes.

    Raises `OSError` for a larger one and for what is not a file; `UnicodeDecodeError` as it is.
    """
    with open(path, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "it is not a file", str(path))
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it has more than {most} bytes", str(path))
    return data.decode("utf-8")


def write_atomically(path: Path, text: str) -> None:
    """Put the text where `path` is, so that a reader finds the old or the new, never a part.

    It is on the disk when this returns. Raises `OSError`; the old file is then still there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """Make the new name last too, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
