"""Atomic writes and file locks."""

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

# A temporary file that a killed process leaves behind. Its machine and process id are in the name,
# so that another process can tell whether the writer still runs.
_UNFINISHED = re.compile(r"\..+\.([0-9a-f]{8})-(\d+)\.\w+\.part")

_swept: set[str] = set()


LARGEST_FILE = 16 * 1024 * 1024
"""The size limit in bytes for records and saved games; a million actions fit."""


def read_text(path: Path, most: int) -> str:
    """Return the text of a file of at most `most` bytes.

    Raises `OSError` for a larger file and for anything but a regular file, and
    `UnicodeDecodeError` if it is not UTF-8.
    """
    with open(path, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        data = file.read(most + 1)
    if len(data) > most:
        raise OSError(errno.EFBIG, f"the file has more than {most} bytes", str(path))
    return data.decode("utf-8")


def write_atomically(path: Path, text: str) -> None:
    """Replace the file at `path` atomically: readers find the old text or the new one.

    The text is on disk when this returns. Raises `OSError` with the name of the file; the old file
    is then intact. The first write to a folder removes temporary files of killed processes.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    _sweep_once(path.parent)
    try:
        _write(path, text)
    except OSError as error:
        # Instead of the temporary name, or of none when the disk is full.
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
    """Whether a file of that name is a temporary file of `write_atomically`."""
    return _UNFINISHED.fullmatch(name) is not None


def remove_orphans(folder: Path) -> None:
    """Remove temporary files of processes of this machine that have ended."""
    with contextlib.suppress(OSError):
        for entry in list(os.scandir(folder)):
            found = _UNFINISHED.fullmatch(entry.name)
            if found and found[1] == _machine() and not _is_running(int(found[2])):
                with contextlib.suppress(OSError):
                    os.unlink(entry.path)


def _sweep_once(folder: Path) -> None:
    """Remove orphans once per folder and process: a folder may hold a million files."""
    name = os.path.abspath(folder)
    if name not in _swept:
        _swept.add(name)
        remove_orphans(folder)


def _machine() -> str:
    """Return a short name for this machine, because several may share a folder."""
    return hashlib.blake2b(platform.node().encode(), digest_size=4).hexdigest()


def _is_running(process: int) -> bool:
    if os.name != "posix":  # signal 0 would end the process there
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return True


def _sync_folder(folder: Path) -> None:
    """Flush the renaming to disk, where the system can."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _open_lock(path: Path) -> IO[bytes]:
    """Open the lock file without following symbolic links."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    return os.fdopen(os.open(path, flags, 0o600), "ab")


class FileLock:
    """An exclusive lock between processes, held on a file by the operating system.

    It is released when the process ends, however that happens.
    """

    def __init__(self, path: Path) -> None:
        """Open nothing yet."""
        self.path = path
        self._file: IO[bytes] | None = None

    def hold(self) -> bool:
        """Acquire the lock. Return `False` if another process holds it. Raises `OSError`."""
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
            file.close()  # the previous holder has just removed this file

    def _is_current(self, file: IO[bytes]) -> bool:
        try:
            return os.path.samestat(os.fstat(file.fileno()), os.stat(self.path))
        except FileNotFoundError:
            return False

    def release(self) -> None:
        """Release the lock and remove its file."""
        file, self._file = self._file, None
        if file is not None:
            with contextlib.suppress(OSError):
                self.path.unlink()
            file.close()

    def __del__(self) -> None:
        """Release the lock on garbage collection."""
        self.release()
