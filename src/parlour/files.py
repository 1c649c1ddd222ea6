"""Files that are written whole or not at all, and files that one process holds."""

import contextlib
import errno
import hashlib
import os
import platform
import re
import stat
import tempfile
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:  # a system without file locks of this kind
    fcntl = None  # type: ignore[assignment]

# What is left when a process is killed while it writes: its machine and its number tell
# whether it still runs.
_UNFINISHED = re.compile(r"\..+\.([0-9a-f]{8})-(\d+)\.\w+\.part")

_swept: set[str] = set()


LARGEST_FILE = 16 * 1024 * 1024
"""Bytes that a file of ours may have to be read; a game of a million actions has fewer."""


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

    It is on the disk when this returns. Raises `OSError`, which names the file; the old one
    is then still there. What killed processes left in the folder is removed by the first
    write to it.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _sweep_once(path.parent)
    try:
        _write(path, text)
    except OSError as error:
        # Not the name for the meantime, and never none, as where the disk is full.
        error.filename = str(path)
        raise
    _sync_folder(path.parent)


def _write(path: Path, text: str) -> None:
    start = f".{path.name}.{_machine()}-{os.getpid()}."
    handle, name = tempfile.mkstemp(prefix=start, suffix=".part", dir=path.parent)
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


def is_unfinished_file(name: str) -> bool:
    """Whether a file of that name is one that `write_atomically` was not done with."""
    return _UNFINISHED.fullmatch(name) is not None


def remove_orphans(folder: Path) -> None:
    """Remove what processes of this machine that run no more were not done with."""
    with contextlib.suppress(OSError):
        for entry in list(os.scandir(folder)):
            found = _UNFINISHED.fullmatch(entry.name)
            if found and found[1] == _machine() and not _is_running(int(found[2])):
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)


def _sweep_once(folder: Path) -> None:
    """Once for each folder and process: a folder may hold a million files."""
    name = os.path.abspath(folder)
    if name not in _swept:
        _swept.add(name)
        remove_orphans(folder)


def _machine() -> str:
    """A short name for this machine: a folder may be shared with others."""
    return hashlib.blake2b(platform.node().encode(), digest_size=4).hexdigest()


def _is_running(process: int) -> bool:
    if os.name != "posix":  # there is no harmless way to ask
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _sync_folder(folder: Path) -> None:
    """Make the new name last too, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _open_lock(path: Path) -> IO[bytes]:
    """A file of our own to be locked; a link that somebody put in its place is not followed."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    return os.fdopen(os.open(path, flags, 0o600), "ab")


class FileLock:
    """Keeps other processes out while it is held, by a lock of the operating system on a file.

    It ends with this process, however that ends.
    """

    def __init__(self, path: Path) -> None:
        """Nothing is opened yet."""
        self.path = path
        self._file: IO[bytes] | None = None

    def hold(self) -> bool:
        """Whether it is held now; `False` if somebody else holds it. `OSError` as it comes."""
        if self._file is not None or fcntl is None:
            return True
        while True:
            file = _open_lock(self.path)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                file.close()
                if isinstance(error, BlockingIOError):
                    return False
                raise
            if self._is_current(file):
                self._file = file
                return True
            file.close()  # whoever held it has just removed it: another one is there now

    def _is_current(self, file: IO[bytes]) -> bool:
        try:
            return os.path.samestat(os.fstat(file.fileno()), os.stat(self.path))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Let others in."""
        file, self._file = self._file, None
        if file is not None:
            with contextlib.suppress(OSError):
                self.path.unlink()
            file.close()

    def __del__(self) -> None:
        """Who is forgotten lets go."""
        self.release()
