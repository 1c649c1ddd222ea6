"""System programs that tests need and users do not."""

import shutil


def found_program(package, *names):
    """Return the path of a program; `names` are its names if not the Debian package's."""
    found = next(filter(None, map(shutil.which, names or (package,))), None)
    assert found, f"{(names or (package,))[0]} is missing: apt-get install {package}"
    return found
