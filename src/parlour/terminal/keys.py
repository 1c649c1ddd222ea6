"""The keys: the page of help about them, and the line at the bottom of the screen."""

from collections.abc import Sequence
from typing import NamedTuple

from parlour.core.scene import display_width
from parlour.table import LiveGame
from parlour.terminal.markup import escape

HELP = """\
[b]Choose[/b] with Enter, space or a click: a cell, then a target. Esc cancels.
  arrow keys     move the cursor, or play the action of that name
  1 to 9         play a numbered action
  :              type an action

[b]Place pieces[/b]
  A to Z, Tab    take a piece by its first letter; take the next; or click
  r  f           rotate it; flip it
  .  ,           the next place where it fits; the previous one
  Enter, click   place it

[b]The game[/b]
  u y n s v      undo; redo; new game; save; replay after the end
  h a e x        hint; analysis; evaluation bar; exact texts of actions
  Ctrl+R Ctrl+O  resign; offer or accept a draw (each asks first)
  space → + -    when watching: pause; one step; faster; slower
  o  g           after an agent fails: take over; use another agent
  t  l           light or dark; letters or characters on the pieces
  ?  m  q        this help; back to the start screen; quit (also Ctrl+D)

[b]Signs[/b] › can be chosen  • last action  ! hint  + would change hands
      × the piece does not fit here"""


class KeyHint(NamedTuple):
    """A key with its meaning; a click on it runs the action."""

    key: str
    label: str
    action: str


def _do(key: str, label: str, what: str) -> KeyHint:
    return KeyHint(key, label, f"app.do({what!r})")


UNDO, NEW, SAVE = _do("u", "undo", "undo"), _do("n", "new", "new"), _do("s", "save", "save")
HINT, ANALYSIS = _do("h", "hint", "hint"), _do("a", "analysis", "analysis")
BAR, TYPE = _do("e", "bar", "evaluation"), _do(":", "type", "type")
GAMES = KeyHint("m", "games", "app.to_start")
ALWAYS = (_do("?", "help", "help"), KeyHint("q", "quit", "app.leave"))

PLAYING = (HINT, UNDO, NEW, ANALYSIS, BAR, GAMES, SAVE, TYPE)
REDOING = (HINT, UNDO, _do("y", "redo", "redo"), NEW, ANALYSIS, BAR, GAMES, TYPE)
SPEED = (_do("→", "step", "right"), _do("-", "slower", "slower"), _do("+", "faster", "faster"))
FINISHED = (_do("v", "replay", "replay"), NEW, GAMES, SAVE)
"""The keys in order of importance: the last ones are left out if space is short."""


def key_line(game: LiveGame, width: int, is_paused: bool = False) -> str:
    """Return the most useful keys now, with markup; a click on one has the same effect."""
    keys: Sequence[KeyHint]
    if game.is_over:
        keys = (*FINISHED, UNDO) if game.has_people else FINISHED
    elif not game.has_people:
        pause = _do("space", "resume" if is_paused else "pause", "touch")
        keys = (pause, *SPEED, NEW, GAMES, ANALYSIS, BAR)
    else:
        keys = REDOING if game.can_redo else PLAYING
    return fitting_keys(keys, ALWAYS, width)


def fitting_keys(keys: Sequence[KeyHint], always: Sequence[KeyHint], width: int) -> str:
    """Return the keys in a line with markup; the last of `keys` are left out if space is short."""
    shown = list(keys)
    while shown and _width((*shown, *always)) > width:
        shown.pop()
    return "  ".join(_marked(hint) for hint in (*shown, *always))


def _width(hints: Sequence[KeyHint]) -> int:
    return sum(display_width(f"{hint.key} {hint.label}") + 2 for hint in hints) - 2


def _marked(hint: KeyHint) -> str:
    return f"[@click={hint.action}][b $accent]{escape(hint.key)}[/] {escape(hint.label)}[/]"
