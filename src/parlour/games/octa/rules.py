"""The rules of Octa, and the positions they act on.

1. The board is a set of cells. Each cell has an owner (neutral, player 1, player 2, or
   permanently blocked) and an arrow in one of eight directions.
2. Players take turns. On each turn a player chooses one of their own cells.
3. The chosen cell's arrow turns one eighth clockwise.
4. The chain: step to the cell that the arrow points to, and stop if
   a. there is no such cell, or it is blocked;
   b. it belongs to the mover (including cells captured this turn);
   c. it was captured this turn (rule b already stops the chain);
   d. it belongs to the opponent and `stop_on_enemy` is on.
   Otherwise capture it, turn its arrow clockwise, and continue from there.
   The cell that stops a chain does not change.
5. The turn count increases by one.
6. After the first turn, a player without cells has lost by elimination. If neither player
   has a cell, the game is a tie. This rule takes precedence over rule 7.
7. When the turn count reaches the limit, the player with more cells wins. Equal counts are
   a tie.

The playable board of size 1, with each cell's index in reading order and its coordinates
(x, y). North is on top:

    0 (-1, 1)   1 (0, 1)   2 (1, 1)
    3 (-1, 0)   4 (0, 0)   5 (1, 0)
    6 (-1,-1)   7 (0,-1)   8 (1,-1)

The rules need no grid. They work on any table of neighbours: eight per cell, -1 for none.
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
"""The face of a cell that is not blocked, by its arrow."""


def pack_cell(owner: int, arrow: int) -> int:
    """Return the packed byte of a cell."""
    return owner | arrow << 2


def unpack_cell(cell: int) -> tuple[int, int]:
    """Return the owner and arrow of a packed cell."""
    return cell & 3, cell >> 2


def fire(
    cells: vec[u8], links: vec[i32], start: i64, owner: i64, stop_on_enemy: bool
) -> tuple[i64, i64]:
    """Apply rules 3 and 4 in place. Return how many neutral and enemy cells were captured."""
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
    """Return the cells after `fire`, for interpreted callers."""
    after = vec[u8](cells)
    fire(after, vec[i32](links), start, owner, stop_on_enemy)
    return bytes(list(after))


def gain(cells: vec[u8], links: vec[i32], start: i64, owner: i64, stop_on_enemy: bool) -> i64:
    """Return how many cells `fire` would capture, counting the opponent's twice.

    Most chains are short, so searching back along the chain is faster than copying the cells.
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
            break  # captured this turn
        total += 1 if holder == NEUTRAL else 2
        steps += 1
        here = i64(links[here * 8 + (((cell >> ARROW_SHIFT) + 1) & 7)])
    return total


def reach(cells: vec[u8], links: vec[i32], owner: i64, stop_on_enemy: bool) -> i64:
    """Return how many different cells the chains from all cells of a player would capture."""
    n = len(cells)
    # The chain that reached a cell last, as the index of its first cell plus 1.
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
    """Return the cells that `fire` would change, in order."""
    after = cells[:]
    fire(after, links, start, owner, stop_on_enemy)
    order = [int(start)]
    here: i64 = i64(links[start * 8 + (i64(after[start]) >> ARROW_SHIFT)])
    # Every cell of the chain differs afterwards, because its arrow has turned.
    while here >= 0 and here != start and after[here] != cells[here] and here not in order:
        order.append(int(here))
        here = i64(links[here * 8 + (i64(after[here]) >> ARROW_SHIFT)])
    return order


def verdict(count_1: i64, count_2: i64, turns: i64, limit: i64) -> i64:
    """Apply rules 6 and 7: return ONGOING or the reason for the end. `limit` may be NO_LIMIT."""
    if turns > 0 and (count_1 == 0 or count_2 == 0):
        return TIE if count_1 == count_2 else ELIMINATION
    if limit == NO_LIMIT or turns < limit:
        return ONGOING
    return TIE if count_1 == count_2 else MAJORITY


def refusal_text(owner: i64, mover: i64) -> str | None:
    """Return why the mover cannot choose a cell of this owner (rule 2), or `None`."""
    if owner == mover:
        return None
    if owner == NEUTRAL:
        return "that cell is neutral; choose one of your own"
    if owner == BLOCKED:
        return "that cell is blocked; choose one of your own"
    return f"that cell is player {owner}'s; choose one of your own"


@mypyc_attr(allow_interpreted_subclasses=True)
class OctaRules(Game["OctaState"]):
    """The parameters of the rules: neighbours, turn limit, and rule 4d."""

    def __init__(
        self,
        title: str,
        options: Mapping[str, Value],
        links: list[int],
        limit: int,
        stop_on_enemy: bool,
        board: Board,
    ) -> None:
        """Take eight neighbours per cell in `links`."""
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
        # Shared by all states and read-only. The vec is made here because compiled functions
        # leak a vec that interpreted code passes to them (mypyc 2.4).
        self._links: Final = vec[i32](links)
        self.limit: Final[i64] = limit
        self.stop_on_enemy: Final = stop_on_enemy

    def position(self, cells: bytes, mover: int, turns: int) -> "OctaState":
        """Return the state with these packed cells. Raises `InvalidState` if it is impossible."""
        if len(cells) != self.num_actions:
            raise InvalidState(f"this board has {self.num_actions} cells, not {len(cells)}")
        if max(cells) >= 32:
            raise InvalidState("a cell must be a byte below 32: its owner plus 4 times its arrow")
        if mover not in (PLAYER_1, PLAYER_2):
            raise InvalidState(f"the player to move must be 1 or 2, not {mover}")
        if not 0 <= turns <= self.max_plies:  # max_plies, because i64 cannot hold every int
            raise InvalidState(f"turns must be 0 to {self.limit}, not {turns}")
        owners = [cell & 3 for cell in cells]
        count_1, count_2 = owners.count(PLAYER_1), owners.count(PLAYER_2)
        if turns == 0 and (count_1 == 0 or count_2 == 0):
            raise InvalidState("each player must own a cell before the first turn")
        return OctaState(self, vec[u8](cells), mover, turns, count_1, count_2)


class OctaState(State):
    """A position: the cells, the player to move, and the number of turns taken."""

    def __init__(
        self, rules: OctaRules, cells: vec[u8], mover: i64, turns: i64, count_1: i64, count_2: i64
    ) -> None:
        """Take ownership of `cells`, without checks; `OctaRules.position` makes them."""
        super().__init__(rules)
        self._rules: Final = rules
        self._cells: vec[u8] = cells
        self._mover: i64 = mover
        self._turns: i64 = turns
        # Cells of player 1 and 2, kept up to date so that the end is detected without a scan.
        self._count_1: i64 = count_1
        self._count_2: i64 = count_2

    @property
    def actor(self) -> i64:
        """The seat to move (seat 0 is player 1), or OVER."""
        if verdict(self._count_1, self._count_2, self._turns, self._rules.limit) != ONGOING:
            return OVER
        return self._mover - 1

    @property
    def turns(self) -> int:
        """The number of turns taken."""
        return self._turns

    @property
    def limit(self) -> int:
        """The turn limit of rule 7."""
        return self._rules.limit

    @property
    def mover(self) -> int:
        """The player to move, 1 or 2; after the end, the one whose turn would be next."""
        return self._mover

    def cell(self, index: int) -> tuple[int, int]:
        """Return the owner and arrow of a cell."""
        return unpack_cell(i64(self._cells[index]))

    def packed(self) -> bytes:
        """Return all cells, each as packed by `pack_cell`."""
        return bytes(memoryview(self._cells))

    def counts(self) -> tuple[int, int]:
        """Return how many cells player 1 and player 2 own."""
        return self._count_1, self._count_2

    def chain(self, action: int) -> list[int]:
        """Return the cells that a legal action changes, in order."""
        rules = self._rules
        return chain(self._cells, rules._links, action, self._mover, rules.stop_on_enemy)

    def reach(self, player: i64) -> i64:
        """Return how many different cells the chains of player 1 or 2 would capture."""
        rules = self._rules
        return reach(self._cells, rules._links, player, rules.stop_on_enemy)

    def legal_actions(self) -> vec[i64]:
        """Return the mover's cells."""
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
        """Return why rule 2 forbids the cell, or `None`."""
        return refusal_text(i64(self._cells[action]) & OWNER, self._mover)

    def sample(self, rng: Rng) -> i64:
        """Return a random cell of the mover's, found by counting instead of listing."""
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
        """Return an advanced copy."""
        return self.scratch().advance(action)

    def scratch(self) -> "OctaState":
        """Return a copy."""
        return OctaState(
            self._rules, self._cells[:], self._mover, self._turns, self._count_1, self._count_2
        )

    def advance(self, action: i64) -> "OctaState":
        """Apply rules 3 to 5 in place."""
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
        """Return the result by rules 6 and 7; the scores are the numbers of cells."""
        why = verdict(self._count_1, self._count_2, self._turns, self._rules.limit)
        if why == ONGOING:
            return None
        lead = self._count_1 - self._count_2
        value = 0.0 if lead == 0 else 1.0 if lead > 0 else -1.0
        scores = (float(self._count_1), float(self._count_2))
        return Result((value, 0.0 - value), scores, REASONS[why])

    def key(self) -> bytes:
        """Return the cells, the mover and the turns."""
        return self.packed() + b"%d,%d" % (self._mover, self._turns)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the game and the parts, which is faster than the text."""
        cells = self.packed()
        return (OctaRules.position, (self._rules, cells, self._mover, self._turns))
