"""Check that `action_view` and `action_at` are inverse."""

from parlour.core.checks import is_int
from parlour.core.game import State
from parlour.core.scene import ActionView
from parlour.testing.actions import spread
from parlour.testing.promise import promise

MOST_VIEWS = 32


def check_cells(state: State) -> None:
    """Check that every view leads back to its action, and no cells choose two actions."""
    if state.actor < 0:
        return
    owners: dict[tuple[object, str], int] = {}
    legal = list(state.legal_actions())
    looked_at = set(spread(legal, MOST_VIEWS))
    tray = state.scene(int(state.actor)).seats[state.actor].tray_texts()
    for action in legal:
        view = state.game.action_view(state, action)
        _check_view(state, action, view)
        promise(
            not view.group or view.group in tray,
            f"the group of action {action} must be a piece in the actor's tray, {{}}, not {{}}",
            tray,
            view.group,
            cure="Name the piece as `SeatView.tray` of the actor does.",
        )
        for cells in _ways(view):
            way = (frozenset(cells) if view.group else cells, view.group)
            promise(
                way not in owners,
                f"actions {owners.get(way)} and {action} are chosen by the same cells, {{}}",
                cells,
                cure="Give one of them a second cell, a group or no cells; actions without cells "
                "are chosen from a list.",
            )
            owners[way] = action
            if action in looked_at:
                _check_found(state, view, cells)
    _check_prefixes(owners)
    _check_rubbish(state)


def _check_prefixes(owners: dict[tuple[object, str], int]) -> None:
    """Check that no action is chosen by the first cells of another."""
    for (cells, group), action in owners.items():
        for count in range(1, len(cells) if isinstance(cells, tuple) else 0):
            shorter = owners.get((cells[:count], group), action)  # type: ignore[index]
            promise(
                shorter == action,
                f"action {shorter} is chosen by the first cells of action {action}, {{}}, so a "
                "player can choose only one of them",
                cells,
                cure="Give the shorter one another last cell, or no cells; actions without cells "
                "are chosen from a list.",
            )


def _ways(view: ActionView) -> list[tuple[int, ...]]:
    """Return the selections of cells that choose the action."""
    return [view.cells, *((cell,) for cell in view.also)] if view.cells else []


def _check_view(state: State, action: int, view: ActionView) -> None:
    game = state.game
    promise(
        isinstance(view, ActionView),
        f"action_view({action}) must return an ActionView, not {{}}",
        view,
        cure="Return `ActionView(action, text, cells)`.",
    )
    promise(
        view.action == action,
        f"the view of action {action} must contain its id, not {{}}",
        view.action,
        cure="Pass the action on.",
    )
    text = game.action_to_text(state, action)
    promise(
        view.text == text,
        f"the view of action {action} must contain its text, {{}}, not {{}}",
        text,
        view.text,
        cure="Pass `self.action_to_text(state, action)`.",
    )
    promise(
        isinstance(view.cells, tuple) and isinstance(view.also, tuple),
        f"the cells of action {action} must be tuples, not {{}}",
        view,
        cure="Write `(cell,)`, with the comma.",
    )
    for cell in (*view.cells, *view.also):
        promise(
            is_int(cell) and 0 <= cell < game.board.size,
            f"the cells of action {action} must be on the board, from 0 to "
            f"{game.board.size - 1}, not {{}}",
            cell,
            cure="Number cells in reading order: `row * cols + column`.",
        )
        promise(
            cell not in game.board.holes,
            f"the cell {cell} of action {action} is a hole of the board",
            cure="Leave holes out: they cannot be selected.",
        )
    promise(
        not view.also or (len(view.cells) == 1 and not view.group),
        f"action {action} has cells in 'also', so it must be chosen by one cell, not {{}}",
        view.cells,
        cure="Use `also` only for actions of one cell.",
    )
    if type(game).FIXED_VIEWS:
        fixed = game.action_view(game.start(0), action)
        promise(
            view == fixed,
            f"with FIXED_VIEWS the view of action {action} must always be {{}}, not {{}}",
            fixed,
            view,
            cure="Set `FIXED_VIEWS` only if `action_view` ignores the state.",
        )


def _check_found(state: State, view: ActionView, cells: tuple[int, ...]) -> None:
    orders = (cells, cells[::-1]) if view.group else (cells,)
    for touched in orders:
        found = state.game.action_at(state, touched, view.group)
        promise(
            found == view.action,
            f"action_at must be the inverse of action_view: the cells {{}} must give "
            f"{view.action}, not {{}}",
            touched,
            found,
            cure="Return the same id for the same cells; with a group in any order.",
        )


def _check_rubbish(state: State) -> None:
    """Check selections without a meaning, which displays pass on too."""
    size = state.game.board.size
    for group in ("", "no such piece"):
        for cells in ((), (-1,), (size,), (0, 0), (0, size + 9), (0, 1, 2, 3, 4, 5, 6)):
            found = state.game.action_at(state, cells, group)
            promise(
                found is None or is_int(found),
                "action_at must return an id or None, not {} for {}",
                found,
                cells,
                cure="Return `None` for cells without a meaning, also off the board.",
            )
            if found is not None:
                state.refusal(found)
