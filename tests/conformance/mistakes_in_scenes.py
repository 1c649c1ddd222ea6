"""Mistakes in what is seen, what is touched, and what is told."""

from mistaken import Mistake, described, guided, nim
from nim import Nim

from parlour import HOLE, ActionView, Board, Cell, Game

RIGHT = {"action_view": Nim.action_view, "scene": Nim.scene}


def drawn_with(**fields):
    """Nim whose stones are drawn otherwise."""

    def scene(game, state, seat):
        drawn = Nim.scene(game, state, seat)
        return drawn._replace(cells=tuple(cell._replace(**fields) for cell in drawn.cells))

    return {"scene": scene}


def scene_with(**fields):
    return {"scene": lambda g, s, v: Nim.scene(g, s, v)._replace(**fields)}


def viewed(**fields):
    """Nim whose actions are chosen otherwise."""
    return {"action_view": lambda g, s, a: Nim.action_view(g, s, a)._replace(**fields)}


def at_its_stone(game, state, cells, group=""):
    """Right, and forgiving."""
    if len(cells) != 1 or group:
        return None
    action = state.heap - 1 - cells[0]
    return action if 0 <= action < 3 else None


def with_a_hole(at, holes):
    """Nim on a board with a further cell, which is a hole."""

    def scene(game, state, seat):
        drawn = Nim.scene(game, state, seat)
        return drawn._replace(cells=(*drawn.cells, HOLE))

    def view(game, state, action):
        return ActionView(action, f"take{action + 1}", (at(state, action),))

    board = Board(1, 7, ("",), tuple("abcdefg"), holes=holes)
    return {**described(Nim, board=board), "scene": scene, "action_view": view}


def explained(game, state, topic, seat=None):
    return f"{state.heap} are left" if topic == "heap" else None


MISTAKES = [
    Mistake(
        "the scene has too few cells",
        "a scene has a tuple of 6 cells, as many as the board, not 0",
        nim(game=scene_with(cells=())),
        nim(game=RIGHT),
    ),
    Mistake(
        "the scene's cells are a list",
        "a scene has a tuple of 6 cells",
        nim(game=scene_with(cells=[Cell("o", "a stone")] * 6)),
        nim(game=scene_with(cells=(Cell("o", "a stone"),) * 6)),
    ),
    Mistake(
        "the scene forgets a seat",
        "a tuple with a SeatView for each of the 2 seats",
        nim(
            game={
                "scene": lambda g, s, v: Nim.scene(g, s, v)._replace(
                    seats=Nim.scene(g, s, v).seats[:1]
                )
            }
        ),
        nim(game=RIGHT),
    ),
    Mistake(
        "the scene has no status",
        "a scene has a status line, not ''",
        nim(game=scene_with(status="")),
        nim(game=scene_with(status="Take some.")),
    ),
    Mistake(
        "a seat has no name",
        "seat_names returns a tuple with 2 names, one for each seat",
        nim(game={"seat_names": lambda g, s: ("one",)}),
        nim(game={"seat_names": lambda g, s: ("one", "two")}),
    ),
    Mistake(
        "a colour is not published",
        "a cell's colour is empty or one of blue, orange",
        nim(game=drawn_with(colour="magenta")),
        nim(game=drawn_with(colour="pink")),
    ),
    Mistake(
        "a mark is not published",
        "or one of your own, which begins with x-, not 'shiny'",
        nim(game=drawn_with(marks=("shiny",))),
        nim(game=drawn_with(marks=("x-shiny",))),
    ),
    Mistake(
        "a face is not listed",
        "pass faces=(..., 'stone') to super().__init__",
        nim(game=drawn_with(face="stone")),
        nim(game={**drawn_with(face="stone"), **described(Nim, faces=("stone",))}),
    ),
    Mistake(
        "a glyph is too wide",
        "a glyph is one or two columns wide, not as 'stone': shorten it",
        nim(game=drawn_with(glyph="stone")),
        nim(game=drawn_with(glyph="石")),
    ),
    Mistake(
        "a sign is too wide",
        "a sign is at most two columns wide, not '石石'",
        nim(game=drawn_with(sign="石石")),
        nim(game=drawn_with(sign="石")),
    ),
    Mistake(
        "a cell has no label",
        "every cell has a label in words",
        nim(game=drawn_with(label="")),
        nim(game=drawn_with(label="something")),
    ),
    Mistake(
        "a piece has a number below 0",
        "a cell's piece is a number from 1 on, or 0 for a cell by itself, not -1",
        nim(game=drawn_with(piece=-1)),
        nim(game=drawn_with(piece=1)),
    ),
    Mistake(
        "a cell belongs to a seat that is not there",
        "a cell's owner is a seat from 0 to 1, or -1 for nobody, not 2",
        nim(game=drawn_with(owner=2)),
        nim(game=drawn_with(owner=1)),
    ),
    Mistake(
        "a view has a text of its own",
        "the view of action 0 has its text, 'take1', not 'take one': ask action_to_text",
        nim(game=viewed(text="take one")),
        nim(game=RIGHT),
    ),
    Mistake(
        "a view's cell is not on the board",
        "the cells of action 0 are on the board, from 0 to 5, not 6",
        nim(game=viewed(cells=(6,))),
        nim(game=viewed(cells=())),
    ),
    Mistake(
        "a cell chooses two actions",
        "actions 0 and 1 are chosen by the same cells, (0,): give one of them other cells, or none",
        nim(game=viewed(cells=(0,))),
        nim(game=RIGHT),
    ),
    Mistake(
        "a further cell chooses two actions",
        "actions 0 and 1 are chosen by the same cells, (4,)",
        nim(
            game={
                "action_view": lambda g, s, a: Nim.action_view(g, s, a)._replace(
                    also=tuple(range(s.heap - a - 1))
                )
            }
        ),
        nim(game=RIGHT),
    ),
    Mistake(
        "an action has a hole for its cell",
        "is a hole of the board: nobody can touch it",
        nim(game=with_a_hole(lambda s, a: 6 if a == 0 else s.heap - a - 1, holes=(6,))),
        nim(game=with_a_hole(lambda s, a: s.heap - a - 1, holes=(6,))),
    ),
    Mistake(
        "something is drawn on a hole",
        "the cell 0 is a hole: put parlour.HOLE there",
        nim(
            game={
                **described(Nim, board=Board(1, 6, ("",), tuple("abcdef"), holes=(0,))),
                "action_view": Game.action_view,
            }
        ),
        nim(game=with_a_hole(lambda s, a: s.heap - a - 1, holes=(6,))),
    ),
    Mistake(
        "action_at finds another action than the view's",
        "action_at is the inverse of action_view: the cells (5,) mean 0, not 1",
        nim(game={"action_at": lambda g, s, cells, group="": s.heap - cells[0] if cells else None}),
        nim(game={"action_at": at_its_stone}),
    ),
    Mistake(
        "action_at looks at cells that were not touched",
        "raised IndexError: tuple index out of range where it must not",
        nim(game={"action_at": lambda g, s, cells, group="": s.heap - 1 - cells[0]}),
        nim(game={"action_at": at_its_stone}),
    ),
    Mistake(
        "the last frame is not the scene after the action",
        "the last frame of action 0 is the scene after it",
        nim(game={"frames": lambda g, s, a, seat=None: [s.scene(seat)]}),
        nim(game={"frames": lambda g, s, a, seat=None: [s.scene(seat), s.apply(a).scene(seat)]}),
    ),
    Mistake(
        "frames are shown to spectators only",
        "takes 3 positional arguments but 4 were given",
        nim(game={"frames": lambda g, s, a: [s.apply(a).scene()]}),
        nim(game={"frames": lambda g, s, a, seat=None: [s.apply(a).scene(seat)]}),
    ),
    Mistake(
        "a field is not a value of JSON",
        "json_fields returns plain values that JSON has",
        nim(game={"json_fields": lambda g, s, seed, seat: {"left": {s.heap}}}),
        nim(game={"json_fields": lambda g, s, seed, seat: {"left": [s.heap]}}),
    ),
    Mistake(
        "a remark is missing",
        "remark returns a str, not None",
        guided(nim, remark=lambda g, start, s, seat: None),
        guided(nim, remark=lambda g, start, s, seat: ""),
    ),
    Mistake(
        "a topic of the help is not explained",
        "explain has a text on 'heap', which topics lists, not None",
        guided(nim, topics=lambda g: {"heap": "how many are left"}),
        guided(nim, topics=lambda g: {"heap": "how many are left"}, explain=explained),
    ),
    Mistake(
        "an action has no words",
        "action_words returns a line of text for every viewer, not ''",
        nim(game={"action_words": lambda g, s, a, seat: ""}),
        nim(game={"action_words": lambda g, s, a, seat: f"takes {a + 1}"}),
    ),
]
