"""Cells and actions: what `action_view` says and what `action_at` finds are the same."""

from parlour.core.checks import is_int
from parlour.core.game import State
from parlour.core.scene import ActionView
from parlour.testing.actions import spread
from parlour.testing.promise import promise

MOST_VIEWS = 32


def check_cells(state: State) -> None:
    """Every view leads back to its action, and no cells choose two actions."""
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
            f"the group of action {action} is a piece in the actor's tray, {{}}, not {{}}",
            tray,
            view.group,
        )
        for cells in _ways(view):
            way = (frozenset(cells) if view.group else cells, view.group)
            promise(
                way not in owners,
                f"actions {owners.get(way)} and {action} are chosen by the same cells, {{}}: give "
                "one of them other cells, or none",
                cells,
            )
            owners[way] = action
            if action in looked_at:
                _check_found(state, view, cells)
    _check_rubbish(state)


def _ways(view: ActionView) -> list[tuple[int, ...]]:
    """What may be touched to choose the action."""
    return [view.cells, *((cell,) for cell in view.also)] if view.cells else []


def _check_view(state: State, action: int, view: ActionView) -> None:
    game = state.game
    promise(
        isinstance(view, ActionView), f"action_view({action}) returns an ActionView, not {{}}", view
    )
    promise(view.action == action, f"the view of action {action} names it, not {{}}", view.action)
    text = game.action_to_text(state, action)
    promise(
        view.text == text,
        f"the view of action {action} has its text, {{}}, not {{}}: ask action_to_text",
        text,
        view.text,
    )
    promise(
        isinstance(view.cells, tuple) and isinstance(view.also, tuple),
        f"the cells of action {action} are tuples, not {{}}",
        view,
    )
    for cell in (*view.cells, *view.also):
        promise(
            is_int(cell) and 0 <= cell < game.board.size,
            f"the cells of action {action} are on the board, from 0 to {game.board.size - 1}, not "
            "{}",
            cell,
        )
        promise(
            cell not in game.board.holes,
            f"the cell {cell} of action {action} is a hole of the board: nobody can touch it",
        )
    promise(
        not view.also or (len(view.cells) == 1 and not view.group),
        f"action {action} has further cells in 'also', so it is chosen by one cell, not {{}}",
        view.cells,
    )


def _check_found(state: State, view: ActionView, cells: tuple[int, ...]) -> None:
    orders = (cells, cells[::-1]) if view.group else (cells,)
    for touched in orders:
        found = state.game.action_at(state, touched, view.group)
        promise(
            found == view.action,
            f"action_at is the inverse of action_view: the cells {{}} mean {view.action}, not {{}}",
            touched,
            found,
        )


def _check_rubbish(state: State) -> None:
    """A display hands over whatever was touched."""
    size = state.game.board.size
    for group in ("", "no such piece"):
        for cells in ((), (-1,), (size,), (0, 0), (0, size + 9), (0, 1, 2, 3, 4, 5, 6)):
            found = state.game.action_at(state, cells, group)
            promise(
                found is None or is_int(found),
                "action_at returns an id or None, not {} for {}",
                found,
                cells,
            )
            if found is not None:
                state.refusal(found)
