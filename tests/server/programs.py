"""Programs of the system that tests need and users do not."""

import shutil


def found_program(package, *names):
    """Where a program is; `names` are what it may be called, if not as its Debian package."""
    found = next(filter(None, map(shutil.which, names or (package,))), None)
    assert found, f"{(names or (package,))[0]} is missing: apt-get install {package}"
    return found
