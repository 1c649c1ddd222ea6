"""Scenes of Blokus: the board, the pieces of each seat, and the placements to choose from."""

from functools import cache, lru_cache

from parlour.core.game import OVER
from parlour.core.result import Result
from parlour.core.scene import NOBODY, ActionView, Cell, Scene, SeatView
from parlour.games.blokus.notation import EMPTY, cell_to_text, glyph
from parlour.games.blokus.pieces import PIECE_NAMES
from parlour.games.blokus.rules import PIECE_BITS, BlokusState
from parlour.games.blokus.ruleset import SHARED, BlokusRuleset
from parlour.games.blokus.tables import PlacementTables


def scene(rules: BlokusRuleset, state: BlokusState) -> Scene:
    """Return the scene, which is the same for every viewer."""
    return Scene(
        cells=_cells(rules, state),
        seats=tuple(_seat(rules, state, number) for number in range(rules.seats)),
        status=_status(rules, state),
    )


def _cells(rules: BlokusRuleset, state: BlokusState) -> tuple[Cell, ...]:
    """Return the cells: capital letters for pieces, small letters for free starting cells."""
    kinds = _kinds(rules)
    shown = list(map(kinds.__getitem__, state.pieces()))
    for at, start in kinds.starts:
        if shown[at] is kinds.empty:
            shown[at] = start
    return tuple(shown)


class _Kinds(dict[int, Cell]):
    """The cells that a board can show, by the numbers of `BlokusState.pieces`.

    They are kept because a scene has 400 of them.
    """

    def __init__(self, rules: BlokusRuleset) -> None:
        """Prepare the cells of one variant."""
        super().__init__()
        self.empty = self[0] = Cell(EMPTY, "empty")
        self._colours = [self.empty]
        for colour, name in enumerate(rules.colour_names):
            player = rules.players[colour]
            owner = NOBODY if player == SHARED else player
            self._colours.append(Cell(glyph(name), name, owner, name, name))
        self.starts = [
            (
                row * rules.side + col,
                Cell(glyph(name).lower(), f"empty, {name}'s starting square", marks=("start",)),
            )
            for (row, col), name in zip(rules.starts, rules.colour_names, strict=True)
        ]

    def __missing__(self, number: int) -> Cell:
        """Make the cell of a piece."""
        colour, piece = divmod(number, 1 << PIECE_BITS)
        made = self[number] = self._colours[colour]._replace(piece=piece)
        return made


@cache
def _kinds(rules: BlokusRuleset) -> _Kinds:
    return _Kinds(rules)


@cache
def seat_names(rules: BlokusRuleset) -> tuple[str, ...]:
    """Return the name of each seat."""
    return tuple(_seat_name(rules, seat) for seat in range(rules.seats))


def _seat_name(rules: BlokusRuleset, seat: int) -> str:
    """Return the seat's colour, or its number and colours if seats play or share several."""
    own = [rules.colour_names[c] for c, player in enumerate(rules.players) if player == seat]
    if len(own) == 1 and SHARED not in rules.players:
        return own[0]
    return f"player {seat + 1} ({' and '.join(own)})"


def _seat(rules: BlokusRuleset, state: BlokusState, seat: int) -> SeatView:
    """Return a seat's pieces, and the squares they have; at the end its points.

    Shared pieces belong to the seat that plays them next.
    """
    score = 0
    hands: list[tuple[str, int]] = []
    for colour, player in enumerate(rules.players):
        if player == seat:
            score += state.score(colour)
        elif player != SHARED or state.pieces_laid(colour) % rules.seats != seat:
            continue
        label = f"{rules.colour_names[colour]}:" if len(rules.players) > rules.seats else ""
        hands.append((label, state.hand(colour)))
    is_counted = score >= 0 or state.actor == OVER
    return _seat_view(score, is_counted, tuple(hands))


@lru_cache(4096)
def _seat_view(score: int, is_counted: bool, hands: tuple[tuple[str, int], ...]) -> SeatView:
    """Return the view of a seat with these hands, kept because a move changes only one of them."""
    tray: list[str] = []
    for label, hand in hands:
        tray += [label] if label else []
        tray += [name for piece, name in enumerate(PIECE_NAMES) if hand >> piece & 1]
    words = _points(score) if is_counted else _squares(-score)
    return SeatView(score=words, tray=tuple(tray))


def _squares(count: float) -> str:
    return "1 square left" if count == 1 else f"{count:g} squares left"


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
    won = "wins" if len(names) == 1 else "share first place"
    return f"No colour can place a piece: {' and '.join(names)} {won} with {_points(best)}."


class PlacementViews(dict[int, ActionView]):
    """The view of each placement by its action, made on demand: its cells, and its piece.

    It is the same in every position.
    """

    def __init__(self, table: PlacementTables) -> None:
        """Prepare the names of the cells."""
        super().__init__()
        self._table = table
        side = int(table.side)
        places = [divmod(cell, side) for cell in range(side * side)]
        self._names = [cell_to_text(side, row, col) for row, col in places]
        # Texts list the cells from the bottom row up, each row from the left.
        self._rank = [(side - row) * side + col for row, col in places]
        self._cell_of = {int(table.square(row, col)): row * side + col for row, col in places}

    def __missing__(self, action: int) -> ActionView:
        """Make the view of a placement."""
        table = self._table
        cells = tuple([self._cell_of[square] for square in table.squares(action)])
        # Use lookups, because a scene may need hundreds of new views.
        ranked = sorted(cells, key=self._rank.__getitem__)
        text = ",".join([self._names[cell] for cell in ranked])
        made = self[action] = ActionView(action, text, cells, PIECE_NAMES[table.piece(action)])
        return made

    def words(self, action: int) -> str:
        """Return the piece and its first cell in reading order: `L5 at e14`."""
        view = self[action]
        return f"{view.group} at {self._names[view.cells[0]]}"


@cache
def placement_views(table: PlacementTables) -> PlacementViews:
    """Return the views of one board, which all its games share."""
    return PlacementViews(table)
