"""Octa: the rules, and the position they act on.

1. The board is a set of cells. Each cell has an owner (nobody, player 1, player 2, or
   blocked for good) and an arrow in one of eight directions.
2. Players take turns. A turn is the choice of one own cell.
3. The chosen cell's arrow turns clockwise by one eighth.
4. The chain: step to the cell that the arrow points to, and stop if
   a. there is none, or it is blocked;
   b. it is the mover's own (a cell captured in this turn is one);
   c. it was captured in this turn (rule b has stopped the chain before);
   d. it is the opponent's and `stop_on_enemy` is on.
   Otherwise capture it, turn its arrow clockwise, and step on from there.
   The cell that stops a chain does not change.
5. The turn count grows by one.
6. From the first turn on, a player without a cell has lost by elimination; if neither
   has one, it is a tie. This goes before rule 7.
7. When the turn count reaches the limit, most cells win; equal counts are a tie.

The playable board of size 1; a cell's index in reading order, coordinates (x, y) with
north on top:

    0 (-1, 1)   1 (0, 1)   2 (1, 1)
    3 (-1, 0)   4 (0, 0)   5 (1, 0)
    6 (-1,-1)   7 (0,-1)   8 (1,-1)

The rules need no grid: they run on any table of neighbours, eight per cell, -1 for none.
"""

from collections.abc import Mapping
from typing import Final

from librt.vecs import append, vec
from mypy_extensions import i32, i64, mypyc_attr, u8

from parlour.core.errors import InvalidState
from parlour.core.game import OVER, Game, State
from parlour.core.options import Value
from parlour.core.result import Result
from parlour.core.rng import Rng
from parlour.core.scene import Board

DIRECTIONS: Final = 8

NEUTRAL: Final = 0
PLAYER_1: Final = 1
PLAYER_2: Final = 2
BLOCKED: Final = 3

# A cell in one byte: owner in the two low bits, arrow (0 north, clockwise) above them.
OWNER: Final[i64] = 3
ARROW_SHIFT: Final[i64] = 2

NO_LIMIT: Final = -1

ONGOING: Final = 0
ELIMINATION: Final = 1
MAJORITY: Final = 2
TIE: Final = 3

REASONS: Final = ("ongoing", "elimination", "majority", "tie")

COMPASS: Final = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
FACES: Final = tuple([f"arrow-{point}" for point in COMPASS])
"""What a cell that is not blocked shows, by its arrow."""


def pack_cell(owner: int, arrow: int) -> int:
    """The byte of a cell."""
    return owner | arrow << 2


def unpack_cell(cell: int) -> tuple[int, int]:
    """Owner and arrow of a cell's byte."""
    return cell & 3, cell >> 2


def fire(
    cells: vec[u8], links: vec[i32], start: i64, owner: i64, stop_on_enemy: bool
) -> tuple[i64, i64]:
    """Rules 3 and 4, in place. How many neutral and how many enemy cells were captured."""
    neutral: i64 = 0
    enemy: i64 = 0
    arrow: i64 = ((i64(cells[start]) >> ARROW_SHIFT) + 1) & 7
    cells[start] = u8(owner | (arrow << ARROW_SHIFT))
    here: i64 = i64(links[start * 8 + arrow])
    while here >= 0:
        cell: i64 = i64(cells[here])
        holder: i64 = cell & OWNER
        if holder == NEUTRAL:
            neutral += 1
        elif holder == owner or holder == BLOCKED or stop_on_enemy:
            break
        else:
            enemy += 1
        arrow = ((cell >> ARROW_SHIFT) + 1) & 7
        cells[here] = u8(owner | (arrow << ARROW_SHIFT))
        here = i64(links[here * 8 + arrow])
    return neutral, enemy


def fired(cells: bytes, links: list[int], start: int, owner: int, stop_on_enemy: bool) -> bytes:
    """The cells after `fire`, for callers that are not compiled."""
    after = vec[u8](cells)
    fire(after, vec[i32](links), start, owner, stop_on_enemy)
    return bytes(list(after))


def gain(cells: vec[u8], links: vec[i32], start: i64, owner: i64, stop_on_enemy: bool) -> i64:
    """How many cells `fire` would capture, the opponent's counted twice; nothing is changed.

    Most chains are short, so looking back along the chain is quicker than a copy to write into.
    """
    total: i64 = 0
    here: i64 = i64(links[start * 8 + (((i64(cells[start]) >> ARROW_SHIFT) + 1) & 7)])
    first = here
    steps: i64 = 0
    while here >= 0:
        cell: i64 = i64(cells[here])
        holder: i64 = cell & OWNER
        if holder == owner or holder == BLOCKED or (stop_on_enemy and holder != NEUTRAL):
            break
        back = first
        step: i64 = 0
        while step < steps and back != here:
            back = i64(links[back * 8 + (((i64(cells[back]) >> ARROW_SHIFT) + 1) & 7)])
            step += 1
        if step < steps:
            break  # captured in this turn
        total += 1 if holder == NEUTRAL else 2
        steps += 1
        here = i64(links[here * 8 + (((cell >> ARROW_SHIFT) + 1) & 7)])
    return total


def reach(cells: vec[u8], links: vec[i32], owner: i64, stop_on_enemy: bool) -> i64:
    """How many cells the player's chains, one for each own cell, would capture together."""
    n = len(cells)
    # Which chain reached a cell last: its first cell, counted from 1.
    reached_by = vec[i32]([0] * n)
    count: i64 = 0
    start: i64 = 0
    while start < n:
        cell: i64 = i64(cells[start])
        if cell & OWNER == owner:
            here: i64 = i64(links[start * 8 + (((cell >> ARROW_SHIFT) + 1) & 7)])
            while here >= 0:
                cell = i64(cells[here])
                holder: i64 = cell & OWNER
                before: i64 = i64(reached_by[here])
                if holder == owner or holder == BLOCKED or before == start + 1:
                    break
                if stop_on_enemy and holder != NEUTRAL:
                    break
                if before == 0:
                    count += 1
                reached_by[here] = i32(start + 1)
                here = i64(links[here * 8 + (((cell >> ARROW_SHIFT) + 1) & 7)])
        start += 1
    return count


def chain(
    cells: vec[u8], links: vec[i32], start: i64, owner: i64, stop_on_enemy: bool
) -> list[int]:
    """The cells that `fire` would change, in its order; nothing is changed."""
    after = cells[:]
    fire(after, links, start, owner, stop_on_enemy)
    order = [int(start)]
    here: i64 = i64(links[start * 8 + (i64(after[start]) >> ARROW_SHIFT)])
    # A changed cell is the mover's afterwards with an arrow that turned: it differs.
    while here >= 0 and here != start and after[here] != cells[here] and here not in order:
        order.append(int(here))
        here = i64(links[here * 8 + (i64(after[here]) >> ARROW_SHIFT)])
    return order


def verdict(count_1: i64, count_2: i64, turns: i64, limit: i64) -> i64:
    """Rules 6 and 7: ONGOING, or why the game is over. `limit` may be NO_LIMIT."""
    if turns > 0 and (count_1 == 0 or count_2 == 0):
        return TIE if count_1 == count_2 else ELIMINATION
    if limit == NO_LIMIT or turns < limit:
        return ONGOING
    return TIE if count_1 == count_2 else MAJORITY


def refusal_text(owner: i64, mover: i64) -> str | None:
    """Rule 2: why a cell of this owner cannot be chosen by the mover, or `None`."""
    if owner == mover:
        return None
    if owner == NEUTRAL:
        return f"that cell is neutral; player {mover} chooses one of their own"
    if owner == BLOCKED:
        return f"that cell is blocked; player {mover} chooses one of their own"
    return f"that cell is player {owner}'s; player {mover} chooses one of their own"


@mypyc_attr(allow_interpreted_subclasses=True)
class OctaRules(Game["OctaState"]):
    """What the rules need to know of the game: neighbours, limit, and the chain's rule d."""

    def __init__(
        self,
        title: str,
        options: Mapping[str, Value],
        links: list[int],
        limit: int,
        stop_on_enemy: bool,
        board: Board,
    ) -> None:
        """`links` holds eight neighbours per cell."""
        super().__init__(
            name="octa",
            title=title,
            seats=2,
            num_actions=len(links) // DIRECTIONS,
            max_plies=limit,
            options=options,
            board=board,
            faces=FACES,
        )
        # Shared by all states, and nobody else's to write into. Made here: a compiled function
        # never lets go of a vec that interpreted code hands to it (mypyc 2.4).
        self._links: Final = vec[i32](links)
        self.limit: Final[i64] = limit
        self.stop_on_enemy: Final = stop_on_enemy

    def position(self, cells: bytes, mover: int, turns: int) -> "OctaState":
        """The state with these packed cells; `InvalidState` if it cannot be."""
        if len(cells) != self.num_actions:
            raise InvalidState(f"there are {len(cells)} cells; this board has {self.num_actions}")
        if max(cells) >= 32:
            raise InvalidState("a cell is a byte below 32: its owner plus 4 times its arrow")
        if mover not in (PLAYER_1, PLAYER_2):
            raise InvalidState(f"the player to move is 1 or 2, not {mover}")
        if not 0 <= turns <= self.max_plies:  # an int: a turn of any size is compared
            raise InvalidState(f"the turns taken are 0 to {self.limit}, not {turns}")
        owners = [cell & 3 for cell in cells]
        count_1, count_2 = owners.count(PLAYER_1), owners.count(PLAYER_2)
        if turns == 0 and (count_1 == 0 or count_2 == 0):
            raise InvalidState("before the first turn each player must own a cell")
        return OctaState(self, vec[u8](cells), mover, turns, count_1, count_2)


class OctaState(State):
    """A position: the cells, the player to move, and the turns taken."""

    def __init__(
        self, rules: OctaRules, cells: vec[u8], mover: i64, turns: i64, count_1: i64, count_2: i64
    ) -> None:
        """Take over `cells`. Trusting: `OctaRules.position` checks."""
        super().__init__(rules)
        self._rules: Final = rules
        self._cells: vec[u8] = cells
        self._mover: i64 = mover
        self._turns: i64 = turns
        # Cells of player 1 and 2, kept up to date so that the end shows without a scan.
        self._count_1: i64 = count_1
        self._count_2: i64 = count_2

    @property
    def actor(self) -> i64:
        """Seat 0 is player 1."""
        if verdict(self._count_1, self._count_2, self._turns, self._rules.limit) != ONGOING:
            return OVER
        return self._mover - 1

    @property
    def turns(self) -> int:
        """Turns taken so far."""
        return self._turns

    @property
    def limit(self) -> int:
        """The turn at which rule 7 ends the game."""
        return self._rules.limit

    @property
    def mover(self) -> int:
        """The player whose turn it is, or would be if the game were not over: 1 or 2."""
        return self._mover

    def cell(self, index: int) -> tuple[int, int]:
        """Owner and arrow of a cell."""
        return unpack_cell(i64(self._cells[index]))

    def counts(self) -> tuple[int, int]:
        """How many cells player 1 and player 2 own."""
        return self._count_1, self._count_2

    def chain(self, action: int) -> list[int]:
        """The cells that a legal action changes, in the order in which it does."""
        rules = self._rules
        return chain(self._cells, rules._links, action, self._mover, rules.stop_on_enemy)

    def reach(self, player: i64) -> i64:
        """How many cells the chains of a player, 1 or 2, would capture together."""
        rules = self._rules
        return reach(self._cells, rules._links, player, rules.stop_on_enemy)

    def legal_actions(self) -> vec[i64]:
        """The mover's cells."""
        actions = vec[i64]()
        if self.actor == OVER:
            return actions
        cells = self._cells
        mover = self._mover
        i: i64 = 0
        n = len(cells)
        while i < n:
            if i64(cells[i]) & OWNER == mover:
                actions = append(actions, i)
            i += 1
        return actions

    def rule_against(self, action: i64) -> str | None:
        """Rule 2."""
        return refusal_text(i64(self._cells[action]) & OWNER, self._mover)

    def sample(self, rng: Rng) -> i64:
        """One of the mover's cells; found by counting, without listing them."""
        cells = self._cells
        mover = self._mover
        left = rng.below(self._count_1 if mover == PLAYER_1 else self._count_2)
        i: i64 = 0
        while True:
            if i64(cells[i]) & OWNER == mover:
                if left == 0:
                    return i
                left -= 1
            i += 1

    def apply(self, action: i64) -> "OctaState":
        """A copy, advanced."""
        return self.scratch().advance(action)

    def scratch(self) -> "OctaState":
        """A copy."""
        return OctaState(
            self._rules, self._cells[:], self._mover, self._turns, self._count_1, self._count_2
        )

    def advance(self, action: i64) -> "OctaState":
        """Rules 3 to 5, in place."""
        mover = self._mover
        rules = self._rules
        neutral, enemy = fire(self._cells, rules._links, action, mover, rules.stop_on_enemy)
        if mover == PLAYER_1:
            self._count_1 += neutral + enemy
            self._count_2 -= enemy
        else:
            self._count_2 += neutral + enemy
            self._count_1 -= enemy
        self._mover = PLAYER_1 + PLAYER_2 - mover
        self._turns += 1
        return self

    def result(self) -> Result | None:
        """Rules 6 and 7; the scores are the cells."""
        why = verdict(self._count_1, self._count_2, self._turns, self._rules.limit)
        if why == ONGOING:
            return None
        lead = self._count_1 - self._count_2
        value = 0.0 if lead == 0 else 1.0 if lead > 0 else -1.0
        scores = (float(self._count_1), float(self._count_2))
        return Result((value, 0.0 - value), scores, REASONS[why])

    def key(self) -> bytes:
        """The cells, the mover and the turns."""
        return bytes(memoryview(self._cells)) + b"%d,%d" % (self._mover, self._turns)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled as the game and its parts, without a detour through text."""
        cells = bytes(memoryview(self._cells))
        return (OctaRules.position, (self._rules, cells, self._mover, self._turns))
