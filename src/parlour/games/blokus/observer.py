"""Observations of Blokus: occupied, blocked and corner planes of every colour, and the hands.

Colours are counted from the seat's own: the one it plays now or, if it is not its turn, the next
one it will play. The others follow in order of play.
"""

from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from parlour.core.game import State
from parlour.core.grid import mirrored_cells, rotated_cells
from parlour.core.observer import Observer, Symmetry, grid_view
from parlour.games.blokus.movegen import ids_of, list_placements
from parlour.games.blokus.pieces import ORIENTATION_OF, ORIENTATIONS, PIECE_NAMES
from parlour.games.blokus.planes import FACTS, copy_from
from parlour.games.blokus.rules import BlokusState
from parlour.games.blokus.ruleset import NOBODY, PIECES, SHARED, BlokusRuleset
from parlour.games.blokus.tables import CORNER, OWNER_SHIFT, REACH
from parlour.shapes import normalise


class BlokusObserver(Observer):
    """Three planes and the pieces in hand for each colour, own first."""

    def __init__(self, rules: BlokusRuleset) -> None:
        """Observe games of any variant."""
        colours = ["own", *[f"colour {k} further" for k in range(1, rules.colours)]]
        extras = [f"{colour}: has {piece}" for colour in colours for piece in PIECE_NAMES]
        extras += [f"{colour}: to lay" for colour in colours]
        extras += [f"{colour}: I1 was its last" for colour in colours]
        has_shared = SHARED in rules.players
        if has_shared:
            extras += [f"{colour}: shared" for colour in colours]
            extras += [f"seat {k} further lays the shared colour next" for k in range(rules.seats)]
        planes = [f"{colour}: {fact}" for fact in FACTS for colour in colours]
        in_words = rules.side * rules.side % 8 == 0
        super().__init__(rules, tuple(planes), tuple(extras), in_words=in_words)
        self._rules: Final = rules
        self._has_shared: Final = has_shared

    def legal_actions(self, state: State) -> vec[i64]:
        """Return the legal actions unsorted, which is faster."""
        assert isinstance(state, BlokusState)
        if state._mover == NOBODY:
            return vec[i64]()
        table = state._tables
        codes, count = list_placements(
            table, state._board, state._corners, state._numbers, state._mover
        )
        return ids_of(codes, count, table.ids)

    def write(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        """Write the planes of every colour.

        `occupied`: its pieces; `blocked`: cells it may not cover; `corner`: cells of which a
        placement must cover one. Blocked corners are left out, as the colour cannot use them.
        """
        assert isinstance(state, BlokusState)
        rules = self._rules
        board = state._board
        side: i64 = rules.side
        width = side + REACH
        colours = rules.colours
        area = side * side
        first = first_colour(state, seat)
        cell = at
        row: i64 = 0
        while row < side:
            square = (row + REACH) * width + REACH
            end = square + side
            while square < end:
                bits = i64(board[square])
                if bits != 0:
                    owner = bits >> OWNER_SHIFT
                    if owner != 0:
                        owner -= first + 1
                        out[cell + area * (owner if owner >= 0 else owner + colours)] = 1
                    place = cell + area * colours
                    colour = first
                    k: i64 = 0
                    while k < colours:
                        if (bits >> colour) & 1 != 0:
                            out[place] = 1
                        elif bits & (CORNER << colour) != 0:
                            out[place + area * colours] = 1
                        place += area
                        colour += 1
                        if colour == colours:
                            colour = 0
                        k += 1
                cell += 1
                square += 1
            row += 1

    def write_words(self, state: State, seat: i64, out: vec[i64], at: i64) -> None:
        """Write the planes kept by the state, starting with the seat's own colour."""
        assert isinstance(state, BlokusState)
        planes = state.planes()
        words = state._tables.words
        copy_from(planes, first_colour(state, seat), self._rules.colours, words, out, at)

    def write_extras(self, state: State, seat: i64, out: vec[u8], at: i64) -> None:
        """Write the pieces in hand, colour by colour, and then the other extras."""
        assert isinstance(state, BlokusState)
        rules = self._rules
        colours = rules.colours
        first = first_colour(state, seat)
        base = at + colours * PIECES
        k: i64 = 0
        while k < colours:
            colour = (first + k) % colours
            hand = state._numbers[colour]
            place = at + k * PIECES
            while hand != 0:
                if hand & 1 != 0:
                    out[place] = 1
                hand >>= 1
                place += 1
            if colour == state._mover:
                out[base + k] = 1
            if (state._small >> colour) & 1 != 0:
                out[base + colours + k] = 1
            if self._has_shared and rules._players[colour] == SHARED:
                out[base + 2 * colours + k] = 1
                seats: i64 = rules.seats
                nearer = (state.pieces_laid(colour) + seats - seat) % seats
                out[base + 3 * colours + nearer] = 1
            k += 1

    def symmetries(self) -> tuple[Symmetry, ...]:
        """Return the rotations and mirrors that preserve the rules, with their maps of seats.

        With four colours a rotation by 90 degrees moves each start to the next and keeps the
        order of play; a mirror would reverse it. In Duo both diagonals are mirror axes. A shared
        colour has its own rule of play, so no symmetry maps it to another.
        """
        rules = self._rules
        side = rules.side
        found = [self.identity()]
        for mirrored in (False, True):
            for quarter in range(4):
                seats = self._seats_after(mirrored, quarter)
                if seats is None or not (mirrored or quarter):
                    continue
                turn = "mirrored, then " if mirrored else ""
                found.append(
                    found[0]._replace(
                        name=f"{turn}rotated by {90 * quarter} degrees",
                        cells=_moved(side, mirrored, quarter),
                        actions=self._actions_after(mirrored, quarter),
                        seats=seats,
                    )
                )
        return tuple(found)

    def _seats_after(self, mirrored: bool, quarter: int) -> tuple[int, ...] | None:
        """Return the seat that each seat becomes, or `None` if the result is a different game."""
        rules = self._rules
        side = rules.side
        cells = _moved(side, mirrored, quarter)
        starts = [row * side + col for row, col in rules.starts]
        moved = [cells[start] for start in starts]
        if sorted(moved) != sorted(starts):
            return None
        becomes = [starts.index(start) for start in moved]
        count = len(becomes)
        if any(becomes[(k + 1) % count] != (becomes[k] + 1) % count for k in range(count)):
            return None
        seats: dict[int, int] = {}
        for colour, other in enumerate(becomes):
            player, after = rules.players[colour], rules.players[other]
            if (player == SHARED) != (after == SHARED):
                return None
            if player != SHARED and seats.setdefault(player, after) != after:
                return None
        return tuple([seats[seat] for seat in range(rules.seats)])

    def _actions_after(self, mirrored: bool, quarter: int) -> tuple[int, ...]:
        tables = self._rules.tables
        side = self._rules.side
        moved = _moved(side, mirrored, quarter)
        # For each orientation, the new one, and the box corner that becomes the top left.
        becomes: list[tuple[int, int]] = []
        for each in ORIENTATIONS:
            at = [moved[row * side + col] for row, col in each.cells]
            places = [divmod(cell, side) for cell in at]
            rows, cols = 1 + max(r for r, _ in each.cells), 1 + max(c for _, c in each.cells)
            corners = [r * side + c for r in (0, rows - 1) for c in (0, cols - 1)]
            top_left = min(corners, key=lambda corner: sum(divmod(moved[corner], side)))
            becomes.append((ORIENTATION_OF[normalise(places)], top_left))
        actions: list[int] = []
        for action in range(self.game.num_actions):
            row, col = tables.corner(action)
            orientation, corner = becomes[tables.orientation(action)]
            to_row, to_col = divmod(moved[row * side + col + corner], side)
            actions.append(tables.action(orientation, to_row, to_col))
        return tuple(actions)

    def action_grid(self) -> memoryview:
        """Return 91 planes, one for each orientation, at the top left of its bounding box."""
        tables = self._rules.tables
        places = vec[i64]()
        for action in range(self.game.num_actions):
            row, col = tables.corner(action)
            places = append(places, tables.orientation(action))
            places = append(append(places, row), col)
        return grid_view(places)


def first_colour(state: BlokusState, seat: i64) -> i64:
    """Return the seat's own colour: the one it plays now, or next in order of play."""
    rules = state._rules
    players = rules._players
    colours = rules.colours
    colour = state._mover
    if colour == NOBODY:
        colour = 0
    elif state.actor == seat:
        return colour
    k: i64 = 0
    while k < colours:
        if players[colour] == seat:
            return colour
        colour += 1
        if colour == colours:
            colour = 0
        k += 1
    return 0


def _moved(side: int, mirrored: bool, quarter: int) -> tuple[int, ...]:
    """Return the new place of each cell; the board is mirrored first, then rotated."""
    turned = rotated_cells(side, quarter)
    if not mirrored:
        return turned
    return tuple([turned[cell] for cell in mirrored_cells(side)])
