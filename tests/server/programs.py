"""Programs of the system that tests need and users do not: as root they are installed."""

import fcntl
import os
import shutil
import subprocess
import tempfile
from pathlib import Path


def found_program(package, *names):
    """Where a program is; installs Debian's package if it is missing and that is allowed.

    `names` are what it may be called, if not as the package.
    """
    names = names or (package,)
    with open(Path(tempfile.gettempdir()) / f"parlour-apt-{os.geteuid()}.lock", "w") as lock:
        # Several processes may want it at once, and apt-get serves one.
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = next(filter(None, map(shutil.which, names)), None)
        if found is None and os.geteuid() == 0 and shutil.which("apt-get"):
            subprocess.run(["apt-get", "update", "-qq"], check=True)
            command = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", package]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            found = next(filter(None, map(shutil.which, names)), None)
    if found is None:
        raise RuntimeError(f"{names[0]} is missing: apt-get install {package}")
    return found
