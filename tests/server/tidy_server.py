"""`parlour` that reports objects which only the garbage collector frees.

python tests/server/tidy_server.py FILE serve ...
"""

import gc
import sys
from collections import Counter
from pathlib import Path

from parlour.cli import main
from parlour.server.live.room import Room

FIRST, LAST = 30, 80
"""Numbers of connections at which it starts to watch and at which it reports."""


def watching(file):
    before, come = Room.join, 0

    def join(self, member, known):
        nonlocal come
        come += 1
        if come == FIRST:
            gc.collect()
            gc.disable()
        elif come == LAST:
            gc.set_debug(gc.DEBUG_SAVEALL)
            gc.collect()
            gc.set_debug(0)
            found = Counter(type(each).__module__.partition(".")[0] for each in gc.garbage)
            file.write_text(str(found["parlour"]))
            gc.garbage.clear()
            gc.enable()
        before(self, member, known)

    Room.join = join


if __name__ == "__main__":
    watching(Path(sys.argv[1]))
    sys.exit(main(sys.argv[2:]))
