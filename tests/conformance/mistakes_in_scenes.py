"""Mistakes in scenes, in the cells of actions, and in texts for players."""

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


def chosen_by(cells):
    """Nim whose actions are chosen by every stone that is taken."""

    def view(game, state, action):
        touched = tuple(cells(state.heap, action))
        return Nim.action_view(game, state, action)._replace(cells=touched)

    return {"action_view": view}


def owned(label):
    """A scene whose stones belong to the seats in turn, from the last one."""

    def scene(game, state, seat):
        drawn = Nim.scene(game, state, seat)
        owners = [(state.heap - at) % 2 for at in range(state.heap)]
        stones = [Cell("o", label(owner), owner) for owner in owners]
        return drawn._replace(cells=(*stones, *drawn.cells[state.heap :]))

    return scene


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
        "a scene must have a tuple of 6 cells, as many as the board, not 0",
        nim(game=scene_with(cells=())),
        nim(game=RIGHT),
    ),
    Mistake(
        "the scene's cells are a list",
        "a scene must have a tuple of 6 cells, as many as the board, not [Cell(glyph='o'",
        nim(game=scene_with(cells=[Cell("o", "a stone")] * 6)),
        nim(game=scene_with(cells=(Cell("o", "a stone"),) * 6)),
    ),
    Mistake(
        "a cell's number is negative",
        "a cell's number must be an int from 0 to 9999, not -1",
        nim(game=drawn_with(number=-1)),
        nim(game=drawn_with(number=120)),
    ),
    Mistake(
        "a board of points has no positions",
        "a board of points must have a position for each of its 6 cells, not 0",
        nim(game=described(Nim, board=Board(1, 6, ("",), tuple("abcdef"), "points"))),
        nim(game=described(Nim, board=Board.points([(n, 0) for n in range(6)]))),
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
        "a scene must have a status line, not ''",
        nim(game=scene_with(status="")),
        nim(game=scene_with(status="Take some.")),
    ),
    Mistake(
        "a seat has no name",
        "seat_names() must return a tuple with 2 names, one for each seat, not ('one',)",
        nim(game={"seat_names": lambda g, s: ("one",)}),
        nim(game={"seat_names": lambda g, s: ("one", "two")}),
    ),
    Mistake(
        "a colour is not published",
        "a cell's colour must be empty or one of blue, orange, green, pink, yellow, cyan, red",
        nim(game=drawn_with(colour="magenta")),
        nim(game=drawn_with(colour="pink")),
    ),
    Mistake(
        "a mark is not published",
        "a mark must be one of wall, start, goal, face-down, flipping, or begin with x-",
        nim(game=drawn_with(marks=("shiny",))),
        nim(game=drawn_with(marks=("x-shiny",))),
    ),
    Mistake(
        "a face is not listed",
        "a cell's face must be one of the game's faces, not 'stone'",
        nim(game=drawn_with(face="stone")),
        nim(game={**drawn_with(face="stone"), **described(Nim, faces=("stone",))}),
    ),
    Mistake(
        "a glyph is too wide",
        "a glyph must be one or two columns wide, not 'stone'",
        nim(game=drawn_with(glyph="stone")),
        nim(game=drawn_with(glyph="石")),
    ),
    Mistake(
        "a sign is too wide",
        "a sign must be at most two columns wide, not '石石'",
        nim(game=drawn_with(sign="石石")),
        nim(game=drawn_with(sign="石")),
    ),
    Mistake(
        "a cell has no label",
        "every cell must have a label, for screen readers: Cell(glyph='o', label='', owner=-1",
        nim(game=drawn_with(label="")),
        nim(game=drawn_with(label="something")),
    ),
    Mistake(
        "a piece has a number below 0",
        "a cell's piece must be a number from 1, or 0 for a separate cell, not -1",
        nim(game=drawn_with(piece=-1)),
        nim(game=drawn_with(piece=1)),
    ),
    Mistake(
        "a cell belongs to a seat that is not there",
        "a cell's owner must be a seat from 0 to 1, or -1, not 2",
        nim(game=drawn_with(owner=2)),
        nim(game=drawn_with(owner=1)),
    ),
    Mistake(
        "a view has a text of its own",
        "the view of action 0 must contain its text, 'take1', not 'take one'",
        nim(game=viewed(text="take one")),
        nim(game=RIGHT),
    ),
    Mistake(
        "a view's cell is not on the board",
        "the cells of action 0 must be on the board, from 0 to 5, not 6",
        nim(game=viewed(cells=(6,))),
        nim(game=viewed(cells=())),
    ),
    Mistake(
        "a cell chooses two actions",
        "actions 0 and 1 are chosen by the same cells, (0,)",
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
        "the cells of an action begin those of another",
        "action 0 is chosen by the first cells of action 1, (5, 4)",
        nim(game=chosen_by(lambda heap, count: range(heap - 1, heap - count - 2, -1))),
        nim(game=chosen_by(lambda heap, count: range(heap - count - 1, heap))),
    ),
    Mistake(
        "the stones of both seats look alike",
        "pieces of two seats look alike without colour: both have the glyph 'o' and the label "
        "'a stone'",
        nim(game={"scene": owned(lambda owner: "a stone")}),
        nim(game={"scene": owned(lambda owner: f"a stone of player {owner + 1}")}),
    ),
    Mistake(
        "an action has a hole for its cell",
        "the cell 6 of action 0 is a hole of the board",
        nim(game=with_a_hole(lambda s, a: 6 if a == 0 else s.heap - a - 1, holes=(6,))),
        nim(game=with_a_hole(lambda s, a: s.heap - a - 1, holes=(6,))),
    ),
    Mistake(
        "fixed views depend on the position",
        "with FIXED_VIEWS the view of action 0 must always be",
        nim(game={**RIGHT, "FIXED_VIEWS": True}),
        nim(game=RIGHT),
    ),
    Mistake(
        "something is drawn on a hole",
        "the cell 0 is a hole, but the scene draws it",
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
        "action_at must be the inverse of action_view: the cells (5,) must give 0, not 1",
        nim(game={"action_at": lambda g, s, cells, group="": s.heap - cells[0] if cells else None}),
        nim(game={"action_at": at_its_stone}),
    ),
    Mistake(
        "action_at looks at cells that were not touched",
        "must not raise IndexError: tuple index out of range",
        nim(game={"action_at": lambda g, s, cells, group="": s.heap - 1 - cells[0]}),
        nim(game={"action_at": at_its_stone}),
    ),
    Mistake(
        "the last frame is not the scene after the action",
        "the last frame of action 0 must be the scene after it, for viewer None",
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
        "json_fields() must return values that JSON can hold",
        nim(game={"json_fields": lambda g, s, seed, seat: {"left": {s.heap}}}),
        nim(game={"json_fields": lambda g, s, seed, seat: {"left": [s.heap]}}),
    ),
    Mistake(
        "a remark is missing",
        "remark() must return a str, not None",
        guided(nim, remark=lambda g, start, s, seat: None),
        guided(nim, remark=lambda g, start, s, seat: ""),
    ),
    Mistake(
        "a topic of the help is not explained",
        "explain() must return a text on 'heap', which topics() lists, not None",
        guided(nim, topics=lambda g: {"heap": "how many are left"}),
        guided(nim, topics=lambda g: {"heap": "how many are left"}, explain=explained),
    ),
    Mistake(
        "an action has no words",
        "action_words() must return a line of text for every viewer, not ''",
        nim(game={"action_words": lambda g, s, a, seat: ""}),
        nim(game={"action_words": lambda g, s, a, seat: f"takes {a + 1}"}),
    ),
]
