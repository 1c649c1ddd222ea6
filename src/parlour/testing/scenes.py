"""Check scenes: complete boards with known colours, marks and faces."""

from parlour.core.checks import is_int
from parlour.core.colours import COLOURS
from parlour.core.game import Game, State
from parlour.core.scene import HOLE, MARKS, Cell, Scene, SeatView, display_width
from parlour.testing.promise import instead_of, promise


def viewers(game: Game) -> tuple[int | None, ...]:
    """Return all viewers: a spectator and each seat."""
    return (None, *range(game.seats))


class Owners:
    """The owners of glyphs and labels that each viewer saw."""

    def __init__(self) -> None:
        """Start empty."""
        self.places: dict[tuple[int | None, int, str, str], int] = {}
        """The owner of a look in a place, when it was first seen there."""
        self.mixed: set[tuple[int | None, str, str]] = set()
        """Looks that had two owners in one place."""
        self.together: set[tuple[int | None, str, str]] = set()
        """Looks that had two owners in one scene."""


def check_scenes(state: State, drawn: set[Cell], owners: Owners) -> None:
    """Check that every viewer's scene is complete: cells, seats, status and actions.

    Cells in `drawn` are not checked again. `owners` holds what was seen of whose
    pieces.
    """
    game = state.game
    _check_seat_names(state)
    # The twin holds only what the text contains: a scene that shows more would differ below.
    twin = game.state_from_text(game.state_to_text(state))
    for seat in viewers(game):
        _check_drawn(game, game.scene(state, seat))
        scene = state.scene(seat)
        promise(
            scene == twin.scene(seat),
            "a scene must not show what the state's text does not contain",
            cure="Add it to text and key, such as the last move, or do not show it.",
        )
        promise(
            isinstance(scene.status, str) and scene.status.strip(),
            "a scene must have a status line, not {}",
            scene.status,
            cure="Write a sentence: whose turn it is, or how the game ended.",
        )
        promise(
            scene.board == game.board,
            "a scene must have the game's board, not {}",
            scene.board,
            cure="Do not set `board`: core adds it.",
        )
        for hole in game.board.holes:
            promise(
                scene.cells[hole] == HOLE,
                f"the cell {hole} is a hole, but the scene draws it",
                cure="Put `parlour.HOLE` there.",
            )
        for cell in set(scene.cells) - drawn:
            _check_cell(game, cell)
            drawn.add(cell)
        _check_owners(scene, seat, owners)
        _check_offers(state, scene, seat)
    for wrong in (-1, game.seats):
        went = instead_of(IndexError, state.scene, wrong)
        promise(not went, f"seat {wrong} must be refused", cure="Do not replace `State.scene`.")


def _check_seat_names(state: State) -> None:
    names = state.game.seat_names(state)
    promise(
        isinstance(names, tuple)
        and len(names) == state.game.seats
        and all(isinstance(name, str) and name.strip() for name in names),
        f"seat_names() must return a tuple with {state.game.seats} names, one for "
        f"each seat, not {{}}",
        names,
        cure="Return a name for each seat, in a tuple, and pass the right number of `seats`.",
    )


def _check_drawn(game: Game, scene: Scene) -> None:
    """Check the scene that the game returns, before core adds the rest."""
    promise(
        isinstance(scene, Scene),
        "scene() must return a parlour.Scene, not {}",
        scene,
        cure="Return `Scene(cells, seats, status)`.",
    )
    size = game.board.size
    promise(
        isinstance(scene.cells, tuple) and len(scene.cells) == size,
        f"a scene must have a tuple of {size} cells, as many as the board, not {{}}",
        len(scene.cells) if isinstance(scene.cells, tuple) else scene.cells,
        cure="Pass `tuple(cells)` with `rows * cols` cells, holes included.",
    )
    promise(
        isinstance(scene.seats, tuple) and len(scene.seats) == game.seats,
        f"a scene must have a tuple with a SeatView for each of the {game.seats} seats, not {{}}",
        scene.seats,
        cure="Pass `SeatView()` for a seat without score and tray.",
    )
    for view in scene.seats:
        promise(
            isinstance(view, SeatView),
            "a scene's seats must be SeatViews, not {}",
            view,
            cure="Write `SeatView(score=..., tray=...)`.",
        )
        promise(
            isinstance(view.tray, tuple) and all(isinstance(item, str) for item in view.tray),
            "a tray must be a tuple of texts, not {}",
            view.tray,
            cure="Pass the names of the pieces in a tuple.",
        )


def _check_cell(game: Game, cell: Cell) -> None:
    promise(
        isinstance(cell, Cell),
        "a scene's cells must be parlour.Cells, not {}",
        cell,
        cure="Write `Cell(glyph, label)`.",
    )
    promise(
        isinstance(cell.glyph, str)
        and cell.glyph.isprintable()
        and 1 <= display_width(cell.glyph) <= 2,
        "a glyph must be one or two columns wide, not {}",
        cell.glyph,
        cure="Use one or two letters, and put more into the label; 帥 is two columns wide.",
    )
    promise(
        display_width(cell.sign) <= 2,
        "a sign must be at most two columns wide, not {}",
        cell.sign,
        cure="Use one character.",
    )
    promise(
        isinstance(cell.label, str) and cell.label.strip(),
        "every cell must have a label, for screen readers: {}",
        cell,
        cure='Describe it in words: "a red king", "empty".',
    )
    promise(
        -1 <= cell.owner < game.seats,
        f"a cell's owner must be a seat from 0 to {game.seats - 1}, or -1, not {{}}",
        cell.owner,
        cure="Pass the number of a seat, or -1 for a cell without owner.",
    )
    promise(
        cell.colour == "" or cell.colour in COLOURS,
        f"a cell's colour must be empty or one of {', '.join(COLOURS)}, not {{}}",
        cell.colour,
        cure="Take one of `parlour.COLOURS`, or leave it empty for the owner's colour.",
    )
    promise(
        cell.face == "" or cell.face in game.faces,
        "a cell's face must be one of the game's faces, not {}",
        cell.face,
        cure="List every face in `faces=(...)` of `super().__init__`.",
    )
    promise(
        is_int(cell.piece) and cell.piece >= 0,
        "a cell's piece must be a number from 1, or 0 for a separate cell, not {}",
        cell.piece,
        cure="Number the pieces from 1.",
    )
    promise(
        is_int(cell.number) and 0 <= cell.number < 10_000,
        "a cell's number must be an int from 0 to 9999, not {}",
        cell.number,
        cure="Pass how many pieces lie there, or 0 to show no number.",
    )
    promise(
        isinstance(cell.marks, tuple),
        "a cell's marks must be a tuple, not {}",
        cell.marks,
        cure='Write `marks=("wall",)`, with the comma.',
    )
    for mark in cell.marks:
        promise(
            mark in MARKS or mark.startswith("x-"),
            f"a mark must be one of {', '.join(MARKS)}, or begin with x-, not {{}}",
            mark,
            cure="Use a published mark, or begin your own with `x-`.",
        )


def _check_owners(scene: Scene, viewer: int | None, owners: Owners) -> None:
    """Check that pieces of two seats differ without colour, unless their places tell."""
    seen: dict[tuple[str, str], int] = {}
    for number, cell in enumerate(scene.cells):
        if cell.owner < 0:
            continue
        look = (cell.glyph, cell.label)
        is_elsewhere = seen.setdefault(look, cell.owner) != cell.owner
        is_here = owners.places.setdefault((viewer, number, *look), cell.owner) != cell.owner
        if is_elsewhere:
            owners.together.add((viewer, *look))
        if is_here:
            owners.mixed.add((viewer, *look))
        promise(
            not (is_elsewhere or is_here) or not owners.together & owners.mixed,
            "pieces of two seats look alike without colour: both have the glyph {} and the "
            "label {}",
            cell.glyph,
            cell.label,
            cure="Say in the label whose it is, such as 'a red king', or give it another glyph.",
        )


def _check_offers(state: State, scene: Scene, seat: int | None) -> None:
    """Check the offered actions: those of the actor, to it and, without secrets, to spectators."""
    actor = state.actor
    offered = [view.action for view in scene.actions]
    sees = actor >= 0 and (seat == actor or (seat is None and not state.game.has_secrets))
    wanted = list(state.legal_actions()) if sees else []
    promise(
        scene.actor == actor,
        "a scene must show the actor, {}, not {}",
        int(actor),
        scene.actor,
        cure="Do not set `actor`: core adds it.",
    )
    promise(
        offered == wanted,
        f"a scene for {('a spectator' if seat is None else f'seat {seat}')} must "
        f"offer {{}}, not {{}}",
        wanted,
        offered,
        cure="Do not set `actions`: core adds them; replace `action_view`.",
    )
