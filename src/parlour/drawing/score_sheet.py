"""A record as HTML for notebooks: its first and last position, and a table of its actions.

It shows the spectator's view. Text uses the page's colours, so it is readable on light and dark
pages. All text of the record is escaped.
"""

from html import escape

from parlour.core.checks import counted, printable
from parlour.core.game import CHANCE
from parlour.core.record import Line, Record
from parlour.drawing.svg import scene_to_svg


def last_cells(record: Record | Line, number: int) -> tuple[int, ...]:
    """Return the cells of the last decision among the first `number` actions."""
    for at in range(number - 1, -1, -1):
        if record.states[at].actor != CHANCE:
            state = record.states[at]
            cells: tuple[int, ...] = state.game.action_view(state, record.actions[at]).cells
            return cells
    return ()


def record_to_html(record: Record) -> str:
    """Return the score sheet."""
    game = record.game
    pictures = [_figure("Start", scene_to_svg(record.states[0].scene(None), (), game.title))]
    if record.actions:
        count = len(record.actions)
        picture = scene_to_svg(record.final.scene(None), last_cells(record, count), game.title)
        pictures.append(_figure(f"After {counted(count, 'action')}", picture))
    options = "".join(
        f", {option.name} {option.to_text(game.options[option.name])}"
        for option in type(game).OPTIONS
    )
    return (
        f"<div><p><b>{_text(game.title)}</b>{_text(options)}, seed {record.seed}; "
        f"{counted(len(record.actions), 'action')}. {_text(record.final.scene(None).status)}</p>"
        '<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start">'
        f"{''.join(pictures)}{_table(record)}</div></div>"
    )


def _figure(caption: str, picture: str) -> str:
    return f'<figure style="margin:0">{picture}<figcaption>{caption}</figcaption></figure>'


def _table(record: Record) -> str:
    """Return a scrollable table with a row for each action."""
    if not record.actions:
        return ""
    rows = []
    for number, (state, action) in enumerate(
        zip(record.states, record.actions, strict=False), start=1
    ):
        words = record.game.action_words(state, action, None)
        actor = state.actor
        who = "Chance" if actor == CHANCE else record.game.seat_names(state)[actor]
        rows.append(f"<tr><td>{number}</td><td>{_text(who)}</td><td>{_text(words)}</td></tr>")
    return (
        '<div style="max-height:30em;overflow:auto"><table><thead><tr><th></th><th>who</th>'
        f"<th>action</th></tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _text(words: str) -> str:
    return escape(printable(words))
