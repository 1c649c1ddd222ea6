"""What a viewer of Blokus sees: the board, and the pieces that each seat still has."""

from parlour.core.result import Result
from parlour.core.scene import NOBODY, Cell, Scene, SeatView
from parlour.games.blokus.notation import EMPTY, glyph
from parlour.games.blokus.pieces import PIECE_NAMES
from parlour.games.blokus.rules import BlokusState
from parlour.games.blokus.ruleset import SHARED, BlokusRuleset


def scene(rules: BlokusRuleset, state: BlokusState) -> Scene:
    """The same view for everybody."""
    return Scene(
        cells=_cells(rules, state),
        seats=tuple(_seat(rules, state, number) for number in range(rules.seats)),
        status=_status(rules, state),
    )


def _cells(rules: BlokusRuleset, state: BlokusState) -> tuple[Cell, ...]:
    """A colour's cells show its letter; a starting cell that is still free, a small one.

    Cells of one colour that share a side are one piece: those of two never do (rule 5).
    """
    kinds = [Cell(EMPTY, "empty")]
    for colour, name in enumerate(rules.colour_names):
        player = rules.players[colour]
        owner = NOBODY if player == SHARED else player
        kinds.append(Cell(glyph(name), name, owner, name, name))
    cells = list(state.cells())
    shown = [kinds[cell] for cell in cells]
    for number, piece in enumerate(_pieces(cells, rules.side), 1):
        joined = kinds[cells[piece[0]]]._replace(piece=number)
        for at in piece:
            shown[at] = joined
    for (row, col), name in zip(rules.starts, rules.colour_names, strict=True):
        at = row * rules.side + col
        if shown[at] is kinds[0]:
            shown[at] = Cell(glyph(name).lower(), f"empty, {name} starts here", marks=("start",))
    return tuple(shown)


def _pieces(cells: list[int], side: int) -> list[list[int]]:
    """The cells of each piece on the board, in the order of their first ones."""
    pieces: list[list[int]] = []
    seen: set[int] = set()
    for first, colour in enumerate(cells):
        if colour == 0 or first in seen:
            continue
        piece = [first]
        seen.add(first)
        for at in piece:
            col = at % side
            for near in (
                at - side,
                at + side,
                at - 1 if col else -1,
                at + 1 if col < side - 1 else -1,
            ):
                if 0 <= near < len(cells) and cells[near] == colour and near not in seen:
                    seen.add(near)
                    piece.append(near)
        pieces.append(piece)
    return pieces


def seat_name(rules: BlokusRuleset, seat: int) -> str:
    """The seat's colour where each has one of its own; else its number and its colours."""
    own = [rules.colour_names[c] for c, player in enumerate(rules.players) if player == seat]
    if len(own) == 1 and SHARED not in rules.players:
        return own[0]
    return f"player {seat + 1} ({' and '.join(own)})"


def _seat(rules: BlokusRuleset, state: BlokusState, seat: int) -> SeatView:
    """A seat's points and, colour by colour, its pieces; the shared ones are with their next."""
    score = 0
    tray: list[str] = []
    for colour, player in enumerate(rules.players):
        if player == seat:
            score += state.score(colour)
        elif player != SHARED or state.pieces_laid(colour) % rules.seats != seat:
            continue
        if len(rules.players) > rules.seats:
            tray.append(f"{rules.colour_names[colour]}:")
        hand = state.hand(colour)
        tray += [name for piece, name in enumerate(PIECE_NAMES) if hand >> piece & 1]
    return SeatView(score=_points(score), tray=tuple(tray))


def _points(score: float) -> str:
    return f"{score:g} point" if abs(score) == 1 else f"{score:g} points"


def _status(rules: BlokusRuleset, state: BlokusState) -> str:
    result = state.result()
    if result is not None:
        return _outcome(rules, result)
    colour = rules.colour_names[state.mover]
    name = seat_name(rules, state.actor)
    turn = colour if name == colour else f"{name.partition(' (')[0]} for {colour}"
    return f"{turn[0].upper()}{turn[1:]} to place a piece."


def _outcome(rules: BlokusRuleset, result: Result) -> str:
    assert result.scores is not None
    best = max(result.scores)
    names = [seat_name(rules, s) for s, score in enumerate(result.scores) if score == best]
    won = "wins" if len(names) == 1 else "share the first place"
    return f"Nobody can place a piece: {' and '.join(names)} {won} with {_points(best)}."
