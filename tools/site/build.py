"""Build the documentation site: `python tools/site/build.py [--quick] [FOLDER]`.

The default folder is build/site. With --quick the pictures in docs/images are used as they are;
otherwise all pictures are taken from the program again. The site needs no server: open its
index.html.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

# What the theme prints of its own future is no warning about these pages.
os.environ["NO_MKDOCS_2_WARNING"] = "1"

from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort
from pictures import take

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def main() -> int:
    """Take the pictures, then build the pages; warnings are errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("folder", nargs="?", default=ROOT / "build" / "site", type=Path)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as pictures:
        print("Taking the pictures ...", flush=True)
        take(Path(pictures), everything=not asked.quick)
        print("Building the pages ...", flush=True)
        config = load_config(
            str(HERE / "mkdocs.yml"), strict=True, site_dir=str(asked.folder.resolve())
        )
        config.extra["pictures"] = pictures
        try:
            build(config)
        except Abort as error:
            print(error, file=sys.stderr)
            return 1
    print(f"Open {asked.folder / 'index.html'}, or run make docs-serve.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
