"""What a viewer of Blokus sees: the board, and the pieces that each seat still has."""

from functools import cache

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
    kinds = _kinds(rules)
    colours = list(state.cells())
    shown = [kinds.empty] * len(colours)
    near = _neighbours(rules.side)
    for first, colour in enumerate(colours):
        if colour == 0 or shown[first] is not kinds.empty:
            continue
        # A piece's number follows from its first cell: the next piece changes no other's.
        joined = kinds.covered(colour, first + 1)
        shown[first] = joined
        piece = [first]
        for at in piece:
            for other in near[at]:
                if colours[other] == colour and shown[other] is kinds.empty:
                    shown[other] = joined
                    piece.append(other)
    for at, start in kinds.starts:
        if shown[at] is kinds.empty:
            shown[at] = start
    return tuple(shown)


class _Kinds:
    """The cells that a board can show, each made once: a scene of 400 cells makes none anew."""

    def __init__(self, rules: BlokusRuleset) -> None:
        """For the colours and starts of one variant."""
        self.empty = Cell(EMPTY, "empty")
        self._colours = [self.empty]
        for colour, name in enumerate(rules.colour_names):
            player = rules.players[colour]
            owner = NOBODY if player == SHARED else player
            self._colours.append(Cell(glyph(name), name, owner, name, name))
        self._covered: dict[tuple[int, int], Cell] = {}
        self.starts = [
            (
                row * rules.side + col,
                Cell(glyph(name).lower(), f"empty, {name} starts here", marks=("start",)),
            )
            for (row, col), name in zip(rules.starts, rules.colour_names, strict=True)
        ]

    def covered(self, colour: int, piece: int) -> Cell:
        """A cell of that colour, covered by the piece of that number."""
        known = self._covered.get((colour, piece))
        if known is None:
            known = self._covered[colour, piece] = self._colours[colour]._replace(piece=piece)
        return known


@cache
def _kinds(rules: BlokusRuleset) -> _Kinds:
    return _Kinds(rules)


@cache
def _neighbours(side: int) -> tuple[tuple[int, ...], ...]:
    """The cells that share a side with each cell."""
    found = []
    for at in range(side * side):
        row, col = divmod(at, side)
        near = [at - side] * (row > 0) + [at + side] * (row < side - 1)
        near += [at - 1] * (col > 0) + [at + 1] * (col < side - 1)
        found.append(tuple(near))
    return tuple(found)


@cache
def seat_names(rules: BlokusRuleset) -> tuple[str, ...]:
    """What to call each seat."""
    return tuple(_seat_name(rules, seat) for seat in range(rules.seats))


def _seat_name(rules: BlokusRuleset, seat: int) -> str:
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
    name = seat_names(rules)[state.actor]
    turn = colour if name == colour else f"{name.partition(' (')[0]} for {colour}"
    return f"{turn[0].upper()}{turn[1:]} to place a piece."


def _outcome(rules: BlokusRuleset, result: Result) -> str:
    assert result.scores is not None
    best = max(result.scores)
    names = [seat_names(rules)[s] for s, score in enumerate(result.scores) if score == best]
    won = "wins" if len(names) == 1 else "share the first place"
    return f"Nobody can place a piece: {' and '.join(names)} {won} with {_points(best)}."
