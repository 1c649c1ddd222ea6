"""What a viewer sees: a whole board, drawn with the published colours, marks and faces."""

from parlour.core.checks import is_int
from parlour.core.colours import COLOURS
from parlour.core.game import Game, State
from parlour.core.scene import HOLE, MARKS, Cell, Scene, SeatView, display_width
from parlour.testing.promise import instead_of, promise


def viewers(game: Game) -> tuple[int | None, ...]:
    """Everybody who can look: a spectator, and each seat."""
    return (None, *range(game.seats))


def check_scenes(state: State, drawn: set[Cell]) -> None:
    """Every viewer's scene can be drawn: cells, seats, status and what is offered.

    Cells that are in `drawn` already are not looked at again.
    """
    game = state.game
    _check_seat_names(state)
    # Rebuilt from its text it has nothing left but what the text shows: were there a
    # secret in it that a viewer could notice, the two would differ somewhere below.
    twin = game.state_from_text(game.state_to_text(state))
    for seat in viewers(game):
        _check_drawn(game, game.scene(state, seat))
        scene = state.scene(seat)
        promise(
            scene == twin.scene(seat),
            "a scene shows nothing that the state's text does not: write all of it into the text",
        )
        promise(
            isinstance(scene.status, str) and scene.status.strip(),
            "a scene has a status line, not {}",
            scene.status,
        )
        promise(scene.board == game.board, "a scene has the game's board, not {}", scene.board)
        for hole in game.board.holes:
            promise(scene.cells[hole] == HOLE, f"the cell {hole} is a hole: put parlour.HOLE there")
        for cell in set(scene.cells) - drawn:
            _check_cell(game, cell)
            drawn.add(cell)
        _check_offers(state, scene, seat)
    for wrong in (-1, game.seats):
        went = instead_of(IndexError, state.scene, wrong)
        promise(not went, f"there is no seat {wrong}")


def _check_seat_names(state: State) -> None:
    names = state.game.seat_names(state)
    promise(
        isinstance(names, tuple)
        and len(names) == state.game.seats
        and all(isinstance(name, str) and name.strip() for name in names),
        f"seat_names returns a tuple with {state.game.seats} names, one for each seat, not {{}}",
        names,
    )


def _check_drawn(game: Game, scene: Scene) -> None:
    """What the game itself gives, before core fills in the rest."""
    promise(isinstance(scene, Scene), "scene returns a parlour.Scene, not {}", scene)
    size = game.board.size
    promise(
        isinstance(scene.cells, tuple) and len(scene.cells) == size,
        f"a scene has a tuple of {size} cells, as many as the board, not {{}}",
        len(scene.cells) if isinstance(scene.cells, tuple) else scene.cells,
    )
    promise(
        isinstance(scene.seats, tuple) and len(scene.seats) == game.seats,
        f"a scene has a tuple with a SeatView for each of the {game.seats} seats, not {{}}",
        scene.seats,
    )
    for view in scene.seats:
        promise(isinstance(view, SeatView), "a scene's seats are SeatViews, not {}", view)
        promise(
            isinstance(view.tray, tuple) and all(isinstance(item, str) for item in view.tray),
            "a tray is a tuple of texts, not {}",
            view.tray,
        )


def _check_cell(game: Game, cell: Cell) -> None:
    promise(isinstance(cell, Cell), "a scene's cells are parlour.Cells, not {}", cell)
    promise(
        isinstance(cell.glyph, str)
        and cell.glyph.isprintable()
        and 1 <= display_width(cell.glyph) <= 2,
        "a glyph is one or two columns wide, not as {}: shorten it, and say more in the label",
        cell.glyph,
    )
    promise(display_width(cell.sign) <= 2, "a sign is at most two columns wide, not {}", cell.sign)
    promise(
        isinstance(cell.label, str) and cell.label.strip(),
        "every cell has a label in words, for those who cannot see it: {}",
        cell,
    )
    promise(
        -1 <= cell.owner < game.seats,
        f"a cell's owner is a seat from 0 to {game.seats - 1}, or -1 for nobody, not {{}}",
        cell.owner,
    )
    promise(
        cell.colour == "" or cell.colour in COLOURS,
        f"a cell's colour is empty or one of {', '.join(COLOURS)}, not {{}}",
        cell.colour,
    )
    promise(
        cell.face == "" or cell.face in game.faces,
        "a cell's face is one of the game's: pass faces=(..., {}) to super().__init__",
        cell.face,
    )
    promise(
        is_int(cell.piece) and cell.piece >= 0,
        "a cell's piece is a number from 1 on, or 0 for a cell by itself, not {}",
        cell.piece,
    )
    promise(isinstance(cell.marks, tuple), "a cell's marks are a tuple, not {}", cell.marks)
    for mark in cell.marks:
        promise(
            mark in MARKS or mark.startswith("x-"),
            f"a mark is one of {', '.join(MARKS)}, or one of your own, which begins with x-, not "
            "{}",
            mark,
        )


def _check_offers(state: State, scene: Scene, seat: int | None) -> None:
    """The actor is offered its actions; so is a spectator, unless there are secrets."""
    actor = state.actor
    offered = [view.action for view in scene.actions]
    sees = actor >= 0 and (seat == actor or (seat is None and not state.game.has_secrets))
    wanted = list(state.legal_actions()) if sees else []
    promise(
        scene.actor == actor, "a scene shows who is to act, {}, not {}", int(actor), scene.actor
    )
    promise(
        offered == wanted,
        f"a scene for {'a spectator' if seat is None else f'seat {seat}'} offers {{}}, not {{}}",
        wanted,
        offered,
    )
